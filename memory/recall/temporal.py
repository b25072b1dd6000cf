"""The temporal channel (Hindsight §4.2.2): what happened, or was said, when the query asks about.

A query that names no time has none of it, and costs it no look-up. Nothing in a question tells
reliably, in any language, whether it is about when something happened ("where was I last week?") or
about when it was said ("what did I tell you last week?"), so a fact counts by whichever is nearer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date as Day
from datetime import datetime, tzinfo

from forethought.memory.recall.proximity import proximity
from forethought.memory.records.port import Records
from forethought.memory.times.timespan import span
from forethought.memory.types import Occurrence, Session
from forethought.memory.when import Span, day_in, moments

SHARED = 0.5
"""For sharing a day at all, the rest by proximity: by that alone, the last day of a month would
count for nothing in it. (0, .5 and 1 were tried by a script: of ten hits .5 has most, narrowly.)"""


@dataclass(frozen=True, slots=True)
class Timely:
    """The days that a query names, and what is near to them, in [SHARED, 1], by id.

    `facts` scores facts, `sessions` the sessions of the log, whose turns were all said that day.
    `by_rules` is whether rules read the days, or they came with the query.
    """

    days: Span
    facts: Mapping[str, float] = field(default_factory=dict)
    sessions: Mapping[str, float] = field(default_factory=dict)
    by_rules: bool = True


@dataclass(frozen=True, slots=True)
class Temporal:
    """Looks up by time, in one place for facts and for the log."""

    records: Records

    async def timely(  # noqa: PLR0913  # a query, how to read it, and how much to look up
        self, bank: str, query: str, *, now: datetime, zone: tzinfo, k: int,
        otherwise: Span | None = None,
    ) -> Timely | None:  # fmt: skip
        """The k facts, and all sessions, nearest to the days that `query` names; None for none.

        `otherwise` are the days where the rules read none in it. Relative times count from `now` in
        `zone`. Facts hold at `now`, and sessions are no later.
        """
        # dateparser takes half a second to load, and some milliseconds for each question.
        read = await asyncio.to_thread(span, query, now, zone)
        days = read or otherwise
        if days is None:
            return None
        facts, sessions = await asyncio.gather(
            self.records.occurring(bank, days, zone=zone, k=k, now=now),
            self.records.sessions(bank, between=moments(days, zone)),
        )
        near = {one.id: _said(one, days, zone) for one in sessions if one.date <= now}
        scored = {one.fact: _near(one, days) for one in facts}
        return Timely(days, scored, near, by_rules=read is not None)


def spelled(days: Span) -> str:
    """`2025-06-07`, `2025-06-07…2025-06-08`, or `…2025-06-08` where there is no first day."""
    first, last = days
    if first == last:
        return str(first)
    return f"{'' if first == Day.min else first}…{last}"


def _near(one: Occurrence, days: Span) -> float:
    """By when it was said or when it happened, whichever is nearer."""
    either = [(one.said, one.said), *([one.happened] if one.happened else [])]
    return _scored(max(proximity(some, days) for some in either))


def _said(session: Session, days: Span, zone: tzinfo) -> float:
    day = day_in(zone, session.date)
    return _scored(proximity((day, day), days))


def _scored(near: float) -> float:
    return SHARED + (1 - SHARED) * near
