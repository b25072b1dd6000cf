"""agent: find facts with no model call, by what they say and by when they matter."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.plain import to_plain
from forethought.memory.recall.recall import Recall
from forethought.nodes.bearing import bearing_of
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import quoted
from forethought.nodes.moment import Moment
from forethought.nodes.rewriting import rewritten_in
from forethought.nodes.state import AgentState


async def recall(
    state: AgentState, runtime: Runtime[Context], *, recall: Recall, moment: Moment
) -> dict[str, Any]:
    """The best `limit` facts for the request, or for what it was rewritten to, and turns beside."""
    watch = Stopwatch()
    context = context_of(runtime)
    now = moment(context.now)
    found = await recall.recall(
        context.bank, rewritten_in(state).searched, now=now, limit=context.limit,
        channels=context.channels, bearing=bearing_of(state, context),
    )  # fmt: skip
    turns = found.turns[: context.quoted]
    emit(
        runtime,
        "recall",
        watch,
        hits=[{"id": h.fact.id, "text": h.fact.text, "by": h.found_by} for h in found.hits],
        turns=[{"id": said.turn.id, "text": quoted(said)} for said in turns],
        read=found.read,
    )
    return {
        "now": now.isoformat(), "hits": to_plain(found.hits), "turns": to_plain(turns),
        "steps": [], "summary": "", "rounds": 0,
    }  # fmt: skip
