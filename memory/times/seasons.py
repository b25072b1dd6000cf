"""Seasons and parts of years in a question: each becomes one word that says its days.

"Since the end of last summer" becomes "since §2024-08-01/2024-08-31", so that what reads "since",
"between" and "before" need not know them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date as Day
from functools import partial

from forethought.memory.times.season_reader import (
    CODE,
    DECADE,
    DECADES,
    Found,
    SeasonReader,
)
from forethought.memory.times.season_signs import LINKS, Signs
from forethought.memory.times.season_words import SEASON_WORDS, SeasonWords
from forethought.memory.times.time_words import Language
from forethought.memory.times.year_parts import in_year, month_of
from forethought.memory.when import Span

_SIGN = "§"  # no word of a question has it
_MONTH = 27  # days from its first to its last, at least
_YEAR = 366  # days: what is longer does not come every year
_UNDATED = "§§"  # its year was not said


def days_in(word: str) -> Span | None:
    """The days of a word that `with_days` put in, None for any other."""
    if not word.startswith(_SIGN):
        return None
    first, last = word.lstrip(_SIGN).split("/")
    return Day.fromisoformat(first), Day.fromisoformat(last)


def month_asked(word: str) -> Span | None:
    """The month of a part of a month, None for any other word.

    What happens is told some days later, and the log has the days of the telling: by ten days
    alone, LoCoMo's "in the beginning of January" lost what was said of it on the 23rd.
    """
    days = days_in(word)
    part = days is not None and (days[1] - days[0]).days < _MONTH
    return month_of(days[0].year, days[0].month) if days and part else None


def days_around(word: str, year: int) -> Span | None:
    """The same, in `year` where their year was not said."""
    days = days_in(word)
    yearly = days is not None and (days[1] - days[0]).days < _YEAR  # "the eighties" are not
    return in_year(days, year) if days and yearly and word.startswith(_UNDATED) else days


def days_up_to(word: str, end: Day) -> Span | None:
    """The same, in the latest year that begins them by `end` where their year was not said."""
    days = days_in(word)
    if days is None or not word.startswith(_UNDATED):
        return days
    this = in_year(days, end.year)
    return this if this[0] <= end else in_year(days, end.year - 1)


def with_days(
    words: Sequence[str],
    language: Language,
    today: Day,
    calendar: Callable[[Sequence[str], int], Found | None],
) -> Sequence[str]:
    """`words`, each season and part of a year or month among them as one word of its days.

    `calendar` reads the month or year that is named from a place in such words on.
    """
    known = SEASON_WORDS[language.code]
    split = [piece for word in words for piece in _pieces(word, known)]
    if not any(_is_sign(piece, known) for piece in split):
        return words
    reader = SeasonReader(Signs(split, known, language), today, partial(calendar, split))
    said: list[str] = []
    place = 0
    while place < len(split):
        if found := reader.named(place):
            (first, last), end = found
            while said and said[-1] in LINKS:
                said.pop()
            sign = _UNDATED if reader.undated(place, end) else _SIGN
            said.append(f"{sign}{first}/{last}")
            place = end
        else:
            said.append(split[place])
            place += 1
    return said if any(map(days_in, said)) else words


def _pieces(word: str, known: SeasonWords) -> list[str]:
    """What is two words here, such as "l'été" and "mid-March"."""
    for mark in "'-":
        head, _, tail = word.partition(mark)
        if head and tail and (tail if mark == "'" else head) in known.triggers:
            return [head, tail]
    return [word]


def _is_sign(word: str, known: SeasonWords) -> bool:
    code = CODE.fullmatch(word)
    named = word in known.triggers or word in DECADES or bool(DECADE.fullmatch(word))
    return named or (code is not None and code[1] in known.triggers)
