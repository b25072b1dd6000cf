"""Times in questions: the days they name, in several languages, and no days where none is named."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forethought.memory.times.time_words import LANGUAGES
from forethought.memory.times.timespan import span
from tests.unit.memory.times.questions import NAMED, NOW, TIMELESS, UNREAD, read


@pytest.mark.parametrize(("question", "days"), NAMED)
def test_a_question_is_about_the_days_it_names(question: str, days: str) -> None:
    assert read(question) == days


@pytest.mark.parametrize("question", NAMED[::7])
def test_capitals_and_quotation_marks_do_not_count(question: tuple[str, str]) -> None:
    said, days = question
    assert read(said.upper().replace("'", "’")) == days


@pytest.mark.parametrize("question", TIMELESS)
def test_a_question_that_names_no_time_is_about_none(question: str) -> None:
    assert not read(question)


@pytest.mark.parametrize("question", UNREAD)
def test_what_is_not_read_is_not_guessed(question: str) -> None:
    assert not read(question)


def test_what_day_it_is_depends_on_the_zone() -> None:
    late = datetime(2025, 5, 16, 23, 30, tzinfo=UTC)
    there = ZoneInfo("Asia/Tokyo")
    assert span("yesterday", late, there) == (date(2025, 5, 16), date(2025, 5, 16))
    assert span("yesterday", late, UTC) == (date(2025, 5, 15), date(2025, 5, 15))


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("between November and February", "2024-11-01/2025-02-28"),
        ("between March and December", "2024-03-01/2024-12-31"),
        ("from December 2023 to January 2024", "2023-12-01/2024-01-31"),
        ("from 30 April to 2 May 2025", "2025-04-30/2025-05-02"),
        ("the weekend before last", "2025-05-03/2025-05-04"),
        ("the month before last", "2025-03-01/2025-03-31"),
        ("since 2024", "2024-01-01/2025-05-16"),
        ("before yesterday", "../2025-05-14"),
    ],
)
def test_a_range_runs_forward_and_ends_where_it_says(said: str, days: str) -> None:
    assert read(f"What did I do {said}?") == days


@settings(max_examples=25)
@given(st.dates(date(1950, 1, 1), date(2090, 12, 31)))
def test_a_date_written_out_is_that_day_whenever_it_is_asked(day: date) -> None:
    asked = f"What did I do on {day.day} {day:%B} {day.year}?"
    assert span(asked, NOW, UTC) == (day, day)
    assert span(f"What did I do on {day}?", NOW, UTC) == (day, day)


@settings(max_examples=25)
@given(st.datetimes(datetime(1970, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)))
def test_last_week_is_the_seven_days_before_this_monday(now: datetime) -> None:
    monday = now.date() - timedelta(days=now.weekday())
    expected = monday - timedelta(days=7), monday - timedelta(days=1)
    assert span("What did I do last week?", now, UTC) == expected


_PIECES = sorted({word for language in LANGUAGES for word in language.marks})
_SAID = st.lists(
    st.sampled_from([*_PIECES, "March", "2024", "3", "weeks", "32.13.2024", "9999-12", "昨日", "("])
    | st.text(max_size=6),
    max_size=8,
)


@settings(max_examples=60)
@given(_SAID)
def test_whatever_is_asked_the_first_day_is_not_after_the_last(said: list[str]) -> None:
    found = span(" ".join(said), NOW, UTC)
    assert found is None or found[0] <= found[1]


def test_beyond_the_ends_of_the_calendar_no_day_is_named() -> None:
    assert span("the weekend before last", datetime(1, 1, 2, tzinfo=UTC), UTC) is None
    assert span("next weekend", datetime(9999, 12, 30, tzinfo=UTC), UTC) is None


def test_a_long_request_is_not_searched_for_times() -> None:
    assert span("What did I do yesterday?" + " And then?" * 40, NOW, UTC) is None


def test_a_range_from_nothing_breaks_nothing() -> None:
    assert read("What did I do from to May 2024?") == "2024-05-01/2024-05-31"
