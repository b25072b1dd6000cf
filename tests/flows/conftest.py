"""Benches: with fresh stores for each test, or with those of a module's, a bank to each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.flows.bench import Bench, opened


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path) as bench:
        yield bench


@pytest.fixture
async def modelless(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path / "modelless", model=False) as bench:
        yield bench


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stores(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """For modules whose tests run in one event loop; opening stores is most of a short test."""
    async with opened(tmp_path_factory.mktemp("stores")) as bench:
        yield bench
