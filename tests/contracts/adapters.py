"""The adapters of each port; one that joins here is held to the port's whole contract."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from forethought.memory.index import Index
from forethought.memory.records.port import Records
from forethought.memory.records.sqlite import SqliteRecords

OpenRecords = Callable[[Path], Awaitable[Records]]

RECORDS: dict[str, OpenRecords] = {
    "sqlite": SqliteRecords.open,
}

OpenIndex = Callable[..., Awaitable[Index]]
"""Opens the same index again and again; its one argument is the name of the embedder."""

VECTORS_OF = "test:one"
"""Whose vectors an index holds where a test names no embedder."""
