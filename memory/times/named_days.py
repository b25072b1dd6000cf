"""Days by name, through dateparser: one language at a time, with the period that was named."""

from __future__ import annotations

import calendar
import re
from datetime import date as Day
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any

from forethought.memory.times.season_characters import year_named
from forethought.memory.times.year_parts import month_of, year_of
from forethought.memory.when import Span

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_STARTS = frozenset("0123456789昨今明前去上下本这這先来來再一二三四五六七八九十")
_LONGEST = 11  # characters: 2024年12月31日
_ABBREVIATED = 2  # letters
_NAMES = (
    *(name.lower() for name in (*calendar.month_name[1:], *calendar.day_name)),
    *("day", "week", "month", "year"),
)
_LENGTH = re.compile(r"\d+年")  # a length, or the end of a year's number: 3年 is no 2003
_EARLIEST = 1000  # "2023 года" and 2024年 are read as so many years ago: the years 2 and 1
_SEARCHED = 120  # characters of a question: each start may cost 20 readings, 5 ms


def in_characters(question: str, today: datetime) -> Span | None:
    """Chinese and Japanese, which write no spaces: the first and longest run that is a time."""
    codes = ("ja",) if re.search(r"[\u3040-\u30ff]", question) else ("zh", "ja")
    for start, character in enumerate(question[:_SEARCHED]):
        if character not in _STARTS:
            continue
        if found := year_named(question, start, today.date()):
            return found
        for size in range(_LONGEST, 1, -1):
            piece = question[start : start + size]
            if len(piece) < size or not CJK.search(piece) or _LENGTH.fullmatch(piece):
                continue
            for code in codes:
                if read := named(piece, code, today):
                    return whole(*read)
    return None


def named(said: str, code: str, today: datetime) -> tuple[Day, str] | None:
    """The day that dateparser reads, and the period that was named by it."""
    if not said:
        return None
    data: Any = _parser(code, today).get_date_data(said)
    if data is None or data.date_obj is None or data.date_obj.year < _EARLIEST:
        return None
    return data.date_obj.date(), data.period


@cache
def vocabulary(code: str) -> dict[str, str]:
    """The words of a language for months, weekdays and units of time, with their English names.

    Abbreviations of two letters are left out: "mi" and "do" are weekdays and other words too.
    """
    from dateparser.languages.loader import default_loader

    known = default_loader.get_locale(code).info
    words = {word.casefold(): name for name in _NAMES for word in known.get(name, ())}
    return {word: name for word, name in words.items() if len(word) > _ABBREVIATED}


def relative_names(code: str, change: str) -> list[str]:
    """What CLDR, by way of dateparser, has a language call such as "1 week ago": "last week"."""
    from dateparser.languages.loader import default_loader

    names: list[str] = default_loader.get_locale(code).info.get("relative-type", {}).get(change, [])
    return names


@lru_cache(maxsize=32)  # a few days in each language
def _parser(code: str, today: datetime) -> Any:
    from dateparser.date import DateDataParser

    settings = {"RELATIVE_BASE": today, "PREFER_DATES_FROM": "past"}
    return DateDataParser(languages=[code], settings=settings)


def whole(day: Day, period: str) -> Span:
    """All days of the week, month or year that `day` stands for."""
    if period == "week":
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=6)
    if period == "month":
        return month_of(day.year, day.month)
    if period == "year":
        return year_of(day.year)
    return day, day


def beside(unit: str, there: Span, *, later: bool) -> Span | None:
    """The week, weekend, Sunday… (English names) that lies before or after the days `there`."""
    start = there[1] + _DAY if later else there[0] - _DAY
    step = _DAY if later else -_DAY
    if unit in _LENGTHS:
        return _ordered(start, start + (_LENGTHS[unit] - 1) * step)
    if unit not in _WEEKDAYS and unit != "weekend":
        return None
    wanted = _WEEKDAYS.get(unit, 5 if later else 6)
    while start.weekday() != wanted:
        start += step
    return _ordered(start, start + step) if unit == "weekend" else (start, start)


def _ordered(one: Day, other: Day) -> Span:
    return min(one, other), max(one, other)


_DAY = timedelta(days=1)
_LENGTHS = {"day": 1, "week": 7, "month": 30, "year": 365}  # days
_WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
