"""An evaluation keeps away from the memory that it is run beside."""

from __future__ import annotations

from pathlib import Path

from forethought.evals.banks import open_apart
from forethought.graphs.settings import Settings
from forethought.memory.records.sqlite import SqliteRecords


async def test_an_evaluation_reaches_none_of_the_users_stores(tmp_path: Path) -> None:
    nowhere = "127.0.0.1:1"  # opening either server would fail
    settings = Settings(
        data_dir=tmp_path, chroma_url=f"http://{nowhere}", neo4j_uri=f"bolt://{nowhere}"
    )
    async with open_apart(settings) as app:
        assert isinstance(app.records, SqliteRecords)
    assert not list(tmp_path.iterdir())
