"""Recall over real stores: what ranks, what counts as known, what is left out."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.embedding import Thresholds, Vectors, unit
from forethought.memory.errors import EmbeddingMismatch
from forethought.memory.grain import GRAIN
from forethought.memory.ids import fact_id, session_id
from forethought.memory.index import ChromaIndex
from forethought.memory.indexing import Indexer
from forethought.memory.prospection import Step
from forethought.memory.recall.channels import Channels
from forethought.memory.recall.probing import Probing
from forethought.memory.recall.recall import Recall, Recalled
from forethought.memory.recall.shortlist import Exact
from forethought.memory.records.changes import ChangeSet, Replacement
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.types import Cue, Fact, Part, Source

NOW = datetime(2030, 1, 1, tzinfo=UTC)
BANK = "ann"
DENSE = Channels(foresight=False, keyword=False, log=False, temporal=False)


class RandomVectors:
    """Each text a random direction of its own, always the same."""

    name = "test:random"
    thresholds = Thresholds(probe=0.0, strict=0.5, subject=0.5)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        rows = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=16) for text in texts]
        return unit(np.array(rows, dtype=np.float32).reshape(len(texts), 16))


@pytest.fixture
async def indexer(tmp_path: Path) -> AsyncIterator[Indexer]:
    records = await SqliteRecords.open(tmp_path)
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=RandomVectors.name)
    yield Indexer(records, index, RandomVectors())
    await index.close()
    await records.close()


@pytest.fixture
def recall(indexer: Indexer) -> Recall:
    return Recall(indexer)


def _fact(text: str, *, year: int = 2025, bank: str = BANK) -> Fact:
    said = session_id(bank, "chat")
    date = datetime(year, 1, 1, tzinfo=UTC)
    return Fact(fact_id(bank, said, text), bank, text, "Event", date, sources=(Source(said),))


async def _learn(indexer: Indexer, *facts: Fact, replacing: Sequence[Replacement] = ()) -> None:
    bank = facts[0].bank
    turns = (Utterance(role="user", text="Hi"),)
    await indexer.records.log(bank, [Conversation(date=facts[0].date, turns=turns, key="chat")])
    await indexer.records.commit(ChangeSet(bank, facts, replacements=tuple(replacing)))
    await indexer.catch_up(bank)


async def _by_cosine(query: str, texts: Sequence[str]) -> list[str]:
    embedder = RandomVectors()
    (probe,) = await embedder.embed([query])
    cosines = await embedder.embed(texts) @ probe
    return [texts[row] for row in np.argsort(-cosines)]


@pytest.mark.parametrize("query", ["one", "two", "three"])
async def test_with_no_cues_facts_are_ranked_by_plain_cosine(
    indexer: Indexer, recall: Recall, query: str
) -> None:
    texts = [f"Fact {n}" for n in range(60)]
    await _learn(indexer, *map(_fact, texts))
    hits = (await recall.recall(BANK, query, now=NOW, limit=20)).hits
    assert [hit.fact.text for hit in hits] == (await _by_cosine(query, texts))[:20]
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(hit.score == hit.terms["text"] and hit.found_by == "query" for hit in hits)


async def test_without_foresight_cues_are_left_aside(indexer: Indexer, recall: Recall) -> None:
    texts = [f"Fact {n}" for n in range(30)]
    facts = [_fact(text) for text in texts]
    await _learn(indexer, *facts)
    cues = [Cue(fact.id, at, f"Wish {at} for {fact.text}") for fact in facts for at in (0, 1)]
    cues[14] = Cue(facts[7].id, 0, "the request itself")
    await indexer.records.foresee(BANK, cues, facts=[fact.id for fact in facts])
    await indexer.catch_up(BANK)
    with_cues = (await recall.recall(BANK, "the request itself", now=NOW, limit=30)).hits
    assert with_cues[0].fact.id == facts[7].id
    assert with_cues[0].cue == "the request itself"
    assert "the request itself" in with_cues[0].found_by
    dense = await recall.recall(BANK, "the request itself", now=NOW, limit=30, channels=DENSE)
    order = await _by_cosine("the request itself", texts)
    assert [hit.fact.text for hit in dense.hits] == order
    assert all(hit.cue is None for hit in dense.hits)


class ByLastWord:
    """Prefers the largest last word, whatever the query."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.shown = 0

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.shown = len(texts)
        return [int(text.split()[-1]) / 100 for text in texts]


