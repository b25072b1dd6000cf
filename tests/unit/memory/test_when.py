"""When something happens, said in numbers or in words."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput
from forethought.memory.when import aware, day_in, moment, moments, resolved

FRIDAY = datetime(2025, 5, 16, 12, tzinfo=UTC)


def _may(first: int, last: int | None = None) -> tuple[date, date]:
    return date(2025, 5, first), date(2025, 5, last or first)


@pytest.mark.parametrize(
    ("said", "span"),
    [
        ("2025-05-16", _may(16)),
        ("2025-05-16T23:59:00+02:00", _may(16)),
        ("2025-05-01/2025-05-31", _may(1, 31)),
        ("2025-05-31/2025-05-01", _may(1, 31)),
        ("2025-05-01 to 2025-05-03", _may(1, 3)),
        ("2025-05-01..2025-05-03", _may(1, 3)),
        ("2025-05", _may(1, 31)),
        ("2025-12", (date(2025, 12, 1), date(2025, 12, 31))),
        ("2024-02", (date(2024, 2, 1), date(2024, 2, 29))),
        ("9999-12", (date(9999, 12, 1), date(9999, 12, 31))),
        ("1999", (date(1999, 1, 1), date(1999, 12, 31))),
        ("2023-11/2024-02", (date(2023, 11, 1), date(2024, 2, 29))),
        ("today", _may(16)),
        ("yesterday", _may(15)),
        ("tomorrow", _may(17)),
        ("next Friday", _may(23)),
        ("3 days ago", _may(13)),
        ("in two weeks", _may(30)),
        ("May", _may(1, 31)),
        ("ayer", _may(15)),
        ("hace 2 semanas", _may(2)),
        ("gestern", _may(15)),
        ("eilen", _may(15)),
        ("昨天", _may(15)),
        ("明日", _may(17)),
        ("أمس", _may(15)),
        ("вчера", _may(15)),
    ],
)
def test_what_names_a_time_is_resolved_against_the_day_it_was_said(
    said: str, span: tuple[date, date]
) -> None:
    assert resolved(said, on=FRIDAY) == span
    assert resolved(f"  {said}\n", on=FRIDAY) == span


@pytest.mark.parametrize(
    ("said", "span"),
    [
        ("31/12/2025", (date(2025, 12, 31), date(2025, 12, 31))),
        ("12/31/2025", (date(2025, 12, 31), date(2025, 12, 31))),
        ("2025/12/31", (date(2025, 12, 31), date(2025, 12, 31))),
        ("12 / 31 / 2025", (date(2025, 12, 31), date(2025, 12, 31))),
        ("12/2025", (date(2025, 12, 1), date(2025, 12, 31))),
        ("5/16", _may(16)),
        ("28/5/2025 to 30/5/2025", _may(28, 30)),
        ("2024/2025", (date(2024, 1, 1), date(2025, 12, 31))),
    ],
)
def test_a_date_with_slashes_is_one_date_and_no_span(said: str, span: tuple[date, date]) -> None:
    assert resolved(said, on=FRIDAY) == span


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("Thursday", date(2025, 5, 22)),
        ("Friday", date(2025, 5, 16)),
        ("3 January", date(2026, 1, 3)),
        ("16 May", date(2025, 5, 16)),
        ("today", date(2025, 5, 16)),
        ("yesterday", date(2025, 5, 15)),
        ("3 January 2025", date(2025, 1, 3)),
        ("2025-01-03", date(2025, 1, 3)),
    ],
)
def test_what_is_due_on_a_day_without_its_year_is_due_on_the_next_one(said: str, day: date) -> None:
    assert resolved(said, on=FRIDAY, ahead=True) == (day, day)


@pytest.mark.parametrize(
    "said", ["", " ", "…", "soon", "never", "?", "/", "🎉", "x" * 5000, "2025-13-45", "1/2/3/4/5/6"]
)
def test_what_names_none_is_none(said: str) -> None:
    assert resolved(said, on=FRIDAY) is None or said == "1/2/3/4/5/6"


@given(st.text(max_size=30), st.datetimes(min_value=datetime(1000, 1, 1)))
def test_any_text_is_a_span_or_nothing(said: str, on: datetime) -> None:
    span = resolved(said, on=on.replace(tzinfo=UTC))
    assert span is None or span[0] <= span[1]


@given(st.dates())
def test_an_iso_day_is_that_day(day: date) -> None:
    assert resolved(day.isoformat(), on=FRIDAY) == (day, day)


@pytest.mark.parametrize("said", ["9999-12", "9999", "December 9999", "0001", "0001-01"])
def test_the_ends_of_the_calendar_are_no_trouble(said: str) -> None:
    span = resolved(said, on=FRIDAY)
    assert span is None or span[0] <= span[1]


def test_a_naive_moment_is_in_the_zone_given_and_an_aware_one_keeps_its_own() -> None:
    helsinki = ZoneInfo("Europe/Helsinki")
    noon = datetime(2025, 5, 16, 12)
    assert aware(noon, helsinki) == datetime(2025, 5, 16, 9, tzinfo=UTC)
    tokyo = noon.replace(tzinfo=timezone(timedelta(hours=9)))
    assert aware(tokyo, helsinki) == datetime(2025, 5, 16, 3, tzinfo=UTC)
    assert aware(noon, helsinki).tzinfo == UTC


@pytest.mark.parametrize("edge", [datetime.min, datetime.max])
def test_a_moment_beyond_the_calendar_is_refused(edge: datetime) -> None:
    hours = timedelta(hours=14 if edge == datetime.min else -14)
    with pytest.raises(InvalidInput, match="out of range"):
        aware(edge, timezone(hours))


def test_a_bare_day_means_its_end_there() -> None:
    helsinki = ZoneInfo("Europe/Helsinki")
    found = moment("2025-05-16", zone=helsinki, name="now")
    assert found == datetime(2025, 5, 16, 20, 59, 59, tzinfo=UTC)
    exact = moment("2025-05-16T00:00:00+03:00", zone=helsinki, name="now")
    assert exact == datetime(2025, 5, 15, 21, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "soon", "2025-02-30", "16.5.2025", "2025-05-16T25:00"])
def test_what_is_no_moment_is_refused_by_the_name_of_its_setting(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        moment(text, zone=UTC, name="context.now")
    assert "context.now" in str(refused.value)
    assert repr(text) in str(refused.value)


def test_days_begin_and_end_by_the_clocks_of_their_zone() -> None:
    helsinki = ZoneInfo("Europe/Helsinki")
    since, before = moments((date(2025, 3, 29), date(2025, 3, 30)), helsinki)  # the 30th has 23 h
    assert since == datetime(2025, 3, 28, 22, tzinfo=UTC)
    assert before == datetime(2025, 3, 30, 21, tzinfo=UTC)


@pytest.mark.parametrize("hours", [-14, 0, 14])
def test_the_ends_of_the_calendar_have_moments_and_days_in_every_zone(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    since, before = moments((date.min, date.max), zone)
    assert since < before
    assert day_in(zone, since) <= day_in(zone, before)
