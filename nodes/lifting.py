"""agent: facts of commitments that fire are answered from, however far down they rank (PT §3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from forethought.memory.ledger.firing import Firing
from forethought.memory.ledger.floor import floored
from forethought.memory.records.port import Records
from forethought.memory.records.versions import current
from forethought.memory.types import Hit
from forethought.nodes.context import Context

TOP = 5  # places among which they are brought: PT's cut, recall@5


async def lifted(
    hits: Sequence[Hit], fired: Sequence[Firing], *, records: Records, context: Context,
    now: datetime,
) -> list[Hit]:  # fmt: skip
    """The best `limit` of `hits` and of the facts that firing commitments concern: the floor.

    A fact that was updated since counts as what it is now; one that is not known at `now` is none.
    """
    reasons = {
        fact: one.commitment.action for one in reversed(fired) for fact in one.commitment.facts
    }
    wanted = list(dict.fromkeys(fact for one in fired for fact in one.commitment.facts))
    concerned = await current(records, context.bank, wanted, now=now)
    found = {hit.fact.id for hit in hits}
    last = min((hit.score for hit in hits), default=0.0)
    added = {
        fact.id: Hit(fact, last, found_by=f"a commitment: {reasons[original]}")
        for original, fact in concerned.items()
        if fact.id not in found
    }
    surest = list(dict.fromkeys(fact.id for fact in concerned.values()))
    among = min(TOP, context.limit)
    return floored([*hits, *added.values()], surest, among=among)[: context.limit]
