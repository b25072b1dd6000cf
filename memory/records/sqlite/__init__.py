"""Records in one SQLite file, the embedded default. Its facets by topic; `store.py` joins them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forethought.memory.records.sqlite.store import SqliteRecords

__all__ = ["SqliteRecords"]


def __getattr__(name: str) -> Any:
    """Import the adapter, and aiosqlite with it, when it is first asked for."""
    if name != "SqliteRecords":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from forethought.memory.records.sqlite.store import SqliteRecords

    return SqliteRecords
