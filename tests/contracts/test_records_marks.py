"""Cues and the marks that keep the index one with Records."""

from __future__ import annotations

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.records.changes import Unindexed
from forethought.memory.records.port import Records
from forethought.memory.types import Cue
from tests.contracts.samples import BANK, day, fact, learn, session, talk, unindexed

OSLO = fact("Lives in Oslo", on=2)
SINGS = fact("Sings alto", on=1)


def cues(*texts: str, of: str = OSLO.id) -> list[Cue]:
    return [Cue(of, position, text) for position, text in enumerate(texts)]


async def test_cues_come_by_fact_and_position(records: Records) -> None:
    await learn(records, OSLO, SINGS)
    await records.foresee(BANK, [*cues("a", "b")[::-1], *cues("c", of=SINGS.id)], facts=[OSLO.id])
    both = sorted([*cues("a", "b"), *cues("c", of=SINGS.id)], key=lambda cue: cue.id)
    assert await records.cues(BANK, [SINGS.id, OSLO.id]) == both
    assert await records.cues(BANK, [OSLO.id]) == cues("a", "b")


async def test_facts_are_unforeseen_until_marked_oldest_first(records: Records) -> None:
    late = fact("Likes rye bread", on=9)
    await learn(records, late, OSLO, SINGS)
    assert await records.unforeseen(BANK, limit=9) == [SINGS, OSLO, late]
    assert await records.unforeseen(BANK, limit=1) == [SINGS]
    assert await records.unforeseen(BANK, limit=-1) == []
    await records.foresee(BANK, cues("a"), facts=[OSLO.id, SINGS.id])
    assert await records.unforeseen(BANK, limit=9) == [late]
    assert [one.foreseen for one in await records.facts(BANK)] == [True, True, False]


async def test_a_replaced_fact_keeps_its_cues_and_needs_no_new_ones(records: Records) -> None:
    bergen = fact("Lives in Bergen", on=6)
    await learn(records, OSLO, SINGS)
    await records.foresee(BANK, cues("a"), facts=[OSLO.id])
    await learn(records, bergen, replacing={OSLO.id: bergen})
    await learn(records, fact("Sings bass", on=6), replacing={SINGS.id: fact("Sings bass", on=6)})
    assert await records.cues(BANK, [OSLO.id]) == cues("a")
    assert SINGS.id not in [one.id for one in await records.unforeseen(BANK, limit=9)]


async def test_new_cues_take_the_place_of_the_old(records: Records) -> None:
    await learn(records, OSLO)
    await records.foresee(BANK, cues("a", "b", "c"), facts=[OSLO.id])
    await records.indexed(BANK, [f"{OSLO.id}:{n}" for n in range(3)])
    await records.foresee(BANK, cues("a", "changed"), facts=[OSLO.id])
    assert await records.cues(BANK, [OSLO.id]) == cues("a", "changed")
    assert [one.id for one in await unindexed(records)] == [OSLO.id, f"{OSLO.id}:1"]
    assert await records.unpurged(BANK) == [f"{OSLO.id}:2"]
    await records.foresee(BANK, cues("a", "changed", "c"), facts=[OSLO.id])
    assert await records.unpurged(BANK) == []


async def test_cues_of_unknown_facts_and_blank_cues_are_dropped(records: Records) -> None:
    await learn(records, OSLO)
    given = [*cues("a", "  "), *cues("b", of="f-forgotten")]
    await records.foresee(BANK, given, facts=[OSLO.id, "f-forgotten"])
    assert await records.cues(BANK, [OSLO.id, "f-forgotten"]) == cues("a")


