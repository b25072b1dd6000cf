"""Which days a date or a few words name, said on a day."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.times.resolving import resolved

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
        ("last week", _may(5, 11)),
        ("this week", _may(12, 18)),
        ("next week", _may(19, 25)),
        ("sometime last week", _may(5, 11)),
        ("during the week before last", (date(2025, 4, 28), date(2025, 5, 4))),
        ("early next week", _may(19, 20)),
        ("mid last week", _may(7, 8)),
        ("the end of the week", _may(16, 18)),
        ("letzte Woche", _may(5, 11)),
        ("la semana pasada", _may(5, 11)),
        ("la semaine prochaine", _may(19, 25)),
        ("на прошлой неделе", _may(5, 11)),
        ("geçen hafta", _may(5, 11)),
        ("先週", _may(5, 11)),
        ("下周", _may(19, 25)),
        ("지난주", _may(5, 11)),
        ("last weekend", _may(10, 11)),
        ("this past weekend", _may(10, 11)),
        ("over the weekend", _may(10, 11)),
        ("next weekend", _may(24, 25)),
        ("the weekend before last", _may(3, 4)),
        ("le week-end dernier", _may(10, 11)),
        ("el fin de semana pasado", _may(10, 11)),
        ("am Wochenende", _may(10, 11)),
    ],
)
def test_a_week_is_all_its_days_and_a_weekend_its_two(said: str, span: tuple[date, date]) -> None:
    assert resolved(said, on=FRIDAY) == span


@pytest.mark.parametrize(
    ("said", "span"),
    [
        ("this week", _may(16, 18)),
        ("next week", _may(19, 25)),
        ("by the end of the week", _may(16, 18)),
        ("at the weekend", _may(17, 18)),
        ("by the end of the month", _may(31)),
        ("the end of next month", (date(2025, 6, 30), date(2025, 6, 30))),
        ("end of June", (date(2025, 6, 30), date(2025, 6, 30))),
        ("by the end of the year", (date(2025, 12, 31), date(2025, 12, 31))),
        ("Ende Juni", (date(2025, 6, 30), date(2025, 6, 30))),
        ("early next month", (date(2025, 6, 1), date(2025, 6, 10))),
    ],
)
def test_what_is_due_in_a_week_or_month_is_ahead(said: str, span: tuple[date, date]) -> None:
    assert resolved(said, on=FRIDAY, ahead=True) == span


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("by the end of the quarter", "2025-06-30", "2025-06-30"),
        ("this quarter", "2025-04-01", "2025-06-30"),
        ("end of Q1", "2026-03-31", "2026-03-31"),
        ("in Q3", "2025-07-01", "2025-09-30"),
        ("Q2", "2025-05-16", "2025-06-30"),
        ("H1", "2025-05-16", "2025-06-30"),
        ("in the spring", "2025-05-16", "2025-05-31"),
        ("by the end of summer", "2025-08-31", "2025-08-31"),
        ("winter", "2025-12-01", "2026-02-28"),
        ("im Herbst", "2025-09-01", "2025-11-30"),
        ("by year end", "2025-12-31", "2025-12-31"),
        ("EOM", "2025-05-31", "2025-05-31"),
        ("EOW", "2025-05-16", "2025-05-18"),
        ("by EOD", "2025-05-16", "2025-05-16"),
        ("EOD Monday", "2025-05-19", "2025-05-19"),
        ("close of business on 20 May", "2025-05-20", "2025-05-20"),
        ("within a fortnight", "2025-05-30", "2025-05-30"),
        ("in the next 10 days", "2025-05-26", "2025-05-26"),
        ("the first week of June", "2025-06-01", "2025-06-07"),
        ("in the last week of May", "2025-05-25", "2025-05-31"),
        ("by the first Monday of June", "2025-06-02", "2025-06-02"),
        ("last Friday of the month", "2025-05-30", "2025-05-30"),
        ("the second Tuesday of the month", "2025-06-10", "2025-06-10"),  # May's is over
        ("first of next month", "2025-06-01", "2025-06-01"),
        ("the 1st of January", "2026-01-01", "2026-01-01"),
        ("before Christmas", "2025-12-25", "2025-12-25"),
        ("by the new year", "2026-01-01", "2026-01-01"),
        ("New Year's Eve", "2025-12-31", "2025-12-31"),
        ("bis Weihnachten", "2025-12-25", "2025-12-25"),
        ("avant Noël", "2025-12-25", "2025-12-25"),
        ("antes de Navidad", "2025-12-25", "2025-12-25"),
    ],
)
def test_what_is_due_may_be_told_by_what_ends_or_comes_then(
    said: str, first: str, last: str
) -> None:
    due = (date.fromisoformat(first), date.fromisoformat(last))
    assert resolved(said, on=FRIDAY, ahead=True) == due
    assert resolved(said.upper(), on=FRIDAY, ahead=True) == due


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("at Christmas", "2024-12-25", "2024-12-25"),
        ("New Year", "2025-01-01", "2025-01-01"),
        ("in the first week of May", "2025-05-01", "2025-05-07"),
        ("the last Sunday of March", "2025-03-30", "2025-03-30"),
        ("the 1st of last month", "2025-04-01", "2025-04-01"),
        ("the end of the quarter", "2025-06-01", "2025-06-30"),
    ],
)
def test_what_happened_may_be_told_so_too(said: str, first: str, last: str) -> None:
    days = (date.fromisoformat(first), date.fromisoformat(last))
    assert resolved(said, on=FRIDAY) == days


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize(
    "said",
    ["quarter", "half", "late", "the end", "the first week", "the 31st of June", "0th of May"]
    + ["the Christmas party", "a new year of work", "EOD report", "end of the line", "H9"],
)
def test_what_names_none_of_these_is_none(said: str, ahead: bool) -> None:
    assert resolved(said, on=FRIDAY, ahead=ahead) is None


@pytest.mark.parametrize("said", ["H1", "in Q2", "in the spring", "within two weeks"])
def test_of_what_has_been_a_season_by_itself_may_be_any(said: str) -> None:
    assert resolved(said, on=FRIDAY) is None


@pytest.mark.parametrize(
    ("said", "span"),
    [
        ("May 3-5", _may(3, 5)),
        ("May 3–5, 2025", _may(3, 5)),
        ("3-5 May 2025", _may(3, 5)),
        ("3rd - 5th of May", _may(3, 5)),
        ("from 3 to 5 May 2025", _may(3, 5)),
        ("from the 3rd to the 5th of May", _may(3, 5)),
        ("Between 3 and 5 May", _may(3, 5)),
        ("3.-5. Mai", _may(3, 5)),
        ("2019-2021", (date(2019, 1, 1), date(2021, 12, 31))),
        ("from 2019 to 2021", (date(2019, 1, 1), date(2021, 12, 31))),
        ("from March to May 2024", (date(2024, 3, 1), date(2024, 5, 31))),
        ("November to February 2025", (date(2024, 11, 1), date(2025, 2, 28))),
    ],
)
def test_a_span_may_name_its_month_or_year_once(said: str, span: tuple[date, date]) -> None:
    assert resolved(said, on=FRIDAY) == span


@pytest.mark.parametrize("said", ["— to May 2024", "' to May 2024"])
def test_a_span_from_nothing_breaks_nothing(said: str) -> None:
    assert resolved(said, on=FRIDAY) is None


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize(
    "said",
    ["last week", "next week", "last weekend", "next weekend", "to", "Christmas", "Q4", "EOY"],
)
def test_no_words_break_anything_where_the_calendar_ends(said: str, ahead: bool) -> None:
    for end in (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)):
        days = resolved(said, on=end, ahead=ahead)
        assert days is None or days[0] <= days[1]


@pytest.mark.parametrize(
    "said",
    ["weekend trip", "last week's meeting", "the weekend in Oslo", "week", "a weekend", "Room 3-5"],
)
def test_what_is_more_than_a_week_or_span_is_none(said: str) -> None:
    assert resolved(said, on=FRIDAY) is None


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


@pytest.mark.parametrize(
    ("said", "latest", "following"),
    [
        ("the 5th", date(2025, 5, 5), date(2025, 6, 5)),
        ("On the 16th", date(2025, 5, 16), date(2025, 5, 16)),
        ("20th", date(2025, 4, 20), date(2025, 5, 20)),
        ("the 31st", date(2025, 3, 31), date(2025, 5, 31)),
        ("by the 1st at 6 pm", date(2025, 5, 1), date(2025, 6, 1)),
    ],
)
def test_a_day_of_the_month_is_the_latest_by_then_or_the_next_that_is_due(
    said: str, latest: date, following: date
) -> None:
    assert resolved(said, on=FRIDAY) == (latest, latest)
    assert resolved(said, on=FRIDAY, ahead=True) == (following, following)


def test_a_span_of_days_of_the_month_ends_after_it_began() -> None:
    assert resolved("the 12th to the 20th", on=FRIDAY) == _may(12, 20)
    assert resolved("2025-05-28 to the 3rd", on=FRIDAY) == (date(2025, 5, 28), date(2025, 6, 3))


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("last summer", "2024-06-01", "2024-08-31"),
        ("in the spring of 2024", "2024-03-01", "2024-05-31"),
        ("Q3 2024", "2024-07-01", "2024-09-30"),
        ("early 2024", "2024-01-01", "2024-04-30"),
        ("the first half of 2024", "2024-01-01", "2024-06-30"),
        ("winter 2022/23", "2022-12-01", "2023-02-28"),
        ("the eighties", "1980-01-01", "1989-12-31"),
        ("late March", "2025-03-21", "2025-03-31"),
        ("verano de 2023", "2023-06-01", "2023-08-31"),
        ("im Sommer 2024", "2024-06-01", "2024-08-31"),
    ],
)
def test_seasons_and_parts_of_years_are_read_as_in_questions(
    said: str, first: str, last: str
) -> None:
    assert resolved(said, on=FRIDAY) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "said", ["spring break", "summer", "late", "a hot spring", "next summer of 9999"]
)
def test_what_may_be_no_season_names_no_days(said: str) -> None:
    assert resolved(said, on=FRIDAY) is None


def test_a_part_of_a_month_that_is_due_is_the_next_one() -> None:
    assert resolved("late March", on=FRIDAY, ahead=True) == (date(2026, 3, 21), date(2026, 3, 31))
    assert resolved("late June", on=FRIDAY, ahead=True) == (date(2025, 6, 21), date(2025, 6, 30))


@pytest.mark.parametrize("said", ["the 31st", "next summer", "late December", "next quarter"])
def test_the_end_of_the_calendar_is_no_trouble_to_what_comes_next(said: str) -> None:
    end = datetime(9999, 12, 31, tzinfo=UTC)
    span = resolved(said, on=end, ahead=True)
    assert span is None or span[0] <= span[1]
