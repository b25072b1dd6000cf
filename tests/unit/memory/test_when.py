"""Moments and days, and where they lie in a zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from forethought.memory.errors import InvalidInput
from forethought.memory.when import aware, day_in, moment, moments


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
