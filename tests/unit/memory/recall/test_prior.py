"""A bank's user profile as a vector: the mean of its statements, as of a moment, never stale."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from forethought.memory.beliefs.types import USER, About, Observation
from forethought.memory.embedding import Vectors, unit
from forethought.memory.forgetting import Forgetter
from forethought.memory.grain import GRAIN
from forethought.memory.ids import observation_id
from forethought.memory.index import ChromaIndex
from forethought.memory.indexing import Indexer
from forethought.memory.recall.prior import Prior
from forethought.memory.records.sqlite import SqliteRecords
from tests.contracts.samples import BANK, day, fact, learn
from tests.flows.scripted import WordCounts

VEGAN, OSLO = fact("Eats no meat"), fact("Lives in Oslo")
MADE = day(4)
EATS, LIVES = "The user is vegan", "The user lives in the city of Oslo"


@pytest.fixture
async def indexer(tmp_path: Path) -> AsyncIterator[Indexer]:
    records = await SqliteRecords.open(tmp_path)
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=WordCounts.name)
    indexer = Indexer(records, index, WordCounts())
    await learn(records, VEGAN, OSLO)
    yield indexer
    await index.close()
    await records.close()


def _statement(text: str, subject: str) -> Observation:
    id = observation_id(BANK, subject, text)
    about: About = "user" if subject == USER else "topic"
    return Observation(id, BANK, subject, about, "", text, (VEGAN.id,), MADE)


async def _profile(indexer: Indexer, *texts: str, subject: str = USER, index: bool = True) -> None:
    await indexer.records.observe(BANK, subject, [_statement(text, subject) for text in texts])
    if index:
        await indexer.catch_up(BANK)


async def _mean(*texts: str) -> Vectors:
    return unit((await WordCounts().embed(texts)).mean(axis=0))


async def _is(prior: Prior, *texts: str) -> bool:
    found = await prior.of(BANK, now=MADE)
    return found is not None and bool(np.allclose(found, await _mean(*texts), atol=GRAIN))


async def test_it_is_the_unit_mean_of_the_statements_and_of_no_other_observation(
    indexer: Indexer,
) -> None:
    await _profile(indexer, EATS, LIVES)
    await _profile(indexer, "Winter is long", subject=VEGAN.id)
    prior = Prior(indexer)
    assert await _is(prior, EATS, LIVES)
    assert await prior.of("bob", now=MADE) is None


async def test_an_earlier_moment_knows_no_profile_that_was_made_later(indexer: Indexer) -> None:
    await _profile(indexer, EATS)
    prior = Prior(indexer)
    for _ in range(2):
        assert await prior.of(BANK, now=MADE - timedelta(seconds=1)) is None
        assert await _is(prior, EATS)


async def test_it_follows_the_profile_made_anew_also_where_nobody_indexed_that(
    indexer: Indexer,
) -> None:
    prior = Prior(indexer)
    assert await prior.of(BANK, now=MADE) is None
    await _profile(indexer, EATS)
    assert await _is(prior, EATS)
    await _profile(indexer, EATS, LIVES, index=False)
    assert await _is(prior, EATS, LIVES)
    await _profile(indexer, LIVES)
    assert await _is(prior, LIVES)
    await Forgetter(indexer.records, indexer).forget(BANK, fact=VEGAN.id)
    assert await prior.of(BANK, now=MADE) is None


async def test_its_vectors_are_fetched_once_while_it_stays_the_same(
    indexer: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _profile(indexer, EATS, LIVES)
    fetched, fetch = [], ChromaIndex.vectors

    async def counted(index: ChromaIndex, bank: str, part: str, ids: object) -> object:
        fetched.append(part)
        return await fetch(index, bank, part, ids)  # type: ignore[arg-type] # as it was called

    monkeypatch.setattr(ChromaIndex, "vectors", counted)
    prior = Prior(indexer)
    for _ in range(3):
        assert await _is(prior, EATS, LIVES)
    assert fetched == ["observation"]
