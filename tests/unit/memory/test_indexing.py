"""The index is kept true to the records, whatever happens in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from forethought.memory.beliefs.types import Judgement, Observation, Opinion
from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.embedding import Vectors
from forethought.memory.errors import NotFound, StoreUnavailable
from forethought.memory.forgetting import Forgetter
from forethought.memory.grain import GRAIN
from forethought.memory.ids import fact_id, session_id, turn_id
from forethought.memory.index import PARTS, ChromaIndex
from forethought.memory.indexing import Indexer
from forethought.memory.ledger.types import Commitment, CommitmentCue
from forethought.memory.locks import BankLocks
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.types import LEARNED, Cue, Fact, Forgotten, Source
from tests.flows.scripted import WordCounts

BANK = "ann"
DATE = datetime(2025, 1, 1, tzinfo=UTC)


class Held(WordCounts):
    """An embedder that can be held back in the middle of its work."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()
        self.free.set()
        self.busy = asyncio.Event()
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        self.busy.set()
        await self.free.wait()
        return await super().embed(texts)


@pytest.fixture
def embedder() -> Held:
    return Held()


@pytest.fixture
async def indexer(tmp_path: Path, embedder: Held) -> AsyncIterator[Indexer]:
    records = await SqliteRecords.open(tmp_path)
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=embedder.name)
    yield Indexer(records, index, embedder)
    await index.close()
    await records.close()


@pytest.fixture
def forgetter(indexer: Indexer) -> Forgetter:
    return Forgetter(indexer.records, indexer)


async def _learn(indexer: Indexer, *texts: str, bank: str = BANK, cues: int = 0) -> list[str]:
    said = session_id(bank, "chat")
    turns = (Utterance(role="user", text="Hi"),)
    await indexer.records.log(bank, [Conversation(date=DATE, turns=turns, key="chat")])
    facts = [
        Fact(fact_id(bank, said, text), bank, text, "Event", DATE, sources=(Source(said),))
        for text in texts
    ]
    await indexer.records.commit(ChangeSet(bank, tuple(facts)))
    ids = [fact.id for fact in facts]
    wishes = [Cue(id, at, f"Wish {at} {id}") for id in ids for at in range(cues)]
    if wishes:
        await indexer.records.foresee(bank, wishes, facts=ids)
    return ids


async def _indexed(indexer: Indexer, bank: str = BANK) -> set[str]:
    return set().union(*[await indexer.index.ids(bank, part) for part in PARTS])


def _hi(bank: str = BANK) -> str:
    """The turn that `_learn` logs."""
    return turn_id(session_id(bank, "chat"), 0, "Hi")


async def test_catching_up_adds_what_is_marked_and_then_nothing(indexer: Indexer) -> None:
    one, two = await _learn(indexer, "one", "two", cues=2)
    assert await indexer.catch_up(BANK) == 7
    cues = {f"{f}:{n}" for f in (one, two) for n in (0, 1)}
    assert await _indexed(indexer) == {one, two, *cues, _hi()}
    assert await indexer.catch_up(BANK) == 0


async def test_banks_catch_up_apart(indexer: Indexer) -> None:
    await _learn(indexer, "one")
    await _learn(indexer, "two", bank="bob")
    assert await indexer.catch_up(BANK) == 2
    assert await _indexed(indexer, "bob") == set()


async def test_two_who_catch_up_at_once_embed_once(indexer: Indexer, embedder: Held) -> None:
    await _learn(indexer, "one", "two")
    added = await asyncio.gather(*(indexer.catch_up(BANK) for _ in range(3)))
    assert sum(added) == 3
    assert sorted(embedder.texts) == ["Hi", "one", "two"]


async def test_more_than_a_batch_is_caught_up_in_order(indexer: Indexer) -> None:
    ids = await _learn(indexer, *(f"Fact {n}" for n in range(600)))
    assert await indexer.catch_up(BANK) == 601
    assert await _indexed(indexer) == {*ids, _hi()}
    vectors = await indexer.index.vectors(BANK, "text", ids[:3])
    expected = await indexer.embedder.embed(["Fact 0", "Fact 1", "Fact 2"])
    assert [vectors[id].tolist() for id in ids[:3]] == [
        pytest.approx(row.tolist(), abs=GRAIN) for row in expected
    ]


async def test_rebuilding_gives_the_same_again(indexer: Indexer) -> None:
    await _learn(indexer, "one", "two", cues=1)
    await indexer.catch_up(BANK)
    before = await _indexed(indexer)
    told: list[tuple[int, int]] = []
    assert await indexer.rebuild(BANK, lambda *done: told.append(done)) == 5
    assert (await _indexed(indexer), told[-1]) == (before, (5, 5))