@pytest.mark.parametrize(("depth", "limit", "read"), [(30, 5, 30), (5, 20, 20), (90, 10, 60)])
async def test_a_reranker_reads_the_best_and_has_the_last_word(
    indexer: Indexer, depth: int, limit: int, read: int
) -> None:
    texts = [f"Fact {n}" for n in range(60)]
    await _learn(indexer, *map(_fact, texts))
    reranker = ByLastWord(depth)
    hits = (await Recall(indexer, reranker).recall(BANK, "one", now=NOW, limit=limit)).hits
    best = (await _by_cosine("one", texts))[:read]
    assert reranker.shown == read
    assert [hit.fact.text for hit in hits] == sorted(best, key=lambda t: -int(t[5:]))[:limit]
    assert all(hit.score == hit.terms["rerank"] for hit in hits)


async def test_a_reranker_of_no_depth_is_not_asked(indexer: Indexer, recall: Recall) -> None:
    await _learn(indexer, *(_fact(f"Fact {n}") for n in range(9)))
    plain = (await recall.recall(BANK, "one", now=NOW, limit=5)).hits
    idle = ByLastWord(0)
    assert (await Recall(indexer, idle).recall(BANK, "one", now=NOW, limit=5)).hits == plain
    assert idle.shown == 0


async def test_no_more_than_the_limit_and_no_less_where_there_are_enough(
    indexer: Indexer, recall: Recall
) -> None:
    await _learn(indexer, *(_fact(f"Fact {n}") for n in range(150)))
    for limit in (1, 10, 120, 500):
        hits = (await recall.recall(BANK, "any", now=NOW, limit=limit)).hits
        assert len(hits) == min(limit, 150)


async def test_what_was_replaced_or_said_later_leaves_its_place_to_others(
    indexer: Indexer, recall: Recall
) -> None:
    facts = [_fact(f"Fact {n}") for n in range(40)]
    order = await _by_cosine("one", [fact.text for fact in facts])
    old = next(fact for fact in facts if fact.text == order[0])
    new = _fact("The new one", year=2027)
    later = _fact("one", year=2028)
    change = Replacement(old.id, new.id, new.date, "update")
    await _learn(indexer, *facts, new, later, replacing=[change])
    as_of = [datetime(year, 6, 1, tzinfo=UTC) for year in (2026, 2027, 2028)]
    found = [await recall.recall(BANK, "one", now=now, limit=5) for now in as_of]
    texts = [[hit.fact.text for hit in recalled.hits] for recalled in found]
    assert texts[0] == order[:5]
    assert set(texts[1]) <= {*order[1:6], "The new one"}
    assert texts[2][0] == "one"
    assert all(len(row) == 5 for row in texts)


async def test_what_was_said_later_crowds_nothing_out_however_near_it_is(
    indexer: Indexer, recall: Recall
) -> None:
    early = [_fact(f"Fact {n}") for n in range(5)]
    later = [_fact(f"Later {n}", year=2028) for n in range(400)]
    await _learn(indexer, *early, *later)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    hits = (await recall.recall(BANK, "one", now=now, limit=5)).hits
    assert {hit.fact.text for hit in hits} == {fact.text for fact in early}
    sure = await recall.sure(BANK, "one", now=now, k=5, floor=-1)
    assert {fact.text for fact in sure} == {fact.text for fact in early}
    round = await recall.probe(Probing(BANK, "one", now, 5, tau=-1), [Step("A1", "Go")], {})
    assert set(round.candidates) == {fact.id for fact in early}
    assert all(set(probe.facts) == set(round.candidates) for probe in round.probed)


