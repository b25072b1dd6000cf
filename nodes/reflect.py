"""agent: the opinions that an exchange calls for, formed or revised after the answer (CARA §5.4).

It asks once: the answer is out, and what is not understood now comes up again with the subject.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.beliefs.types import Opinion
from forethought.memory.errors import ModelError, StoreUnavailable
from forethought.memory.indexing import Indexer
from forethought.memory.plain import from_plain, to_plain
from forethought.memory.types import Fact, Hit
from forethought.nodes.citations import uncited
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import believed, dated, today
from forethought.nodes.model import Model
from forethought.nodes.opining import Ground, Opining
from forethought.nodes.state import AgentState
from forethought.nodes.usage import NOTHING
from forethought.nodes.who import who_answers
from forethought.prompts.prompt import Prompt
from forethought.prompts.reflect import Grounds, Reflection
from forethought.prompts.reflect import reflect as reflect_prompt


async def reflect(
    state: AgentState, runtime: Runtime[Context], *, indexer: Indexer, model: Model | None
) -> dict[str, Any]:
    """Ask which opinions the exchange calls for, and keep those that rest on facts shown.

    No call where no fact was shown, or where none is left to this question.
    """
    watch = Stopwatch()
    context = context_of(runtime)
    spent = state.get("usage") or NOTHING
    facts = _shown(state)
    if model is None or not facts or spent["calls"] >= context.max_calls:
        why = ["reflect: left out, the call budget is spent"] if model and facts else []
        emit(runtime, "reflect", watch, formed=[], skipped="; ".join(why) or "nothing to rest on")
        return {"formed": [], "notes": why}
    opinions = from_plain(list[Opinion], state.get("opinions") or [])
    who = await who_answers(indexer.records, context)
    reply = await model.ask(_prompt(state, facts, opinions, who), tries=1)
    at = datetime.fromisoformat(state["now"])
    opining = Opining(indexer, Ground(context.bank, at, facts, opinions))
    formed = await opining.settle(reply.value.opinions)
    notes = [f"reflect: {note}" for note in opining.notes]
    if reply.dropped:
        notes.append(f"reflect: {reply.dropped} opinions did not fit and were dropped")
    emit(
        runtime, "reflect", watch, dropped=opining.notes, **reply.usage,
        formed=[
            {"id": one.id, "text": one.text, "confidence": one.confidence, "steps": len(one.steps)}
            for one in formed
        ],
    )  # fmt: skip
    return {"formed": to_plain(formed), "usage": reply.usage, "notes": notes}


def reflect_failed(
    state: AgentState, runtime: Runtime[Context], error: NodeError
) -> dict[str, Any]:
    """The answer stands, and no opinion was formed."""
    problem = error.error
    if not isinstance(problem, ModelError | StoreUnavailable):
        raise problem
    emit(runtime, "reflect", Stopwatch(), formed=[], failed=str(problem))
    usage = problem.usage if isinstance(problem, ModelError) else dict(NOTHING)
    return {"formed": [], "usage": usage, "notes": [f"reflect: left out: {problem}"]}


def _shown(state: AgentState) -> list[Fact]:
    shown = set(state.get("shown") or ())
    hits = from_plain(list[Hit], state.get("hits") or [])
    return [hit.fact for hit in hits if hit.fact.id in shown]


def _prompt(
    state: AgentState, facts: list[Fact], opinions: list[Opinion], who: str
) -> Prompt[Reflection]:
    return reflect_prompt(
        query=state["query"],
        today=today(datetime.fromisoformat(state["now"])),
        grounds=Grounds(
            tuple(f"[F{number}] {dated(fact)}" for number, fact in enumerate(facts, start=1)),
            tuple(f"[O{number}] {believed(one)}" for number, one in enumerate(opinions, start=1)),
            uncited(state["answer"]),
        ),
        who=who,
    )
