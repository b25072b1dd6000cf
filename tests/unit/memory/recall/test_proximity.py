"""Nearness in time: by the middles, among what shares a day with the days asked for."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.recall.proximity import overlap, proximity
from forethought.memory.when import Span

JUNE = (date(2024, 6, 1), date(2024, 6, 30))
_DAYS = st.dates(date(2000, 1, 1), date(2002, 12, 31))
_SPANS = st.tuples(_DAYS, _DAYS).map(lambda ends: (min(ends), max(ends)))


def _day(month: int, day: int) -> Span:
    return (date(2024, month, day), date(2024, month, day))


@given(_SPANS, _SPANS)
def test_it_lies_between_0_and_1_and_is_0_where_no_day_is_shared(fact: Span, asked: Span) -> None:
    near = proximity(fact, asked)
    assert 0 <= near <= 1
    assert overlap(fact, asked) or near == 0


@given(_SPANS)
def test_the_very_days_asked_for_are_as_near_as_can_be(asked: Span) -> None:
    assert proximity(asked, asked) == 1


@given(_SPANS, st.integers(0, 400), st.integers(0, 400))
def test_within_the_days_asked_for_nearer_to_the_middle_is_nearer(
    asked: Span, one: int, other: int
) -> None:
    days = (asked[1] - asked[0]).days
    first, second = (asked[0] + timedelta(days=min(at, days)) for at in (one, other))
    middle = (asked[0].toordinal() + asked[1].toordinal()) / 2
    by_middle = abs(first.toordinal() - middle) <= abs(second.toordinal() - middle)
    assert by_middle == (proximity((first, first), asked) >= proximity((second, second), asked))
    assert proximity((first, first), asked) > 0


@pytest.mark.parametrize(
    ("fact", "near"),
    [
        (_day(6, 1), 1 / 30),
        (_day(6, 15), 29 / 30),
        (_day(6, 30), 1 / 30),
        (_day(5, 31), 0),
        ((date(2024, 5, 1), date(2024, 7, 31)), 1),
        ((date(2024, 6, 30), date(2024, 9, 30)), 0),  # shares a day, but its middle is far away
    ],
)
def test_a_month_falls_off_from_its_middle_to_its_ends(fact: Span, near: float) -> None:
    assert proximity(fact, JUNE) == pytest.approx(near)


def test_one_day_asked_for_is_matched_by_that_day_alone() -> None:
    assert proximity(_day(6, 3), _day(6, 3)) == 1
    assert proximity(_day(6, 4), _day(6, 3)) == 0


def test_a_time_without_a_beginning_has_no_middle() -> None:
    before = (date.min, date(2024, 5, 31))
    assert proximity(_day(5, 31), before) == proximity(_day(1, 1), before) == 1
    assert proximity(_day(6, 1), before) == 0