async def test_a_rebuilding_that_dies_without_an_index_is_finished_by_the_next_run(
    indexer: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _learn(indexer, "one", "two", cues=1)
    await indexer.catch_up(BANK)
    before, drop = await _indexed(indexer), indexer.index.drop

    async def dies(bank: str) -> int:
        await drop(bank)
        raise StoreUnavailable("the process is gone")

    monkeypatch.setattr(indexer.index, "drop", dies)
    with pytest.raises(StoreUnavailable):
        await indexer.rebuild(BANK)
    assert await _indexed(indexer) == set()
    assert await indexer.catch_up(BANK) == 5
    assert await _indexed(indexer) == before


async def test_what_another_run_indexes_before_the_index_is_dropped_is_indexed_again(
    indexer: Indexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _learn(indexer, "one", "two", cues=1)
    await indexer.catch_up(BANK)
    before, drop = await _indexed(indexer), indexer.index.drop

    async def late(bank: str) -> int:
        await replace(indexer, locks=BankLocks()).catch_up(bank)
        return await drop(bank)

    monkeypatch.setattr(indexer.index, "drop", late)
    assert await indexer.rebuild(BANK) == 5
    assert await _indexed(indexer) == before


async def test_forgetting_a_fact_takes_its_vectors(indexer: Indexer, forgetter: Forgetter) -> None:
    one, two = await _learn(indexer, "one", "two", cues=2)
    await indexer.catch_up(BANK)
    gone = await forgetter.forget(BANK, fact=one)
    assert (gone.facts, gone.cues, gone.vectors) == (1, 2, 3)
    assert await _indexed(indexer) == {two, f"{two}:0", f"{two}:1", _hi()}
    with pytest.raises(NotFound):
        await forgetter.forget(BANK, fact=one)


async def test_opinions_and_observations_have_vectors_for_as_long_as_they_stand(
    indexer: Indexer, forgetter: Forgetter, embedder: Held
) -> None:
    records, index = indexer.records, indexer.index
    sings, hums = await _learn(indexer, "Sings", "Hums")
    (joy,) = held = [Opinion("o1", BANK, "Song is joy", 0.5, DATE, "Song is joy", 0.5, (), (hums,))]
    seen = Observation("b1", BANK, "x", "topic", "Song", "It is of song", (sings,), DATE)
    await records.hold(BANK, held)
    await records.observe(BANK, "x", [seen])
    await indexer.catch_up(BANK)
    assert (await index.ids(BANK, "opinion"), await index.ids(BANK, "observation")) == (
        {"o1"},
        {"b1"},
    )
    await records.judge(BANK, [Judgement("o1", "weaken", DATE, sings, text="Sings is work")])
    assert await indexer.catch_up(BANK) == 1
    assert embedder.texts[-1] == "Sings is work"
    gone = await forgetter.forget(BANK, fact=sings)
    assert (gone.opinions, gone.observations, gone.vectors) == (0, 1, 3)
    assert (await index.count(BANK, "opinion"), await index.count(BANK, "observation")) == (0, 0)
    assert await records.opinions(BANK) == [joy]
    assert await indexer.catch_up(BANK) == 1
    assert (await forgetter.forget(BANK, opinion="o1")).opinions == 1
    assert await index.ids(BANK, "opinion") == set()
    await records.hold(BANK, held)
    assert await indexer.catch_up(BANK) == 1
    assert (await forgetter.forget(BANK)).opinions == 1


async def test_reminders_and_learned_cues_have_vectors_for_as_long_as_they_stand(
    indexer: Indexer, forgetter: Forgetter, embedder: Held
) -> None:
    records, index = indexer.records, indexer.index
    (sings,) = await _learn(indexer, "Sings")
    await records.undertake(BANK, [Commitment("c1", BANK, "Sing", DATE)])
    await records.remind(BANK, [CommitmentCue("c1", 0, "A choir?")], commitments=["c1"])
    await records.learn(BANK, [sings], "Who sings?", at=DATE, keep=1)
    await indexer.catch_up(BANK)
    (asked,) = await index.ids(BANK, "cue")
    assert (await index.ids(BANK, "reminder"), asked) == ({"c1:0"}, f"{sings}:{LEARNED}")
    before = (await index.vectors(BANK, "cue", [asked]))[asked]
    await records.learn(BANK, [sings], "Is anybody musical?", at=DATE, keep=1)
    assert await indexer.catch_up(BANK) == 1
    after = (await index.vectors(BANK, "cue", [asked]))[asked]
    assert embedder.texts[-1] == "Is anybody musical?" and list(after) != list(before)
    with pytest.raises(NotFound, match="no cue 'f0:0' or 'x' in bank 'ann'"):
        await forgetter.unlearn(BANK, [asked, "f0:0", "x"])
    assert await forgetter.unlearn(BANK, [asked]) == Forgotten(cues=1, vectors=1)
    with pytest.raises(NotFound, match="no cue"):
        await forgetter.unlearn(BANK, asked)
    gone = await forgetter.forget(BANK, commitment="c1")
    assert (gone.commitments, gone.vectors) == (1, 1)
    assert await index.ids(BANK, "cue") == await index.ids(BANK, "reminder") == set()


async def test_forgetting_a_bank_takes_all_of_it(indexer: Indexer, forgetter: Forgetter) -> None:
    await _learn(indexer, *(f"Fact {n}" for n in range(250)), cues=1)
    await _learn(indexer, "other", bank="bob")
    for bank in (BANK, "bob"):
        await indexer.catch_up(bank)
    gone = await forgetter.forget(BANK)
    assert (gone.sessions, gone.facts, gone.cues, gone.vectors) == (1, 250, 250, 501)
    assert await _indexed(indexer) == set()
    assert await indexer.records.unpurged(BANK) == []
    assert len(await _indexed(indexer, "bob")) == 2


@pytest.mark.parametrize("what", ["fact", "session", "bank"])
async def test_what_is_forgotten_while_it_is_being_indexed_leaves_no_vector(
    indexer: Indexer, forgetter: Forgetter, embedder: Held, what: str
) -> None:
    (one,) = await _learn(indexer, "one", cues=1)
    embedder.free.clear()
    embedder.busy.clear()
    catching_up = asyncio.create_task(indexer.catch_up(BANK))
    await embedder.busy.wait()
    named = {"fact": {"fact": one}, "session": {"session": session_id(BANK, "chat")}, "bank": {}}
    forgetting = asyncio.create_task(forgetter.forget(BANK, **named[what]))
    await asyncio.wait([forgetting], timeout=0.3)  # as far as it will go
    assert await indexer.records.facts(BANK) == []
    embedder.free.set()
    await asyncio.gather(catching_up, forgetting)
    assert await _indexed(indexer) == ({_hi()} if what == "fact" else set())
    assert await indexer.records.unpurged(BANK) == []


@pytest.mark.parametrize("what", ["fact", "session"])
async def test_what_another_process_forgets_while_it_is_being_indexed_leaves_no_vector(
    indexer: Indexer, embedder: Held, what: str
) -> None:
    one, two = await _learn(indexer, "one", "two", cues=1)
    (kept,) = await _say(indexer, "tea")
    embedder.free.clear()
    embedder.busy.clear()
    catching_up = asyncio.create_task(indexer.catch_up(BANK))
    await embedder.busy.wait()
    named = {"fact": {"fact": one}, "session": {"session": session_id(BANK, "chat")}}
    await _elsewhere(indexer).forget(BANK, **named[what])
    embedder.free.set()
    await catching_up
    left = {two, f"{two}:0", _hi()} if what == "fact" else set()
    assert await _indexed(indexer) == {kept, *left}
    assert await indexer.records.unpurged(BANK) == []


async def test_a_cue_that_another_process_changes_while_it_is_being_indexed_is_indexed_as_it_is_now(
    indexer: Indexer, embedder: Held
) -> None:
    (one,) = await _learn(indexer, "one", cues=1)
    embedder.free.clear()
    embedder.busy.clear()
    catching_up = asyncio.create_task(indexer.catch_up(BANK))
    await embedder.busy.wait()
    await indexer.records.foresee(BANK, [Cue(one, 0, "changed")], facts=[one])
    embedder.free.set()
    await catching_up
    (vector,) = (await indexer.index.vectors(BANK, "cue", [f"{one}:0"])).values()
    (expected,) = await embedder.embed(["changed"])
    assert float(vector @ expected) == pytest.approx(1)
    assert await indexer.records.unindexed(BANK, limit=9) == []


def _elsewhere(indexer: Indexer) -> Forgetter:
    """Another process over the same stores: it has locks of its own."""
    other = Indexer(indexer.records, indexer.index, WordCounts())
    return Forgetter(other.records, other)


async def test_a_forget_that_was_cut_short_is_finished_by_the_next_catching_up(
    indexer: Indexer,
) -> None:
    one, two = await _learn(indexer, "one", "two", cues=1)
    await indexer.catch_up(BANK)
    await indexer.records.forget(BANK, fact=one)  # and then it died
    await indexer.catch_up(BANK)
    assert await _indexed(indexer) == {two, f"{two}:0", _hi()}


async def _say(indexer: Indexer, *texts: str, on: datetime = DATE, key: str = "talk") -> list[str]:
    said = tuple(Utterance(role="user", name="Ann", text=text) for text in texts)
    await indexer.records.log(BANK, [Conversation(date=on, turns=said, key=key)])
    return [turn_id(session_id(BANK, key), n, text) for n, text in enumerate(texts)]


async def test_a_turn_is_found_by_what_was_said_and_who_said_it(indexer: Indexer) -> None:
    rex, tea = await _say(indexer, "My dog is called Rex", "I drink tea")
    assert await indexer.catch_up(BANK) == 2
    probes = await indexer.embedder.embed(["Ann: My dog is called Rex", "tea to drink"])
    found = await indexer.index.nearest(BANK, "turn", probes, n=1)
    assert [near.id for (near,) in found] == [rex, tea]
    assert found[0][0].cosine == pytest.approx(1, abs=1e-5)


async def test_turns_are_found_by_date_like_facts(indexer: Indexer) -> None:
    (early,) = await _say(indexer, "tea", key="early")
    (late,) = await _say(indexer, "more tea", key="late", on=DATE + timedelta(days=9))
    await indexer.catch_up(BANK)
    probe = await indexer.embedder.embed(["tea"])
    for until, seen in ((DATE, {early}), (DATE + timedelta(days=9), {early, late})):
        (found,) = await indexer.index.nearest(BANK, "turn", probe, n=9, until=until)
        assert {near.id for near in found} == seen


async def test_facts_and_cues_are_embedded_before_the_turns(
    indexer: Indexer, embedder: Held
) -> None:
    said = [f"said {n}" for n in range(300)]  # more than a batch
    await _say(indexer, *said)
    (one,) = await _learn(indexer, "one", cues=1)
    await indexer.catch_up(BANK)
    assert embedder.texts[:2] == ["one", f"Wish 0 {one}"]
    assert len(embedder.texts) == 2 + 300 + 1


async def test_turns_can_wait_for_the_next_catching_up(indexer: Indexer) -> None:
    await _say(indexer, *(f"said {n}" for n in range(5)))
    (one,) = await _learn(indexer, "one", cues=1)
    assert await indexer.catch_up(BANK, turns=False) == 2
    assert await _indexed(indexer) == {one, f"{one}:0"}
    assert await indexer.catch_up(BANK) == 6


async def test_progress_counts_turns_too(indexer: Indexer) -> None:
    await _say(indexer, "one", "two")
    await _learn(indexer, "three")
    told: list[int] = []
    await indexer.catch_up(BANK, told.append)
    assert told == [4]


async def test_turns_that_were_logged_before_a_crash_are_indexed_by_the_next_catching_up(
    indexer: Indexer, embedder: Held
) -> None:
    said = await _say(indexer, *(f"said {n}" for n in range(300)))
    embedder.free.clear()
    embedder.busy.clear()
    catching_up = asyncio.create_task(indexer.catch_up(BANK))
    await embedder.busy.wait()
    catching_up.cancel()
    await asyncio.wait([catching_up])
    assert len(await indexer.records.unindexed(BANK, limit=999)) == 300
    embedder.free.set()
    assert await indexer.catch_up(BANK) == 300
    assert await _indexed(indexer) == set(said)


@pytest.mark.parametrize("what", ["session", "bank"])
async def test_forgetting_takes_the_vectors_of_the_turns(
    indexer: Indexer, forgetter: Forgetter, what: str
) -> None:
    await _say(indexer, "one", "two")
    kept = await _say(indexer, "three", key="kept")
    await indexer.catch_up(BANK)
    gone = {"session": {"session": session_id(BANK, "talk")}, "bank": {}}[what]
    assert (await forgetter.forget(BANK, **gone)).vectors == (2 if what == "session" else 3)
    assert await _indexed(indexer) == (set(kept) if what == "session" else set())


async def test_a_bank_without_turn_vectors_has_no_collection_of_them(indexer: Indexer) -> None:
    (one,) = await _learn(indexer, "one")
    await indexer.catch_up(BANK)
    await indexer.index.drop(BANK)
    await indexer.records.reindex(BANK)
    await indexer.records.indexed(BANK, [_hi()])
    await indexer.catch_up(BANK)
    assert await _indexed(indexer) == {one}
    assert await indexer.index.count(BANK, "turn") == 0
