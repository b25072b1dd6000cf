"""Before facts are found: ground the request in what it surely means, or have it rewritten.

PGR's q_A and PPRO's q' (§3.3 of both) come of one model call.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from forethought.memory.errors import InvalidInput, ModelError
from forethought.memory.plain import to_plain
from forethought.memory.recall.recall import Recall
from forethought.memory.recall.rewriting import Original, Rewriter, Rewriting
from forethought.memory.types import Said
from forethought.nodes.bearing import bearing_of
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import message_line
from forethought.nodes.moment import Moment
from forethought.nodes.rewriting import (
    given_up,
    kept,
    original_of,
    rewriting_of,
    rewritten_in,
    told,
)
from forethought.nodes.spoken import so_far
from forethought.nodes.state import AgentState, ProspectState
from forethought.nodes.usage import NOTHING


async def augment(
    state: ProspectState | AgentState, runtime: Runtime[Context], *,
    recall: Recall, rewriter: Rewriter | None, moment: Moment,
) -> dict[str, Any]:  # fmt: skip
    """Find φ(q; τ₀) and lay it beside the request, or have the request rewritten by it.

    The request of a chat is rewritten in the light of what was said before it.
    """
    watch = Stopwatch()
    context = context_of(runtime)
    check_asked(state.get("query"))
    now = moment(context.now)
    original = await _original(state, context, recall, now)
    made = await rewriting_of(original, context, rewriter)
    update = _afresh(original, made, now)
    turns = await _quoted(recall, context, {**state, **update}, now)
    emit(
        runtime, "augment", watch, request=update["request"], facts=list(original.facts),
        rewritten=told(made.rewritten), **made.usage,
    )  # fmt: skip
    return {**update, "turns": to_plain(turns)}


def check_asked(query: object) -> None:
    """Refuse a query that asks nothing: who embeds `prospect` may hand on anything."""
    if not isinstance(query, str):
        kind = "nothing" if query is None else f"a value of type {type(query).__name__}"
        raise InvalidInput(f"query: expected the request in words, found {kind}")
    if not query.strip():
        raise InvalidInput(
            "query: expected the request in words, found nothing: say what to look for"
        )


async def augment_failed(
    state: ProspectState | AgentState, runtime: Runtime[Context], error: NodeError, *,
    recall: Recall, moment: Moment,
) -> dict[str, Any]:  # fmt: skip
    """Go on with the request as it was said, and what it surely means beside it."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    context = context_of(runtime)
    now = moment(context.now)
    emit(runtime, "augment", Stopwatch(), failed=str(problem))
    original = await _original(state, context, recall, now)
    update = _afresh(original, given_up(original, problem), now)
    return {**update, "turns": to_plain(await _quoted(recall, context, {**state, **update}, now))}


async def _original(
    state: ProspectState | AgentState, context: Context, recall: Recall, now: datetime
) -> Original:
    messages: Any = state.get("messages")  # a prospection by itself has no conversation
    said = so_far(messages or [])
    return await original_of(
        state["query"], context, recall=recall, now=now,
        conversation=tuple(message_line(one.role, one.text) for one in said),
    )  # fmt: skip


async def _quoted(
    recall: Recall, context: Context, state: dict[str, Any], now: datetime
) -> list[Said]:
    """What the log has for the request: imagined steps resemble nothing in it.

    Twice the turns that may be shown, since those whose facts are found are left out then.
    """
    if not context.quoted or state.get("mode") == "recall":  # there the log is searched with facts
        return []
    return await recall.said(
        context.bank, rewritten_in(state).searched, now=now, limit=2 * context.quoted,
        bearing=bearing_of(state, context),
    )  # fmt: skip


def _afresh(original: Original, made: Rewriting, now: datetime) -> dict[str, Any]:
    """All channels of the loop at their start, whatever an earlier run on this thread left."""
    return {
        "request": made.rewritten.request,
        "rewriting": kept(made, original),
        "now": now.isoformat(),
        "context": list(original.facts),
        "usage": Overwrite({**NOTHING, **made.usage}),
        "notes": Overwrite([f"augment: {note}" for note in made.notes]),
        "candidates": {},
        "recalled": [],
        "fresh": 0,
        "rounds": 0,
        "steps": [],
        "hits": [],
        "turns": [],
        "summary": "",
    }
