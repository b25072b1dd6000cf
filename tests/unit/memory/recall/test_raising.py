"""Terms in recall and in prospection over real stores: they rank, they show, they never prune."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from forethought.memory.beliefs.types import USER, Observation
from forethought.memory.dimensions import Dimensions
from forethought.memory.ids import observation_id
from forethought.memory.index import ChromaIndex
from forethought.memory.indexing import Indexer
from forethought.memory.prospection import Step
from forethought.memory.recall.candidates import Placed, ranked
from forethought.memory.recall.channels import EPISODES
from forethought.memory.recall.probing import Probing
from forethought.memory.recall.recall import Recall
from forethought.memory.recall.terms import Bearing, Weights
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.types import Hit
from tests.contracts.samples import BANK, NOW, day, fact, learn
from tests.flows.scripted import WordCounts

AHEAD = Dimensions("future", certainty="certain")
TEA = fact("Ana likes green tea")
CAKE = fact("Ana likes lemon cake")
OLD_JOB = fact("Ana works in a bank")
JOB = fact("Ana works at the museum", on=2)
SKIS = fact("Bo will rent two pairs of skis", dimensions=AHEAD)
ASKED = "What does Ana like, tea or cake?"
OFF = Weights(prospective=0)
FIRING = Bearing(Weights(prospective=5), firing=frozenset({OLD_JOB.id}))
SALIENT = Bearing(replace(OFF, salience=5))
WANTED = Bearing(replace(OFF, dimensions=1), dimensions=AHEAD)
PERSONAL = Bearing(replace(OFF, profile=0.9))

CASES = [
    pytest.param(FIRING, JOB, "prospective", id="what replaced a fact of a firing commitment"),
    pytest.param(SALIENT, SKIS, "salience", id="what weighs most"),
    pytest.param(WANTED, SKIS, "dimensions", id="what is of the time that is asked for"),
    pytest.param(PERSONAL, SKIS, "profile", id="what is like the user"),
]


@pytest.fixture
async def indexer(tmp_path: Path) -> AsyncIterator[Indexer]:
    records = await SqliteRecords.open(tmp_path)
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=WordCounts.name)
    indexer = Indexer(records, index, WordCounts())
    await learn(records, TEA, CAKE, OLD_JOB, SKIS)
    await learn(records, JOB, replacing={OLD_JOB.id: JOB})
    await records.weigh(BANK, {SKIS.id: 1.0, TEA.id: 0.1})
    says = "The user likes to rent two pairs of skis"
    named = observation_id(BANK, USER, says)
    about = Observation(named, BANK, USER, "user", "The user", says, (SKIS.id,), day(3))
    await records.observe(BANK, USER, [about])
    await indexer.catch_up(BANK)
    yield indexer
    await index.close()
    await records.close()


async def _recalled(indexer: Indexer, bearing: Bearing, *, limit: int = 9) -> list[Hit]:
    recall = Recall(indexer)
    return (await recall.recall(BANK, ASKED, now=NOW, limit=limit, bearing=bearing)).hits


async def _placed(indexer: Indexer, bearing: Bearing) -> dict[str, Placed]:
    recall = Recall(indexer)
    probing = Probing(BANK, ASKED, NOW, k=9)
    steps = [Step("A1", "Ask what Ana likes"), Step("A2", "Buy green tea")]
    found = await recall.probe(probing, steps, {})
    placed = await recall.ranked(probing, found.candidates, bearing)
    assert set(placed) == set(found.candidates)
    return placed


@pytest.mark.parametrize(("bearing", "first", "term"), CASES)
async def test_a_term_raises_a_fact_that_recall_found_before_the_cut(
    indexer: Indexer, bearing: Bearing, first: object, term: str
) -> None:
    plain, found = await _recalled(indexer, Bearing(OFF)), await _recalled(indexer, bearing)
    assert plain[0].fact != first
    assert found[0].fact == first
    assert found[0].terms[term] > 0
    assert {hit.fact.id for hit in found} == {hit.fact.id for hit in plain}
    (only,) = await _recalled(indexer, bearing, limit=1)
    assert only == found[0]


@pytest.mark.parametrize("bearing", [FIRING, SALIENT, WANTED, PERSONAL])
async def test_no_term_decides_which_facts_are_related_to_a_request(
    indexer: Indexer, bearing: Bearing
) -> None:
    recall = Recall(indexer)
    plain, found = [
        (await recall.recall(BANK, ASKED, now=NOW, limit=9, channels=EPISODES, bearing=one)).hits
        for one in (Bearing(OFF), bearing)
    ]
    assert {hit.fact.id for hit in plain} == {TEA.id, CAKE.id}
    assert {hit.fact.id for hit in found} == {TEA.id, CAKE.id}


@pytest.mark.parametrize(("bearing", "first", "term"), CASES)
async def test_a_term_raises_a_candidate_of_a_prospection(
    indexer: Indexer, bearing: Bearing, first: object, term: str
) -> None:
    plain, found = await _placed(indexer, Bearing(OFF)), await _placed(indexer, bearing)
    raised = next(id for id in found if found[id].terms.get(term))
    assert raised == getattr(first, "id", None)
    assert list(found).index(raised) < list(plain).index(raised)
    assert set(found) == set(plain)


async def test_without_weights_both_rank_as_if_there_were_no_terms(indexer: Indexer) -> None:
    nothing = Bearing(OFF, firing=frozenset({JOB.id, TEA.id}), dimensions=AHEAD)
    assert await _recalled(indexer, nothing) == await _recalled(indexer, Bearing())
    placed = await _placed(indexer, nothing)
    assert list(placed) == ranked({id: one.at for id, one in placed.items()})
    assert {(one.by, one.score - one.at.score, *one.terms) for one in placed.values()} == {(0, 0)}


async def test_a_profile_changes_what_texts_are_held_against_and_shows_by_how_much(
    indexer: Indexer,
) -> None:
    plain = {hit.fact.id: hit for hit in await _recalled(indexer, Bearing(OFF))}
    for hit in await _recalled(indexer, PERSONAL):
        own = hit.terms["text"] - hit.terms["profile"]
        assert own == pytest.approx(plain[hit.fact.id].terms["text"], abs=2e-4)


async def test_terms_keep_the_scale_of_scores_where_a_bank_holds_one_fact(tmp_path: Path) -> None:
    records = await SqliteRecords.open(tmp_path)
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=WordCounts.name)
    await learn(records, TEA)
    recall, probing = Recall(Indexer(records, index, WordCounts())), Probing(BANK, ASKED, NOW, k=9)
    found = await recall.probe(probing, [Step("A1", "Buy green tea")], {})
    firing = Bearing(firing=frozenset({TEA.id}))
    placed = await recall.ranked(probing, found.candidates, firing)
    assert 0 < placed[TEA.id].score < 5
    await index.close()
    await records.close()
