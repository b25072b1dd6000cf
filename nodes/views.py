"""agent: what the assistant believes and has summed up that is near the request; no model call.

The user's profile comes to mind with every request.
"""

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
    """The user's profile, and opinions and observations near the request, as of that moment."""
    watch = Stopwatch()
    context = context_of(runtime)
    found = await recall.views(
        context.bank, state["query"], now=moment(context.now), about=context.summed_up
    )
    emit(
        runtime,
        "views",
        watch,
        opinions=[
            {"id": one.id, "text": one.text, "confidence": one.confidence} for one in found.opinions
        ],
        observations=[{"id": one.id, "text": one.text} for one in found.observations],
        user_profile=[{"id": one.id, "text": one.text} for one in found.user],
    )
    observations = to_plain([*found.user, *found.observations])
    return {"opinions": to_plain(found.opinions), "observations": observations}
