"""A week or a weekend that is all that a few words name: "last week", "le week-end prochain"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date as Day
from datetime import datetime, timedelta
from functools import cache

from forethought.memory.times.named_days import relative_names
from forethought.memory.times.season_signs import LINKS
from forethought.memory.times.time_words import LANGUAGES, spoken_in, word_set
from forethought.memory.times.timespan import Reader, week_of, weekend_of
from forethought.memory.when import Span

_LONGEST = 7  # words: "by the end of the coming week"
_BESIDE = LINKS | word_set("in on during over at by until for this am à au em")
"""Words before it that name nothing themselves ("over the weekend", "this past weekend")."""

_PART = re.compile(
    r"(?:(?P<first>early|beginning of|start of)|(?P<middle>mid|middle of)|(?P<last>late|end of))"
    r" (?:(?P<the>the) )?(?P<week>.+)"
)
_PARTS = {"first": (0, 1), "middle": (2, 3), "last": (4, 6)}  # days after its Monday
_CHANGES = {"1 week ago": -1, "0 week ago": 0, "in 1 week": 1}  # as CLDR has them


def week_said(said: str, today: datetime, *, ahead: bool, languages: Sequence[str]) -> Span | None:
    """Its days, Monday to Sunday, or Saturday and Sunday; None where the words say anything else.

    Weeks are known in `languages` (codes), weekends in those of questions, parts of weeks in
    English. A weekend alone is the latest that has begun or, with `ahead`, is not over; with it,
    what has begun begins today. Raises OverflowError where the calendar ends.
    """
    words = spoken_in(said)
    if len(words) > _LONGEST:
        return None
    found = _read(words, today, ahead, tuple(languages))
    day = today.date()
    return (day, found[1]) if found and ahead and found[0] < day <= found[1] else found


def _read(
    words: Sequence[str], today: datetime, ahead: bool, codes: tuple[str, ...]
) -> Span | None:
    """What is left when words that name nothing are taken off the beginning, one by one."""
    for start in range(len(words)):
        if start and words[start - 1] not in _BESIDE:
            return None
        rest = words[start:]
        found = _week(" ".join(rest), today.date(), codes) or _weekend(rest, today, ahead)
        if found:
            return found
    return None


def _week(said: str, today: Day, codes: tuple[str, ...]) -> Span | None:
    known = _weeks(codes)
    if said in known:
        return week_of(today, known[said])
    part = _PART.fullmatch(said)
    if part is None:
        return None
    # "the end of the week" is that of this one
    weeks = 0 if part["the"] and part["week"] == "week" else known.get(part["week"])
    if weeks is None:
        return None
    monday, _ = week_of(today, weeks)
    first, last = next(days for name, days in _PARTS.items() if part[name])
    return monday + timedelta(days=first), monday + timedelta(days=last)


def _weekend(words: Sequence[str], today: datetime, ahead: bool) -> Span | None:
    said = " ".join(words)
    for language in LANGUAGES:
        if language.weekend and re.fullmatch(language.weekend, said):
            this = weekend_of(today.date(), 0)
            begun = this[0] <= today.date()
            return this if begun or ahead else weekend_of(today.date(), -1)
        if found := Reader(words, language, today).weekend(alone=True):
            return found
    return None


@cache
def _weeks(codes: tuple[str, ...]) -> dict[str, int]:
    """How many weeks from now is what these languages call a week without counting."""
    return {
        " ".join(spoken_in(name)): weeks
        for code in codes
        for change, weeks in _CHANGES.items()
        for name in relative_names(code, change)
    }
