"""What a forgotten fact, session, entity or bank leaves of opinions and observations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.records.changes import Purge
from forethought.memory.records.port import Records
from tests.contracts.samples import BANK, day, entity, fact, learn, session, tie, unindexed
from tests.contracts.test_records_beliefs import (
    ANN,
    OSLO,
    SINGS,
    SKIS,
    TEXT,
    judgement,
    observation,
    opinion,
)

BOB = entity("Bob")
HUMS = fact("Hums", said_in="tuesday", on=2)
RESTS, MOVED = opinion("Song is joy", SINGS.id), opinion(TEXT, OSLO.id)
SEEN = observation("Ann sings", SINGS.id), observation("Ann lives", OSLO.id)
AWAY = observation("Bob hums", HUMS.id, on=BOB.id, title="Bob")
SUNG, FAR = "Oslo sings.", "Oslo sings and is far."


@pytest.fixture
async def known(records: Records) -> Records:
    """One opinion rests on that Ann sings, which reworded another; another fact moved that again.

    Ann is mentioned by what is of Monday, Bob by what is of Tuesday; both have observations.
    """
    await tie(records, {OSLO: (ANN,), SINGS: (ANN,), SKIS: (BOB,), HUMS: (BOB,)})
    await records.hold(BANK, [RESTS, MOVED])
    await records.judge(BANK, [judgement(MOVED, "contradict", SINGS.id, text=SUNG)])
    await records.judge(BANK, [judgement(MOVED, "weaken", SKIS.id, text=FAR)])
    await records.observe(BANK, ANN.id, SEEN)
    await records.observe(BANK, BOB.id, [AWAY])
    await records.indexed(BANK, [item.id for item in await unindexed(records)])
    return records


async def test_a_forgotten_fact_takes_what_is_from_it_and_leaves_the_rest_as_without_it(
    known: Records,
) -> None:
    purge = await known.forget(BANK, fact=SINGS.id)
    assert purge == Purge(facts=(SINGS.id,), opinions=1, observations=2)
    (left,) = await known.opinions(BANK)
    assert (left.text, left.confidence, left.facts) == (TEXT, 0.4, (OSLO.id,))
    assert [(step.fact, step.text) for step in left.steps] == [(SKIS.id, TEXT)]
    assert await known.observations(BANK) == [AWAY]
    gone = {SINGS.id, RESTS.id, MOVED.id, *(one.id for one in SEEN)}
    assert set(await known.unpurged(BANK)) == gone
    assert [item.text for item in await unindexed(known)] == [TEXT]


async def test_an_opinion_that_was_moved_but_not_reworded_keeps_its_vector(known: Records) -> None:
    sure = opinion("Sure", formed=day(1))
    await known.hold(BANK, [sure])
    await known.judge(BANK, [judgement(sure, "reinforce", HUMS.id)])
    await known.indexed(BANK, [sure.id])
    assert (await known.forget(BANK, fact=HUMS.id)).opinions == 0
    assert await known.opinions(BANK, [sure.id]) == [sure]
    assert sure.id not in await known.unpurged(BANK)
    assert await unindexed(known) == []


async def test_an_opinion_on_an_older_version_goes_with_the_newer(known: Records) -> None:
    bass = fact("Sings bass", on=7)
    await learn(known, bass, replacing={SINGS.id: bass})
    assert (await known.forget(BANK, fact=bass.id)).opinions == 1
    assert [one.id for one in await known.opinions(BANK)] == [MOVED.id]


async def test_a_forgotten_session_takes_what_rests_on_its_facts(known: Records) -> None:
    purge = await known.forget(BANK, session=session("tuesday"))
    assert (purge.opinions, purge.observations) == (0, 1)
    opinions = {one.id: one for one in await known.opinions(BANK)}
    assert (opinions[MOVED.id].text, opinions[MOVED.id].confidence) == (SUNG, 0.3)
    assert await known.observations(BANK) == list(SEEN)


async def test_a_forgotten_entity_takes_the_opinions_about_it(known: Records) -> None:
    about = opinion("He is kind", entities=("bob!", "Oslo"))
    await known.hold(BANK, [about])
    purge = await known.forget(BANK, entity=BOB.id)
    assert (purge.opinions, purge.observations, purge.entities) == (1, 1, 1)
    assert {one.id for one in await known.opinions(BANK)} == {RESTS.id, MOVED.id}
    assert about.id in await known.unpurged(BANK)


async def test_observations_on_an_entity_go_with_the_last_fact_that_mentions_it(
    known: Records,
) -> None:
    """Though they are from facts that mention an alias of it, which stays."""
    alias = entity("Annie")
    await tie(known, {HUMS: (replace(alias, into=ANN.id),)})
    await known.observe(BANK, ANN.id, [observation("Ann hums", HUMS.id)])
    await known.forget(BANK, fact=SINGS.id)
    purge = await known.forget(BANK, fact=OSLO.id)
    assert (purge.entities, purge.observations, purge.opinions) == (1, 1, 1)
    assert [one.subject for one in await known.observations(BANK)] == [BOB.id]
    await known.observe(BANK, ANN.id, [observation("Ann hums", HUMS.id)])
    assert [one.subject for one in await known.observations(BANK)] == [BOB.id]


async def test_a_forgotten_opinion_goes_alone_and_may_be_formed_anew(known: Records) -> None:
    facts, marks = await known.facts(BANK), await known.tombstones(BANK)
    assert await known.forget(BANK, opinion=MOVED.id) == Purge(opinions=1)
    assert [one.id for one in await known.opinions(BANK)] == [RESTS.id]
    assert await known.unpurged(BANK) == [MOVED.id]
    assert (await known.facts(BANK), await known.tombstones(BANK)) == (facts, marks)
    assert await known.judge(BANK, [judgement(MOVED, "reinforce", HUMS.id)]) == []
    await known.hold(BANK, [MOVED])
    assert await known.opinions(BANK, [MOVED.id]) == [MOVED]
    assert (await known.unpurged(BANK), len(await unindexed(known))) == ([], 1)


async def test_an_opinion_that_is_not_there_or_beside_another_thing_is_not_forgotten(
    known: Records,
) -> None:
    with pytest.raises(NotFound, match="'o0' in bank 'ann'"):
        await known.forget(BANK, opinion="o0")
    with pytest.raises(NotFound):
        await known.forget("bob", opinion=RESTS.id)
    with pytest.raises(InvalidInput, match="one thing"):
        await known.forget(BANK, opinion=RESTS.id, fact=SINGS.id)
    assert len(await known.opinions(BANK)) == 2


async def test_a_forgotten_bank_leaves_neither(known: Records) -> None:
    ids = {RESTS.id, MOVED.id, AWAY.id, *(one.id for one in SEEN)}
    purge = await known.forget(BANK)
    assert (purge.opinions, purge.observations) == (2, 3)
    assert (await known.opinions(BANK), await known.observations(BANK)) == ([], [])
    assert ids <= set(await known.unpurged(BANK))
    await known.hold(BANK, [opinion("All is well")])
    (bank,) = await known.banks()
    assert (bank.bank, bank.facts, bank.opinions) == (BANK, 0, 1)
    assert (await known.forget(BANK)).opinions == 1
