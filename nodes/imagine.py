"""prospect: imagine how the request may unfold, from the request alone (PGR §3.3, S⁰)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.errors import ModelError
from forethought.memory.plain import to_plain
from forethought.memory.prospection import Step, repaired
from forethought.nodes.budget import TRIES, calls_left
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import today
from forethought.nodes.model import Model, Reply
from forethought.nodes.state import ProspectState
from forethought.prompts.imagine import imagine_chain, imagine_tree
from forethought.prompts.prospection import Chain, Tree


async def imagine(
    state: ProspectState, runtime: Runtime[Context], *, model: Model | None
) -> dict[str, Any]:
    """Ask for a tree or chain and make it sound; without a model the request is the only probe."""
    watch = Stopwatch()
    left = calls_left(state["usage"], context_of(runtime))
    if model is None or left < 1:
        why = "no model is configured" if model is None else "the call budget is spent"
        emit(runtime, "imagine", watch, steps=[])
        return {"steps": [], "notes": [f"imagine: {why}; the request alone is the probe"]}
    tries = min(TRIES, left)
    said = {
        "query": state["request"],
        "today": today(datetime.fromisoformat(state["now"])),
        "context": tuple(state["context"]),
    }
    reply: Reply[Tree] | Reply[Chain]
    if context_of(runtime).shape == "tree":
        reply = await model.ask(imagine_tree(**said), tries=tries)  # type: ignore[arg-type]
    else:
        reply = await model.ask(imagine_chain(**said), tries=tries)  # type: ignore[arg-type]
    return imagined(reply, runtime, watch, node="imagine")


def imagine_failed(
    state: ProspectState, runtime: Runtime[Context], error: NodeError
) -> dict[str, Any]:
    """Fall back to the request alone as the only probe."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    emit(runtime, "imagine", Stopwatch(), steps=[], failed=str(problem))
    return {
        "steps": [], "usage": problem.usage,
        "notes": [f"imagine: fell back to the request alone: {problem}"],
    }  # fmt: skip


def imagined(
    reply: Reply[Tree] | Reply[Chain], runtime: Runtime[Context], watch: Stopwatch, *, node: str
) -> dict[str, Any]:
    """The update for a reply: its steps made sound, every repair named."""
    prospection = repaired(_steps(reply.value))
    repairs = list(prospection.repairs)
    if reply.dropped:
        repairs.append(f"{reply.dropped} steps did not fit and were dropped")
    if not prospection.steps:
        repairs.append("no step was usable; the request alone is the probe")
    steps = [to_plain(step) for step in prospection.steps]
    emit(runtime, node, watch, steps=steps, repairs=repairs, **reply.usage)
    return {
        "steps": steps,
        "usage": reply.usage,
        "notes": [f"{node}: {repair}" for repair in repairs],
    }


def _steps(answer: Tree | Chain) -> Sequence[Step]:
    if isinstance(answer, Tree):
        return [Step(s.action_id, s.action, s.constraints, s.parent) for s in answer.steps]
    return [
        Step(f"A{number}", step.action, step.constraints, f"A{number - 1}" if number > 1 else None)
        for number, step in enumerate(answer.steps, start=1)
    ]
