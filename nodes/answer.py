"""agent, last step: the streamed answer, grounded in facts that it cites."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from forethought.memory.errors import InvalidInput
from forethought.memory.plain import from_plain
from forethought.memory.recall.pack import packed
from forethought.memory.recall.turns import beside
from forethought.memory.records.port import Records
from forethought.memory.tokens import counted
from forethought.memory.types import Hit, Said, fact_ids
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import fact_lines, said_lines, today
from forethought.nodes.model import Model
from forethought.nodes.state import AgentState
from forethought.prompts.answer import answer as answer_prompt

NO_MODEL = (
    "no model is configured, so nothing can be answered: set FORETHOUGHT_MODEL (for instance "
    "openai:gpt-4.1-mini) and, for a server of your own, FORETHOUGHT_BASE_URL; or try "
    "`forethought demo`"
)
_ID = r"(?:f\w*\d\w*|t[0-9a-f]*\d[0-9a-f]*)"  # of a fact or a turn, or what a model takes for one
_CITATION = re.compile(rf"\s?\[\s*({_ID}(?:\s*[,;]\s*{_ID})*)\s*\]")


async def answer(
    state: AgentState, runtime: Runtime[Context], *, records: Records, model: Model | None
) -> dict[str, Any]:
    """Stream the answer from the best facts and, as far as the budget of tokens goes, turns.

    A cited id that was not given is removed from it and named in `notes`.
    """
    watch = Stopwatch()
    if model is None:
        raise InvalidInput(NO_MODEL)
    context = context_of(runtime)
    given = await _given(state, records, context)
    notes = given.notes
    prompt = answer_prompt(
        query=state["query"],
        today=today(datetime.fromisoformat(state["now"])),
        facts=tuple(given.facts.values()),
        turns=tuple(given.turns.values()),
        summary=state.get("summary") or "",
    )
    said = await model.stream(prompt)
    text, cited, invented = checked(said.text, {**given.facts, **given.turns})
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


@dataclass(frozen=True, slots=True)
class _Given:
    """The lines that the model is shown, by id, and notes on those for which there is no room."""

    facts: dict[str, str]
    turns: dict[str, str]
    notes: list[str]


async def _given(state: AgentState, records: Records, context: Context) -> _Given:
    """Facts first, then the turns that say other things."""
    hits = from_plain(list[Hit], state["hits"])
    said = beside(from_plain(list[Said], state.get("turns") or []), hits)[: context.quoted]
    facts = [hit.fact for hit in hits]
    earlier = await records.earlier(context.bank, fact_ids(facts))
    lines = [*fact_lines(facts, earlier), *said_lines(said)]
    kept = packed(lines, await counted(lines), context.budget)
    given = _Given(
        dict(zip(fact_ids(facts), kept, strict=False)),
        dict(zip([one.turn.id for one in said], kept[len(facts) :], strict=False)),
        [],
    )
    if len(kept) < len(facts):
        full = f"the first {len(kept)} of {len(facts)} facts fill {context.budget} tokens"
        given.notes.append(f"answer: {full}, the others were left out")
    return given


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
