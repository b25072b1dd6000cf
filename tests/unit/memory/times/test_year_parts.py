"""Seasons and equal parts of years: they cover the year, each day once."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.times import year_parts as parts
from forethought.memory.when import Span

_YEARS = st.integers(1900, 2100)


def _are_joined(spans: list[Span]) -> bool:
    return all(b[0] - a[1] == timedelta(days=1) for a, b in zip(spans, spans[1:], strict=False))


@given(_YEARS)
def test_a_year_of_seasons_runs_from_march_to_february(year: int) -> None:
    seasons = [parts.season(which, year) for which in range(3)] + [parts.season(3, year + 1)]
    assert _are_joined(seasons)
    assert seasons[0][0] == date(year, 3, 1)
    assert seasons[3][1] == date(year + 1, 3, 1) - timedelta(days=1)


@given(_YEARS, st.integers(1, 12), st.sampled_from([2, 3, 4]))
def test_the_parts_of_a_time_cover_it(year: int, month: int, of: int) -> None:
    for whole in (parts.year_of(year), parts.month_of(year, month), parts.season(1, year)):
        portions = [parts.portion(whole, which, of) for which in range(of)]
        assert _are_joined(portions)
        assert (portions[0][0], portions[-1][1]) == whole


@pytest.mark.parametrize(
    ("which", "of", "first", "last"),
    [
        (0, 3, "01-01", "04-30"),
        (2, 3, "09-01", "12-31"),
        (1, 2, "07-01", "12-31"),
        (2, 4, "07-01", "09-30"),
    ],
)
def test_a_year_is_parted_by_whole_months(which: int, of: int, first: str, last: str) -> None:
    days = parts.portion(parts.year_of(2024), which, of)
    assert [f"{day:%m-%d}" for day in days] == [first, last]


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(-9, 9))
def test_quarters_follow_each_other(today: date, ahead: int) -> None:
    here = parts.quarter(today, 0)
    assert here[0] <= today <= here[1]
    assert _are_joined([parts.quarter(today, ahead), parts.quarter(today, ahead + 1)])


def test_days_of_another_year_keep_to_the_calendar() -> None:
    late = parts.portion(parts.month_of(2024, 2), 2, 3)
    assert parts.in_year(late, 2023) == (date(2023, 2, 20), date(2023, 2, 28))
    assert parts.in_year(parts.season(3, 2024), 2022) == (date(2022, 12, 1), date(2023, 2, 28))


def test_there_is_no_month_beyond_the_calendar() -> None:
    with pytest.raises(OverflowError):
        parts.season(3, 1)
    with pytest.raises(OverflowError):
        parts.month_of(9999, 13)
