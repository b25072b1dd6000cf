"""Days asked for, as both stores compare them: text that sorts, and days counted from the first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date as Day
from datetime import datetime, tzinfo

from forethought.memory.records.columns import Columns
from forethought.memory.records.values import day_from, stamp
from forethought.memory.types import Occurrence
from forethought.memory.when import Span, day_in, moments

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
        since, before = moments(days, zone)
        low = last if first == Day.min else first
        return cls(
            first.isoformat(),
            last.isoformat(),
            stamp(since, of="a day"),
            stamp(before, of="a day"),
            twice_middle=low.toordinal() + last.toordinal() - 2,
        )


def occurrences(rows: Iterable[Columns], days: Span, zone: tzinfo) -> list[Occurrence]:
    """When the facts of these rows were said and happened, as `Records.occurring` says."""
    return [_occurrence(row, days, zone) for row in rows]


def _occurrence(row: Columns, days: Span, zone: tzinfo) -> Occurrence:
    said = day_in(zone, datetime.fromisoformat(row["date"]))
    first, last = day_from(row["occurred_from"]), day_from(row["occurred_to"])
    known = first is not None or last is not None
    return Occurrence(row["id"], said, (first or days[0], last or days[1]) if known else None)
