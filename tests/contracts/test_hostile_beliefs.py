"""Hostile text in opinions and observations: kept as it is, and gone with what it rests on."""

from __future__ import annotations

from dataclasses import replace

from forethought.memory.beliefs.types import Judgement
from forethought.memory.records.port import Records
from forethought.memory.words import storable
from tests.contracts.hostile import HOSTILE
from tests.contracts.samples import BANK, NOW, entity, fact, tie
from tests.contracts.test_hostile import IDS, TEA
from tests.contracts.test_records_beliefs import observation, opinion

BREAD = fact("Eats bread with ann")


async def test_any_opinion_and_observation_is_kept_as_it_is(records: Records) -> None:
    """By its own id and by any at all; judged by any text, and forgotten with its fact."""
    await tie(records, {TEA: (ann := entity("Ann"),), BREAD: ()})
    given = [opinion(text, BREAD.id, entities=(text,)) for text in HOSTILE]
    given += [replace(opinion("Tea is good", BREAD.id), id=id) for id in IDS]
    await records.hold(BANK, given)
    first = {storable(one.id): storable(one.text) for one in reversed(given) if one.text.strip()}
    held = await records.opinions(BANK)
    assert {one.id: one.text for one in held} == first
    assert all(one.entities == (one.text,) for one in held if one.text != "Tea is good")
    one = opinion("Tea is fine", BREAD.id)
    await records.hold(BANK, [one])
    new = [Judgement(one.id, "revise", NOW, text=text) for text in HOSTILE if text.strip()]
    (after,) = await records.judge(BANK, [*new, Judgement(one.id, "weaken", NOW, TEA.id)])
    assert {step.text for step in after.steps} == {storable(it.text or "").strip() for it in new}
    assert await records.opinions(BANK, [one.id]) == [after]
    seen = [observation(text, TEA.id, on=ann.id, title=text) for text in HOSTILE]
    seen += [replace(observation("Tea", TEA.id, on=ann.id), id=id) for id in IDS]
    await records.observe(BANK, ann.id, seen)
    ids = {storable(one.id): storable(one.text) for one in reversed(seen) if one.text.strip()}
    kept = await records.observations(BANK, [ann.id])
    assert {one.id: one.text for one in kept} == ids
    assert all(one.title == one.text for one in kept if one.text != "Tea")
    assert (await records.forget(BANK, fact=TEA.id)).observations == len(kept)
    (left,) = await records.opinions(BANK, [one.id])
    assert left.confidence == one.confidence
    assert (await records.forget(BANK, fact=BREAD.id)).opinions == len(first) + 1
