"""Days by name, through dateparser: one language at a time, with the period that was named."""

from __future__ import annotations

import calendar
import re
from datetime import date as Day
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from forethought.memory.when import Span

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_STARTS = frozenset("0123456789昨今明前去上下本这這先来來再一二三四五六七八九十")
_LONGEST = 11  # characters: 2024年12月31日
_SEARCHED = 120  # characters of a question: each start may cost 20 readings, 5 ms


def in_characters(question: str, today: datetime) -> Span | None:
    """Chinese and Japanese, which write no spaces: the first and longest run that is a time."""
    codes = ("ja",) if re.search(r"[\u3040-\u30ff]", question) else ("zh", "ja")
    for start, character in enumerate(question[:_SEARCHED]):
        if character not in _STARTS:
            continue
        for size in range(_LONGEST, 1, -1):
            piece = question[start : start + size]
            if len(piece) < size or not CJK.search(piece):
                continue
            for code in codes:
                if found := named(piece, code, today):
                    return whole(*found)
    return None


def named(said: str, code: str, today: datetime) -> tuple[Day, str] | None:
    """The day that dateparser reads, and the period that was named by it."""
    if not said:
        return None
    data: Any = _parser(code, today).get_date_data(said)
    if data is None or data.date_obj is None:
        return None
    return data.date_obj.date(), data.period


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
        last = calendar.monthrange(day.year, day.month)[1]
        return day.replace(day=1), day.replace(day=last)
    if period == "year":
        return day.replace(month=1, day=1), day.replace(month=12, day=31)
    return day, day
