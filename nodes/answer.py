"""agent: the streamed answer, grounded in what it cites."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from forethought.memory.errors import InvalidInput
from forethought.memory.plain import from_plain, to_plain
from forethought.memory.records.port import Records
from forethought.memory.types import Hit
from forethought.nodes.bearing import firing_in
from forethought.nodes.citations import checked
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.given import Given, given_for
from forethought.nodes.lifting import lifted
from forethought.nodes.lines import today
from forethought.nodes.model import Model
from forethought.nodes.remaining import remaining
from forethought.nodes.state import AgentState
from forethought.nodes.who import who_answers
from forethought.prompts.answer import answer as answer_prompt

NO_MODEL = (
    "no model is configured, so nothing can be answered: set FORETHOUGHT_MODEL (for instance "
    "openai:gpt-4.1-mini) and, for a server of your own, FORETHOUGHT_BASE_URL; or try "
    "`forethought demo`"
)


async def answer(
    state: AgentState, runtime: Runtime[Context], *, records: Records, model: Model | None
) -> dict[str, Any]:
    """Stream the answer from the four networks and, as far as the budget of tokens goes, turns.

    What was forgotten since it was found is left out.
    What commitments call for is brought up, and the facts that they concern are among the first.
    A cited id that was not given is removed from it and named in `notes`.
    """
    watch = Stopwatch()
    if model is None:
        raise InvalidInput(NO_MODEL)
    context = context_of(runtime)
    now = datetime.fromisoformat(state["now"])
    there = await remaining(state, context.bank, records)
    state = cast(AgentState, {**state, **there})
    hits = await lifted(
        from_plain(list[Hit], state["hits"]), firing_in(state), records=records, context=context,
        now=now,
    )  # fmt: skip
    given = await given_for(state, hits, records, context)
    prompt = answer_prompt(
        query=state["query"],
        today=today(now),
        remembered=given.remembered,
        summary=state.get("summary") or "",
        who=await who_answers(records, context),
    )
    said = await model.stream(prompt)
    text, cited, invented = checked(said.text, given.ids)
    notes = _left_out(given, context)
    notes += [f"answer: removed a citation of {name}, never given" for name in invented]
    if said.cut:
        notes.append(f"answer: it ends where {model.name} hit its output limit")
    emit(runtime, "answer", watch, cited=cited, invented=invented, **said.usage)
    return {
        **there,
        "messages": [AIMessage(text, id=said.id)],
        "answer": text,
        "cited": cited,
        "hits": to_plain(hits),
        "shown": given.rested_on,
        "told": given.told,
        "usage": said.usage,
        "notes": notes,
    }


def _left_out(given: Given, context: Context) -> list[str]:
    shown = len(given.rested_on)
    if shown == given.facts:
        return []
    full = f"the first {shown} of {given.facts} facts fill {context.budget} tokens"
    return [f"answer: {full}, the others were left out"]
