"""Ask as a recorded run: from a question to an answer, or on from a step of an earlier run."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from langchain_core.messages import HumanMessage

from forethought.graphs.agent import build_agent
from forethought.graphs.app import App
from forethought.graphs.journal import Journal, Machine, Run
from forethought.graphs.recording import Recording, Watcher, branch
from forethought.graphs.runs import RunStore, new_run_id
from forethought.memory.errors import InvalidInput
from forethought.nodes.context import Context
from forethought.nodes.usage import NOTHING, Usage

OUTCOME = (
    "answer", "cited", "commitments", "hits", "turns", "opinions", "observations", "steps",
    "rewriting", "summary", "rounds", "formed", "retained", "notes", "usage",
)  # fmt: skip
"""What an ask gives, and its journal keeps: the answer, and what it rests on."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Runs the agent over `app`, every step checkpointed and journalled."""

    app: App
    store: RunStore
    watcher: Watcher

    async def ask(
        self, query: str, context: Context, *, id: str, thread: str | None = None
    ) -> dict[str, Any]:
        """The outcome of a new run `id`: with a `thread`, as the next turn of that chat."""
        await self.app.indexer.catch_up(context.bank)
        machine: Machine = "chat" if thread else "agent"
        await self.store.make_room(context.bank, machine)
        run = Run(id, machine, context.bank, query, asdict(context), self.app.clock(), thread or id)
        self.store.file(id).begin(run)
        given = {"messages": [HumanMessage(query)]}
        return await self._go(run, given)

    async def again(self, journal: Journal) -> dict[str, Any]:
        """The outcome of a chat's turn that was broken off, on from the step that was in hand."""
        return await self._go(journal.run, None, step=journal.last, lost=journal.lost)

    async def branch(self, journal: Journal, step: int, *, id: str) -> dict[str, Any]:
        """The outcome of a run `id` that shares with an earlier one the steps before `step`."""
        checkpoint = _before(journal, step)
        await self.store.make_room(journal.run.bank, "agent")
        run = branch(_asked(journal.run), id=id, step=step, started=self.app.clock())
        places = [place for place in journal.places if place.step < step]
        events = [happened for happened in journal.events if happened.step < step]
        self.store.file(id).begin(run, [*places, *events])
        for happened in events:
            self.watcher.event(happened)
        return await self._go(run, None, step=step - 1, checkpoint=checkpoint)

    async def _go(
        self, run: Run, given: Any, *,
        step: int = 0, checkpoint: str | None = None, lost: Usage | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        graph = build_agent(self.app).compile(checkpointer=self.store.saver, name="agent")
        recording = Recording(
            self.store, graph, run, self.watcher, step, self.app.model, lost or dict(NOTHING)
        )
        outcome = outcome_of(await recording.go(given, checkpoint=checkpoint))
        self.store.file(run.id).end(outcome)
        if run.machine == "chat":
            await self.store.trim(run.thread)
        return {"run": run.id, **outcome}


def new_id(now: datetime) -> str:
    """A name for a run that begins `now`."""
    return new_run_id(now, secrets.token_hex(3))


def outcome_of(state: Mapping[str, Any]) -> dict[str, Any]:
    """The part of the agent's state that a caller wants."""
    return {name: state[name] for name in OUTCOME if name in state}


def _asked(run: Run) -> Run:
    """The run with all its settings: one from before there were any on learning learned nothing."""
    return replace(run, context={"reflect": False, "remember": False, **run.context})


def _before(journal: Journal, step: int) -> str:
    """The checkpoint before `step`. Raises InvalidInput that lists the steps there are."""
    run = journal.run
    if run.machine != "agent":
        raise InvalidInput(
            f"{run.id} is a retain: an interrupted one goes on with the next `forethought retain`"
            if run.machine == "retain"
            else f"{run.id} is a turn of a chat: `forethought chat` goes on with it"
        )
    for place in journal.places:
        if place.step == step:
            return place.checkpoint
    there = ", ".join(f"{place.step} {place.node}" for place in journal.places)
    raise InvalidInput(f"{run.id} has no step {step}; it has {there or 'none'}")
