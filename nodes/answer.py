"""agent, last step: the streamed answer, grounded in facts that it cites."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from forethought.memory.errors import InvalidInput
from forethought.memory.plain import from_plain
from forethought.memory.recall.pack import packed
from forethought.memory.records.port import Records
from forethought.memory.tokens import counted
from forethought.memory.types import Hit, fact_ids
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import fact_lines, today
from forethought.nodes.model import Model
from forethought.nodes.state import AgentState
from forethought.prompts.answer import answer as answer_prompt

NO_MODEL = (
    "no model is configured, so nothing can be answered: set FORETHOUGHT_MODEL (for instance "
    "openai:gpt-4.1-mini) and, for a server of your own, FORETHOUGHT_BASE_URL; or try "
    "`forethought demo`"
)
_CITATION = re.compile(r"\s?\[\s*(f\w*\d\w*(?:\s*[,;]\s*f\w*\d\w*)*)\s*\]")


async def answer(
    state: AgentState, runtime: Runtime[Context], *, records: Records, model: Model | None
) -> dict[str, Any]:
    """Stream the answer from the best facts, as many as fit into the budget of tokens.

    A cited id that was not given is removed from it and named in `notes`.
    """
    watch = Stopwatch()
    if model is None:
        raise InvalidInput(NO_MODEL)
    context = context_of(runtime)
    lines, notes = await _packed(state["hits"], records, context)
    given = list(lines)
    prompt = answer_prompt(
        query=state["query"],
        today=today(datetime.fromisoformat(state["now"])),
        facts=tuple(lines.values()),
        summary=state.get("summary") or "",
    )
    said = await model.stream(prompt)
    text, cited, invented = checked(said.text, given)
    notes += [f"answer: removed a citation of {name}, never given" for name in invented]
    if said.cut:
        notes.append(f"answer: it ends where {model.name} hit its output limit")
    emit(runtime, "answer", watch, cited=cited, invented=invented, **said.usage)
    return {
        "messages": [AIMessage(text, id=said.id)],
        "answer": text,
        "cited": cited,
        "usage": said.usage,
        "notes": notes,
    }


async def _packed(
    found: list[Any], records: Records, context: Context
) -> tuple[dict[str, str], list[str]]:
    """The lines of the facts that fit into the budget, by fact, and a note on those that do not."""
    facts = [hit.fact for hit in from_plain(list[Hit], found)]
    lines = fact_lines(facts, await records.earlier(context.bank, fact_ids(facts)))
    kept = packed(lines, await counted(lines), context.budget)
    given = dict(zip(fact_ids(facts), kept, strict=False))
    if len(kept) == len(lines):
        return given, []
    full = f"the first {len(kept)} of {len(lines)} facts fill {context.budget} tokens"
    return given, [f"answer: {full}, the others were left out"]


def checked(text: str, given: Collection[str]) -> tuple[str, list[str], list[str]]:
    """`text` without citations of ids not `given`; the ids it cites; the ids it invented."""
    cited: dict[str, None] = {}
    invented: dict[str, None] = {}

    def kept(match: re.Match[str]) -> str:
        names = re.split(r"\s*[,;]\s*", match[1])
        good = [name for name in names if name in given]
        cited.update(dict.fromkeys(good))
        invented.update(dict.fromkeys(name for name in names if name not in given))
        lead = match[0][: match[0].index("[")]
        return f"{lead}[{', '.join(good)}]" if good else ""

    return _CITATION.sub(kept, text), list(cited), list(invented)
