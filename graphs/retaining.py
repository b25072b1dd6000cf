"""Retain conversations as recorded runs: what was interrupted first, then what is new."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from langgraph.runtime import RunControl

from forethought.graphs.app import App
from forethought.graphs.journal import Journal, Run
from forethought.graphs.recording import Recording, Watcher, counting
from forethought.graphs.retain import build_retain
from forethought.graphs.runs import ATTEMPTS, RunStore, new_run_id
from forethought.memory.conversations import Conversation
from forethought.nodes.context import Context
from forethought.nodes.usage import NOTHING


@dataclass(frozen=True, slots=True)
class Retained:
    """What one run did; `report`, `notes`, `usage` are the graph's. `again`: gone on with."""

    run: str
    report: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=lambda: dict(NOTHING))
    again: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """What to retain: conversations, where they came from, and every pending session if asked."""

    conversations: Sequence[Conversation] = ()
    source: str = ""
    pending: bool = False

    @property
    def state(self) -> dict[str, Any]:
        """The input of the graph."""
        sessions = [talk.model_dump(mode="json") for talk in self.conversations]
        return {"sessions": sessions, "pending": self.pending}


@dataclass(frozen=True, slots=True)
class Retainer:
    """Runs retain over `app`; once `control` is asked to drain, it stops after the step in hand."""

    app: App
    store: RunStore
    watcher: Watcher
    control: RunControl

    async def resume(self, bank: str) -> AsyncIterator[Retained]:
        """Go on with every interrupted retain of `bank` from its last checkpoint, oldest first.

        One that waits for a model while none is configured keeps waiting. One that failed again and
        again is given up, which its notes say: its sessions are in the log.
        """
        for journal in self.store.interrupted(bank):
            run = journal.run
            if len(journal.failures) >= ATTEMPTS:
                yield await self._given_up(journal)
                continue
            graph = build_retain(self.app).compile(checkpointer=self.store.saver, name="retain")
            state = await graph.aget_state({"configurable": {"thread_id": run.thread}})
            if self.app.model is None and "extract" in state.next:
                note = f"run {run.id} was interrupted and goes on once a model is configured"
                yield Retained(run.id, notes=[note], again=True)
                continue
            recording = Recording(
                self.store, graph, run, self.watcher, journal.last, self.app.model, journal.lost
            )
            done = (
                await recording.go(None, control=self.control)
                if state.next
                else counting(state.values, journal.lost)
            )
            yield await self._ended(run, done, again=True)

    async def retain(self, work: Work, context: Context, now: datetime) -> Retained:
        """Retain what is new."""
        id = new_run_id(now, secrets.token_hex(3))
        run = Run(id, "retain", context.bank, work.source, asdict(context), now, id)
        await self.store.make_room(context.bank, "retain")
        self.store.file(id).begin(run)
        graph = build_retain(self.app).compile(checkpointer=self.store.saver, name="retain")
        recording = Recording(self.store, graph, run, self.watcher, model=self.app.model)
        done = await recording.go(work.state, control=self.control)
        return await self._ended(run, done)

    async def _ended(self, run: Run, state: dict[str, Any], *, again: bool = False) -> Retained:
        """Close the journal first: a crash in between leaves checkpoints that nobody needs."""
        result: dict[str, Any] = {
            name: state[name] for name in ("report", "notes", "usage") if name in state
        }
        self.store.file(run.id).end(result)
        await self.store.forget_checkpoints(run.thread)
        return Retained(run.id, again=again, **result)

    async def _given_up(self, journal: Journal) -> Retained:
        note = (
            f"run {journal.run.id} was given up after {len(journal.failures)} failures, the last: "
            f"{journal.failures[-1]}. What it had logged stays pending (`forethought retain "
            "--pending`); give files again that it had not logged"
        )
        spent = {"notes": [note], "usage": journal.usage or dict(NOTHING)}
        return await self._ended(journal.run, spent, again=True)


@asynccontextmanager
async def drained_by(
    signal: int, control: RunControl, say: Callable[[], None]
) -> AsyncIterator[None]:
    """The first `signal` asks the run to stop after the step in hand, a second ends it at once."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def stop() -> None:
        if control.drain_requested and task is not None:
            task.cancel()
            return
        control.request_drain()
        say()

    loop.add_signal_handler(signal, stop)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal)
