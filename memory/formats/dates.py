"""The fixed forms of date found in conversation files, made aware and turned to UTC."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, tzinfo

from forethought.memory.errors import InvalidInput
from forethought.memory.formats.node import shown

_EXPECTED = (
    'an ISO date ("2024-05-31", "2024-05-31T14:05:00+02:00"), seconds since 1970, '
    '"2024/05/31 (Fri) 14:05" or "2:05 pm on 31 May, 2024"'
)
_MONTHS = [  # written out: strptime's %B follows the locale of the machine
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
]
_SHORT = 3  # letters of a short month name
_SECONDS = range(100_000_000, 100_000_000_000)  # 1973 to 5138: a year or an index is no date
_MILLISECONDS = range(100_000_000_000, 100_000_000_000_000)  # the same span as JavaScript counts
_YEARS = range(1000, 9000)  # well inside what datetime holds, so that no time zone overflows it
_NOON = 12

_NUMBER = re.compile(r"\d{9,}(\.\d+)?")
_ISO = re.compile(r"(\d{4}-\d\d-\d\d|\d{8})([T ].+)?", re.IGNORECASE)
_SLASHED = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)(?: *\(\w+\))?(?: +(\d\d?):(\d\d)(?::(\d\d))?)?")
_SPOKEN = re.compile(
    r"(\d\d?):(\d\d) *([ap])\.?m\.? +on +(\d\d?) +([a-z]+),? +(\d{4})", re.IGNORECASE
)


def aware(value: object, zone: tzinfo) -> datetime:
    """The moment that `value` names, in UTC; without an offset of its own it is in `zone`.

    Reads ISO 8601, seconds or milliseconds since 1970 (numbers or strings of them), LongMemEval's
    "2023/04/10 (Mon) 23:07" and LoCoMo's "1:56 pm on 8 May, 2023"; a bare date is its midnight.
    Raises InvalidInput, which shows the value, for anything else.
    """
    try:
        moment = _moment(value)
        if moment is not None:
            placed = moment if moment.tzinfo else moment.replace(tzinfo=zone)
            if placed.year in _YEARS:
                return placed.astimezone(UTC)
    except (ValueError, OverflowError):
        pass  # a form that is known with numbers that are not, such as 31 June: same answer
    raise InvalidInput(
        f"expected a date, found {shown(value)}; dates can be {_EXPECTED}, of the years "
        f"{_YEARS[0]} to {_YEARS[-1]}"
    )


def _moment(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _epoch(value)
    return _written(value.strip()) if isinstance(value, str) else None


def _epoch(number: float) -> datetime | None:
    if not math.isfinite(number):
        return None
    if int(number) in _SECONDS:
        return datetime.fromtimestamp(number, UTC)
    if int(number) in _MILLISECONDS:
        return datetime.fromtimestamp(number / 1000, UTC)
    return None


def _written(text: str) -> datetime | None:
    if _NUMBER.fullmatch(text):
        return _epoch(float(text))
    if _ISO.fullmatch(text):
        return datetime.fromisoformat(re.sub(r" *(UTC|GMT)$", "Z", text.upper()))
    if match := _SLASHED.fullmatch(text):
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
        return datetime(year, month, day, hour, minute, second)
    return _spoken(text)


def _spoken(text: str) -> datetime | None:
    match = _SPOKEN.fullmatch(text)
    if match is None:
        return None
    hour, minute, half, day, month, year = match.groups()
    if not 1 <= int(hour) <= _NOON:
        return None
    hours = int(hour) % _NOON + (_NOON if half.lower() == "p" else 0)
    return datetime(int(year), _month(month), int(day), hours, int(minute))


def _month(name: str) -> int:
    short = [month[:_SHORT] for month in _MONTHS]
    names = short if len(name) == _SHORT else _MONTHS
    return names.index(name.lower()) + 1
