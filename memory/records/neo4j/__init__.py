"""Records in a Neo4j server, for several processes. Its facets by topic; `store.py` joins them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forethought.memory.records.neo4j.store import Neo4jRecords

__all__ = ["Neo4jRecords"]


def __getattr__(name: str) -> Any:
    """Import the adapter, and the driver with it, when it is first asked for."""
    if name != "Neo4jRecords":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from forethought.memory.records.neo4j.store import Neo4jRecords

    return Neo4jRecords
