"""Days asked for, as both stores compare them: text that sorts, and days counted from the first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date as Day
from datetime import datetime, time, timedelta, tzinfo

from forethought.memory.errors import InvalidInput
from forethought.memory.records.columns import Columns
from forethought.memory.records.values import day_from, stamp
from forethought.memory.types import Occurrence
from forethought.memory.when import Span

FIRST_DAY = Day.min.isoformat()
"""Day 0 of the count."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Some days in a zone. `since` and `before` are the moments (UTC) where they begin and end.

    `twice_middle` is twice the day in their middle, which may lie between two days; of days without
    a beginning, twice the last of them.
    """

    first: str
    last: str
    since: str
    before: str
    twice_middle: int

    @classmethod
    def of(cls, days: Span, zone: tzinfo) -> Asked:
        """The days `days` in `zone`."""
        first, last = days
        low = last if first == Day.min else first
        return cls(
            first.isoformat(),
            last.isoformat(),
            since=_begin(first, zone),
            before=_begin(last + timedelta(days=1), zone) if last < Day.max else _NEVER,
            twice_middle=low.toordinal() + last.toordinal() - 2,
        )


_NEVER = "A"  # sorts after every year


def _begin(day: Day, zone: tzinfo) -> str:
    try:
        return stamp(datetime.combine(day, time.min, zone), of="a day")
    except InvalidInput:  # the first of all days, which east of UTC begins before the calendar
        return ""


def occurrences(rows: Iterable[Columns], days: Span, zone: tzinfo) -> list[Occurrence]:
    """When the facts of these rows happened, as `Records.occurring` says."""
    return [_occurrence(row, days, zone) for row in rows]


def _occurrence(row: Columns, days: Span, zone: tzinfo) -> Occurrence:
    first, last = day_from(row["occurred_from"]), day_from(row["occurred_to"])
    if first is None and last is None:
        first = last = _said(datetime.fromisoformat(row["date"]), zone)
    return Occurrence(row["id"], first or days[0], last or days[1])


def _said(moment: datetime, zone: tzinfo) -> Day:
    try:
        return moment.astimezone(zone).date()
    except OverflowError:  # in the last hours of the calendar, or its first
        return moment.date()
