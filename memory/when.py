"""When something happens: dates and spans, resolved against the day they were said (DESIGN §8)."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from forethought.memory.errors import InvalidInput

_SPAN = re.compile(r"\s*(?:/|\.\.+|\s(?:to|until|–|—)\s)\s*")
_NUMERIC = re.compile(r"(?<![\d/.-])(?:\d{1,4}\s*/\s*){1,2}\d{1,4}(?![\d/.-])")
_SLASH = "\N{DIVISION SLASH}"  # for the slashes within a date, while a span is split at the others
_MONTH = re.compile(r"^(\d{4})-(\d{2})$")
_YEAR = re.compile(r"^(\d{4})$")

_LONGEST = 100  # characters; what is longer is no date, and dateparser takes seconds over it

_LANGUAGES = (
    "en es fr de it pt nl fi sv nb da pl cs ru uk tr ar he fa hi zh ja ko vi id th el hu ro"
)
"""Of the 200 that dateparser knows: what is no date is tried in each (measured: 5.2 s the first
time and 23 ms from then on; in these 1.3 s and 3 ms)."""

Span = tuple[date, date]


def resolved(said: str, *, on: datetime, ahead: bool = False) -> Span | None:
    """The first and last day that `said` names, or None where it names none.

    Takes ISO dates, months and years, spans of those (`2025-06-01/2025-06-30`), dates with slashes
    (`31/12/2025`), and words in the languages of `_LANGUAGES` ("next Friday", "hace 2 semanas"),
    which count from `on`. `ahead`: "Friday" and "3 January" are the next ones, as of what is due.
    """
    whole = _NUMERIC.sub(_unsplit, said.strip())
    parts = [part.replace(_SLASH, "/") for part in _SPAN.split(whole) if part]
    ends = [iso_days(part) or _in_words(part, on, ahead) for part in parts[:2]]
    found = [end for end in ends if end is not None]
    if not found or len(found) < len(ends):
        return _in_words(said, on, ahead)
    return min(first for first, _ in found), max(last for _, last in found)


def _unsplit(numbers: re.Match[str]) -> str:
    """Numbers and slashes as one part: a date, unless they are two years."""
    parts = re.findall(r"\d+", numbers[0])
    return numbers[0] if min(map(len, parts)) == len("2025") else _SLASH.join(parts)


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


def _in_words(said: str, on: datetime, ahead: bool) -> Span | None:
    if len(said) > _LONGEST or not any(character.isalnum() for character in said):
        return None
    days = _parsed(said, on)
    if ahead and days and days[1] < on.date():  # only then: it would have "today" be next year's
        return _parsed(said, on, PREFER_DATES_FROM="future")
    return days


def _parsed(said: str, on: datetime, **preferred: str) -> Span | None:
    from dateparser.date import DateDataParser

    settings = {"RELATIVE_BASE": on.replace(tzinfo=None), **preferred}
    parser = DateDataParser(languages=_LANGUAGES.split(), settings=settings)
    data: Any = parser.get_date_data(said)
    if data is None or data.date_obj is None:
        return None
    day: date = data.date_obj.date()
    whole = {"month": f"{day:%Y-%m}", "year": f"{day:%Y}"}.get(data.period)
    return (iso_days(whole) if whole else None) or (day, day)


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
