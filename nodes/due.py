"""agent, first on every turn: the commitments that its day or words bring up; no model call."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.ledger.firing import At, Firing, untold
from forethought.memory.ledger.watch import Watch
from forethought.memory.plain import to_plain
from forethought.memory.when import day_in
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import why
from forethought.nodes.moment import Moment
from forethought.nodes.state import AgentState


async def due(
    state: AgentState, runtime: Runtime[Context], *, watch: Watch, moment: Moment, zone: tzinfo
) -> dict[str, Any]:
    """The open commitments that fire, those that were not brought up on this day yet first.

    The day is the user's own, in `zone`. What was open at an earlier moment asked for fires then,
    whatever became of it since.
    """
    timer = Stopwatch()
    context = context_of(runtime)
    now = moment(context.now)
    fired, at = await brought_up(state["query"], context, watch=watch, now=now, zone=zone)
    fresh = untold(fired, at.on)
    ordered = [*fresh, *(one for one in fired if one not in fresh)]
    emit(runtime, "due", timer, commitments=_events(ordered, at), untold=len(fresh))
    return {"commitments": to_plain(ordered), "day": str(at.on)}


async def brought_up(
    query: str, context: Context, *, watch: Watch, now: datetime, zone: tzinfo
) -> tuple[list[Firing], At]:
    """The commitments that fire for a request at `now`, and that moment with the user's day."""
    at = At(now, day_in(zone, now))
    past = context.now is not None
    return await watch.firing(context.bank, query, at, past=past), at


def _events(fired: Sequence[Firing], at: At) -> list[dict[str, Any]]:
    return [
        {
            "id": one.commitment.id, "action": one.commitment.action, "because": why(one, at.on),
            "score": round(one.score, 3), "cue": one.cue if one.why == "turn" else None,
            "told": one.commitment.told == at.on,
        }
        for one in fired
    ]  # fmt: skip
