"""Facts by the days on which they happened, or were said."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput
from forethought.memory.recall.proximity import overlap, proximity
from forethought.memory.records.port import Records
from forethought.memory.types import Fact, Occurrence
from forethought.memory.when import Span
from tests.contracts.samples import BANK, NOW, day, fact, learn, session

JUNE = (date(2023, 6, 1), date(2023, 6, 30))


def june(number: int) -> date:
    return date(2023, 6, number)


def happened(text: str, first: date | None, last: date | None, **fields: Any) -> Fact:
    return fact(text, occurred_from=first, occurred_to=last, **fields)


async def names(
    records: Records, days: Span, *facts: Fact, k: int = 99, now: datetime = NOW
) -> list[str]:
    """Texts of the facts that happened then, nearest first."""
    texts = {one.id: one.text for one in facts}
    found = await records.occurring(BANK, days, zone=UTC, k=k, now=now)
    return [texts[one.fact] for one in found]


async def test_what_shares_a_day_with_the_days_asked_for_is_found_the_nearest_first(
    records: Records,
) -> None:
    facts = [
        happened("first of June", june(1), june(1)),
        happened("the whole month", june(1), june(30)),
        happened("into June", date(2023, 5, 1), june(1)),
        happened("a day too early", date(2023, 5, 1), date(2023, 5, 31)),
        happened("a day too late", date(2023, 7, 1), date(2023, 7, 1)),
        happened("mid-June", june(14), june(15)),
    ]
    await learn(records, *facts)
    expected = ["the whole month", "mid-June", "first of June", "into June"]
    assert await names(records, JUNE, *facts) == expected
    assert await names(records, JUNE, *facts, k=2) == expected[:2]
    assert await names(records, JUNE, *facts, k=0) == []
    assert await names(records, (JUNE[1], JUNE[0]), *facts) == []


async def test_a_fact_comes_with_its_days(records: Records) -> None:
    one = happened("a trip", date(2023, 5, 20), june(3))
    await learn(records, one)
    found = await records.occurring(BANK, JUNE, zone=UTC, k=9, now=NOW)
    assert found == [Occurrence(one.id, date(2024, 1, 1), (date(2023, 5, 20), june(3)))]


async def test_a_fact_counts_by_when_it_happened_and_by_when_it_was_said(
    records: Records,
) -> None:
    """What did I tell you then, and where was I then? No store can tell the two apart."""
    tea, moved = fact("Ann likes tea", on=5), happened("Ann moved", june(5), june(5), on=6)
    await learn(records, tea, moved)
    year = (date(2024, 1, 1), date(2024, 1, 9))
    assert await names(records, year, tea, moved) == ["Ann likes tea", "Ann moved"]
    assert await names(records, (june(5), june(5)), tea, moved) == ["Ann moved"]


async def test_a_fact_that_happened_when_it_was_said_is_found_once(records: Records) -> None:
    one = happened("a walk", date(2024, 1, 4), date(2024, 1, 5), on=5)
    await learn(records, one)
    fifth = date(2024, 1, 5)
    assert await names(records, (fifth, fifth), one) == ["a walk"]


async def test_which_day_it_was_said_on_depends_on_the_zone(records: Records) -> None:
    late = fact("Ann likes tea", on=5)  # noon in UTC
    await learn(records, late)
    east, sixth = timezone(timedelta(hours=13)), date(2024, 1, 6)
    (found,) = await records.occurring(BANK, (sixth, sixth), zone=east, k=9, now=NOW)
    assert found == Occurrence(late.id, sixth)
    assert await records.occurring(BANK, (sixth, sixth), zone=UTC, k=9, now=NOW) == []


async def test_an_end_that_is_not_known_is_open(records: Records) -> None:
    since, until = happened("since", june(10), None), happened("until", None, june(20))
    await learn(records, since, until)

    async def during(first: date, last: date) -> list[str]:
        return sorted(await names(records, (first, last), since, until))

    assert await during(june(1), june(9)) == ["until"]
    assert await during(june(12), june(13)) == ["since", "until"]
    assert await during(date(2025, 1, 1), date(2025, 1, 1)) == ["since"]
    found = await records.occurring(BANK, JUNE, zone=UTC, k=9, now=NOW)
    assert {one.happened for one in found} == {(june(10), june(30)), (june(1), june(20))}


async def test_only_what_holds_at_the_time_is_found(records: Records) -> None:
    old = happened("in Oslo", june(1), june(30), on=2)
    new = happened("in Bergen", june(1), june(30), on=6, said_in="tuesday")
    await learn(records, old)
    await learn(records, new, replacing={old.id: new})
    assert await names(records, JUNE, old, new, now=day(1)) == []
    assert await names(records, JUNE, old, new, now=day(5)) == ["in Oslo"]
    assert await names(records, JUNE, old, new, now=day(6)) == ["in Bergen"]


async def test_what_was_said_about_days_to_come_is_found(records: Records) -> None:
    plan = happened("a wedding", date(2024, 3, 1), date(2024, 3, 1), on=2)
    await learn(records, plan)
    march = (date(2024, 3, 1), date(2024, 3, 31))
    assert await names(records, march, plan, now=day(3)) == ["a wedding"]
    assert await names(records, march, plan, now=day(1)) == []  # not said yet


async def test_without_a_first_day_the_latest_come_first(records: Records) -> None:
    facts = [happened(f"on the {n}", june(n), june(n)) for n in (3, 9, 6)]
    await learn(records, *facts)
    before = (date.min, june(8))
    assert await names(records, before, *facts) == ["on the 6", "on the 3"]
    assert await names(records, (date.min, date.max), *facts, k=1) == ["on the 9"]


async def test_a_bank_finds_its_own_and_a_forgotten_one_nothing(records: Records) -> None:
    ann, bob = (happened("in June", june(1), june(1), bank=bank) for bank in ("ann", "bob"))
    for one in (ann, bob):
        await learn(records, one)
    found = await records.occurring("bob", JUNE, zone=UTC, k=9, now=NOW)
    assert [one.fact for one in found] == [bob.id]
    await records.forget("bob", session=session("monday", bank="bob"))
    assert await records.occurring("bob", JUNE, zone=UTC, k=9, now=NOW) == []
    assert await names(records, JUNE, ann) == ["in June"]


async def test_a_naive_now_is_refused(records: Records) -> None:
    with pytest.raises(InvalidInput):
        await records.occurring(BANK, JUNE, zone=UTC, k=5, now=datetime(2024, 1, 1))


_DAY = st.dates(date(2023, 12, 20), date(2024, 1, 20))
_END = st.none() | _DAY | st.sampled_from([date.min, date.max])


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    ends=st.lists(st.tuples(_END, _END), max_size=6),
    asked=st.tuples(_DAY | st.just(date.min), _DAY),
)
async def test_it_is_what_comparing_each_fact_by_itself_would_find(
    records: Records, ends: list[tuple[date | None, date | None]], asked: Span
) -> None:
    days = (min(asked), max(asked))
    facts = [
        happened(f"fact {n}", *_in_order(first, last), on=n + 1)
        for n, (first, last) in enumerate(ends)
    ]
    if facts:
        await learn(records, *facts)
    found = await records.occurring(BANK, days, zone=UTC, k=99, now=NOW)
    assert {one.fact: one.happened for one in found} == {
        one.id: _days(one, days)
        for one in facts
        if any(overlap(span, days) for span in (_said(one), _days(one, days)) if span)
    }
    near = [
        max(proximity(span, days) for span in ((one.said, one.said), one.happened) if span)
        for one in found
    ]
    assert near == sorted(near, reverse=True)
    if facts:
        await records.forget(BANK)


def _in_order(first: date | None, last: date | None) -> tuple[date | None, date | None]:
    return (min(first, last), max(first, last)) if first and last else (first, last)


def _said(one: Fact) -> Span:
    return (one.date.date(), one.date.date())


def _days(one: Fact, asked: Span) -> Span | None:
    if one.occurred_from is None and one.occurred_to is None:
        return None
    low = asked[0] if one.occurred_from is None else one.occurred_from
    return (low, asked[1] if one.occurred_to is None else one.occurred_to)
