"""A bank written whole: exactly as it was, with what was forgotten, or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forethought.memory.dimensions import Dimensions
from forethought.memory.errors import InvalidInput
from forethought.memory.exchange.carrying import gathered
from forethought.memory.exchange.reading import contents_of
from forethought.memory.exchange.renaming import renamed
from forethought.memory.exchange.writing import lines_of
from forethought.memory.ids import key_mark
from forethought.memory.records.changes import ChangeSet, Progress
from forethought.memory.records.contents import Contents
from forethought.memory.records.port import Records
from forethought.memory.types import LEARNED, Cue, Link, Source, fact_ids
from tests.contracts.adapters import FEWER, RECORDS, OpenRecords, on_neo4j, on_sqlite
from tests.contracts.samples import (
    BANK,
    KEYS,
    NOW,
    entity,
    fact,
    found,
    learn,
    log_sources,
    mention,
    merge,
    merged,
    session,
    talk,
    tie,
)
from tests.contracts.test_records_beliefs import judgement, observation, opinion
from tests.contracts.test_records_laws import (
    DAYS,
    believe,
    change_set,
    check,
    commits,
    forget,
    forgets,
    promise,
)
from tests.contracts.test_records_ledger import commitment, cue, settled

_banks = (f"exported {number}" for number in count())

OSLO = fact("Lives in Oslo", on=1)
BERGEN = fact("Lives in Bergen", said_in="tuesday", on=2, dimensions=Dimensions("present"))
SEND = commitment("Send the score", BERGEN.id, due=NOW.date(), told=NOW.date())
MADE_IN = Source(session("tuesday"), ("t1",))
SINGS, HUMS = fact("Sings alto", entities=("choir", "Ann")), fact("Hums")


@pytest.fixture
async def other(open_records: OpenRecords, tmp_path: Path) -> AsyncIterator[Records]:
    """A second store of the same kind, where there are two; else the same."""
    opened = await open_records(tmp_path / "other")
    yield opened
    await opened.close()


_lived_in: dict[str, Contents] = {}


@pytest.fixture
async def lived_in(adapter: str, records: Records) -> Contents:
    """What `live` leaves in a bank: the same each time, so each adapter lives through it once."""
    if adapter not in _lived_in:
        _lived_in[adapter] = await live(records)
    return _lived_in[adapter]


async def live(records: Records) -> Contents:
    """A bank with all that a bank can have: versions, merges, cues, entities, opinions, …"""
    ann, choir = entity("Ann", kind="OTHER"), entity("Choir", kind="ORGANIZATION")
    mentions = {OSLO: (), SINGS: (replace(ann, into=choir.id), choir), HUMS: (choir,)}
    rye = fact("Likes rye", said_in="friday", on=5)
    await tie(records, {**mentions, rye: ()}, (Link(SINGS.id, HUMS.id, "enables", 0.1),))
    await records.join(BANK, choir.id, None, by="user")
    await learn(records, BERGEN, replacing={OSLO.id: BERGEN})
    await records.commit(ChangeSet(BANK, mentions=mention(BERGEN, choir)))
    await merge(records, merged("Sings and hums", SINGS, HUMS), SINGS, HUMS)
    await records.foresee(
        BANK, [Cue(BERGEN.id, 0, "where to ski?"), Cue(BERGEN.id, 3, "où?")], facts=[BERGEN.id]
    )
    await records.log(BANK, [talk("long", "one", "two", "three", on=7), talk("gone", "no", on=8)])
    await records.commit(ChangeSet(BANK, progress=(Progress(session("long"), 2, "no reply"),)))
    await records.forget(BANK, session=session("gone"))
    await records.forget(BANK, fact=fact("Likes rye", said_in="friday").id)
    await records.hold(BANK, [held := opinion("Song is joy", OSLO.id, SINGS.id)])
    await records.judge(BANK, [judgement(held, "contradict", BERGEN.id, text="Song is work")])
    seen = [observation(text, BERGEN.id, on=choir.id) for text in ("It sings", "It hums")]
    await records.observe(BANK, choir.id, seen)
    await records.learn(BANK, [BERGEN.id], "Where to ski?", at=NOW, keep=2)
    await records.learn(BANK, [BERGEN.id], "Is it raining?", at=NOW, keep=2)
    await records.use(BANK, [BERGEN.id, OSLO.id], on=NOW.date())
    await records.undertake(BANK, [SEND, commitment("Hum", BERGEN.id, source=MADE_IN)])
    await records.settle(BANK, [settled(SEND, "dropped")])
    await records.remind(BANK, [cue(SEND, "Post?"), cue(SEND, "Où?", 7)], commitments=[SEND.id])
    return await gathered(records, BANK)


async def test_what_was_forgotten_is_listed_by_its_marks_alone(records: Records) -> None:
    assert await records.tombstones(BANK) == []
    await learn(records, OSLO)
    await records.forget(BANK, session=session("monday"))
    assert await records.tombstones(BANK) == sorted([session("monday"), key_mark("monday")])
    await learn(records, BERGEN)
    await records.forget(BANK, fact=BERGEN.id)
    marks = await records.tombstones(BANK)
    assert marks == sorted(marks) and len(marks) == 3
    assert not any("ergen" in mark for mark in marks)
    assert await records.tombstones("bob") == []


async def test_a_restored_bank_is_the_same_bank(lived_in: Contents, other: Records) -> None:
    await other.restore(lived_in)
    assert await gathered(other, BANK) == lived_in
    assert len(lived_in.tombstones) == 3
    assert [cue.position for cue in lived_in.cues] == [0, 3, LEARNED]
    assert [one.status for one in lived_in.commitments] == ["open", "dropped"]
    assert [len(lived_in.reminders), len(lived_in.uses)] == [2, 2]
    assert [len(lived_in.entities), len(lived_in.mentions), len(lived_in.links)] == [2, 4, 1]
    assert {one.joined_by for one in lived_in.entities} == {"rule", "user"}
    (ann,) = (await other.namesakes(BANK, ["ann"], k=5))["ann"]
    assert await other.mentioning(BANK, [ann.id], k=5, now=NOW) == {ann.id: [BERGEN.id]}
    assert {one.succession for one in lived_in.facts} == {None, "update", "merge"}
    ids = [*fact_ids(lived_in.facts), *(cue.id for cue in lived_in.cues)]
    ids += [turn.id for turn in lived_in.turns]
    ids += [one.id for one in lived_in.opinions] + [one.id for one in lived_in.observations]
    ids += [cue.id for cue in lived_in.reminders]
    assert [one.text for one in lived_in.observations] == ["It sings", "It hums"]
    assert [len(one.steps) for one in lived_in.opinions] == [1]
    assert {one.id for one in await other.unindexed(BANK, limit=99)} == set(ids)
    assert await found(other, "bergen") == [BERGEN.id]
    assert [one.id for one in (await other.earlier(BANK, [BERGEN.id]))[BERGEN.id]] == [OSLO.id]
    foreseen = [one.id for one in await other.unforeseen(BANK, limit=9)]
    assert BERGEN.id not in foreseen and len(foreseen) == 1


@pytest.mark.usefixtures("neo4j_address")
async def test_a_bank_goes_into_the_other_kind_of_store_and_is_the_same_there(
    adapter: str, lived_in: Contents, tmp_path: Path
) -> None:
    (kind,) = RECORDS.keys() - {adapter}
    elsewhere = await RECORDS[kind](tmp_path / "elsewhere")
    try:
        exported = list(lines_of(lived_in))
        await elsewhere.restore(contents_of(exported, name="bank.jsonl"))
        assert list(lines_of(await gathered(elsewhere, BANK))) == exported
        assert await found(elsewhere, "bergen") == [BERGEN.id]
    finally:
        await elsewhere.close()


async def test_a_restored_bank_is_gone_on_with_where_it_was(
    lived_in: Contents, other: Records
) -> None:
    await other.restore(lived_in)
    (waiting,) = [one for one in await other.sessions(BANK, unfinished=True) if one.error]
    assert (waiting.key, waiting.extracted, waiting.error) == ("long", 2, "no reply")
    (logged,) = await other.log(BANK, [talk("long", "one", "two", "three", "four", on=7)])
    assert logged.outcome == "extended"
    tromso = fact("Lives in Tromsø", on=9)
    assert (await learn(other, tromso, replacing={BERGEN.id: tromso})).replaced == (BERGEN.id,)


async def test_what_was_forgotten_is_refused_after_a_restore(
    lived_in: Contents, other: Records
) -> None:
    await other.restore(lived_in)
    rye = fact("likes  rye", said_in="friday", on=9)
    await log_sources(other, rye)
    assert (await other.commit(ChangeSet(BANK, (rye,)))).refused == (rye.id,)
    (logged,) = await other.log(BANK, [talk("gone", "no", on=8)])
    assert (logged.outcome, logged.session) == ("forgotten", None)


async def test_a_session_stays_forgotten_in_a_bank_of_another_name(
    lived_in: Contents, other: Records
) -> None:
    await other.restore(renamed(lived_in, "bob"))
    known, gone = await other.log("bob", [talk("monday", "This was said on monday."), talk("gone")])
    assert known.outcome == "known"
    (gone,) = await other.log("bob", [talk("gone", "no", on=8)])
    assert gone.outcome == "forgotten"


@pytest.mark.parametrize("what", ["session", "fact", "tombstone", "opinion", "commitment"])
async def test_a_bank_that_holds_anything_is_not_restored_into(
    lived_in: Contents, other: Records, what: str
) -> None:
    if what == "session":
        await other.log(BANK, [talk("mine", "hello")])
    elif what == "opinion":
        await other.hold(BANK, [opinion("All is well")])
    elif what == "commitment":
        await other.undertake(BANK, [commitment("Call")])
    else:
        await learn(other, OSLO)
    if what == "tombstone":
        await other.forget(BANK, fact=OSLO.id)
        await other.forget(BANK, session=session("monday"))
    before = await gathered(other, BANK)
    with pytest.raises(InvalidInput, match="not empty"):
        await other.restore(lived_in)
    assert await gathered(other, BANK) == before


async def test_contents_that_contradict_themselves_are_refused_whole(
    lived_in: Contents, other: Records
) -> None:
    stray = fact("Skis", sources=(Source("s-nowhere"),))
    with pytest.raises(InvalidInput, match="s-nowhere"):
        await other.restore(replace(lived_in, facts=(*lived_in.facts, stray)))
    assert (await gathered(other, BANK)).empty
    assert await other.banks() == []


async def test_a_restore_touches_no_other_bank(records: Records) -> None:
    lived_in = await live(records)
    await records.restore(renamed(lived_in, "bob"))
    assert await gathered(records, BANK) == lived_in
    await records.forget("bob")
    assert await gathered(records, BANK) == lived_in


async def test_a_bank_forgotten_and_restored_is_wanted_in_the_index_again(
    records: Records,
) -> None:
    lived_in = await live(records)
    unwanted = await records.unpurged(BANK)
    (held,), (seen, _) = lived_in.opinions, lived_in.observations
    await records.forget(BANK)
    gone = {OSLO.id, f"{BERGEN.id}:3", f"{BERGEN.id}:100", held.id, seen.id, f"{SEND.id}:7"}
    assert gone <= set(await records.unpurged(BANK))
    await records.restore(lived_in)
    assert await records.unpurged(BANK) == unwanted
    assert await gathered(records, BANK) == lived_in


async def test_a_bank_without_a_name_is_not_restored(other: Records) -> None:
    with pytest.raises(InvalidInput, match="no name"):
        await other.restore(Contents(" "))


cues = st.dictionaries(st.integers(0, 4), st.text(min_size=1).filter(str.strip), max_size=3)


histories = st.lists(commits | forgets, min_size=1, max_size=6)


@on_sqlite
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=histories, cues=cues)
async def test_any_bank_exports_to_what_its_import_exports(
    records: Records, other: Records, steps: list[object], cues: dict[int, str]
) -> None:
    await travelled(records, other, steps, cues)


@on_neo4j
@settings(max_examples=FEWER, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=histories, cues=cues)
async def test_any_bank_exports_there_to_what_its_import_exports(
    records: Records, other: Records, steps: list[object], cues: dict[int, str]
) -> None:
    await travelled(records, other, steps, cues)


async def travelled(
    records: Records, other: Records, steps: list[object], cues: dict[int, str]
) -> None:
    """A bank with this history, and these cues, goes into the other store and is the same there."""
    bank = next(_banks)
    await records.log(bank, [talk(key, f"said on {key}", on=DAYS[key]) for key in KEYS])
    for step in steps:
        if isinstance(step, tuple) and len(step) == 4:
            await records.commit(change_set(bank, step))
        else:
            await forget(records, bank, step)  # type: ignore[arg-type] # the other kind of step
    for one in (await records.facts(bank))[:2]:
        imagined = [Cue(one.id, position, text) for position, text in cues.items()]
        await records.foresee(bank, imagined, facts=[one.id])
    await believe(records, bank)
    await promise(records, bank)
    exported = list(lines_of(await gathered(records, bank)))
    await other.restore(contents_of(exported, name="file"))
    assert list(lines_of(await gathered(other, bank))) == exported
    await check(other, bank)
    elsewhere = renamed(await gathered(records, bank), f"{bank} moved")
    await other.restore(elsewhere)
    assert await gathered(other, elsewhere.bank) == elsewhere
    assert elsewhere.counts == (await gathered(records, bank)).counts
