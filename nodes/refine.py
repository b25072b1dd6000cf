"""prospect: imagine again, as it would unfold for this very person (PGR §3.3, Sⁱ)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.errors import ModelError
from forethought.memory.plain import from_plain, to_plain
from forethought.memory.prospection import Step
from forethought.memory.recall.candidates import from_rows
from forethought.memory.recall.recall import Recall
from forethought.memory.records.port import Records
from forethought.nodes.budget import TRIES, calls_left
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.imagine import imagined
from forethought.nodes.lines import dated, step_lines, today
from forethought.nodes.model import Model, Reply
from forethought.nodes.ranking import ranked_hits
from forethought.nodes.state import ProspectState
from forethought.prompts.prospection import Chain, Tree
from forethought.prompts.refine import refine_chain, refine_tree

SHOWN = 60  # facts of R shown at most, best first: about 1,500 tokens


async def refine(
    state: ProspectState, runtime: Runtime[Context], *, records: Records, model: Model | None
) -> dict[str, Any]:
    """Ask for Sⁱ from (q_A, R, Sⁱ⁻¹)."""
    watch = Stopwatch()
    if model is None:  # without one there are no steps to refine, and the loop never comes here
        return {}
    facts = await records.facts(context_of(runtime).bank, state["recalled"][:SHOWN])
    shown = {
        "query": state["request"],
        "today": today(datetime.fromisoformat(state["now"])),
        "steps": step_lines(from_plain(list[Step], state["steps"])),
        "facts": tuple(dated(fact) for fact in sorted(facts, key=lambda fact: fact.date)),
    }
    left = calls_left(state["usage"], context_of(runtime)) - 1  # without the one for the summary
    reply: Reply[Tree] | Reply[Chain]
    if context_of(runtime).shape == "tree":
        reply = await model.ask(refine_tree(**shown), tries=min(TRIES, left))  # type: ignore[arg-type]
    else:
        reply = await model.ask(refine_chain(**shown), tries=min(TRIES, left))  # type: ignore[arg-type]
    return {**imagined(reply, runtime, watch, node="refine"), "rounds": state["rounds"] + 1}


async def refine_failed(
    state: ProspectState, runtime: Runtime[Context], error: NodeError, *,
    recall: Recall, records: Records,
) -> dict[str, Any]:  # fmt: skip
    """Rank what has been found; no new steps means no new facts, so the loop ends."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    found = from_rows(state["candidates"])
    hits = await ranked_hits(state, context_of(runtime), found, recall=recall, records=records)
    emit(runtime, "refine", Stopwatch(), steps=[], failed=str(problem))
    return {
        "steps": state["steps"], "hits": to_plain(hits), "rounds": state["rounds"] + 1,
        "usage": problem.usage,
        "notes": [f"refine: stopped refining: {problem}"],
    }  # fmt: skip
