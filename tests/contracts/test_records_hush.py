"""Hushed turns: what said a forgotten fact stays in the log, and nothing finds it any more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from forethought.memory.exchange.carrying import gathered
from forethought.memory.exchange.renaming import renamed
from forethought.memory.ids import turn_id
from forethought.memory.records.changes import ChangeSet, Repeat
from forethought.memory.records.port import Records
from forethought.memory.types import Fact, Source, Turn
from tests.contracts.adapters import OpenRecords
from tests.contracts.samples import (
    BANK,
    NOW,
    day,
    entity,
    fact,
    learn,
    mention,
    merge,
    merged,
    session,
    talk,
)

SAID = ("I moved to Oslo.", "The harbour is lovely.", "My bakery sells rye.")
OSLO, HARBOUR, RYE = (turn_id(session("monday"), at, text) for at, text in enumerate(SAID))
ALL = "moved oslo harbour lovely bakery sells rye"


def of(text: str, *turns: str, key: str = "monday", on: int = 1) -> Fact:
    """A fact that these turns support."""
    return fact(text, said_in=key, on=on, sources=(Source(session(key), turns),))


LIVES, OWNS = of("Lives in Oslo", OSLO), of("Owns a bakery", RYE)


@pytest.fixture
async def told(records: Records) -> Records:
    """A session with a fact in its first turn and one in its last, all indexed."""
    await records.log(BANK, [talk("monday", *SAID)])
    await learn(records, LIVES, OWNS)
    await records.indexed(BANK, [LIVES.id, OWNS.id, OSLO, HARBOUR, RYE])
    return records


@pytest.fixture
async def other(open_records: OpenRecords, tmp_path: Path) -> AsyncIterator[Records]:
    opened = await open_records(tmp_path / "other")
    yield opened
    await opened.close()


async def heard(records: Records, text: str = ALL, *, bank: str = BANK) -> set[str]:
    """Ids of the turns that are found by any of these words."""
    return {turn.id for turn, _ in await records.said(bank, text, k=99, now=NOW)}


async def marked(records: Records, *, bank: str = BANK) -> set[str]:
    return {one.id for one in await records.unindexed(bank, limit=99) if one.part == "turn"}


async def log(records: Records, key: str, *texts: str) -> list[Turn]:
    await records.log(BANK, [talk(key, *texts, on=2)])
    return await records.turns(BANK, session(key))


async def test_the_turn_that_said_a_forgotten_fact_is_found_by_no_word_of_it(told: Records) -> None:
    assert await heard(told, "oslo") == {OSLO, HARBOUR}
    await told.forget(BANK, fact=LIVES.id)
    assert await heard(told, "moved oslo") == set()
    assert await heard(told) == {HARBOUR, RYE}
    assert await heard(told, "harbour") == {HARBOUR, RYE}


async def test_a_hushed_turn_is_nowhere_but_in_the_log(told: Records) -> None:
    await told.forget(BANK, fact=LIVES.id)
    assert [turn.text for turn in await told.turns(BANK, session("monday"))] == [*SAID]
    assert [one.turn.id for one in await told.placed(BANK, [OSLO, HARBOUR, RYE])] == [HARBOUR, RYE]
    await told.forget(BANK, fact=OWNS.id)
    assert [one.turn.id for one in await told.placed(BANK, [OSLO, HARBOUR, RYE])] == [HARBOUR]
    assert await heard(told) == {HARBOUR}


async def test_the_vector_of_a_hushed_turn_goes_and_is_never_made_again(told: Records) -> None:
    await told.forget(BANK, fact=LIVES.id)
    assert await told.unpurged(BANK) == sorted([LIVES.id, OSLO])
    await told.purged(BANK, [LIVES.id, OSLO])
    assert await marked(told) == set()
    await told.indexed(BANK, [OSLO])
    assert await told.reindex(BANK) == 3
    assert await marked(told) == {HARBOUR, RYE}
    assert [(bank.turns, bank.unindexed) for bank in await told.banks()] == [(3, 3)]


async def test_a_turn_that_was_not_indexed_yet_is_never_indexed(records: Records) -> None:
    await records.log(BANK, [talk("monday", *SAID)])
    await learn(records, LIVES)
    await records.forget(BANK, fact=LIVES.id)
    assert await marked(records) == {HARBOUR, RYE}


async def test_other_facts_of_a_hushed_turn_stay_and_it_leads_to_none(told: Records) -> None:
    moved = of("Moved house", OSLO, HARBOUR)
    await learn(told, moved)
    await told.forget(BANK, fact=LIVES.id)
    assert {one.id for one in await told.facts(BANK)} == {OWNS.id, moved.id}
    assert await told.supported(BANK, [OSLO, HARBOUR], now=NOW) == {HARBOUR: [moved.id]}


async def test_the_mark_of_a_hushed_turn_is_its_id(told: Records) -> None:
    await told.forget(BANK, fact=LIVES.id)
    marks = await told.tombstones(BANK)
    assert OSLO in marks and len(marks) == 2
    lost = of("Lives in Bergen", "t-unknown")
    await learn(told, lost)
    await told.forget(BANK, fact=lost.id)
    assert len(await told.tombstones(BANK)) == 3


async def test_the_same_conversation_is_known_and_goes_on_unheard(told: Records) -> None:
    await told.forget(BANK, fact=LIVES.id)
    await told.forget(BANK, fact=OWNS.id)
    again, more = talk("monday", *SAID), talk("monday", *SAID, "Nice weather.", "Yes.")
    (known,) = await told.log(BANK, [again])
    (extended,) = await told.log(BANK, [more])
    assert (known.outcome, extended.outcome) == ("known", "extended")
    weather, yes = (await told.turns(BANK, session("monday")))[3:]
    assert await heard(told, "oslo bakery rye") == set()
    assert await heard(told, "weather") == {weather.id, yes.id}
    placed = await told.placed(BANK, [RYE, weather.id, yes.id])
    assert [one.turn for one in placed] == [weather, yes]
    assert await marked(told) == {weather.id, yes.id}


async def test_the_turns_of_every_version_are_hushed(told: Records) -> None:
    (bergen,) = await log(told, "tuesday", "I moved on to Bergen.")
    moved = of("Lives in Bergen", bergen.id, key="tuesday", on=2)
    await learn(told, moved, replacing={LIVES.id: moved})
    await told.forget(BANK, fact=moved.id)
    assert await heard(told, "oslo bergen") == set()
    assert await heard(told) == {HARBOUR, RYE}


async def test_turns_of_a_repeat_are_hushed_too(told: Records) -> None:
    (again,) = await log(told, "tuesday", "Oslo is home.")
    source = Source(session("tuesday"), (again.id,))
    await told.commit(ChangeSet(BANK, repeats=(Repeat(LIVES.id, source, day(2)),)))
    await told.forget(BANK, fact=LIVES.id)
    assert await heard(told, "oslo home") == set()


async def test_the_turns_of_an_original_that_stays_are_found(told: Records) -> None:
    whole = merged("A baker in Oslo", LIVES, OWNS)
    await merge(told, whole, LIVES, OWNS)
    (again,) = await log(told, "tuesday", "I bake in Oslo.")
    source = Source(session("tuesday"), (again.id,))
    await told.commit(ChangeSet(BANK, repeats=(Repeat(whole.id, source, day(2)),)))
    await told.forget(BANK, fact=LIVES.id)
    assert [one.id for one in await told.facts(BANK)] == [OWNS.id]
    assert await heard(told, f"{ALL} bake") == {HARBOUR, RYE}
    wanted = merged("A baker in Oslo", OWNS)  # as another merge may call it
    assert (await merge(told, wanted, OWNS)).refused == (wanted.id,)
    assert await heard(told, f"{ALL} bake") == {HARBOUR, RYE}


async def test_what_is_said_again_of_a_forgotten_fact_is_hushed_with_it(told: Records) -> None:
    await told.forget(BANK, fact=LIVES.id)
    hello, again, weather = await log(told, "tuesday", "Hello.", "Oslo it is.", "Nice weather.")
    await told.indexed(BANK, [hello.id, again.id, weather.id])
    assert await heard(told, "oslo") == {again.id, weather.id}
    lives = of("lives in  oslo", again.id, key="tuesday", on=2)
    new = of("Greets", hello.id, key="tuesday", on=2)
    changes = ChangeSet(BANK, (lives, new))
    for _ in range(2):
        assert (await told.commit(changes)).refused == (lives.id,)
        assert await heard(told, "oslo") == set()
        assert again.id in await told.unpurged(BANK)
    assert await heard(told, "hello weather") == {hello.id, weather.id}
    await told.purged(BANK, await told.unpurged(BANK))
    await told.commit(changes)
    assert await told.unpurged(BANK) == []
    assert again.id not in await marked(told)


async def test_what_repeats_a_fact_that_was_forgotten_meanwhile_is_hushed(told: Records) -> None:
    (again,) = await log(told, "tuesday", "Oslo it is.")
    await told.forget(BANK, fact=LIVES.id)
    repeat = Repeat(LIVES.id, Source(session("tuesday"), (again.id,)), day(2))
    await told.commit(ChangeSet(BANK, repeats=(repeat,)))
    assert await heard(told, "oslo") == set()


async def test_a_forgotten_session_hushes_no_turn_of_another(told: Records) -> None:
    (again,) = await log(told, "tuesday", "Oslo it is.")
    await learn(told, of("Lives in Oslo", again.id, key="tuesday", on=2))
    await told.forget(BANK, session=session("monday"))
    assert await heard(told, "oslo") == {again.id}
    await told.forget(BANK, fact=LIVES.id)
    assert await heard(told, "oslo") == set()
    await told.forget(BANK, session=session("tuesday"))
    assert await told.turns(BANK, session("tuesday")) == []


async def test_the_turns_that_name_a_forgotten_entity_are_hushed(told: Records) -> None:
    oslo = entity("Oslo", kind="LOCATION")
    await told.commit(ChangeSet(BANK, entities=(oslo,), mentions=mention(LIVES, oslo)))
    await told.forget(BANK, entity=oslo.id)
    assert await heard(told) == {HARBOUR, RYE}
    assert OSLO in await told.unpurged(BANK)


async def test_one_bank_hushes_nothing_in_another(told: Records) -> None:
    await told.log("bob", [talk("monday", *SAID)])
    before = await heard(told, "oslo", bank="bob")
    await told.forget(BANK, fact=LIVES.id)
    assert len(before) == 2
    assert await heard(told, "oslo", bank="bob") == before
    assert len(await marked(told, bank="bob")) == 3


async def test_hushed_turns_stay_so_in_a_restored_bank(told: Records, other: Records) -> None:
    await told.forget(BANK, fact=LIVES.id)
    contents = await gathered(told, BANK)
    await other.restore(contents)
    assert await gathered(other, BANK) == contents
    assert await heard(other) == {HARBOUR, RYE}
    assert await heard(other, "oslo") == set()
    assert await marked(other) == {HARBOUR, RYE}
    assert [one.turn.id for one in await other.placed(BANK, [OSLO, HARBOUR])] == [HARBOUR]


async def test_hushed_turns_stay_so_under_another_name(told: Records, other: Records) -> None:
    await told.forget(BANK, fact=LIVES.id)
    await other.restore(renamed(await gathered(told, BANK), "bob"))
    oslo, *others = (turn.id for turn in await other.turns("bob", session("monday", bank="bob")))
    assert oslo in await other.tombstones("bob") and OSLO not in await other.tombstones("bob")
    assert await heard(other, bank="bob") == await marked(other, bank="bob") == set(others)
    assert await other.reindex("bob") == 3


async def test_the_vector_of_a_hushed_turn_is_unwanted_after_a_restore_too(told: Records) -> None:
    await told.forget(BANK, fact=LIVES.id)
    contents = await gathered(told, BANK)
    await told.forget(BANK)
    await told.restore(contents)  # before anyone purged
    assert OSLO in await told.unpurged(BANK)
    assert not {HARBOUR, RYE} & set(await told.unpurged(BANK))


async def test_a_bank_given_anew_is_heard_again(told: Records) -> None:
    await told.forget(BANK, fact=LIVES.id)
    await told.forget(BANK)
    await told.log(BANK, [talk("monday", *SAID)])
    assert await heard(told) == await marked(told) == {OSLO, HARBOUR, RYE}
    assert OSLO not in await told.unpurged(BANK)
