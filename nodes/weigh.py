"""retain: weigh the facts by themselves, once enough of them changed or a new day began (PT §3.1).

No model is called.
"""

from __future__ import annotations

from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.errors import StoreUnavailable
from forethought.memory.weighing import Weigher
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.moment import Moment
from forethought.nodes.retain_state import RetainState


async def weigh(
    state: RetainState, runtime: Runtime[Context], *, weigher: Weigher, moment: Moment
) -> dict[str, Any]:
    """Compute the salience of every fact anew, where that is due."""
    watch, context = Stopwatch(), context_of(runtime)
    weighed = await weigher.catch_up(context.bank, now=moment(context.now))
    emit(runtime, "weigh", watch, weighed=weighed)
    return {}


def weigh_failed(state: RetainState, runtime: Runtime[Context], error: NodeError) -> dict[str, Any]:
    """Facts weigh what they did; the next retain weighs them."""
    problem = error.error
    if not isinstance(problem, StoreUnavailable):
        raise problem
    emit(runtime, "weigh", Stopwatch(), weighed=0, failed=str(problem))
    return {"notes": [f"not weighed: {problem}"]}