async def test_an_unknown_bank_has_nothing(recall: Recall) -> None:
    assert await recall.recall("nobody", "any", now=NOW, limit=5) == Recalled([], [])
    assert await recall.related("nobody", ["any"], k=5, limit=5) == []
    assert await recall.sure("nobody", "any", now=NOW, k=5, floor=-1) == []
    probing = Probing("nobody", "any", NOW, 5)
    round = await recall.probe(probing, [Step("A1", "Go")], {})
    assert round.candidates == {}
    assert [probe.facts for probe in round.probed] == [(), ()]


async def test_banks_are_never_mixed(indexer: Indexer, recall: Recall) -> None:
    await _learn(indexer, _fact("mine"))
    await _learn(indexer, _fact("theirs", bank="bob"))
    for query in ("mine", "theirs"):
        (hit,) = (await recall.recall(BANK, query, now=NOW, limit=5)).hits
        assert hit.fact.text == "mine"
        assert [fact.text for fact in await recall.related("bob", [query], k=5, limit=5)] == [
            "theirs"
        ]


async def test_what_is_surely_about_a_request_is_at_or_above_the_threshold(
    indexer: Indexer, recall: Recall
) -> None:
    texts = [f"Fact {n}" for n in range(60)]
    await _learn(indexer, *map(_fact, texts))
    (probe,) = await RandomVectors().embed(["one"])
    cosines = dict(zip(texts, (await RandomVectors().embed(texts)) @ probe, strict=True))
    for floor in (None, 0.2, 0.9, -1.0):
        sure = await recall.sure(BANK, "one", now=NOW, k=4, floor=floor)
        above = [t for t, c in cosines.items() if c >= (0.5 if floor is None else floor)]
        assert {fact.text for fact in sure} == set(sorted(above, key=lambda t: -cosines[t])[:4])


async def test_what_a_crash_left_unindexed_is_found_when_the_bank_is_first_asked(
    indexer: Indexer, recall: Recall
) -> None:
    turns = (Utterance(role="user", text="Hi"),)
    await indexer.records.log(BANK, [Conversation(date=NOW, turns=turns, key="chat")])
    await indexer.records.commit(ChangeSet(BANK, (_fact("Fact 1"),)))  # and then it died
    (hit,) = (await recall.recall(BANK, "Fact 1", now=NOW, limit=5)).hits
    assert hit.fact.text == "Fact 1"


async def test_another_embedder_is_an_error_and_no_wrong_result(indexer: Indexer) -> None:
    await _learn(indexer, _fact("Fact 1"))

    class Other(RandomVectors):
        name = "test:other"

    index = ChromaIndex(indexer.index._chroma, embedder=Other.name)  # type: ignore[attr-defined]  # of the adapter
    other = Recall(Indexer(indexer.records, index, Other()))
    with pytest.raises(EmbeddingMismatch, match="reindex"):
        await other.recall(BANK, "Fact 1", now=NOW, limit=5)


async def test_a_vector_fetched_once_is_not_fetched_again_unless_its_cue_was_imagined_anew(
    indexer: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    fact = _fact("Fact 1")
    await _learn(indexer, fact)
    fetched: list[str] = []
    vectors = indexer.index.vectors

    async def counting(bank: str, part: Part, ids: Sequence[str]) -> dict[str, Vectors]:
        fetched.extend(ids)
        return await vectors(bank, part, ids)

    monkeypatch.setattr(indexer.index, "vectors", counting)
    exact = Exact(indexer.records, indexer.index)
    for wishes in (["One", "Two"], ["One", "Three"]):
        cues = [Cue(fact.id, at, wish) for at, wish in enumerate(wishes)]
        await indexer.records.foresee(BANK, cues, facts=[fact.id])
        await indexer.catch_up(BANK)
        (probe, *own) = await RandomVectors().embed(["any", *wishes])
        for _ in range(2):
            told = (await exact.cues(BANK, [fact.id], probe, now=NOW))[fact.id]
            assert sorted(told.dots) == pytest.approx(sorted(np.array(own) @ probe), abs=GRAIN)
    assert fetched == [f"{fact.id}:0", f"{fact.id}:1", f"{fact.id}:1"]
