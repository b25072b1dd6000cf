"""prospect, last step: say how what was imagined led to what was remembered (PGR §3.3, PAG)."""

from __future__ import annotations

from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.errors import ModelError
from forethought.memory.plain import from_plain
from forethought.memory.prospection import Step
from forethought.memory.types import Hit
from forethought.nodes.budget import TRIES, calls_left, stop_refining
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import fact_lines, step_lines
from forethought.nodes.model import Model
from forethought.nodes.state import ProspectState
from forethought.prompts.summarise import summarise as summarise_prompt


async def summarise(
    state: ProspectState, runtime: Runtime[Context], *, model: Model | None
) -> dict[str, Any]:
    """Ask for the summary; there is none where nothing was imagined, found, or left to spend."""
    watch = Stopwatch()
    left = calls_left(state["usage"], context_of(runtime))
    stopped = stop_refining(state, context_of(runtime))
    notes = ["refine: stopped, the call budget is spent"] if stopped == "budget" else []
    if model is None or left < 1 or not state["steps"] or not state["hits"]:
        if state["steps"] and state["hits"]:
            notes.append("summarise: left out, the call budget is spent")
        emit(runtime, "summarise", watch, summary="", stopped=stopped)
        return {"notes": notes}
    prompt = summarise_prompt(
        query=state["request"],
        steps=step_lines(from_plain(list[Step], state["steps"])),
        facts=fact_lines([hit.fact for hit in from_plain(list[Hit], state["hits"])]),
    )
    reply = await model.ask(prompt, tries=min(TRIES, left))
    summary = reply.value.summary
    emit(runtime, "summarise", watch, summary=summary, stopped=stopped, **reply.usage)
    return {"summary": summary, "usage": reply.usage, "notes": notes}


def summarise_failed(
    state: ProspectState, runtime: Runtime[Context], error: NodeError
) -> dict[str, Any]:
    """Go on without a summary: the facts and where each one came from stand for themselves."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    emit(runtime, "summarise", Stopwatch(), summary="", failed=str(problem))
    return {"usage": problem.usage, "notes": [f"summarise: left out: {problem}"]}
