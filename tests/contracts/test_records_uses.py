"""Dimensions, uses and salience: kept with their fact, and gone with it."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest

from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.errors import InvalidInput
from forethought.memory.records.changes import ChangeSet, Repeat
from forethought.memory.records.port import Records
from forethought.memory.records.uses import Traits, Use
from forethought.memory.types import Source
from tests.contracts.samples import (
    BANK,
    NOW,
    day,
    fact,
    learn,
    log_sources,
    merge,
    merged,
    session,
    stored,
    weights,
)

FELT = Dimensions("future", "subjective", "speculative")
OSLO = fact("Lives in Oslo", dimensions=Dimensions("present", certainty="certain"))
SKIS = fact("May take up skiing", dimensions=FELT)
TEA = fact("Drinks tea")
FRIDAY, SATURDAY = day(5).date(), day(6).date()


@pytest.fixture
async def known(records: Records) -> Records:
    """Three facts, of which two were used; all are weighed."""
    await learn(records, OSLO, SKIS, TEA)
    await records.use(BANK, [OSLO.id], on=SATURDAY)
    await records.use(BANK, [SKIS.id, "f-x", OSLO.id, SKIS.id], on=FRIDAY)
    await records.weigh(BANK, {OSLO.id: 0, SKIS.id: 0.25, TEA.id: 1, "f-x": 0.5})
    return records


async def saliences(records: Records) -> dict[str, float]:
    return await weights(records, BANK, [OSLO.id, SKIS.id, TEA.id, "f-x"])


async def test_every_reader_gives_a_fact_its_dimensions(known: Records) -> None:
    assert (await known.facts(BANK), await known.facts(BANK, [SKIS.id])) == (
        sorted([OSLO, SKIS, TEA], key=lambda one: one.id),
        [SKIS],
    )
    assert {one.id: one for one in (await known.added(BANK, since=0))[0]}[SKIS.id] == SKIS
    assert {one.id: one for one in await known.unforeseen(BANK, limit=9)}[OSLO.id] == OSLO
    may = fact("Skis", on=9, dimensions=Dimensions("present", "objective"))
    await learn(known, may, replacing={SKIS.id: may})
    (earlier,) = (await known.earlier(BANK, [may.id]))[may.id]
    assert (earlier.dimensions, (await stored(known, may)).dimensions) == (FELT, may.dimensions)


async def test_traits_are_looked_up_of_those_facts_that_are_there(known: Records) -> None:
    asked = [OSLO.id, SKIS.id, TEA.id, "f-x", OSLO.id]
    felt = {OSLO.id: Traits(0, OSLO.dimensions), SKIS.id: Traits(0.25, FELT)}
    assert await known.traits(BANK, asked) == {**felt, TEA.id: Traits(1)}
    assert (await known.traits(BANK, []), await known.traits("bob", asked)) == ({}, {})
    await known.weigh(BANK, {})
    assert await known.traits(BANK, [SKIS.id, TEA.id]) == {
        SKIS.id: Traits(None, FELT), TEA.id: Traits()
    }  # fmt: skip


async def test_traits_as_of_a_moment_are_those_of_the_facts_that_held(known: Records) -> None:
    moved = fact("Lives in Bergen", on=9)
    await learn(known, moved, replacing={OSLO.id: moved})
    asked = [OSLO.id, SKIS.id, TEA.id, moved.id]
    for now in (OSLO.date - timedelta(1), OSLO.date, day(8), day(9), NOW):
        holding = await known.holding(BANK, asked, now=now)
        assert (await known.traits(BANK, asked, now=now)).keys() == holding.keys()
    assert OSLO.id not in holding
    assert OSLO.id in await known.traits(BANK, asked)


async def test_a_fact_said_again_keeps_its_dimensions(known: Records) -> None:
    again = replace(fact("lives in  OSLO.", said_in="tuesday", on=2), dimensions=FELT)
    await learn(known, again)
    said = Repeat(TEA.id, Source(session("tuesday")), day(2))
    await known.commit(ChangeSet(BANK, repeats=(said,)))
    assert (await stored(known, OSLO)).dimensions == OSLO.dimensions
    assert (await stored(known, TEA)).dimensions == UNSAID


async def test_a_use_is_recorded_once_a_day_and_only_of_what_is_known(known: Records) -> None:
    uses = sorted([Use(OSLO.id, FRIDAY), Use(OSLO.id, SATURDAY), Use(SKIS.id, FRIDAY)])
    assert await known.uses(BANK) == uses
    await known.use(BANK, [OSLO.id], on=FRIDAY)
    await known.use(BANK, [], on=FRIDAY)
    await known.use("bob", [OSLO.id], on=FRIDAY)
    assert (await known.uses(BANK), await known.uses("bob")) == (uses, [])
    assert await known.uses(BANK, [SKIS.id, "f-x", SKIS.id]) == [Use(SKIS.id, FRIDAY)]
    assert await known.uses(BANK, []) == []


async def test_saliences_are_kept_in_place_of_all_before(known: Records) -> None:
    assert await saliences(known) == {OSLO.id: 0, SKIS.id: 0.25, TEA.id: 1}
    await known.weigh(BANK, {SKIS.id: 0.75})
    assert await saliences(known) == {SKIS.id: 0.75}
    await known.weigh("bob", {SKIS.id: 0.5})
    assert await known.traits("bob", [SKIS.id]) == {}
    await known.weigh(BANK, {})
    assert await saliences(known) == {}


@pytest.mark.parametrize("salience", [-0.1, 1.1, math.nan])
async def test_a_salience_out_of_range_is_refused_and_nothing_changed(
    known: Records, salience: float
) -> None:
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        await known.weigh(BANK, {OSLO.id: 0.5, SKIS.id: salience})
    assert await saliences(known) == {OSLO.id: 0, SKIS.id: 0.25, TEA.id: 1}


async def test_weighing_leaves_a_fact_as_it_is(known: Records) -> None:
    """Neither it nor what finds it is to be made anew for that."""
    facts = await known.facts(BANK)
    await known.indexed(BANK, [one.id for one in facts])
    await known.use(BANK, [TEA.id], on=FRIDAY)
    await known.weigh(BANK, {TEA.id: 0.5})
    assert await known.facts(BANK) == facts
    assert {one.part for one in await known.unindexed(BANK, limit=9)} == {"turn"}


async def test_uses_stay_with_a_fact_that_was_replaced_and_holds_again(known: Records) -> None:
    bergen = fact("Lives in Bergen", said_in="tuesday", on=2)
    await learn(known, bergen, replacing={OSLO.id: bergen})
    await known.use(BANK, [OSLO.id, bergen.id], on=day(9).date())
    await known.forget(BANK, session=session("tuesday"))
    assert (await stored(known, OSLO)).until is None
    assert [use.on for use in await known.uses(BANK, [OSLO.id, bergen.id])] == [
        FRIDAY,
        SATURDAY,
        day(9).date(),
    ]


async def test_a_forgotten_fact_takes_its_uses_and_its_salience(known: Records) -> None:
    await known.forget(BANK, fact=OSLO.id)
    assert [use.fact for use in await known.uses(BANK)] == [SKIS.id]
    assert await saliences(known) == {SKIS.id: 0.25, TEA.id: 1}
    await known.use(BANK, [OSLO.id], on=FRIDAY)
    await known.weigh(BANK, {OSLO.id: 0.5})
    assert await saliences(known) == {}
    assert [use.fact for use in await known.uses(BANK)] == [SKIS.id]


async def test_what_is_forgotten_and_told_again_starts_with_none(known: Records) -> None:
    """Where it may be told again: not a forgotten fact, but one whose bank was forgotten."""
    await known.forget(BANK)
    assert (await known.uses(BANK), await saliences(known)) == ([], {})
    await learn(known, OSLO, SKIS, TEA)
    assert (await known.uses(BANK), await saliences(known)) == ([], {})


async def test_what_was_merged_starts_with_none_and_leaves_none(known: Records) -> None:
    both = merged("Skis and drinks tea", SKIS, TEA)
    await merge(known, both, SKIS, TEA)
    assert await known.uses(BANK, [both.id]) == []
    await known.use(BANK, [both.id], on=FRIDAY)
    await known.forget(BANK, fact=both.id)
    assert await known.uses(BANK, [both.id]) == []


async def test_uses_are_told_by_day_in_whatever_order_they_were_made(records: Records) -> None:
    await learn(records, TEA)
    days = [NOW.date() + timedelta(days=n) for n in (0, 1, 31, 400)]
    for on in reversed(days):
        await records.use(BANK, [TEA.id], on=on)
    assert await records.uses(BANK, [TEA.id]) == [Use(TEA.id, on) for on in days]


async def test_a_bank_that_is_not_there_has_none(records: Records) -> None:
    await records.use("nobody", ["f1"], on=FRIDAY)
    await records.weigh("nobody", {"f1": 1.0})
    assert (await records.uses("nobody"), await records.traits("nobody", ["f1"])) == ([], {})
    assert await records.banks() == []


async def test_each_dimension_is_kept_by_itself(records: Records) -> None:
    each = [
        Dimensions("past"),
        Dimensions("present"),
        Dimensions("future"),
        Dimensions(subjectivity="objective"),
        Dimensions(subjectivity="subjective"),
        Dimensions(certainty="certain"),
        Dimensions(certainty="speculative"),
        UNSAID,
    ]
    given = [fact(f"Fact {n}", dimensions=one) for n, one in enumerate(each)]
    await log_sources(records, *given)
    await records.commit(ChangeSet(BANK, tuple(given)))
    assert await records.facts(BANK) == sorted(given, key=lambda one: one.id)
