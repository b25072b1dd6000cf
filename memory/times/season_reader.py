"""How a season, or a part of a year, month or season, is named in a question.

What may be something else ("hot springs", "I fall behind", "was I late last month?") is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date as Day
from functools import partial

from forethought.memory.times import year_parts as parts
from forethought.memory.times.season_signs import LINKS, Signs
from forethought.memory.times.time_words import word_set
from forethought.memory.when import Span

Found = tuple[Span, int]
"""The days, and the place of the first word after those that name them."""

Calendar = Callable[[int], Found | None]
"""Reads the month or year that is named from a place on."""

CODE = re.compile(r"([a-z])([1-4])")  # q3, h1
DECADE = re.compile(r"((?:19|20)\d0)'?s")
DECADES = {"sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990}

_YEAR = re.compile(r"(?:19|20)\d\d")
_TWO_YEARS = re.compile(r"((?:19|20)\d\d)[/-](?:20|19)?(\d\d)")  # winter 2022/23
_ORDINAL = re.compile(r"([1-4])\D{0,3}")  # 1st, 2., 3er, 4º, 3-й
_YEARS = word_set("year jahr jahres année an año anno ano jaar året vuosi vuonna год года году")
_MONTHS = word_set("month monat monats mois mes mese mês maand månaden месяц месяца месяце")
_DEGREE = word_set("how so too as very")  # "how late may I come?"
_WARMTH = word_set("degree degrees temperature temperatures warm hot fahrenheit score scores")
"""Of a thing in the nineties that is no year."""
_LEAST = 28  # days: of a week nobody asks for the early part
_HALVES, _THIRDS, _QUARTERS = 2, 3, 4


@dataclass(frozen=True, slots=True)
class SeasonReader:
    """One question in words. Each method reads what begins at a place in it."""

    said: Signs
    today: Day
    calendar: Calendar

    def named(self, place: int) -> Found | None:
        """The longest name of days: "the end of the second half of last year"."""
        return self._third(place) or self._counted(place) or self._whole(place)

    def undated(self, place: int, end: int) -> bool:
        """Whether the name between these places says neither a year nor "last" or "this"."""
        return not any(
            self.said.at(at)[0].isdigit() or self.said.relation(at) is not None
            for at in range(place, end)
        )

    def _third(self, place: int) -> Found | None:
        """Such as "early 2024" and "the end of last summer"."""
        which = self.said.among("thirds", place)
        start = self.said.past_links(place + 1)
        if which is None or not self._may_part(place, start):
            return None
        inner = self._counted(start) or self._whole(start, part=True) or self._unit(start)
        return self._portion(inner, start, which, _THIRDS)

    def _portion(self, inner: Found | None, start: int, which: int, of: int) -> Found | None:
        """A part of what is named from `start` on; without its year, in what is told, one begun."""
        if inner is None or (inner[0][1] - inner[0][0]).days + 1 < _LEAST:
            return None
        whole, end = inner
        days = parts.portion(whole, which, of)
        named = end > start + 1 or _YEAR.fullmatch(self.said.at(start))
        if days[0] > self.today and self.said.told() and not named:
            months = 1 if self.said.bare(start) in _MONTHS else 12
            days = parts.portion(parts.earlier(whole, months), which, of)
        return days, end

    def _may_part(self, place: int, start: int) -> bool:
        if self.said.has("linked", place):
            return "of" in self.said.words[place + 1 : start]
        if not self.said.has("loose", place):
            return True
        named = start == place + 1 and self.said.relation(start) is None
        return named and self.said.at(place - 1) not in _DEGREE

    def _counted(self, place: int) -> Found | None:
        """Such as "the third quarter of 2023", "Q3 2023" and "the first half of September"."""
        counted = self._count(place)
        if counted is None:
            return None
        which, of, end = counted
        start = self.said.past_links(end)
        inner = self._whole(start, part=True) or self._unit(start)
        if of == _QUARTERS and (inner is None or not _is_year(inner[0])):
            coded = end == place + 1 and self.said.told()
            yearly = partial(_of_year, which=which, of=of)
            return (parts.latest(yearly, self.today), end) if coded else None
        return self._portion(inner, start, which, of)

    def _count(self, place: int) -> tuple[int, int, int] | None:
        """Which, of how many, and the place after it."""
        word, noun = self.said.at(place), place + 1
        if code := CODE.fullmatch(word):
            word, noun = code[2], place
        number = _ORDINAL.fullmatch(word)
        which = int(number[1]) - 1 if number else self.said.among("ordinals", place)
        if which is None:
            return None
        named = code[1] if code else self.said.at(noun)
        if named in word_set(self.said.known.quarters):
            return which, _QUARTERS, noun + 1
        last = which == _QUARTERS - 1 and not number  # "the last half" is the second
        which = 1 if last else which
        halves = named in word_set(self.said.known.halves) and which < _HALVES
        return (which, _HALVES, noun + 1) if halves else None

    def _whole(self, place: int, *, part: bool = False) -> Found | None:
        """A season, quarter or decade; `part` where a part of it was named before."""
        return self._related(place) or self._season(place, part=part) or self._decade(place)

    def _related(self, place: int) -> Found | None:
        """Such as "last summer" and "this quarter"."""
        relation, word = self.said.relation(place), self.said.at(place + 1)
        if relation is None or self.said.owned(place):
            return None
        if relation == 0 and not self._is_alone(place + 1):
            return None
        days = self._days(word, relation)
        return (days, place + 2) if days else None

    def _is_alone(self, place: int) -> bool:
        """Whether "this" goes with the word, not with one after it ("this winter coat")."""
        told = self.said.told() or "will" in self.said.words
        return self.said.alone(place) and (
            told or not self.said.english or not self.said.has("doubtful", place)
        )

    def _days(self, word: str, relation: int) -> Span | None:
        """The season or quarter of that name before (-1), around (0) or after (1) today."""
        which = self.said.known.among("seasons", word)
        if which is not None:
            return parts.season_near(which, self.today, relation)
        if len(word) > 1 and word in word_set(self.said.known.quarters):
            return parts.quarter(self.today, relation)
        return None

    def _season(self, place: int, *, part: bool) -> Found | None:
        which = self.said.among("seasons", place)
        if which is None:
            return None
        return (
            self._season_of_year(which, place)
            or self._season_after(which, place)
            or self._season_bare(which, place, part=part)
        )

    def _season_of_year(self, which: int, place: int) -> Found | None:
        """Such as "summer 2024", "winter 2022/23" and "the spring of last year"."""
        start = self.said.past_links(place + 1)
        both = _TWO_YEARS.fullmatch(self.said.at(start))
        if both and which == parts.WINTER and (int(both[1]) + 1) % 100 == int(both[2]):
            return parts.season(which, int(both[1]) + 1), start + 1
        direct = start == place + 1
        plain = direct and _YEAR.fullmatch(self.said.at(start))
        sure = not direct and not self.said.has("doubtful", place)
        found = self._unit(start) if plain or sure or self.said.placed(place) else None
        if found is None or not _is_year(found[0]):
            return self._season_shared(which, place)
        return parts.season(which, found[0][0].year), found[1]

    def _season_shared(self, which: int, place: int) -> Found | None:
        """Such as the first of "between spring and autumn 2023"."""
        second = self.said.past_links(place + 2)
        opens = any(
            self.said.at(place - 1) == opening and self.said.at(place + 1) == joining
            for opening, joining in self.said.language.ranges
        )
        other = self.said.among("seasons", second) if opens else None
        found = self._season_of_year(other, second) if other is not None else None
        if found is None:
            return None
        end = found[0][0]
        days = parts.season(which, end.year)
        return (days if days[0] <= end else parts.season(which, end.year - 1)), place + 1

    def _season_after(self, which: int, place: int) -> Found | None:
        """Such as "verano pasado" and "summer before last"."""
        if self.said.english and self.said.words[place + 1 : place + 3] == ["before", "last"]:
            last = parts.season_near(which, self.today, -1)
            return parts.season(which, last[1].year - 1), place + 3
        relation = self.said.relation(place + 1) if self.said.known.trailing else None
        if not relation or (self.said.has("doubtful", place) and not self.said.placed(place)):
            return None
        days = self._days(self.said.at(place), relation)
        return (days, place + 2) if days else None

    def _season_bare(self, which: int, place: int, *, part: bool) -> Found | None:
        """Such as "in the summer", of what has been: the latest that has begun."""
        before, doubtful = self.said.at(place - 1), self.said.has("doubtful", place)
        article = not self.said.english or before == "the"
        placed = part or (article and self.said.inside(place))
        clear = not doubtful or (part and before not in LINKS)
        if not (placed and clear and self.said.told() and self.said.alone(place)):
            return None
        return parts.latest(partial(parts.season, which), self.today), place + 1

    def _decade(self, place: int) -> Found | None:
        """Such as "the 1990s", where something was in them."""
        word = self.said.at(place)
        digits = DECADE.fullmatch(word)
        before = place - 2 if self.said.has("loose", place - 1) else place - 1
        named = self.said.at(before) == "the" and not _WARMTH.intersection(self.said.words)
        first = int(digits[1]) if digits else (DECADES.get(word) if named else None)
        if first is None or not self.said.inside(place):
            return None
        return parts.decade(first), place + 1

    def _unit(self, place: int) -> Found | None:
        """A year or month: "last year", "Jahres 2023", or as the calendar has it."""
        relation, word = self.said.relation(place), self.said.bare(place)
        if relation is not None:
            return self._unit_from(self.said.bare(place + 1), relation, place + 2)
        unit = word in _YEARS or word in _MONTHS
        if unit and self.said.known.trailing and (after := self.said.relation(place + 1)):
            return self._unit_from(word, after, place + 2)
        if unit and _YEAR.fullmatch(self.said.at(place + 1)):
            return self._unit(place + 1)
        if unit:
            sure = self.said.told() and self.said.alone(place)
            return self._unit_from(word, 0, place + 1) if sure else None
        if _YEAR.fullmatch(word):
            return parts.year_of(int(word)), place + 1
        found = None if word[:1].isdigit() else self.calendar(place)  # days, and lengths of time
        article = self.said.english and self.said.at(place - 1) == "the"
        march = article and found is not None and found[1] == place + 1 and word.isalpha()
        return None if march else found  # "the end of the march" is of a walk

    def _unit_from(self, word: str, relation: int, end: int) -> Found | None:
        if word in _YEARS:
            return parts.year_of(self.today.year + relation), end
        if word in _MONTHS:
            return parts.month_of(self.today.year, self.today.month + relation), end
        return None


def _of_year(year: int, *, which: int, of: int) -> Span:
    return parts.portion(parts.year_of(year), which, of)


def _is_year(days: Span) -> bool:
    return days == parts.year_of(days[0].year)
