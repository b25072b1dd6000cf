"""A bench with fresh stores for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.flows.bench import Bench, opened


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path) as bench:
        yield bench


@pytest.fixture
async def modelless(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path / "modelless", model=False) as bench:
        yield bench
