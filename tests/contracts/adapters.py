"""The adapters of each port; one that joins here is held to the port's whole contract."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from forethought.memory.index import Index
from forethought.memory.records.neo4j import Neo4jRecords
from forethought.memory.records.port import Records
from forethought.memory.records.sqlite import SqliteRecords
from tests.contracts.neo4j_server import named

OpenRecords = Callable[[Path], Awaitable[Records]]
"""Opens the same records again and again; another folder means others."""


async def open_neo4j(folder: Path) -> Records:
    """A store of its own for each folder, within the one database that Community has."""
    address = named()
    assert address is not None, "the fixture `neo4j_address` names a server first"
    return await Neo4jRecords.open(
        address.uri, user=address.user, password=address.password, store=str(folder)
    )


RECORDS: dict[str, OpenRecords] = {
    "sqlite": SqliteRecords.open,
    "neo4j": open_neo4j,
}

OpenIndex = Callable[..., Awaitable[Index]]
"""Opens the same index again and again; its one argument is the name of the embedder."""

VECTORS_OF = "test:one"
"""Whose vectors an index holds where a test names no embedder."""

on_sqlite = pytest.mark.parametrize("adapter", ["sqlite"], indirect=True)
on_neo4j = pytest.mark.parametrize("adapter", ["neo4j"], indirect=True)
"""For a property whose examples take ten times as long on a server: it gets fewer of them there."""

FEWER = 6
"""So many: what a commit comes to is shared code (`planned`), which has its examples on SQLite."""
