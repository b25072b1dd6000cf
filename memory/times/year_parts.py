"""Seasons, and equal parts of years, months and seasons: pure sums over the calendar.

Seasons are the meteorological ones of the northern hemisphere: whole months, from March, June,
September and December (Met Office, NOAA). Halves and quarters of a year are those of ISO 8601-2
(its sub-year groupings 40–41 and 33–36); early, mid and late are thirds: of a year its
quadrimesters (37–39), four months each; of a season a month; of a month its dekads (WMO).
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from datetime import date as Day
from datetime import timedelta
from functools import partial

from forethought.memory.when import Span

_MONTHS = 12
_SPRING = 3  # begins in March; each season has as many months
WINTER = 3


def season(which: int, year: int) -> Span:
    """Spring (0) to winter (3) of `year`; its winter is the one that ends in it.

    Two of that winter's months lie in `year`, and climate series name it so.
    """
    return _months(year - (which == WINTER), _SPRING * (which + 1), _SPRING)


def season_near(which: int, today: Day, ahead: int) -> Span:
    """The latest such season that is over (-1), this one (0) or the first that is to begin (1).

    This one is that of the calendar year; this winter, until June, the one that is past.
    """
    yearly = partial(season, which)
    if ahead < 0:
        return next(span for span in _around(yearly, today, -1) if span[1] < today)
    if ahead > 0:
        return next(span for span in _around(yearly, today, 1) if span[0] > today)
    later = which == WINTER and today.month > _MONTHS // 2
    return season(which, today.year + later)


def quarter(today: Day, ahead: int) -> Span:
    """The quarter of the year that is so many after that of `today`, before it if negative."""
    count = today.year * 4 + (today.month - 1) // 3 + ahead
    return portion(year_of(count // 4), count % 4, 4)


def decade(first: int) -> Span:
    """The ten years from `first` on."""
    return Day(first, 1, 1), Day(first + 9, 12, 31)


def year_of(year: int) -> Span:
    """The whole calendar year."""
    return _months(year, 1, _MONTHS)


def month_of(year: int, month: int) -> Span:
    """The whole month; `month` may run over: 0 is the December before."""
    return _months(year, month, 1)


def earlier(whole: Span, months: int) -> Span:
    """As many whole months, so many months before."""
    return _months(whole[0].year, whole[0].month - months, _whole_months(whole))


def in_year(days: Span, year: int) -> Span:
    """The same days of the months, those that begin in `year`."""
    first, last = days
    return _day(year, first.month, first.day), _day(
        year + last.year - first.year, last.month, last.day
    )


def _day(year: int, month: int, day: int) -> Day:
    return min(Day(year, month, 1) + timedelta(days=day - 1), month_of(year, month)[1])


def portion(whole: Span, which: int, of: int) -> Span:
    """The part `which` (from 0) of `of` equal ones: in whole months, else in days."""
    first, last = whole
    months = _whole_months(whole)
    if months % of == 0 and months:
        return _months(first.year, first.month + which * months // of, months // of)
    days = last.toordinal() - first.toordinal() + 1
    begin, end = (first.toordinal() + part * days // of for part in (which, which + 1))
    return Day.fromordinal(begin), Day.fromordinal(end - 1)


def latest(yearly: Callable[[int], Span], today: Day) -> Span:
    """The latest that has begun of what comes once a year."""
    return next(span for span in _around(yearly, today, -1) if span[0] <= today)


def _around(yearly: Callable[[int], Span], today: Day, step: int) -> Iterator[Span]:
    return (yearly(today.year + step * years) for years in (-1, 0, 1, 2))


def _whole_months(span: Span) -> int:
    """How many, 0 where it begins or ends within one."""
    first, last = span
    if first.day > 1 or last.day < calendar.monthrange(last.year, last.month)[1]:
        return 0
    return (last.year - first.year) * _MONTHS + last.month - first.month + 1


def _months(year: int, month: int, count: int) -> Span:
    """So many whole months from one on. Raises OverflowError beyond the calendar."""
    begin, end = year * _MONTHS + month - 1, year * _MONTHS + month + count - 2
    if begin < _MONTHS or end // _MONTHS > Day.max.year:
        raise OverflowError(f"no calendar has the month {month} of the year {year}")
    last = calendar.monthrange(end // _MONTHS, end % _MONTHS + 1)[1]
    return Day(begin // _MONTHS, begin % _MONTHS + 1, 1), Day(
        end // _MONTHS, end % _MONTHS + 1, last
    )
