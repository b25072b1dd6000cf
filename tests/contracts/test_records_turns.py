"""The log's turns by id, in their place, with the facts they support, and marked for the index."""

from __future__ import annotations

import pytest

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.errors import InvalidInput
from forethought.memory.exchange.carrying import gathered
from forethought.memory.ids import turn_id
from forethought.memory.records.changes import Unindexed
from forethought.memory.records.port import Records
from forethought.memory.types import Cue, Fact, Placed, Role, Source
from tests.contracts.samples import (
    BANK,
    NOW,
    day,
    fact,
    learn,
    merge,
    merged,
    session,
    talk,
    unindexed,
)

MONDAY = ("What is your dog called?", "Rex.", "Nice weather.")


def turn(key: str, position: int, text: str, *, bank: str = BANK) -> str:
    return turn_id(session(key, bank=bank), position, text)


REX = turn("monday", 1, "Rex.")


def of(text: str, *turns: str, on: int = 1) -> Fact:
    """A fact that these turns of monday support."""
    return fact(text, on=on, sources=(Source(session("monday"), turns),))


async def marked(records: Records, *, bank: str = BANK) -> list[str]:
    return [one.id for one in await records.unindexed(bank, limit=99) if one.part == "turn"]


async def test_turns_come_in_the_order_asked_for_each_with_its_place(records: Records) -> None:
    await records.log(BANK, [talk("monday", *MONDAY, on=2), talk("tuesday", "Hello.", on=3)])
    asked, answered, weather = await records.turns(BANK, session("monday"))
    (hello,) = await records.turns(BANK, session("tuesday"))
    ids = [answered.id, "t-unknown", hello.id, weather.id, asked.id]
    assert await records.placed(BANK, ids) == [
        Placed(answered, "monday", day(2)),
        Placed(hello, "tuesday", day(3)),
        Placed(weather, "monday", day(2)),
        Placed(asked, "monday", day(2)),
    ]
    assert await records.placed(BANK, []) == []
    assert await records.placed("bob", ids) == []


async def test_a_turn_appended_later_stands_at_the_next_position(records: Records) -> None:
    await records.log(BANK, [talk("monday", *MONDAY[:1])])
    await records.log(BANK, [talk("monday", *MONDAY)])
    asked, answered = await records.placed(BANK, [turn("monday", 0, MONDAY[0]), REX])
    assert (asked.turn.position, answered.turn.position) == (0, 1)
    assert asked.turn.session == answered.turn.session


async def test_a_turn_leads_to_the_facts_it_supports_by_date(records: Records) -> None:
    await records.log(BANK, [talk("monday", *MONDAY)])
    asked = turn("monday", 0, MONDAY[0])
    dog, rex = of("Has a dog", asked, REX, on=5), of("The dog is called Rex", REX, on=3)
    await learn(records, dog, rex, of("It was Monday"))
    support = {REX: [rex.id, dog.id], asked: [dog.id]}
    assert await records.supported(BANK, [asked, "t-unknown", REX, ""], now=NOW) == support
    assert await records.supported(BANK, [REX], now=day(4)) == {REX: [rex.id]}
    assert await records.supported(BANK, [REX], now=day(2)) == {}
    assert await records.supported("bob", [REX], now=NOW) == {}


async def test_a_turn_leads_only_to_what_held_then(records: Records) -> None:
    await records.log(BANK, [talk("monday", *MONDAY)])
    rex, max_ = of("The dog is called Rex", REX, on=1), of("The dog is called Max", REX, on=6)
    await learn(records, rex, max_, replacing={rex.id: max_})
    for now, holds in ((day(5), rex), (day(6), max_), (NOW, max_)):
        assert await records.supported(BANK, [REX], now=now) == {REX: [holds.id]}


async def test_a_turn_leads_to_what_was_merged_from_its_facts(records: Records) -> None:
    await records.log(BANK, [talk("monday", *MONDAY)])
    dog, rex = of("Has a dog", REX), of("The dog is called Rex", REX)
    await learn(records, dog, rex)
    both = merged("Has a dog called Rex", dog, rex)
    await merge(records, both, dog, rex)
    assert await records.supported(BANK, [REX], now=NOW) == {REX: [both.id]}


@pytest.mark.parametrize("what", ["fact", "session"])
async def test_a_forgotten_fact_or_session_is_led_to_by_no_turn(
    records: Records, what: str
) -> None:
    await records.log(BANK, [talk("monday", *MONDAY)])
    dog, rex = of("Has a dog", REX), of("The dog is called Rex", REX)
    await learn(records, dog, rex)
    assert await records.supported(BANK, [REX], now=NOW) == {REX: sorted([dog.id, rex.id])}
    await records.forget(BANK, **{what: dog.id if what == "fact" else session("monday")})
    assert await records.supported(BANK, [REX], now=NOW) == {}
    assert await records.placed(BANK, [REX]) == []


