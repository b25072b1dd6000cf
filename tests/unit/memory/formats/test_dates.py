from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput
from forethought.memory.formats.dates import aware

HELSINKI = ZoneInfo("Europe/Helsinki")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-05-31", datetime(2024, 5, 30, 21, 0, tzinfo=UTC)),
        ("2024-01-31", datetime(2024, 1, 30, 22, 0, tzinfo=UTC)),
        (" 2024-05-31T14:05 ", datetime(2024, 5, 31, 11, 5, tzinfo=UTC)),
        ("2024-05-31 14:05:09.5", datetime(2024, 5, 31, 11, 5, 9, 500000, tzinfo=UTC)),
        ("2024-05-31T14:05:00Z", datetime(2024, 5, 31, 14, 5, tzinfo=UTC)),
        ("2024-05-31 14:05:00 UTC", datetime(2024, 5, 31, 14, 5, tzinfo=UTC)),
        ("2024-05-31T14:05:00-07:00", datetime(2024, 5, 31, 21, 5, tzinfo=UTC)),
        ("20240531", datetime(2024, 5, 30, 21, 0, tzinfo=UTC)),
        (1714590000, datetime(2024, 5, 1, 19, 0, tzinfo=UTC)),
        (1714590000.25, datetime(2024, 5, 1, 19, 0, 0, 250000, tzinfo=UTC)),
        (1714590000250, datetime(2024, 5, 1, 19, 0, 0, 250000, tzinfo=UTC)),
        ("1714590000", datetime(2024, 5, 1, 19, 0, tzinfo=UTC)),
        ("2023/04/10 (Mon) 23:07", datetime(2023, 4, 10, 20, 7, tzinfo=UTC)),
        ("2023/04/10 23:07:30", datetime(2023, 4, 10, 20, 7, 30, tzinfo=UTC)),
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 10, 56, tzinfo=UTC)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 12, 21, 9, tzinfo=UTC)),
        ("12:30 PM on 4 Jan, 2024", datetime(2024, 1, 4, 10, 30, tzinfo=UTC)),
    ],
)
def test_each_known_form_names_one_moment(value: object, expected: datetime) -> None:
    assert aware(value, HELSINKI) == expected
    assert aware(value, HELSINKI).tzinfo is UTC


@pytest.mark.parametrize(
    "value",
    [
        *("yesterday", "", "31/05/2024", "2024-02-30", "2024-05-31T25:00", "2024", "May 2024"),
        *("13:05 pm on 8 May, 2023", "0:05 am on 8 May, 2023", "1:05 pm on 8 Mayhem, 2023"),
        *("0001-01-01", "9999-12-31T23:59:59", "2023/13/01 (Mon) 10:00", "2024-05-31T10:00 maybe"),
        *(2024, 20240531, 0, -1, 1e30, 10**400, float("nan"), float("inf"), True, None, [], {}),
    ],
)
def test_anything_else_is_refused_and_shown(value: object) -> None:
    with pytest.raises(InvalidInput, match="expected a date, found"):
        aware(value, UTC)


def test_a_date_of_a_known_form_is_refused_with_the_years_that_can_be_read() -> None:
    with pytest.raises(InvalidInput, match="9000-01-01.* of the years 1000 to 8999"):
        aware("9000-01-01", UTC)


def test_a_refusal_shows_the_value_cut_short_and_the_known_forms() -> None:
    with pytest.raises(InvalidInput) as caught:
        aware("x" * 10_000, UTC)
    assert "'xxx" in str(caught.value)
    assert "2024-05-31" in str(caught.value)
    assert len(str(caught.value)) < 400


@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), st.integers(-840, 840))
def test_an_iso_date_with_an_offset_is_the_same_moment_in_any_zone(
    moment: datetime, minutes: int
) -> None:
    offset = timezone(timedelta(minutes=minutes))
    written = moment.replace(tzinfo=offset).isoformat()
    assert aware(written, HELSINKI) == aware(written, UTC) == moment.replace(tzinfo=offset)


@given(
    st.text()
    | st.floats()
    | st.integers()
    | st.from_regex(r"\d{1,4}[-/]\d{1,2}[-/]\d{1,2}( \(\w+\))?( \d{1,2}:\d\d)?", fullmatch=True)
    | st.from_regex(r"\d{1,2}:\d\d [ap]m on \d{1,2} [A-Za-z]{3,9}, \d{4}", fullmatch=True)
)
def test_any_value_is_a_moment_in_utc_or_refused(value: object) -> None:
    try:
        moment = aware(value, HELSINKI)
    except InvalidInput:
        return
    assert moment.utcoffset() == timedelta(0)
    assert moment.astimezone(timezone(timedelta(hours=14)))
