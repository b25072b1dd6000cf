"""When something happens: dates and spans, resolved against the day they were said (DESIGN §8)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, tzinfo
from typing import Any

from forethought.memory.errors import InvalidInput

_SPAN = re.compile(r"\s*(?:/|\.\.+|\s(?:to|until|–|—)\s)\s*")
_MONTH = re.compile(r"^(\d{4})-(\d{2})$")
_YEAR = re.compile(r"^(\d{4})$")

_LONGEST = 100  # characters; what is longer is no date, and dateparser takes seconds over it

Span = tuple[date, date]


def resolved(said: str, *, on: datetime) -> Span | None:
    """The first and last day that `said` names, or None where it names none.

    Takes ISO dates, months and years, spans of those (`2025-06-01/2025-06-30`), and words in the
    languages that dateparser covers ("next Friday", "hace dos semanas"), which count from `on`.
    """
    parts = [part for part in _SPAN.split(said.strip()) if part]
    ends = [_iso(part) or _in_words(part, on) for part in parts[:2]]
    found = [end for end in ends if end is not None]
    if not found or len(found) < len(ends):
        return _in_words(said, on)
    return min(first for first, _ in found), max(last for _, last in found)


def _iso(part: str) -> Span | None:
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
    first = date(year, month, 1)
    following = date(year + month // 12, month % 12 + 1, 1)
    return first, date.fromordinal(following.toordinal() - 1)


def _in_words(said: str, on: datetime) -> Span | None:
    from dateparser.date import DateDataParser

    if len(said) > _LONGEST or not any(character.isalnum() for character in said):
        return None
    data: Any = DateDataParser(settings={"RELATIVE_BASE": on.replace(tzinfo=None)}).get_date_data(
        said
    )
    if data is None or data.date_obj is None:
        return None
    day: date = data.date_obj.date()
    if data.period == "month":
        return _month(day.year, day.month)
    return (date(day.year, 1, 1), date(day.year, 12, 31)) if data.period == "year" else (day, day)


def aware(moment: datetime, zone: tzinfo) -> datetime:
    """`moment` in UTC; a naive one is taken to be in `zone`."""
    placed = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return placed.astimezone(UTC)


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
