"""A season, or a part of a year or month, that is all that a few words name: "early 2024"."""

from __future__ import annotations

import re
from datetime import date as Day
from datetime import datetime

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
_EARLY = re.compile(
    r"\b(early|mid|late)(?: in)?(?= (?:the|this|last|next) (?:month|year)$)", re.IGNORECASE
)
_PARTS = {"early": "beginning", "mid": "middle", "late": "end"}


def season_said(said: str, today: datetime, *, ahead: bool) -> Span | None:
    """Its days, read as those in questions are; None where the words say anything else, too.

    Without its year it is this year's or, with `ahead`, where that is over, the next one.
    """
    spoken = spoken_in(_plainly(said))
    if len(spoken) > _LONGEST:
        return None
    read = (_read(spoken, language, today) for language in LANGUAGES)
    try:
        word = next(filter(None, read), None)
        return days_around(word, _year(word, today.date(), ahead)) if word else None
    except OverflowError:  # beyond the year 9999, where the calendar ends
        return None


def _plainly(said: str) -> str:
    """English for a part of a month or year as questions have it, where it may be nothing else.

    "I was late last month" is no end of it, "late last month" by itself is.
    """
    return _THE.sub("this", _EARLY.sub(lambda part: f"{_PARTS[part[1].casefold()]} of", said))


def _read(spoken: list[str], language: Language, today: datetime) -> str | None:
    """The word of days that they become in this language, if it is the only one that counts."""
    known = SEASON_WORDS.get(language.code)
    if known is None:
        return None
    left = [word for word in reader_of(spoken, language, today).words if word not in _BESIDE]
    return left[0] if len(left) == 1 and days_in(left[0]) else None


def _year(word: str, today: Day, ahead: bool) -> int:
    this = days_around(word, today.year)
    return today.year + (ahead and this is not None and this[1] < today)
