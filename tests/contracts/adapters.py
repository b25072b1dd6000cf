"""The adapters of each port; one that joins here is held to the port's whole contract."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from forethought.memory.index import Index
from forethought.memory.records.neo4j import Neo4jRecords
from forethought.memory.records.port import Records
from forethought.memory.records.sqlite import SqliteRecords
from tests.contracts.neo4j_server import Address

OpenRecords = Callable[[Path], Awaitable[Records]]
"""Opens the same records again and again; another folder means others."""


def neo4j_address() -> Address | None:
    """The Neo4j to test with: one that is named, or that the session started and named."""
    uri, user, password = (
        os.environ.get(f"FORETHOUGHT_TEST_NEO4J_{name}", "") for name in ("URI", "USER", "PASSWORD")
    )
    return Address(uri, user or "neo4j", password) if uri else None


async def open_neo4j(folder: Path) -> Records:
    """A store of its own for each folder, within the one database that Community has."""
    address = neo4j_address()
    assert address is not None, "the fixture `adapter` names a server first"
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
