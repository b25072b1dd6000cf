"""Seasons and parts of years in questions: the days they name, and no days where there are none."""

from __future__ import annotations

from datetime import UTC, date, datetime
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forethought.memory.times.season_words import SEASON_WORDS
from forethought.memory.times.time_words import LANGUAGES
from forethought.memory.times.timespan import span
from tests.unit.memory.times.questions import NOW, read
from tests.unit.memory.times.season_questions import OTHERWISE, SEASONS, WIDER


@pytest.mark.parametrize(("question", "days"), SEASONS)
def test_a_season_or_a_part_of_a_year_is_its_days(question: str, days: str) -> None:
    assert read(question) == days


@pytest.mark.parametrize(("question", "days"), WIDER)
def test_a_word_that_may_be_no_part_leaves_the_time_as_wide_as_it_is(
    question: str, days: str
) -> None:
    assert read(question) == days


@pytest.mark.parametrize("question", OTHERWISE)
def test_what_only_looks_like_a_season_or_a_part_is_no_time(question: str) -> None:
    assert not read(question)


@pytest.mark.parametrize(
    ("asked", "last", "this", "coming"),
    [
        ("2025-01-10", "2024-06-01", "2025-06-01", "2025-06-01"),
        ("2025-07-10", "2024-06-01", "2025-06-01", "2026-06-01"),
        ("2025-10-10", "2025-06-01", "2025-06-01", "2026-06-01"),
    ],
)
def test_last_summer_is_over_and_the_next_is_yet_to_begin(
    asked: str, last: str, this: str, coming: str
) -> None:
    now = datetime.fromisoformat(f"{asked}T12:00+00:00")
    for word, first in (("last", last), ("this", this), ("next", coming)):
        found = span(f"What about the trip {word} summer?", now, UTC)
        assert found is not None
        assert str(found[0]) == first


@pytest.mark.parametrize(("asked", "first"), [("2025-03-20", 2024), ("2025-11-20", 2025)])
def test_this_winter_is_the_nearer_one(asked: str, first: int) -> None:
    now = datetime.fromisoformat(f"{asked}T12:00+00:00")
    found = span("What did we do this winter?", now, UTC)
    assert found is not None
    assert found[0] == date(first, 12, 1)


def test_every_language_of_ranges_has_its_seasons() -> None:
    assert set(SEASON_WORDS) == {language.code for language in LANGUAGES}
    assert all(words.seasons.count("|") == 3 for words in SEASON_WORDS.values())


_PIECES = sorted({word for words in SEASON_WORDS.values() for word in words.triggers})
_SAID = st.lists(
    st.sampled_from(
        [*_PIECES, "last", "of the", "did", "in", "2024", "2022/23", "q9", "去年", "初"]
    )
    | st.text(max_size=4),
    max_size=10,
)


@settings(max_examples=60)
@given(_SAID, st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC)))
def test_whatever_is_said_and_whenever_the_first_day_is_not_after_the_last(
    said: list[str], now: datetime
) -> None:
    found = span(" ".join(said), now, UTC)
    assert found is None or found[0] <= found[1]


@pytest.mark.parametrize(
    "piece", ["the end of the ", "q3 ", "early ", "winter 2022/", "1st half of "]
)
def test_a_request_full_of_beginnings_is_soon_read(piece: str) -> None:
    """Processor time for 400 characters, most of which may begin a part of a year."""
    span("yesterday", NOW, UTC)  # dateparser is loaded once
    began = process_time()
    assert span((piece * 400)[:400], NOW, UTC) is None
    assert process_time() - began < 1  # some milliseconds
