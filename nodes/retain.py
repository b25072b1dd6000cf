"""agent, last step: retain what waits of this chat, through the whole retain machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.errors import ModelError, StoreUnavailable
from forethought.memory.ids import session_id
from forethought.memory.records.port import Records
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.state import AgentState
from forethought.nodes.usage import NOTHING


class Retains(Protocol):
    """The compiled retain machine."""

    async def ainvoke(self, given: Any, /, *, context: Context) -> dict[str, Any]:
        """Its report, notes and usage."""


async def retain(
    state: AgentState, runtime: Runtime[Context], *, records: Records, machine: Retains
) -> dict[str, Any]:
    """Run the machine over the sessions that are due; what it could not extract stays pending."""
    watch = Stopwatch()
    context = context_of(runtime)
    sessions = await as_logged(records, context.bank, state["chat"].get("retain", []))
    # one that failed before is read again: more has been said in it since
    done = await machine.ainvoke({"sessions": sessions}, context=replace(context, retry=True))
    report = done["report"]
    left = [entry["key"] for entry in report if entry.get("status") in {"pending", "failed"}]
    notes = [f"retain: {note}" for note in done["notes"]]
    if left:
        notes.append(_pending(len(left)))
    facts = sum(entry.get("facts", 0) for entry in report)
    emit(runtime, "retain", watch, sessions=len(report), facts=facts, left=left, **done["usage"])
    return {
        "retained": report, "usage": done["usage"], "notes": notes, "chat": _after(state, left),
    }  # fmt: skip


def retain_failed(state: AgentState, runtime: Runtime[Context], error: NodeError) -> dict[str, Any]:
    """The answer stands, the turns are in the log, and the sessions wait."""
    problem = error.error
    if not isinstance(problem, ModelError | StoreUnavailable):
        raise problem
    emit(runtime, "retain", Stopwatch(), sessions=0, facts=0, failed=str(problem))
    left = state["chat"].get("retain", [])
    usage = problem.usage if isinstance(problem, ModelError) else dict(NOTHING)
    notes = [f"retain: stopped: {problem}", _pending(len(left))]
    return {"usage": usage, "notes": notes, "chat": _after(state, left)}


def _after(state: AgentState, left: Sequence[str]) -> dict[str, Any]:
    """The chat's place, with the sessions of earlier days that are still to be read."""
    chat = state["chat"]
    return {**chat, "retain": [], "waiting": [key for key in left if key != chat.get("key")]}


def _pending(count: int) -> str:
    which = "a session stays" if count == 1 else f"{count} sessions stay"
    return f"retain: {which} pending, a later retain takes up what is in the log"


async def as_logged(records: Records, bank: str, keys: Sequence[str]) -> list[dict[str, Any]]:
    """These sessions as they are in the log, which is as `retain` takes them."""
    found = await records.sessions(bank, ids=[session_id(bank, key) for key in keys])
    return [
        {
            "key": session.key,
            "date": session.date.isoformat(),
            "turns": [
                {"role": turn.role, "text": turn.text, "name": turn.name}
                for turn in await records.turns(bank, session.id)
            ],
        }
        for session in found
    ]
