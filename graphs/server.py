"""What `langgraph dev` and Studio serve: a factory for each graph, all over one open App.

The server calls a factory for every run and for every look at a graph. So the first call opens the
stores, all share them, and they are closed when the event loop ends in which they were opened.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from forethought.graphs.agent import build_agent
from forethought.graphs.app import open_app
from forethought.graphs.prospect import build_prospect
from forethought.graphs.retain import build_retain
from forethought.graphs.settings import Settings, load_settings
from forethought.memory.errors import ForethoughtError, InvalidInput

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

Graph: TypeAlias = "CompiledStateGraph[Any, Any, Any, Any]"


@dataclass(frozen=True, slots=True)
class Graphs:
    """The compiled graphs over one App, without a checkpointer: the server brings its own."""

    prospect: Graph
    retain: Graph
    agent: Graph


class CannotServe(ForethoughtError, ValueError):
    """Why the stores could not be opened, as a ValueError: the kind that the server puts in words.

    A run then fails with this message, and a look at a graph is answered with it and status 400.
    """


class Served:
    """The graphs of one data directory, opened by the first who asks and kept open from then on."""

    def __init__(self, settings: Callable[[], Settings] = load_settings) -> None:
        """`settings` is called at each opening; nothing is opened yet."""
        self._settings = settings
        self._ready: asyncio.Future[Graphs] | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def graphs(self) -> Graphs:
        """The graphs, open. Raises what `open_app` raises, and tries again at the next call."""
        if self._ready is None or self._keeper is None or self._keeper.done():
            self._ready = asyncio.get_running_loop().create_future()
            # in a context of its own: what it logs is not part of the run that came first
            self._keeper = asyncio.create_task(
                self._keep_open(self._ready), context=contextvars.Context()
            )
        ready, keeper = self._ready, self._keeper
        _check_loop(keeper)
        await asyncio.wait((ready, keeper), return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            keeper.result()  # raises: it ended before it was open
        return ready.result()

    async def _keep_open(self, ready: asyncio.Future[Graphs]) -> None:
        """Hold the stores open until this task is cancelled, as all are when their loop ends."""
        settings = await asyncio.to_thread(self._settings)  # it reads `.env`
        async with open_app(settings) as app:
            ready.set_result(
                Graphs(
                    prospect=build_prospect(app).compile(name="prospect"),
                    retain=build_retain(app).compile(name="retain"),
                    agent=build_agent(app).compile(name="agent"),
                )
            )
            await asyncio.Event().wait()


def _check_loop(keeper: asyncio.Task[None]) -> None:
    if keeper.get_loop() is not asyncio.get_running_loop():
        raise InvalidInput(
            "the stores are open in another event loop of this process: run the server with one "
            "loop (BG_JOB_ISOLATED_LOOPS=false, its default)"
        )


_SERVED = Served()


async def prospect() -> Graph:
    """The `prospect` graph of the configured data directory. Raises CannotServe."""
    return (await _served()).prospect


async def retain() -> Graph:
    """The `retain` graph of the configured data directory. Raises CannotServe."""
    return (await _served()).retain


async def agent() -> Graph:
    """The `agent` graph of the configured data directory. Raises CannotServe."""
    return (await _served()).agent


async def _served() -> Graphs:
    try:
        return await _SERVED.graphs()
    except ForethoughtError as error:
        raise CannotServe(f"{type(error).__name__}: {error}") from error
