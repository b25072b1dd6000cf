"""agent: what earlier steps found, without what was forgotten since.

Another run may forget meanwhile, and a run may be taken up from a checkpoint long after.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from forethought.memory.records.port import Records
from forethought.memory.types import Placed
from forethought.nodes.state import AgentState

_Reader: TypeAlias = Callable[[list[str]], Awaitable[Sequence[Any]]]


async def remaining(state: AgentState, bank: str, records: Records) -> dict[str, Any]:
    """What is still there of what the answer is to be given, as plain data by channel.

    A summary tells of all that was found, so that it goes with any of it.
    """
    readers: dict[str, _Reader] = {
        "hits": lambda ids: records.facts(bank, ids),
        "turns": lambda ids: records.placed(bank, ids),
        "commitments": lambda ids: records.commitments(bank, ids),
        "opinions": lambda ids: records.opinions(bank, ids),
        "observations": lambda ids: records.observations(bank, ids=ids),
    }
    held: dict[str, Any] = {**state}
    found: dict[str, list[dict[str, Any]]] = {name: held.get(name) or [] for name in readers}
    stored = await asyncio.gather(
        *(readers[name]([_id(one) for one in some]) for name, some in found.items() if some)
    )
    there = {(one.turn if isinstance(one, Placed) else one).id for some in stored for one in some}
    left = {channel: [one for one in some if _id(one) in there] for channel, some in found.items()}
    return left if left == found else {**left, "summary": ""}


def _id(one: dict[str, Any]) -> str:
    """The id of a view, or of the fact, turn or commitment that was found."""
    id: str = (one.get("fact") or one.get("turn") or one.get("commitment") or one)["id"]
    return id
