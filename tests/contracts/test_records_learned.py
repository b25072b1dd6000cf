"""A request whose answer cited facts becomes a cue of theirs; the oldest gives way."""

from __future__ import annotations

from datetime import datetime

import pytest

from forethought.memory.errors import InvalidInput
from forethought.memory.records.changes import ChangeSet, Unindexed
from forethought.memory.records.port import Records
from forethought.memory.types import LEARNED, Cue, Source
from tests.contracts.samples import BANK, day, fact, learn, talk, unindexed

OSLO, SINGS = fact("Lives in Oslo"), fact("Sings alto")
SKI = Cue(OSLO.id, 0, "Where can I ski?")


def learned(place: int, text: str, on: int, of: str = OSLO.id) -> Cue:
    return Cue(of, LEARNED + place, text, day(on))


async def asked(records: Records, request: str, on: int, *facts: str, keep: int = 2) -> list[Cue]:
    return await records.learn(BANK, facts or [OSLO.id], request, at=day(on), keep=keep)


@pytest.fixture
async def known(records: Records) -> Records:
    """Two facts of which nothing is unindexed, one with an imagined cue."""
    await learn(records, OSLO, SINGS)
    await records.foresee(BANK, [SKI], facts=[OSLO.id])
    await records.indexed(BANK, [one.id for one in await records.unindexed(BANK, limit=9)])
    return records


async def test_a_request_becomes_a_cue_of_each_fact_that_holds(known: Records) -> None:
    bergen = fact("Lives in Bergen", on=3)
    await learn(known, bergen, replacing={OSLO.id: bergen})
    new = await asked(known, "How is the fjord?", 4, bergen.id, OSLO.id, "f0", SINGS.id)
    expected = [learned(0, "How is the fjord?", 4, one) for one in (bergen.id, SINGS.id)]
    assert sorted(new, key=lambda cue: cue.fact) == sorted(expected, key=lambda cue: cue.fact)
    assert await known.cues(BANK, [SINGS.id]) == expected[1:]
    cues = {one.id for one in await unindexed(known) if one.part == "cue"}
    assert cues == {cue.id for cue in expected}
    assert (await known.banks())[0].cues == 3


async def test_the_same_request_is_a_cue_already(known: Records) -> None:
    assert await asked(known, "where can I  SKI?", 2) == []
    assert await asked(known, " \n", 2) == []
    (first,) = await asked(known, "Is it far?", 2)
    assert await asked(known, "IS IT  FAR? ", 3) == []
    assert await known.cues(BANK, [OSLO.id]) == [SKI, first]


async def test_the_oldest_learned_one_gives_way_and_its_place_is_taken(known: Records) -> None:
    for number, text in enumerate(("Second", "First", "Third"), start=1):
        await asked(known, text, {1: 5, 2: 4, 3: 6}[number])
    await known.indexed(BANK, [one.id for one in await unindexed(known)])
    assert await known.cues(BANK, [OSLO.id]) == [
        SKI, learned(0, "Second", 5), learned(1, "Third", 6),
    ]  # fmt: skip
    waiting = await unindexed(known)
    (new,) = await asked(known, "Fourth", 7)
    assert new == learned(0, "Fourth", 7)
    assert [one.text for one in await unindexed(known)] == ["Fourth"]
    assert (waiting, await known.unpurged(BANK)) == ([], [])  # the new vector takes the old's place
    assert await asked(known, "Long ago", 1) == []
    assert await asked(known, "Fifth", 8, keep=1) == [learned(0, "Fifth", 8)]
    assert await known.unpurged(BANK) == [f"{OSLO.id}:{LEARNED + 1}"]
    assert await asked(known, "Sixth", 9, keep=0) == []
    assert await known.cues(BANK, [OSLO.id]) == [SKI]


