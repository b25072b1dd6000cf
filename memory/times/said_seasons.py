"""A season, or a part of a year or month, that is all that a few words name: "early 2024"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date as Day
from datetime import datetime

from forethought.memory.times.season_reader import CODE
from forethought.memory.times.season_signs import LINKS
from forethought.memory.times.season_words import SEASON_WORDS
from forethought.memory.times.seasons import days_around, days_in
from forethought.memory.times.time_words import LANGUAGES, Language, spoken_in, word_set
from forethought.memory.times.timespan import reader_of
from forethought.memory.when import Span

_LONGEST = 9  # words: "at the end of the second half of last year"
_BESIDE = LINKS | word_set("in on during around about by at from since until im am en au à em no")
"""Words beside it that name nothing themselves."""
_THE = re.compile(r"\bthe(?= (?:month|year)$)", re.IGNORECASE)
_THIS_QUARTER = re.compile(r"\b(?:the|this)(?: current)? quarter$", re.IGNORECASE)
_EARLY = re.compile(
    r"\b(early|mid|late)(?: in)?(?= (?:the|this|last|next) (?:month|year)$)", re.IGNORECASE
)
_NAMES = frozenset().union(
    *(
        word_set(f"{known.seasons} {known.quarters}".replace("|", " "))
        for known in SEASON_WORDS.values()
    )
)
_PARTS = {"early": "beginning", "mid": "middle", "late": "end"}


def season_said(said: str, today: datetime, *, ahead: bool) -> Span | None:
    """Its days, read as those in questions are; None where the words say anything else, too.

    Without its year it is this year's or, with `ahead`, where that is over, the next one. A season
    or quarter by itself ("in the spring", "Q2") is one only `ahead`: what has been may be of any.
    """
    spoken = spoken_in(_plainly(said, today.date()))
    if len(spoken) > _LONGEST:
        return None
    try:
        if word := _word(spoken, today):
            return days_around(word, _year(word, today.date(), ahead))
        return _coming(spoken, today) if ahead and _is_named(spoken) else None
    except OverflowError:  # beyond the year 9999, where the calendar ends
        return None


def _plainly(said: str, today: Day) -> str:
    """English for a part of a month or year as questions have it, where it may be nothing else.

    "I was late last month" is no end of it, "late last month" by itself is.
    """
    plain = _THE.sub("this", _EARLY.sub(lambda part: f"{_PARTS[part[1].casefold()]} of", said))
    return _THIS_QUARTER.sub(f"Q{(today.month + 2) // 3} {today.year}", plain)


def _word(spoken: Sequence[str], today: datetime) -> str | None:
    """The word of days that they become in some language, if it is the only one that counts."""
    return next(filter(None, (_read(spoken, language, today) for language in LANGUAGES)), None)


def _is_named(spoken: Sequence[str]) -> bool:
    """Whether a season or a quarter is among them, not only "late" or "the end"."""
    pieces = [piece for word in spoken for piece in re.split("['-]", word)]
    return any(piece in _NAMES or CODE.fullmatch(piece) for piece in pieces)


def _coming(spoken: Sequence[str], today: datetime) -> Span | None:
    """The first of those years' that is not over; what has begun begins today."""
    day = today.date()
    for year in (day.year, day.year + 1):
        days = days_in(_word([*spoken, str(year)], today) or "")
        if days and days[1] >= day:
            return max(days[0], day), days[1]
    return None


def _read(spoken: Sequence[str], language: Language, today: datetime) -> str | None:
    """The word of days that they become in this language, if it is the only one that counts."""
    known = SEASON_WORDS.get(language.code)
    if known is None:
        return None
    left = [word for word in reader_of(spoken, language, today).words if word not in _BESIDE]
    return left[0] if len(left) == 1 and days_in(left[0]) else None


def _year(word: str, today: Day, ahead: bool) -> int:
    this = days_around(word, today.year)
    return today.year + (ahead and this is not None and this[1] < today)
