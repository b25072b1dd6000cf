"""ρ over what is stored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from forethought.memory.entities.gathering import resolved
from forethought.memory.entities.resolution import Said, Stretch
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.sqlite import SqliteRecords
from tests.contracts.samples import BANK, KEYS, day, fact, log_sources, session
from tests.unit.memory.entities.bank import DOUBTED_AFTERWARDS


@pytest.mark.parametrize("life", DOUBTED_AFTERWARDS.values(), ids=DOUBTED_AFTERWARDS)
async def test_what_is_stored_means_the_same_when_it_is_resolved_again(
    life: list[tuple[int, list[list[str]]]], tmp_path: Path
) -> None:
    records = await SqliteRecords.open(tmp_path)
    for key, (_, said) in zip(KEYS, life, strict=False):
        facts = [fact(f"{names} on {key}", said_in=key) for names in said]
        names = [
            Said(one.id, name, "PERSON")
            for one, beside in zip(facts, said, strict=True)
            for name in beside
        ]
        stretch = Stretch(BANK, session(key), day(1), tuple(names))
        found = await resolved(records, stretch)
        await log_sources(records, *facts)
        changes = ChangeSet(BANK, tuple(facts), entities=found.entities, mentions=found.mentions)
        await records.commit(changes)
        assert await resolved(records, stretch) == replace(found, entities=())
    await records.close()
