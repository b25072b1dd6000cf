"""What facts have become: the version of each that holds at a moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from forethought.memory.records.port import Records
from forethought.memory.types import Fact

_MOST = 8  # updates of a fact that are followed to the one that holds


async def current(
    records: Records, bank: str, ids: Sequence[str], *, now: datetime
) -> dict[str, Fact]:
    """By the id of each: the fact itself or what replaced it, as it holds at `now`.

    Left out is what is not known, or not yet at `now`.
    """
    found: dict[str, Fact] = {}
    origin = {id: [id] for id in ids}
    for _ in range(_MOST):
        if not origin:
            break
        facts = await records.facts(bank, list(origin))
        found |= {id: fact for fact in facts if fact.holds(now) for id in origin[fact.id]}
        later: dict[str, list[str]] = {}
        for fact in facts:
            if fact.successor and fact.until is not None and fact.until <= now:
                later.setdefault(fact.successor, []).extend(origin[fact.id])
        origin = later
    return {id: found[id] for id in ids if id in found}
