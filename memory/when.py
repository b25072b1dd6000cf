"""When something happens: dates, spans of days and moments, and where they lie in a zone."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from forethought.memory.errors import InvalidInput

_MONTH = re.compile(r"^(\d{4})-(\d{2})$")
_YEAR = re.compile(r"^(\d{4})$")

Span = tuple[date, date]


def iso_days(part: str) -> Span | None:
    """The days of an ISO date, month or year, None where it is none."""
    try:
        if match := _YEAR.match(part):
            year = int(match[1])
            return date(year, 1, 1), date(year, 12, 31)
        if match := _MONTH.match(part):
            return _month(int(match[1]), int(match[2]))
        day = datetime.fromisoformat(part).date()
    except ValueError:
        return None
    return day, day


def _month(year: int, month: int) -> Span:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def moments(days: Span, zone: tzinfo) -> tuple[datetime, datetime]:
    """When the first of `days` begins in `zone`, and when the last of them has ended; in UTC."""
    first, last = days
    begin, end = (datetime.combine(day, time.min, zone) for day in (first, last))
    return _within(begin), _within(end, days=1)


def day_in(zone: tzinfo, moment: datetime) -> date:
    """The day of an aware moment in `zone`; at the ends of the calendar, that in its own zone."""
    try:
        return moment.astimezone(zone).date()
    except OverflowError:
        return moment.date()


def _within(moment: datetime, *, days: int = 0) -> datetime:
    """In UTC, so many days later; at the ends of the calendar, the last moment that there is."""
    try:
        local = moment + timedelta(days=days)  # by the clock: a day may have 23 hours
        return local.astimezone(UTC)
    except OverflowError:
        end = datetime.max if moment.year > 1 else datetime.min
        return end.replace(tzinfo=UTC)


def aware(moment: datetime, zone: tzinfo) -> datetime:
    """`moment` in UTC; a naive one is taken to be in `zone`. Raises InvalidInput out of range."""
    placed = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    try:
        return placed.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(
            f"the date {moment.isoformat()} is out of range: give a year from 1 to 9999"
        ) from None


def moment(text: str, *, zone: tzinfo, name: str) -> datetime:
    """The moment that the ISO text names, in UTC; a bare date means the end of that day in `zone`.

    `name` says in the InvalidInput error which value it was.
    """
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(
            f"{name}: {text!r} is not a date; expected ISO 8601 such as 2025-03-01 or "
            "2025-03-01T18:30:00+01:00"
        ) from None
    if len(text.strip()) <= len("2025-03-01"):
        parsed = parsed.replace(hour=23, minute=59, second=59)
    return aware(parsed, zone)
