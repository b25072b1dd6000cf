"""agent: the facts that the answer cited were of use, and get what was asked as a cue.

No model is called.
"""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.errors import StoreUnavailable
from forethought.memory.ids import session_id
from forethought.memory.learning import Learner, Use, unfit
from forethought.memory.when import day_in
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.state import AgentState


async def learn(
    state: AgentState, runtime: Runtime[Context], *, learner: Learner, zone: tzinfo
) -> dict[str, Any]:
    """Have a similar request find at once what this one's answer cited of the facts it was given.

    And have those facts weigh more: their use is noted, on the user's own day (in `zone`).
    Doing it again changes nothing. Nothing is learned or noted where nothing is remembered or the
    log has no such session (any more), and nothing learned where no cues are searched (`foresight`
    0).
    """
    watch = Stopwatch()
    context = context_of(runtime)
    cited = _cited(state) if context.remember else []
    if not cited or not await _logged(state, context.bank, learner):
        emit(runtime, "learn", watch, used=[], learned=[])
        return {}
    now = datetime.fromisoformat(state["now"])
    await learner.indexer.records.use(context.bank, cited, on=day_in(zone, now))
    use = Use(state["query"], cited, now)
    learned = await learner.learn(context.bank, use) if context.foresight else []
    if learned:
        await learner.indexer.catch_up(context.bank)
    left_out = unfit(use.request)
    ids = [cue.id for cue in learned]
    emit(runtime, "learn", watch, used=cited, learned=ids, left_out=left_out)
    return {}


def learn_failed(state: AgentState, runtime: Runtime[Context], error: NodeError) -> dict[str, Any]:
    """The answer stands, and the request may teach nothing."""
    problem = error.error
    if not isinstance(problem, StoreUnavailable):
        raise problem
    emit(runtime, "learn", Stopwatch(), used=[], learned=[], failed=str(problem))
    return {"notes": [f"learn: left out: {problem}"]}


def _cited(state: AgentState) -> list[str]:
    """The facts among what was cited, as far as they were given."""
    shown = set(state.get("shown") or ())
    return [id for id in state.get("cited") or () if id in shown]


async def _logged(state: AgentState, bank: str, learner: Learner) -> bool:
    """Whether the log took this turn: a forgotten session is refused, and is not to come back."""
    key = (state.get("chat") or {}).get("key")
    if key is None:
        return False
    return bool(await learner.indexer.records.sessions(bank, ids=[session_id(bank, key)]))
