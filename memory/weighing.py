"""Keep the salience of a bank's facts true: computed anew once enough changed, or each day."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, dataclass
from datetime import date as Day
from datetime import datetime, tzinfo

from forethought.memory.entities.roots import root_of
from forethought.memory.records.port import Records
from forethought.memory.salience import Grounds, saliences
from forethought.memory.types import Mention
from forethought.memory.when import day_in

SHARE = 0.05  # of the facts must be new for weighing all again within a day: ranks move slowly

_LAST = "salience"
"""Setting of a bank: when its facts were last weighed."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    """The user's day on which facts were weighed, up to which mark, and how many."""

    day: str = ""
    mark: int = 0
    facts: int = 0


@dataclass(frozen=True, slots=True)
class Weigher:
    """Weighs facts in `records`, by the user's days in `zone`. No model is called.

    The mark moves once all are weighed, so that a crash leaves work that the next call does.
    """

    records: Records
    zone: tzinfo

    async def catch_up(self, bank: str, *, now: datetime) -> int:
        """Weigh every fact of `bank` that holds, if that is due; how many were weighed."""
        kept = await self.records.setting(bank, _LAST)
        last = _Weighed(**json.loads(kept)) if kept else _Weighed()
        fresh, mark = await self.records.added(bank, since=last.mark)
        today = day_in(self.zone, now)
        if str(today) == last.day and len(fresh) <= SHARE * last.facts:
            return 0
        grounds = await self.grounds(bank)
        if not grounds.facts:
            return 0
        weighed = await asyncio.to_thread(saliences, grounds, today)
        await self.records.weigh(bank, weighed)
        done = _Weighed(str(today), mark, len(weighed))
        await self.records.setting(bank, _LAST, json.dumps(asdict(done)))
        return len(weighed)

    async def grounds(self, bank: str) -> Grounds:
        """What the salience of the bank's facts rests on, as it stands."""
        records = self.records
        promises = await records.commitments(bank, status="open")
        return Grounds(
            await records.facts(bank),
            await records.uses(bank),
            await self._days(bank),
            await records.links(bank),
            await self._mentions(bank),
            {fact for promise in promises for fact in promise.facts},
            self.zone,
        )

    async def _mentions(self, bank: str) -> list[Mention]:
        """Who is mentioned, by whatever name."""
        known = {one.id: one for one in await self.records.entities(bank)}
        joined = {one.id: root_of(one.id, known) for one in known.values() if one.into}
        found = await self.records.mentions(bank)
        return [Mention(m.fact, joined[m.entity]) if m.entity in joined else m for m in found]

    async def _days(self, bank: str) -> dict[str, Day]:
        sessions = await self.records.sessions(bank)
        return {one.id: day_in(self.zone, one.date) for one in sessions}
