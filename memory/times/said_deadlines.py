"""Days that people name by a feast, by the end of something or within a month: "EOD Friday".

In English, feasts also in other languages; no date library at hand reads any of them.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable
from datetime import MAXYEAR, MINYEAR, timedelta
from datetime import date as Day

from forethought.memory.times.season_signs import LINKS
from forethought.memory.times.time_words import spoken_in, word_set
from forethought.memory.when import Span

Read = Callable[[str], Span | None]
"""What the rest of a phrase says by itself."""

_MONTH, _LONGEST_MONTH = 27, 31  # days from its first to its last at least, and fewer than
_LEAD = re.compile(r"(?:(?:by|before|until|till|at|on|in|during|no later than) )?(?:the )?")
_DAY_ENDS = re.compile(
    r"(?:eod|cob|(?:end|close) of (?:the )?(?:(?:business )?day|business))"
    r"(?:,? (?:on )?(?P<day>.+))?"
)
_ENDS = re.compile(
    r"eo(?P<letter>[wmqy])|(?P<unit>month|quarter|year)[- ]end"
    r"|end of (?P<of>week|month|quarter|year)"
)
_UNITS = {"w": "week", "m": "month", "q": "quarter", "y": "year"}
_WITHIN = re.compile(r"(?:within(?: the next)?|(?:over|in|during) the next) (?P<time>.+)")
_WEEKDAYS = [name.casefold() for name in calendar.day_name]
_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
_PART = re.compile(
    rf"(?P<place>{'|'.join(_PLACES)}) (?P<what>week|{'|'.join(_WEEKDAYS)}) (?:of|in) (?P<whole>.+)"
)
_DATE = re.compile(r"(?P<day>first|\d{1,2}(?:st|nd|rd|th)) of (?P<whole>.+)")

_FEASTS = {
    (12, 24): "christmas eve|heiligabend|nochebuena|vigilia di natale|kerstavond",
    (12, 25): "christmas|christmas day|xmas|weihnachten|noël|navidad|natale|natal|kerst|kerstmis",
    (12, 31): "new year's eve|silvester|nochevieja|saint-sylvestre|oudejaarsavond",
    (1, 1): "new year|new year's|new year's day|neujahr|nouvel an|año nuevo|capodanno|ano novo",
    (2, 14): "valentine's day|valentine's|valentinstag|saint-valentin|san valentín",
    (10, 31): "halloween",
}
_NAMES = {
    tuple(spoken_in(name)): feast for feast, names in _FEASTS.items() for name in names.split("|")
}
_BESIDE = LINKS | word_set(
    "by before until till at on over for this bis zu vor an zum avant pour à au jusqu'à antes para"
    " en por entro per prima a até voor met"
)
"""Words before a feast that leave it what it is."""


def deadline_said(said: str, today: Day, read: Read, *, ahead: bool) -> Span | None:
    """Its days: of a feast the latest by then or, `ahead`, the next; else as `read` has the rest.

    A week of a month is seven days from its first or up to its last. None for anything else.
    """
    plain = " ".join(said.casefold().split())
    rest = _LEAD.sub("", plain, count=1)
    return (
        _feast(plain, today, ahead)
        or (_within(plain, read) if ahead else None)
        or _end(rest, read)
        or _inside(rest, read, today)
    )


def _feast(said: str, today: Day, ahead: bool) -> Span | None:
    words = spoken_in(said)
    while words and words[0] in _BESIDE and tuple(words) not in _NAMES:
        words = words[1:]
    if tuple(words) not in _NAMES:
        return None
    feast = _NAMES[tuple(words)]
    over = Day(today.year, *feast) < today
    begun = Day(today.year, *feast) <= today
    year = today.year + (over if ahead else begun - 1)
    if not MINYEAR <= year <= MAXYEAR:
        return None
    day = Day(year, *feast)
    return day, day


def _within(said: str, read: Read) -> Span | None:
    time = _WITHIN.fullmatch(said)
    return read(f"in {time['time']}") if time else None


def _end(said: str, read: Read) -> Span | None:
    if day := _DAY_ENDS.fullmatch(said):
        return read(day["day"] or "today")
    if end := _ENDS.fullmatch(said):
        unit = end["unit"] or end["of"] or _UNITS[end["letter"]]
        return read(f"end of {'the' if unit == 'week' else 'this'} {unit}")
    return None


def _inside(said: str, read: Read, today: Day) -> Span | None:
    if part := _PART.fullmatch(said):
        place, what = _PLACES[part["place"]], part["what"]
        return _open(_wholes(part["whole"], read), lambda whole: _part(whole, place, what), today)
    if date := _DATE.fullmatch(said):
        number = 1 if date["day"] == "first" else int(date["day"][:-2])
        return _open(_wholes(date["whole"], read), lambda whole: _numbered(whole, number), today)
    return None


def _wholes(said: str, read: Read) -> Iterable[Span]:
    """The month, quarter, season or year that is meant; of "the month" this and the next one."""
    this = re.sub(r"^the (?=(?:month|quarter|year)$)", "this ", said)
    for words in [this] if this == said else [this, this.replace("this", "next")]:
        whole = read(words)
        if whole and (whole[1] - whole[0]).days >= _MONTH:
            yield whole


def _open(wholes: Iterable[Span], within: Callable[[Span], Span | None], today: Day) -> Span | None:
    """What lies within the first of these in which it is not over, else within the first."""
    found = [days for whole in wholes if (days := within(whole))]
    return next((days for days in found if days[1] >= today), found[0] if found else None)


def _part(whole: Span, place: int, what: str) -> Span | None:
    first, last = whole
    if what == "week":
        begin = first + timedelta(weeks=place) if place >= 0 else last - timedelta(days=6)
        return begin, begin + timedelta(days=6)
    weekday = _WEEKDAYS.index(what)
    if place >= 0:
        day = first + timedelta(days=(weekday - first.weekday()) % 7, weeks=place)
    else:
        day = last - timedelta(days=(last.weekday() - weekday) % 7)
    return (day, day) if first <= day <= last else None


def _numbered(whole: Span, number: int) -> Span | None:
    first, last = whole
    if (last - first).days >= _LONGEST_MONTH or not 1 <= number <= last.day:
        return None
    day = first.replace(day=number)
    return day, day
