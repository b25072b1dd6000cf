"""What the facets of the adapter have in common: the database they work on."""

from __future__ import annotations

from forethought.memory.records.neo4j.database import Database


class Facet:
    """Some of the methods of `Records`, over one open database."""

    def __init__(self, database: Database) -> None:
        """`database` is open, and closed by `Neo4jRecords`."""
        self._db = database