async def test_a_logged_turn_is_marked_with_who_said_it_and_its_sessions_date(
    records: Records,
) -> None:
    said = (Utterance(role="user", text="I paint.", name="Ann"), Utterance(role="user", text="Hm."))
    await records.log(BANK, [Conversation(date=day(4), turns=said, key="monday")])
    marks = await records.unindexed(BANK, limit=9)
    assert sorted(marks, key=lambda mark: mark.text) == [
        Unindexed(turn("monday", 0, "I paint."), "turn", "Ann: I paint.", day(4)),
        Unindexed(turn("monday", 1, "Hm."), "turn", "Hm.", day(4)),
    ]
    assert [bank.unindexed for bank in await records.banks()] == [2]


async def test_what_neither_user_nor_assistant_said_has_no_vector(records: Records) -> None:
    roles: tuple[Role, ...] = ("system", "user", "tool", "assistant")
    said = tuple(Utterance(role=role, text=f"from {role}") for role in roles)
    await records.log(BANK, [Conversation(date=day(1), turns=said, key="monday")])
    spoken = {turn("monday", n, f"from {roles[n]}") for n in (1, 3)}
    assert set(await marked(records)) == spoken
    every = [one.id for one in await records.turns(BANK, session("monday"))]
    await records.indexed(BANK, every)
    assert await marked(records) == []
    assert await records.reindex(BANK) == 2
    assert set(await marked(records)) == spoken
    await records.indexed(BANK, every)
    await records.purged(BANK, every)
    assert set(await marked(records)) == spoken
    await records.forget(BANK, session=session("monday"))
    assert set(await records.unpurged(BANK)) == spoken


async def test_logging_again_marks_only_what_is_new(records: Records) -> None:
    await records.log(BANK, [talk("monday", *MONDAY[:2])])
    await records.indexed(BANK, await marked(records))
    await records.log(BANK, [talk("monday", *MONDAY[:2])])
    assert await marked(records) == []
    await records.log(BANK, [talk("monday", *MONDAY)])
    assert await marked(records) == [turn("monday", 2, "Nice weather.")]


async def test_turns_come_after_facts_and_cues(records: Records) -> None:
    await records.log(BANK, [talk("monday", *MONDAY)])
    dog = of("Has a dog", REX, on=9)
    await learn(records, dog)
    await records.foresee(BANK, [Cue(dog.id, 0, "what to feed it?")], facts=[dog.id])
    marks = await records.unindexed(BANK, limit=99)
    assert [mark.part for mark in marks] == ["text", "cue", *["turn"] * 3]
    for limit in (1, 2, 3, 4):
        assert len(await records.unindexed(BANK, limit=limit)) == limit
    assert [one.part for one in await records.unindexed(BANK, limit=2)] == ["text", "cue"]
    assert await records.unindexed(BANK, limit=-1) == []


async def test_forgetting_a_fact_takes_the_turns_that_said_it_out_of_the_index(
    records: Records,
) -> None:
    await records.log(BANK, [talk("monday", *MONDAY)])
    dog = of("Has a dog", REX)
    await learn(records, dog)
    await records.indexed(BANK, await marked(records))
    await records.forget(BANK, fact=dog.id)
    assert await marked(records) == []
    assert set(await records.unpurged(BANK)) == {dog.id, REX}


@pytest.mark.parametrize("what", ["session", "bank"])
async def test_forgotten_turns_are_listed_until_their_vectors_are_gone(
    records: Records, what: str
) -> None:
    await records.log(BANK, [talk("monday", *MONDAY), talk("tuesday", "Hello.")])
    gone = [turn("monday", n, text) for n, text in enumerate(MONDAY)]
    if what == "session":
        await records.forget(BANK, session=session("monday"))
    else:
        await records.forget(BANK)
        gone.append(turn("tuesday", 0, "Hello."))
    assert sorted(await records.unpurged(BANK)) == sorted(gone)
    await records.purged(BANK, gone)
    assert await records.unpurged(BANK) == []


async def test_turns_of_a_bank_given_anew_are_wanted_in_the_index_again(records: Records) -> None:
    await records.log(BANK, [talk("monday", *MONDAY)])
    await records.forget(BANK)
    unwanted = await records.unpurged(BANK)
    await records.log(BANK, [talk("monday", *MONDAY[:2])])
    assert await records.unpurged(BANK) == [turn("monday", 2, MONDAY[2])]
    await records.indexed(BANK, unwanted)
    await records.purged(BANK, unwanted)  # by one who read the list before: the vectors are gone
    assert set(await marked(records)) == {turn("monday", n, MONDAY[n]) for n in (0, 1)}


async def test_restored_turns_are_marked(records: Records) -> None:
    await records.log(BANK, [talk("monday", *MONDAY)])
    contents = await gathered(records, BANK)
    await records.forget(BANK)
    await records.restore(contents)
    assert set(await marked(records)) == {turn("monday", n, text) for n, text in enumerate(MONDAY)}
    assert await records.unpurged(BANK) == []
    assert await unindexed(records) == []


async def test_a_naive_moment_is_refused(records: Records) -> None:
    with pytest.raises(InvalidInput, match="time zone"):
        await records.supported(BANK, [REX], now=day(1).replace(tzinfo=None))
