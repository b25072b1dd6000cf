"""Which days a question asks about (Hindsight §4.2.2), by rule: dateparser and the words around it.

dateparser's own search finds 22 of 61 times and sees one in 39 of 61 questions that name none; no
other library that is maintained reads ranges (ARCHITECTURE, "Times in questions").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Day
from datetime import datetime, time, timedelta, tzinfo

from forethought.memory.times.named_days import (
    CJK,
    beside,
    in_characters,
    named,
    vocabulary,
    whole,
)
from forethought.memory.times.season_reader import Found
from forethought.memory.times.seasons import days_in, days_up_to, month_asked, with_days
from forethought.memory.times.time_words import ENGLISH, Language, language_of, spoken_in, word_set
from forethought.memory.when import Span

_LONGEST = 400  # characters: a longer request tells a story, whose dates are not what it asks for
_WINDOW = 5  # words of the longest name of a time: "the 3rd of March 2025"
_NOON = time(12)  # no day is further away than half a day, whatever the clocks do
_YEAR = re.compile(r"(19|20)\d\d")
_BACK = re.compile(r"\b(weekend|week|month|year) before last\b")
_ISO = re.compile(r"\d{4}-\d{2}(-\d{2})?")
_SKIPPED = word_set("the of a on in at and to from el la de en y le du et der die das o e het")
"""Words that dateparser passes over, so that a name of a time does not end in one."""


def span(question: str, now: datetime, zone: tzinfo) -> Span | None:
    """The first and last day that `question` names, or None where it names none.

    Relative times count from `now` in `zone`, weeks begin on Monday, and a month or weekday without
    a year is the latest that has begun. "Before" has no first day (`date.min`), "since" goes on to
    today. Where several times are named the first range counts, else the first time.
    """
    if len(question) > _LONGEST:
        return None
    try:
        return _read(question, datetime.combine(now.astimezone(zone), _NOON))
    except OverflowError:  # beyond the year 9999, where the calendar ends
        return None


def _read(question: str, today: datetime) -> Span | None:
    if CJK.search(question) and (found := in_characters(question, today)):
        return found
    spoken = spoken_in(question)
    reader = reader_of(spoken, language_of(spoken), today)
    ranged = reader.between() or reader.bound() or reader.weekend() or reader.lately()
    return ranged or reader.point()


def reader_of(spoken: Sequence[str], language: Language, today: datetime) -> Reader:
    """The reader of these words, with each season and part of a year as one word of its days."""

    def calendar(some: Sequence[str], place: int) -> Found | None:
        return Reader(some, language, today).longest(place, placed=True)

    return Reader(with_days(spoken, language, today.date(), calendar), language, today)


@dataclass(frozen=True, slots=True)
class Reader:
    """One question, in words, in one language."""

    words: Sequence[str]
    language: Language
    today: datetime

    def between(self) -> Span | None:
        """Such as "between March and May" and "from 3 to 7 March 2025"."""
        for opening, joining in self.language.ranges:
            for start in _places(self.words, opening):
                for middle in _places(self.words, joining):
                    near = start + 1 < middle <= start + _WINDOW
                    if near and (found := self._both(start, middle)):
                        return found
        return None

    def _both(self, start: int, middle: int) -> Span | None:
        first = self.words[start + 1 : middle]
        for second in self._windows(middle + 1):
            end = self._named(second) if self._is_time(second, placed=True) else None
            begin = self._begin(first, second, end) if end else None
            if begin and end and begin[0] <= end[1]:
                return begin[0], end[1]
        return None

    def _begin(self, first: Sequence[str], second: Sequence[str], end: Span) -> Span | None:
        """The first end, which may leave its month or year to the second."""
        if any(_YEAR.fullmatch(word) for word in first):
            return self._named(first)
        if days := days_up_to(first[0], end[0]):
            return days
        if all(word[0].isdigit() for word in first):  # "3 to 7 March"
            return self._named([*first, *second[1:]])
        years = [word for word in second if _YEAR.fullmatch(word)]
        found = self._named([*first, *years])
        if found is None or found[0] <= end[1]:
            return found
        before = datetime.combine(end[0], _NOON)  # "between November and February"
        return Reader(first, self.language, before)._named(first)

    def bound(self) -> Span | None:
        """Such as "since Tuesday", "before April 2025" and "the Sunday after 3 March"."""
        today = self.today.date()
        for place, word in enumerate(self.words):
            found = self._after(place)
            if found is None:
                continue
            if place and (next_to := self._beside(place, found)):
                return next_to
            if self.language.has("since", word) and found[0] <= today:
                return found[0], today
            if self.language.has("before", word) and found[0] > Day.min:
                return Day.min, found[0] - _DAY
            if self.language.has("after", word) and found[1] < today:
                return found[1] + _DAY, today
        return None

    def _beside(self, place: int, there: Span) -> Span | None:
        """The unit before the word at `place`, beside the days that are named after it."""
        unit, word = self.words[place - 1], self.words[place]
        later = self.language.has("after", word)
        counted = place > 1 and _small(self.words[place - 2])  # "two days after": not those between
        if counted or not (later or self.language.has("before", word)):
            return None
        return beside(self._vocabulary.get(unit, unit), there, later=later)

    @property
    def _vocabulary(self) -> Mapping[str, str]:
        return vocabulary(self.language.code)

    def _after(self, place: int) -> Span | None:
        """What is named right after the word at `place`, which is no part of it ("vor 3 Tagen")."""
        words = self.words[place : place + 2]
        if not any(self.language.has(kind, words[0]) for kind in ("since", "before", "after")):
            return None
        if self.language.ago.startswith(words[0]) and words[1:] and _small(words[1]):
            return None
        for window in self._windows(place + 1):
            if self._is_time(window, placed=True) and (found := self._named(window)):
                return found
        return None

    def weekend(self, *, alone: bool = False) -> Span | None:
        """Such as "last weekend", and in English "the week before last"; `alone`: nothing else."""
        said, of = " ".join(self.words), self.language
        match = re.fullmatch if alone else re.search
        if of is ENGLISH and (back := match(_BACK, said)):
            return self._before_last(back[1])
        for weeks, words in ((-1, of.last), (0, of.this), (1, of.next)):
            if of.weekend and match(
                rf"\b(?:{words}) (?:{of.weekend})\b|\b(?:{of.weekend}) (?:{words})\b", said
            ):
                return weekend_of(self.today.date(), weeks)
        return None

    def _before_last(self, unit: str) -> Span | None:
        if unit == "weekend":
            return weekend_of(self.today.date(), -2)
        return self._named(["2", f"{unit}s", "ago"])

    def lately(self) -> Span | None:
        """Such as "the past 10 days", "the last month" and "in den letzten 3 Wochen"."""
        for place, word in enumerate(self.words[:-1]):
            after = self.words[place + 1 : place + 3]
            rolling = self.language is ENGLISH and self.words[place - 1 : place] == ["the"]
            if self.language.has("past", word) and (
                found := self._since(*after) or (self._since("1", after[0]) if rolling else None)
            ):
                return found
        return None

    def _since(self, number: str, unit: str = "") -> Span | None:
        """From so many units ago up to today."""
        if not _small(number) or not self._is_unit(unit):
            return None
        start = self._date(self.language.ago.format(f"{number} {unit}"))
        return (start[0], self.today.date()) if start else None

    def point(self) -> Span | None:
        """Such as "yesterday" and "in June 2024": the first, and of those the longest."""
        for start in range(len(self.words)):
            placed = start > 0 and self.language.has("at", self.words[start - 1])
            if found := self.longest(start, placed=placed):
                return month_asked(self.words[start]) or found[0]
        return None

    def longest(self, start: int, *, placed: bool) -> Found | None:
        """The longest name of a time from the word at `start` on; `placed` as in `_is_time`."""
        for window in self._windows(start):
            if not self._is_time(window, placed=placed) or self._is_length(window):
                continue
            if found := self._named(window):
                return found, start + len(window)
        return None

    def _is_length(self, window: Sequence[str]) -> bool:
        """Whether it is a length of time ("3 years", "in" apart): read as a date, it moves."""
        if len(window) == 1 or any(
            self.language.has("relative", word) or _YEAR.fullmatch(word) for word in window
        ):
            return False
        later = Reader(self.words, self.language, self.today + _DAY)
        moves = self._date(" ".join(window)) != later._date(" ".join(window))
        return moves and not self.language.has("at", window[0])

    def _windows(self, start: int) -> Iterator[Sequence[str]]:
        """The words from `start` on, at most `_WINDOW`, then ever fewer of them."""
        for end in range(min(len(self.words), start + _WINDOW), start, -1):
            yield self.words[start:end]

    def _is_time(self, window: Sequence[str], *, placed: bool) -> bool:
        """Whether these words may name a time: "may", "2" and "second" alone do not.

        `placed` says that a word before them does ("in", "between").
        """
        has = self.language.has
        if any(map(days_in, window)):
            return len(window) == 1
        if window[-1] in _SKIPPED or any(has("fine", word) for word in window):
            return False
        if len(window) == 1:
            (word,) = window
            if has("days", word) or _ISO.fullmatch(word):
                return True
            return placed and (bool(_YEAR.fullmatch(word)) or self._is_unit(word))
        if not any(word[0].isdigit() or has("relative", word) for word in window):
            return False
        return self._begins(window[0]) and any(map(self._is_unit, window))

    def _begins(self, word: str) -> bool:
        """Whether the name of a time may begin so; each name that is tried costs 1 ms."""
        said = any(self.language.has(kind, word) for kind in ("at", "relative"))
        return said or word[0].isdigit() or _small(word) or word in _ARTICLES or self._is_unit(word)

    def _is_unit(self, word: str) -> bool:
        """Whether it is a month, a weekday or a unit, or a name of a day."""
        kinds = ("units", "days")
        return word in self._vocabulary or any(self.language.has(kind, word) for kind in kinds)

    def _named(self, words: Sequence[str]) -> Span | None:
        if days := days_in(words[0]):
            return days
        found = self._date(" ".join(words)) or self._latest(words)
        return whole(*found) if found else None

    def _latest(self, words: Sequence[str]) -> tuple[Day, str] | None:
        """The latest month of a name that is over: dateparser does not know "last August"."""
        rest = [word for word in words if not re.fullmatch(self.language.last or "last", word)]
        if len(rest) != 1 or len(words) == 1:
            return None
        found = self._date(rest[0])
        if not found or found[1] != "month":
            return None
        day, today = found[0], self.today.date()
        begun = (day.year, day.month) == (today.year, today.month)
        return (day.replace(year=day.year - 1, day=1) if begun else day), "month"

    def _date(self, said: str) -> tuple[Day, str] | None:
        return named(said, self.language.code, self.today)


def week_of(today: Day, weeks: int) -> Span:
    """The week that is so many after this one, Monday to Sunday."""
    return whole(today + timedelta(weeks=weeks), "week")


def weekend_of(today: Day, weeks: int) -> Span:
    """Its Saturday and Sunday."""
    _, sunday = week_of(today, weeks)
    return sunday - _DAY, sunday


_DAY = timedelta(days=1)


def _places(words: Sequence[str], wanted: str) -> Iterator[int]:
    return (place for place, word in enumerate(words) if word == wanted)


def _small(word: str) -> bool:
    return word.isdigit() and len(word) <= 3 or word in _NUMBERS  # noqa: PLR2004  # three digits


_ARTICLES = word_set("la")  # of "la semana pasada"; no others are needed by dateparser
_NUMBERS = word_set(
    "two three four five six seven eight nine ten twelve a an un una une ein einem een"
)
