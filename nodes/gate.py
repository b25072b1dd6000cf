"""agent: whether to think ahead about the request or answer it from recall; no model call.

Recall with foresight costs no call and finds what a question is after; prospection pays where help
with a plan is asked for. In mode `auto` the request's wording and its likeness to the bank's cues
decide (`memory/recall/gate.py`).
"""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.recall.recall import Recall
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.state import AgentState


async def gate(state: AgentState, runtime: Runtime[Context], *, recall: Recall) -> dict[str, Any]:
    """The mode of this run: what the caller set, or what the request reads as."""
    watch = Stopwatch()
    context = context_of(runtime)
    mode, why = context.mode, "the caller set it"
    if mode == "auto":
        reading = await recall.reading(context.bank, state["query"])
        mode, why = ("prospect" if reading.thinks_ahead else "recall"), reading.why
    emit(runtime, "gate", watch, mode=mode, why=why)
    return {"mode": mode}
