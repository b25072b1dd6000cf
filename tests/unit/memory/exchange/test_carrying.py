"""Bringing a bank in: all of it or nothing, once, and then whatever its index lacks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from forethought.memory.beliefs.profile import Disposition, Profile, profile_of
from forethought.memory.errors import InvalidInput
from forethought.memory.exchange.carrying import Imported, brought_in, gathered
from forethought.memory.exchange.renaming import renamed
from forethought.memory.index import ChromaIndex
from forethought.memory.indexing import Indexer
from forethought.memory.records.sqlite import SqliteRecords
from tests.flows.scripted import WordCounts
from tests.unit.memory.exchange.samples import ANN, NEW, OLD, REMINDERS, SAID, SEEN, SURE

VECTORS = {
    "text": {OLD.id, NEW.id},
    "cue": {f"{NEW.id}:0", f"{NEW.id}:2", f"{NEW.id}:101"},
    "turn": {turn.id for turn in SAID},
}


@pytest.fixture
async def indexer(tmp_path: Path) -> AsyncIterator[Indexer]:
    records, embedder = await SqliteRecords.open(tmp_path), WordCounts()
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=embedder.name)
    yield Indexer(records, index, embedder)
    await index.close()
    await records.close()


async def test_a_bank_comes_in_whole_and_is_indexed(indexer: Indexer) -> None:
    told: list[tuple[int, int]] = []
    done = await brought_in(indexer, ANN, lambda done, total: told.append((done, total)))
    assert done == Imported(new=True, vectors=13)
    assert await gathered(indexer.records, "ann") == ANN
    assert await indexer.index.ids("ann", "text") == VECTORS["text"]
    assert await indexer.index.ids("ann", "cue") == VECTORS["cue"]
    assert await indexer.index.ids("ann", "turn") == VECTORS["turn"]
    assert await indexer.index.ids("ann", "opinion") == {SURE.id}
    assert await indexer.index.ids("ann", "observation") == {one.id for one in SEEN}
    assert await indexer.index.ids("ann", "reminder") == {one.id for one in REMINDERS}
    assert told[-1] == (13, 13)


async def test_the_profile_of_a_bank_goes_with_it(indexer: Indexer) -> None:
    profile = Profile("Vega", Disposition(skepticism=5), "I am a guide.")
    contents = replace(ANN, profile=profile)
    await brought_in(indexer, contents)
    assert await profile_of(indexer.records, contents.bank) == profile
    assert await gathered(indexer.records, contents.bank) == contents.ordered()
    assert not (await brought_in(indexer, contents)).new


async def test_a_second_time_changes_nothing(indexer: Indexer) -> None:
    await brought_in(indexer, ANN)
    assert await brought_in(indexer, ANN) == Imported(new=False, vectors=0)
    assert await gathered(indexer.records, "ann") == ANN


async def test_an_import_that_died_before_it_had_indexed_is_finished_by_the_next(
    indexer: Indexer,
) -> None:
    await indexer.records.restore(ANN)  # and then it died
    assert await brought_in(indexer, ANN) == Imported(new=False, vectors=13)
    assert await indexer.index.ids("ann", "cue") == VECTORS["cue"]


@pytest.mark.parametrize("part", ["sessions", "facts", "cues", "tombstones"])
async def test_a_bank_that_holds_anything_else_is_left_alone(indexer: Indexer, part: str) -> None:
    other = {
        "sessions": replace(ANN, sessions=(replace(ANN.sessions[0], key="x"), ANN.sessions[1])),
        "facts": replace(ANN, facts=(OLD, replace(NEW, foreseen=False))),
        "cues": replace(ANN, cues=ANN.cues[:1]),
        "tombstones": replace(ANN, tombstones=()),
    }[part]
    await brought_in(indexer, other)
    with pytest.raises(InvalidInput, match="not empty .*--bank"):
        await brought_in(indexer, ANN)
    assert await gathered(indexer.records, "ann") == other


async def test_a_bank_beside_it_is_left_alone(indexer: Indexer) -> None:
    await brought_in(indexer, ANN)
    await brought_in(indexer, renamed(ANN, "bob"))
    assert await gathered(indexer.records, "ann") == ANN
    assert await indexer.index.ids("ann", "text") == VECTORS["text"]


async def test_a_bank_that_nobody_knows_is_empty(indexer: Indexer) -> None:
    assert (await gathered(indexer.records, "nobody")).empty
