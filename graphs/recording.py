"""Run a graph so that nothing of it is lost: each step checkpointed, each event in the journal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessageChunk
from langgraph.constants import START
from langgraph.errors import GraphDrained
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import RunControl
from langgraph.types import StreamMode

from forethought.graphs.journal import Happened, JournalFile, Place, Run
from forethought.graphs.runs import FILE, RunStore, failures_named
from forethought.memory.errors import ForethoughtError, StoreUnavailable
from forethought.nodes.context import Context
from forethought.nodes.model import Model, text_of
from forethought.nodes.usage import NOTHING, Usage, add_usage

_TRIM_EVERY = 40  # checkpoints of a retain: each holds the whole state, so they must not pile up
_STEPS = 1_000_000  # LangGraph's own limit is for loops that do not end; ours are bounded by design

Graph = CompiledStateGraph[Any, Context, Any, Any]


def _ignore(*_: object) -> None:
    """For those who do not watch."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is told of each event, and of each piece of the answer with its message's id."""

    event: Callable[[Happened], None] = _ignore
    token: Callable[[str, str | None], None] = _ignore


@dataclass(slots=True)
class Recording:
    """One run of `graph`, compiled with the saver of `store`; `step` is the one in hand.

    `model` is asked what failed steps cost; `lost` is what those of the run's earlier goes did.
    """

    store: RunStore
    graph: Graph
    run: Run
    watcher: Watcher = field(default_factory=Watcher)
    step: int = 0
    model: Model | None = None
    lost: Usage = field(default_factory=lambda: dict(NOTHING))

    async def go(
        self, given: Any, *, checkpoint: str | None = None, control: RunControl | None = None
    ) -> dict[str, Any]:
        """Run from `given`, or with None from `checkpoint` (default: the last); return the state.

        Its `usage` has what was lost, too. Raises what the graph raises; the journal then says so,
        and what was paid by then. `control` can ask it to stop after the step in hand, which raises
        GraphDrained.
        """
        file = self.store.file(self.run.id)
        try:
            with failures_named(self.store.directory / FILE):
                async for mode, chunk in self._stream(given, checkpoint, control):
                    if mode == "messages":
                        self._said(*chunk)
                    elif mode == "checkpoints":
                        await self._moved(chunk, file)
                    else:
                        happened = Happened(self.step, chunk)
                        file.add(happened)
                        self.watcher.event(happened)
                state = await self.graph.aget_state(self._config())
        except GraphDrained:
            raise
        except Exception as error:
            await self._failed(error, file)
            raise
        return counting(state.values, self.lost)

    async def _failed(self, error: Exception, file: JournalFile) -> None:
        usage = await self._paid()
        file.fail(str(error) or type(error).__name__, usage=usage, lost=self.lost)
        if isinstance(error, ForethoughtError):
            error.usage = usage

    async def _paid(self) -> Usage:
        """What the run cost: its steps that ended, and from now on those that failed as lost."""
        try:
            with failures_named(self.store.directory / FILE):
                state = await self.graph.aget_state(self._config())
        except StoreUnavailable:
            return self.lost
        if self.model is not None:
            for task in state.tasks:
                self.lost = add_usage(self.lost, self.model.lost(task.id))
        # before the first step the state is that of the thread's last run
        ended = state.values.get("usage") if self.step > 1 else None
        return add_usage(ended, self.lost)

    def _stream(
        self, given: Any, checkpoint: str | None, control: RunControl | None
    ) -> AsyncIterator[Any]:
        # with "messages" LangGraph has every model call stream, which only the answer needs
        watched: list[StreamMode] = ["custom", "checkpoints"]
        if self.run.machine != "retain":
            watched.append("messages")
        return self.graph.astream(
            given,
            self._config(checkpoint),
            context=Context(**self.run.context),
            stream_mode=watched,
            durability="sync",
            control=control,
        )

    def _config(self, checkpoint: str | None = None) -> Any:
        place = {"thread_id": self.run.thread}
        if checkpoint is not None:
            place |= {"checkpoint_id": checkpoint, "checkpoint_ns": ""}
        return {"configurable": place, "recursion_limit": _STEPS}

    def _said(self, message: Any, metadata: dict[str, Any]) -> None:
        if isinstance(message, AIMessageChunk) and metadata.get("langgraph_node") == "answer":
            self.watcher.token(text_of(message), message.id)

    async def _moved(self, checkpoint: dict[str, Any], file: JournalFile) -> None:
        """A checkpoint was written: unless it is the input's or the last, a step begins."""
        nodes = checkpoint["next"]
        if not nodes or nodes == [START]:
            return
        self.step += 1
        file.add(Place(self.step, checkpoint["config"]["configurable"]["checkpoint_id"], nodes[0]))
        if self.run.machine == "retain" and self.step % _TRIM_EVERY == 0:
            await self.store.trim(self.run.thread)


def counting(state: Mapping[str, Any], lost: Usage) -> dict[str, Any]:
    """The state with what was lost in its `usage`."""
    return {**state, "usage": add_usage(state.get("usage"), lost)}


def branch(run: Run, *, id: str, step: int, started: datetime) -> Run:
    """A run that goes on from `step` of `run`, with the same settings and on the same thread."""
    return replace(run, id=id, started=started, origin=f"{run.id} step {step}")