async def test_facts_come_before_cues_and_cues_have_the_date_of_their_fact(
    records: Records,
) -> None:
    await learn(records, OSLO, SINGS)
    await records.foresee(BANK, cues("a", "b"), facts=[OSLO.id])
    assert await unindexed(records) == [
        Unindexed(SINGS.id, "text", SINGS.text, day(1)),
        Unindexed(OSLO.id, "text", OSLO.text, day(2)),
        Unindexed(f"{OSLO.id}:0", "cue", "a", day(2)),
        Unindexed(f"{OSLO.id}:1", "cue", "b", day(2)),
    ]
    assert len(await records.unindexed(BANK, limit=3)) == 3


async def test_indexed_clears_only_the_marks_that_it_names(records: Records) -> None:
    await learn(records, OSLO, SINGS)
    await records.foresee(BANK, cues("a", "b"), facts=[OSLO.id])
    await records.indexed(BANK, [OSLO.id, f"{OSLO.id}:1", "f-unknown", f"{OSLO.id}:99", ":"])
    assert [one.id for one in await unindexed(records)] == [SINGS.id, f"{OSLO.id}:0"]


async def test_what_changed_since_it_was_listed_is_outdated(records: Records) -> None:
    await learn(records, OSLO, SINGS)
    await records.foresee(BANK, cues("a", "b", "c"), facts=[OSLO.id])
    listed = await unindexed(records)
    assert await records.outdated(BANK, listed) == []
    await records.indexed(BANK, [one.id for one in listed])
    assert await records.outdated(BANK, listed) == []
    await records.foresee(BANK, cues("a", "changed"), facts=[OSLO.id])
    await records.forget(BANK, fact=SINGS.id)
    assert await records.outdated(BANK, listed) == [SINGS.id, f"{OSLO.id}:1", f"{OSLO.id}:2"]
    await learn(records, fact("lives in oslo", said_in="tuesday", on=8))
    assert await records.outdated(BANK, listed) == [one.id for one in listed]


async def test_a_turn_that_was_forgotten_or_logged_otherwise_since_is_outdated(
    records: Records,
) -> None:
    said = talk("monday", "I moved to Oslo.", "It rains."), talk("tuesday", "I sing.")
    await records.log(BANK, said)
    listed = await records.unindexed(BANK, limit=9)
    (kept,) = [one.id for one in await records.turns(BANK, session("tuesday"))]
    assert await records.outdated(BANK, listed) == []
    await records.indexed(BANK, [one.id for one in listed])
    assert await records.outdated(BANK, listed) == []
    await records.forget(BANK, session=session("monday"))
    gone = [one.id for one in listed if one.id != kept]
    assert (len(gone), await records.outdated(BANK, listed)) == (2, gone)
    await records.forget(BANK)
    system = Utterance(role="system", text="I sing.")
    await records.log(BANK, [said[0], Conversation(date=day(1), turns=(system,), key="tuesday")])
    assert await records.outdated(BANK, listed) == [kept]  # which has no vector now
    await records.forget(BANK)
    await records.log(BANK, [talk("monday", "I moved to Oslo.", "It rains.", on=2), said[1]])
    assert await records.outdated(BANK, listed) == gone  # said on another day


async def test_a_date_that_moves_is_indexed_anew_for_the_cues_too(records: Records) -> None:
    await learn(records, OSLO)
    await records.foresee(BANK, cues("a"), facts=[OSLO.id])
    await records.indexed(BANK, [OSLO.id, f"{OSLO.id}:0"])
    await learn(records, fact("lives in oslo", said_in="tuesday", on=8))
    marks = await unindexed(records)
    assert [(mark.part, mark.date) for mark in marks] == [("text", day(8)), ("cue", day(8))]


async def test_reindex_marks_every_fact_and_cue(records: Records) -> None:
    bergen = fact("Lives in Bergen", on=6)
    await learn(records, OSLO)
    await learn(records, bergen, replacing={OSLO.id: bergen})
    await records.foresee(BANK, cues("a"), facts=[OSLO.id])
    await records.indexed(BANK, [OSLO.id, bergen.id, f"{OSLO.id}:0"])
    assert await records.reindex(BANK) == 4  # with the one turn
    assert len(await unindexed(records)) == 3
