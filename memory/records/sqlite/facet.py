"""What the facets of the adapter have in common: the file they work on."""

from __future__ import annotations

from forethought.memory.records.sqlite.database import Database


class Facet:
    """Some of the methods of `Records`, over one open file."""

    def __init__(self, database: Database) -> None:
        """`database` is open, and closed by `SqliteRecords`."""
        self._db = database
