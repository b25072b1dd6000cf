"""Each contract test runs against every adapter of its port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from forethought.memory.records.port import Records
from tests.contracts.adapters import RECORDS, OpenRecords


@pytest.fixture(params=RECORDS)
def adapter(request: pytest.FixtureRequest) -> str:
    """Name of an adapter of the Records port."""
    return str(request.param)


@pytest.fixture
def open_records(adapter: str) -> OpenRecords:
    return RECORDS[adapter]


@pytest.fixture
async def records(open_records: OpenRecords, tmp_path: Path) -> AsyncIterator[Records]:
    opened = await open_records(tmp_path)
    yield opened
    await opened.close()