async def test_its_vector_has_the_day_on_which_it_was_learned(known: Records) -> None:
    (far,) = await asked(known, "Is it far?", 6)
    marked = [Unindexed(far.id, "cue", far.text, day(6))]
    assert await unindexed(known) == marked
    assert await known.newest(BANK) == day(6)
    await known.indexed(BANK, [far.id])
    assert await known.outdated(BANK, marked) == []
    assert await known.unlearn(BANK, [far.id]) == 1
    assert await known.newest(BANK) == OSLO.date


async def test_of_a_fact_that_is_said_again_later_it_has_the_fact_s_day(known: Records) -> None:
    await asked(known, "Is it far?", 3)
    await learn(known, fact("Lives in Oslo", on=8))
    days = {one.part: one.date for one in await unindexed(known) if one.id.startswith(OSLO.id)}
    assert days == {"text": day(8), "cue": day(8)}


async def test_foreseeing_leaves_learned_ones_alone(known: Records) -> None:
    (far,) = await asked(known, "Is it far?", 2)
    await known.foresee(BANK, [Cue(OSLO.id, 1, "Is there snow?")], facts=[OSLO.id])
    assert await known.cues(BANK, [OSLO.id]) == [Cue(OSLO.id, 1, "Is there snow?"), far]
    assert await known.unpurged(BANK) == [SKI.id]
    await known.foresee(BANK, [], facts=[OSLO.id])
    assert await known.cues(BANK, [OSLO.id]) == [far]
    for wrong in (Cue(OSLO.id, LEARNED, "Is it far?"), Cue(OSLO.id, 2, "Is it far?", day(2))):
        with pytest.raises(InvalidInput, match="below 100"):
            await known.foresee(BANK, [wrong], facts=[OSLO.id])


async def test_a_cue_of_either_sort_is_forgotten_by_its_id(known: Records) -> None:
    (far,) = await asked(known, "Is it far?", 2)
    assert await known.unlearn("bob", [far.id]) == await known.unlearn(BANK, ["f0:0"]) == 0
    assert await known.unlearn(BANK, [far.id, SKI.id, far.id]) == 2
    assert await known.cues(BANK, [OSLO.id]) == []
    assert await known.unpurged(BANK) == [SKI.id, far.id]
    assert [one.id for one in await known.unforeseen(BANK, limit=9)] == [SINGS.id]
    assert await asked(known, "Is it far?", 2) == [far]
    assert await known.unpurged(BANK) == [SKI.id]


async def test_learned_ones_go_with_their_fact(known: Records) -> None:
    (far,) = await asked(known, "Is it far?", 2)
    assert set((await known.forget(BANK, fact=OSLO.id)).cues) == {SKI.id, far.id}
    assert await asked(known, "Is it far?", 3) == []


@pytest.mark.parametrize("whole", [True, False], ids=["session", "fact"])
async def test_one_goes_with_the_turn_that_asked_it(known: Records, whole: bool) -> None:
    (logged,) = await known.log(BANK, [talk("friday", "Is it far?", "I ski")])
    assert logged.session
    turns = await known.turns(BANK, logged.session.id)
    skis = fact("Skis", sources=(Source(logged.session.id, (turns[0].id,)),))
    await known.commit(ChangeSet(BANK, (skis,)))
    (far,) = await asked(known, "Is it far?", 2)
    (near,) = await asked(known, "Is it near?", 2)
    await known.indexed(BANK, [one.id for one in await unindexed(known)])
    what = {"session": logged.session.id} if whole else {"fact": skis.id}
    await known.forget(BANK, **what)
    assert await known.cues(BANK, [OSLO.id]) == [SKI, near]
    assert far.id in await known.unpurged(BANK)


async def test_a_request_without_a_time_zone_or_a_bank_is_refused(known: Records) -> None:
    with pytest.raises(InvalidInput, match="time zone"):
        await known.learn(BANK, [OSLO.id], "When?", at=datetime(2024, 1, 1), keep=1)
    with pytest.raises(InvalidInput, match="no name"):
        await known.learn(" ", [OSLO.id], "When?", at=day(1), keep=1)
    assert await known.cues(BANK, [OSLO.id]) == [SKI]
