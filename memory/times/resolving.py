"""The days that a date or a few words name, resolved against the day they were said (DESIGN §8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from forethought.memory.times.said_deadlines import deadline_said
from forethought.memory.times.said_seasons import season_said
from forethought.memory.times.said_weeks import week_said
from forethought.memory.times.time_words import ENGLISH, spoken_in
from forethought.memory.times.timespan import Reader
from forethought.memory.when import Span, iso_days

_SPAN = re.compile(r"\s*(?:/|\.\.+|\s(?:to|until|–|—)\s)\s*")
_NUMERIC = re.compile(r"(?<![\d/.-])(?:\d{1,4}\s*/\s*){1,2}\d{1,4}(?![\d/.-])")
_SLASH = "\N{DIVISION SLASH}"  # for the slashes within a date, while a span is split at the others

_NUMBER = r"(?:the )?(\d{1,2})(?:st|nd|rd|th|\.)?"
_FROM, _TO = "(?:from |between )?", r"(?:\s*[-–—]\s*| (?:to|until|till|and) )"
_YEARS = re.compile(rf"{_FROM}(\d{{4}}){_TO}(\d{{4}})", re.IGNORECASE)
_DAYS_MONTH = re.compile(rf"{_FROM}{_NUMBER}{_TO}{_NUMBER} ([^\W\d].*)", re.IGNORECASE)
_MONTH_DAYS = re.compile(
    rf"{_FROM}(?!the )([^\W\d]+\.?) {_NUMBER}{_TO}{_NUMBER}((?:,? \d{{4}})?)", re.IGNORECASE
)

_YEAR = re.compile(r" \d{4}$")
_BY_END = re.compile(r"\b(?:end of|ende|fin de|finales de|fine|final de|eind)\b", re.IGNORECASE)
_LOOSELY = re.compile(r"(?:sometime|earlier|later) (?=\S)", re.IGNORECASE)
_OF_MONTH = re.compile(
    r"(?:(?:on|by|until|before|from) )?(?:the )?(\d{1,2})(?:st|nd|rd|th)(?: at .+)?"
)
_TWO_MONTHS = 62  # days: one of two has a 31st

_CODE = re.compile(r"[a-z]\d", re.IGNORECASE)  # "H1", which dateparser takes for January
_LONGEST = 100  # characters; what is longer is no date, and dateparser takes seconds over it

_LANGUAGES = (
    "en es fr de it pt nl fi sv nb da pl cs ru uk tr ar he fa hi zh ja ko vi id th el hu ro"
)
"""Of the 200 that dateparser knows: what is no date is tried in each (measured: 5.2 s the first
time and 23 ms from then on; in these 1.3 s and 3 ms)."""


def resolved(said: str, *, on: datetime, ahead: bool = False) -> Span | None:
    """The first and last day that `said` names, or None where it names none.

    Takes ISO dates, months and years, spans of those (`2025-06-01/2025-06-30`), dates with slashes
    (`31/12/2025`), days of a month ("May 3-5"), weeks, weekends, seasons and parts of years as
    questions do ("last week", "early 2024"), and words in the languages of `_LANGUAGES` ("next
    Friday", "hace 2 semanas"), which count from `on`.
    "The 5th" is the latest one by then, and so is Christmas. `ahead`, as of what is due: it is the
    next one, and so are "Friday", "3 January" and "Q2"; the end of a month is its last day.
    """
    try:
        return _read(said, on, ahead)
    except OverflowError:  # before the year 1 or after 9999, where the calendar ends
        return None


def _read(said: str, on: datetime, ahead: bool) -> Span | None:
    whole = _NUMERIC.sub(_unsplit, _spread(_LOOSELY.sub("", said.strip(), count=1)))
    parts = [part.replace(_SLASH, "/") for part in _SPAN.split(whole) if part][:2]
    # winter 2022/23, from March to May 2025
    if len(parts) > 1 and (days := _season(said, on, ahead) or _between(parts, on)):
        return days
    found: list[Span] = []
    for part in parts:
        # "the 5th to the 8th" begins and ends in one month, or in the next
        number = _numbered(part, found[0][0], True) if found else None
        days = number or _end(part, on, ahead)
        if days is None:
            return _in_words(said, on, ahead)
        found.append(days)
    return (min(found)[0], max(last for _, last in found)) if found else None


def _end(part: str, on: datetime, ahead: bool) -> Span | None:
    return (
        iso_days(part)
        or _numbered(part, on.date(), ahead)
        or _season(part, on, ahead)
        or _week(part, on, ahead)
        or _deadline(part, on, ahead)
        or _in_words(part, on, ahead)
    )


def _numbered(part: str, today: date, ahead: bool) -> Span | None:
    """Such as "the 5th" and "on the 5th at six", which dateparser takes for May."""
    match = _OF_MONTH.fullmatch(part.casefold().strip())
    day = day_of_month(int(match[1]), today, ahead=ahead) if match else None
    return (day, day) if day else None


def day_of_month(number: int, today: date, *, ahead: bool) -> date | None:
    """The latest day of the month with this number, or the next one; today is both."""
    step = 1 if ahead else -1
    for away in range(_TWO_MONTHS):
        try:
            day = today + timedelta(days=step * away)
        except OverflowError:  # where the calendar ends
            return None
        if day.day == number:
            return day
    return None


def _season(said: str, on: datetime, ahead: bool) -> Span | None:
    if len(said) > _LONGEST:
        return None
    days = season_said(said, on.replace(tzinfo=None), ahead=ahead)
    return (days[1], days[1]) if days and ahead and _BY_END.search(said) else days


def _between(parts: Sequence[str], on: datetime) -> Span | None:
    """From a month to a month with its year, as questions say it: the first goes without."""
    first, last = parts
    if any(map(str.isdigit, first)) or not _YEAR.search(last):
        return None
    words = spoken_in(f"from {first.split()[-1]} to {last}")
    return Reader(words, ENGLISH, on.replace(tzinfo=None)).between()


def _week(said: str, on: datetime, ahead: bool) -> Span | None:
    if len(said) > _LONGEST:
        return None
    return week_said(said, on.replace(tzinfo=None), ahead=ahead, languages=_LANGUAGES.split())


def _deadline(said: str, on: datetime, ahead: bool) -> Span | None:
    if len(said) > _LONGEST:
        return None
    rest = partial(_end, on=on, ahead=ahead)  # each is read as what is shorter, or plainer
    return deadline_said(said, on.date(), rest, ahead=ahead)


def _spread(said: str) -> str:
    """From one day of a month to another, or from a year to another, each in full."""
    if years := _YEARS.fullmatch(said):
        return "/".join(years.groups())
    if days := _DAYS_MONTH.fullmatch(said):
        first, last, month = days.groups()
        return f"{first} {month} to {last} {month}"
    if days := _MONTH_DAYS.fullmatch(said):
        month, first, last, year = days.groups()
        return f"{month} {first}{year} to {month} {last}{year}"
    return said


def _unsplit(numbers: re.Match[str]) -> str:
    """Numbers and slashes as one part: a date, unless they are two years."""
    parts = re.findall(r"\d+", numbers[0])
    return numbers[0] if min(map(len, parts)) == len("2025") else _SLASH.join(parts)


def _in_words(said: str, on: datetime, ahead: bool) -> Span | None:
    if len(said) > _LONGEST or _CODE.fullmatch(said) or not any(map(str.isalnum, said)):
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
