"""prospect, first step: ground the request in facts that are surely about it (PGR §3.3, q_A)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from forethought.memory.errors import InvalidInput, ModelError
from forethought.memory.plain import to_plain
from forethought.memory.recall.recall import Recall
from forethought.memory.types import Fact, Said
from forethought.memory.words import retells
from forethought.nodes.budget import TRIES, calls_left
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import dated, today
from forethought.nodes.model import Model
from forethought.nodes.moment import Moment
from forethought.nodes.state import ProspectState
from forethought.nodes.usage import NOTHING, Usage
from forethought.prompts.augment import augment as augment_prompt


async def augment(
    state: ProspectState,
    runtime: Runtime[Context],
    *,
    recall: Recall,
    model: Model | None,
    moment: Moment,
) -> dict[str, Any]:
    """Find φ(q; τ₀) and lay it beside the request, or have the model restate the request by it.

    What the log has for the request is looked up, too: imagined steps resemble nothing in it.
    """
    watch = Stopwatch()
    context = context_of(runtime)
    if not state["query"].strip():
        raise InvalidInput("query: expected the request in words, found nothing")
    now = moment(context.now)
    await recall.embedder.embed([state["query"]])  # once, and remembered, for both
    facts, turns = await asyncio.gather(
        _sure(recall, context, state["query"], now), _quoted(recall, context, state["query"], now)
    )
    request, usage, notes = state["query"], dict(NOTHING), list[str]()
    left = calls_left(usage, context)
    if facts and context.augment == "model" and model is not None and left > 0:
        said, usage = await _restated(request, facts, now, model, tries=min(TRIES, left))
        if retells(said, request):
            request = said
        else:
            notes = [f"augment: the request stays as it was said, not as {said[:80]!r}"]
    emit(runtime, "augment", watch, request=request, facts=[fact.text for fact in facts], **usage)
    lines = [dated(fact) for fact in facts]
    return {**_afresh(request, now, lines, usage, notes), "turns": to_plain(turns)}


def augment_failed(
    state: ProspectState, runtime: Runtime[Context], error: NodeError, *, moment: Moment
) -> dict[str, Any]:
    """Go on with the request as it was said."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    emit(runtime, "augment", Stopwatch(), failed=str(problem))
    now = moment(context_of(runtime).now)
    notes = [f"augment: the request stays as it was said, no turns were recalled: {problem}"]
    return _afresh(state["query"], now, [], problem.usage, notes)


async def _sure(recall: Recall, context: Context, query: str, now: datetime) -> Sequence[Fact]:
    if context.augment == "off":
        return []
    return await recall.sure(context.bank, query, now=now, k=context.probe_k, floor=context.tau0)


async def _quoted(recall: Recall, context: Context, query: str, now: datetime) -> list[Said]:
    """Twice the turns that may be shown, since those whose facts are found are left out then."""
    if not context.quoted:
        return []
    return await recall.said(context.bank, query, now=now, limit=2 * context.quoted)


async def _restated(
    query: str, facts: Sequence[Fact], now: datetime, model: Model, *, tries: int
) -> tuple[str, Usage]:
    lines = tuple(dated(fact) for fact in facts)
    prompt = augment_prompt(query=query, today=today(now), facts=lines)
    reply = await model.ask(prompt, tries=tries)
    return reply.value.request, reply.usage


def _afresh(
    request: str, now: datetime, lines: list[str], usage: Any, notes: list[str]
) -> dict[str, Any]:
    """All channels of the loop at their start, whatever an earlier run on this thread left."""
    return {
        "request": request,
        "now": now.isoformat(),
        "context": lines,
        "usage": Overwrite(dict(usage)),
        "notes": Overwrite(notes),
        "candidates": {},
        "recalled": [],
        "fresh": 0,
        "rounds": 0,
        "steps": [],
        "hits": [],
        "turns": [],
        "summary": "",
    }
