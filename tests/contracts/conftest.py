"""Each contract test runs against every adapter of its port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from forethought.memory.index import ChromaIndex, Index
from forethought.memory.records.port import Records
from tests.contracts.adapters import RECORDS, VECTORS_OF, OpenIndex, OpenRecords
from tests.contracts.chroma_server import chroma_server


@pytest.fixture(params=RECORDS)
def adapter(request: pytest.FixtureRequest) -> str:
    """Name of an adapter of the Records port."""
    if request.param == "neo4j":
        request.getfixturevalue("neo4j_address")
    return str(request.param)


@pytest.fixture
def open_records(adapter: str) -> OpenRecords:
    return RECORDS[adapter]


@pytest.fixture
async def records(open_records: OpenRecords, tmp_path: Path) -> AsyncIterator[Records]:
    opened = await open_records(tmp_path)
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def chroma_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with chroma_server(tmp_path_factory.mktemp("chroma-server")) as url:
        yield url


@pytest.fixture(params=["embedded", "server"])
async def open_index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenIndex]:
    """Open the same place again and again, by different embedders if need be."""
    indexes: list[ChromaIndex] = []
    url = request.getfixturevalue("chroma_url") if request.param == "server" else ""

    async def open_it(embedder: str = VECTORS_OF) -> Index:
        if url:
            index = await ChromaIndex.server(url, embedder=embedder)
        else:
            index = await ChromaIndex.embedded(tmp_path, embedder=embedder)
        indexes.append(index)
        return index

    yield open_it
    for index in indexes:
        await index.close()
