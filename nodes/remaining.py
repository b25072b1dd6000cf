"""agent: what earlier steps found, without what was forgotten since.

Another run may forget meanwhile, and a run may be taken up from a checkpoint long after.
"""

from __future__ import annotations

import asyncio
from typing import Any

from forethought.memory.records.port import Records
from forethought.memory.types import fact_ids
from forethought.nodes.state import AgentState


async def remaining(state: AgentState, bank: str, records: Records) -> dict[str, Any]:
    """What is still there of what the answer is to be given, as plain data by channel.

    A summary tells of all that was found, so that it goes with any of it.
    """
    found: dict[str, list[dict[str, Any]]] = {
        "hits": state.get("hits") or [],
        "turns": state.get("turns") or [],
        "commitments": state.get("commitments") or [],
        "opinions": state.get("opinions") or [],
        "observations": state.get("observations") or [],
    }
    ids = {channel: [_id(one) for one in some] for channel, some in found.items()}
    facts, turns, commitments, opinions, observations = await asyncio.gather(
        records.facts(bank, ids["hits"]),
        records.placed(bank, ids["turns"]),
        records.commitments(bank, ids["commitments"]),
        records.opinions(bank, ids["opinions"]),
        records.observations(bank, ids=ids["observations"]),
    )
    there = {*fact_ids(facts), *(one.turn.id for one in turns), *(one.id for one in commitments)}
    there |= {*(one.id for one in opinions), *(one.id for one in observations)}
    left = {channel: [one for one in some if _id(one) in there] for channel, some in found.items()}
    return left if left == found else {**left, "summary": ""}


def _id(one: dict[str, Any]) -> str:
    """The id of a view, or of the fact, turn or commitment that was found."""
    id: str = (one.get("fact") or one.get("turn") or one.get("commitment") or one)["id"]
    return id
