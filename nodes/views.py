"""agent: what the assistant believes and has summed up that is near the request; no model call."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.plain import to_plain
from forethought.memory.recall.recall import Recall
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.moment import Moment
from forethought.nodes.state import AgentState


async def views(
    state: AgentState, runtime: Runtime[Context], *, recall: Recall, moment: Moment
) -> dict[str, Any]:
    """The opinions and observations near the request, as they were at that moment."""
    watch = Stopwatch()
    context = context_of(runtime)
    found = await recall.views(context.bank, state["query"], now=moment(context.now))
    emit(
        runtime,
        "views",
        watch,
        opinions=[
            {"id": one.id, "text": one.text, "confidence": one.confidence} for one in found.opinions
        ],
        observations=[{"id": one.id, "text": one.text} for one in found.observations],
    )
    return {"opinions": to_plain(found.opinions), "observations": to_plain(found.observations)}
