"""Opinions are held once and moved by evidence, observations replaced as one; facts stay apart."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from forethought.memory.beliefs.types import USER, Judgement, Observation, Opinion, Step
from forethought.memory.errors import InvalidInput
from forethought.memory.ids import observation_id, opinion_id
from forethought.memory.records.changes import Unindexed
from forethought.memory.records.port import Records
from tests.contracts.samples import (
    BANK,
    NOW,
    day,
    entity,
    fact,
    found,
    learn,
    merge,
    merged,
    tie,
    unindexed,
)

OSLO, SINGS, SKIS = fact("Lives in Oslo"), fact("Sings alto"), fact("Skis", said_in="tuesday", on=2)
ANN = entity("Ann")
TEXT = "Oslo is a good place to live, because it is close to the woods."


def opinion(text: str = TEXT, *facts: str, **fields: Any) -> Opinion:
    id = opinion_id(BANK, text)
    sure = fields.pop("sure", 0.5)
    return replace(Opinion(id, BANK, text, sure, day(3), text, sure, ("Oslo",), facts), **fields)


def observation(text: str, *facts: str, on: str = ANN.id, **fields: Any) -> Observation:
    id = observation_id(BANK, on, text)
    return replace(Observation(id, BANK, on, "entity", "Ann", text, facts, day(4)), **fields)


def judgement(of: Opinion, verdict: str, fact: str | None = SINGS.id, **fields: Any) -> Judgement:
    return Judgement(of.id, verdict, day(5), fact, **fields)  # type: ignore[arg-type] # a verdict


async def moved(records: Records) -> tuple[float, str]:
    """How sure the one opinion is, and of what."""
    (one,) = await records.opinions(BANK)
    return one.confidence, one.text


@pytest.fixture
async def known(records: Records) -> Records:
    """Three facts, of which Ann is mentioned by all."""
    await tie(records, {OSLO: (ANN,), SINGS: (ANN,), SKIS: (ANN,)})
    return records


async def test_an_opinion_is_read_as_it_was_held(known: Records) -> None:
    step = Step(day(4), "weaken", 1, 0.9, TEXT, SKIS.id, "s-tuesday")
    first = opinion(TEXT, OSLO.id, SINGS.id, sure=1, confidence=0.9, steps=(step,))
    later = opinion("日本 \u2028 is far.", formed=day(9), entities=())
    await known.hold(BANK, [later, first])
    assert await known.opinions(BANK) == [first, later]
    assert await known.opinions(BANK, [later.id, "o0", first.id]) == [later, first]
    assert (await known.opinions("bob"), await known.opinions(BANK, [])) == ([], [])


async def test_an_opinion_is_held_once_and_a_blank_one_never(known: Records) -> None:
    first = opinion(TEXT, OSLO.id)
    await known.hold(BANK, [first, replace(first, text="Another", first="Another")])
    await known.hold(BANK, [replace(first, confidence=0.9), opinion(" \n"), opinion("\u3000")])
    assert await known.opinions(BANK) == [first]


async def test_what_rests_on_a_fact_that_is_not_there_is_left_out(known: Records) -> None:
    await known.forget(BANK, fact=SINGS.id)
    step = Step(day(4), "weaken", 0.5, 0.4, TEXT, SINGS.id)
    gone = [opinion(TEXT, OSLO.id, SINGS.id), opinion("Sure", steps=(step,)), opinion("No", "f0")]
    await known.hold(BANK, [*gone, opinion("Skiing is fun", SKIS.id)])
    assert [one.text for one in await known.opinions(BANK)] == ["Skiing is fun"]
    held = opinion("Skiing is fun")
    assert await known.judge(
        BANK,
        [
            judgement(held, "reinforce"),
            judgement(held, "revise", SKIS.id, facts=(SINGS.id,), text="No", confidence=0.9),
            judgement(opinion("Unknown"), "reinforce", SKIS.id),
        ],
    ) == []  # fmt: skip
    await known.observe(BANK, ANN.id, [observation("Ann lives", OSLO.id, SINGS.id)])
    await known.observe(BANK, "e0", [observation("Nobody lives", OSLO.id, on="e0")])
    assert await known.observations(BANK) == []


async def test_evidence_moves_an_opinion_and_its_trajectory_says_how(known: Records) -> None:
    one = opinion(TEXT, OSLO.id)
    await known.hold(BANK, [one])
    (up,) = await known.judge(BANK, [judgement(one, "reinforce", SKIS.id, source="s-tuesday")])
    assert (up.confidence, up.text, up.facts) == (0.6, TEXT, (OSLO.id,))
    (down,) = await known.judge(
        BANK, [judgement(one, "contradict", source="s", text="Oslo is dear.")]
    )
    assert (down.confidence, down.text, down.first) == (0.4, "Oslo is dear.", TEXT)
    assert down.steps == (
        Step(day(5), "reinforce", 0.5, 0.6, TEXT, SKIS.id, "s-tuesday"),
        Step(day(5), "contradict", 0.6, 0.4, "Oslo is dear.", SINGS.id, "s"),
    )
    assert await known.opinions(BANK) == [down]


async def test_a_fact_counts_once_and_what_changes_nothing_is_not_returned(known: Records) -> None:
    one = opinion(TEXT, OSLO.id)
    await known.hold(BANK, [one])
    up = judgement(one, "reinforce")
    assert len(await known.judge(BANK, [up, up, judgement(one, "neutral", SKIS.id)])) == 1
    assert await known.judge(BANK, [up, replace(up, verdict="weaken")]) == []
    assert await moved(known) == (0.6, TEXT)


async def test_a_revision_rests_on_its_facts_too(known: Records) -> None:
    one = opinion(TEXT, OSLO.id)
    await known.hold(BANK, [one])
    new = judgement(one, "revise", None, text="Meh.", confidence=0.2, facts=(SKIS.id, OSLO.id))
    (revised,) = await known.judge(BANK, [new])
    assert (revised.facts, revised.confidence) == ((OSLO.id, SKIS.id), 0.2)
    assert (await known.forget(BANK, fact=SKIS.id)).opinions == 1
    assert await known.opinions(BANK) == []


async def test_of_judgements_at_the_same_time_none_is_lost(known: Records) -> None:
    facts = [fact(f"Fact {n}") for n in range(8)]
    one, other = opinion(TEXT, sure=0.1), opinion("Another")
    await learn(known, *facts)
    await known.hold(BANK, [one, other])
    await asyncio.gather(
        *(known.judge(BANK, [judgement(one, "reinforce", it.id)]) for it in facts),
        known.judge(BANK, [judgement(other, "weaken", it.id) for it in facts[:2]]),
    )
    held = {it.id: it for it in await known.opinions(BANK)}
    assert (held[one.id].confidence, len(held[one.id].steps)) == (0.9, 8)
    assert held[other.id].confidence == 0.3


async def test_an_opinion_waits_for_its_vector_again_when_its_text_changes(known: Records) -> None:
    one, other = opinion(TEXT, OSLO.id), opinion("Another", formed=day(1))
    await known.hold(BANK, [one, other])
    await known.observe(BANK, ANN.id, [observation("Ann lives", OSLO.id)])
    waiting = await unindexed(known)
    assert waiting[3:] == [
        Unindexed(other.id, "opinion", "Another", day(1)),
        Unindexed(one.id, "opinion", TEXT, day(3)),
        Unindexed(observation("Ann lives").id, "observation", "Ann lives", day(4)),
    ]
    assert [item.id for item in await known.unindexed(BANK, limit=4)] == [
        item.id for item in waiting[:4]
    ]
    await known.indexed(BANK, [item.id for item in waiting])
    await known.judge(BANK, [judgement(one, "reinforce")])
    assert (await unindexed(known), await known.outdated(BANK, waiting)) == ([], [])
    await known.judge(BANK, [judgement(one, "contradict", SKIS.id, text="Oslo is dear.")])
    assert await unindexed(known) == [Unindexed(one.id, "opinion", "Oslo is dear.", day(3))]
    assert await known.outdated(BANK, waiting) == [one.id]
    assert await known.reindex(BANK) == len(waiting) + 2  # with the log's turns
    (bank,) = await known.banks()
    assert (bank.opinions, bank.observations, bank.unindexed) == (2, 1, len(waiting) + 2)


async def test_observations_on_a_subject_are_replaced_as_one(known: Records) -> None:
    days: dict[str, Any] = {"occurred_from": day(1).date(), "occurred_to": day(2).date()}
    lives = observation("Ann lives in Oslo", OSLO.id, **days)
    sings, skis = observation("Ann sings", SINGS.id), observation("Ann skis", SKIS.id)
    topic = observation("Winter is long", SKIS.id, on=SKIS.id, about="topic", title="Winter")
    await known.observe(BANK, ANN.id, [sings, observation(" "), lives])
    await known.observe(BANK, SKIS.id, [topic])
    await known.indexed(BANK, [sings.id, lives.id, topic.id])
    by_subject = [[sings, lives], [topic]] if ANN.id < SKIS.id else [[topic], [sings, lives]]
    assert await known.observations(BANK) == [one for each in by_subject for one in each]
    some = [topic.id, "b0", sings.id]
    assert await known.observations(BANK, ids=some) == [topic, sings]
    assert (await known.observations(BANK, ids=[]), await known.opinions(BANK, [])) == ([], [])
    await known.observe(BANK, ANN.id, [skis, replace(lives, made=day(9)), sings])
    assert await known.observations(BANK, [ANN.id, "e0"]) == [
        skis,
        replace(lives, made=day(9)),
        sings,
    ]
    waiting = {item.id for item in await unindexed(known) if item.part == "observation"}
    assert waiting == {skis.id, lives.id}  # with its date the index would be wrong
    await known.observe(BANK, ANN.id, [skis])
    assert set(await known.unpurged(BANK)) == {sings.id, lives.id}
    await known.observe(BANK, ANN.id, [skis, sings])
    assert await known.unpurged(BANK) == [lives.id]
    await known.purged(BANK, [lives.id, topic.id])
    assert topic.id in {item.id for item in await unindexed(known)}
    await known.observe(BANK, ANN.id, [])
    assert await known.observations(BANK, [ANN.id]) == []


async def test_the_users_profile_is_on_no_entity_and_goes_with_a_fact_of_its(
    known: Records,
) -> None:
    likes = observation("The user skis", SINGS.id, SKIS.id, on=USER, about="user", title="user")
    home = observation("The user lives in Oslo", SINGS.id, SKIS.id, on=USER, about="user")
    await known.observe(BANK, USER, [likes, home])
    await known.observe("bob", USER, [])
    assert await known.observations(BANK, [USER]) == [likes, home]
    await known.observe(BANK, USER, [home, replace(likes, facts=("f0",))])
    assert await known.observations(BANK, [USER]) == []
    await known.observe(BANK, USER, [likes, home])
    assert (await known.forget(BANK, entity=ANN.id)).observations == 2
    assert await known.observations(BANK) == []


async def test_facts_of_some_kinds_are_given_by_when_they_were_last_said(known: Records) -> None:
    aims = [fact(f"Wants {n}", on=n, kind="Goal") for n in (5, 3, 4)]
    await learn(known, *aims, fact("Saw an owl", kind="Event"))
    bergen = fact("Lives in Bergen", on=6)
    await learn(known, bergen, replacing={OSLO.id: bergen})
    found = await known.of_kinds(BANK, ["Preference", "Goal"], k=9)
    assert found == [bergen, aims[0], aims[2], aims[1], SKIS, SINGS]
    assert await known.of_kinds(BANK, ["Goal", "Identity"], k=2) == [aims[0], aims[2]]
    assert await known.of_kinds(BANK, [], k=9) == []
    assert await known.of_kinds(BANK, ["Goal"], k=0) == []
    assert await known.of_kinds("bob", ["Goal"], k=9) == []


async def test_neither_is_ever_found_as_a_fact(known: Records) -> None:
    await known.hold(BANK, [opinion("Alto voices are the best", OSLO.id)])
    await known.observe(BANK, ANN.id, [observation("Alto describes her", OSLO.id)])
    assert await found(known, "alto") == [SINGS.id]
    assert await known.facts(BANK) == [OSLO, SINGS, SKIS]
    assert [turn for turn, _ in await known.said(BANK, "alto best", k=9, now=NOW)] == []


@pytest.mark.parametrize("sure", [-0.1, 1.01, float("nan")])
async def test_a_confidence_outside_0_to_1_is_refused(known: Records, sure: float) -> None:
    held = opinion(TEXT)
    await known.hold(BANK, [held])
    for one in (opinion("New", sure=sure), opinion("New", confidence=sure)):
        with pytest.raises(InvalidInput, match="from 0 to 1"):
            await known.hold(BANK, [opinion("Other"), one])
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        await known.judge(BANK, [judgement(held, "revise", None, confidence=sure)])
    assert await known.opinions(BANK) == [held]


async def test_what_a_caller_gets_wrong_is_refused(known: Records) -> None:
    naive, step = datetime(2024, 1, 1), Step(datetime(2024, 1, 1), "weaken", 0.5, 0.4, TEXT)
    for wrong in (
        known.hold(BANK, [opinion(formed=naive)]),
        known.hold(BANK, [opinion(steps=(step,))]),
        known.hold(BANK, [opinion(bank="bob")]),
        known.hold(" ", []),
        known.judge(BANK, [Judgement("o0", "weaken", naive)]),
        known.judge("", []),
        known.observe(BANK, ANN.id, [observation("Ann lives", made=naive)]),
        known.observe(BANK, ANN.id, [observation("Ann lives", bank="bob")]),
        known.observe(BANK, ANN.id, [observation("Ann lives", on="e0")]),
        known.observe("", ANN.id, []),
    ):
        with pytest.raises(InvalidInput):
            await wrong
    assert (await known.opinions(BANK), await known.observations(BANK)) == ([], [])


async def test_an_opinion_on_a_fact_that_is_replaced_or_merged_stays(known: Records) -> None:
    one = opinion(TEXT, OSLO.id)
    bergen = fact("Lives in Bergen", on=6)
    await known.hold(BANK, [one])
    await known.observe(BANK, ANN.id, [observation("Ann sings", SINGS.id)])
    await learn(known, bergen, replacing={OSLO.id: bergen})
    await merge(known, merged("Sings and skis", SINGS, SKIS), SINGS, SKIS)
    assert await known.opinions(BANK) == [one]
    assert len(await known.observations(BANK)) == 1
    assert (await known.judge(BANK, [judgement(one, "contradict", bergen.id)]))[0].confidence == 0.3
