"""Run a graph so that nothing of it is lost: each step checkpointed, each event in the journal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
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
from forethought.nodes.context import Context
from forethought.nodes.model import text_of

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
    """One run of `graph`, compiled with the saver of `store`; `step` is the one in hand."""

    store: RunStore
    graph: Graph
    run: Run
    watcher: Watcher = field(default_factory=Watcher)
    step: int = 0

    async def go(
        self, given: Any, *, checkpoint: str | None = None, control: RunControl | None = None
    ) -> dict[str, Any]:
        """Run from `given`, or with None from `checkpoint` (default: the last); return the state.

        Raises what the graph raises; the journal then says so. `control` can ask it to stop after
        the step in hand, which raises GraphDrained.
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
            file.fail(str(error) or type(error).__name__)
            raise
        return dict(state.values)

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


def branch(run: Run, *, id: str, step: int, started: datetime) -> Run:
    """A run that goes on from `step` of `run`, with the same settings and on the same thread."""
    return replace(run, id=id, started=started, origin=f"{run.id} step {step}")
