"""Where a run goes on once a step has failed for good and its handler has made up for it.

LangGraph follows no edge out of an error handler: without a `Command` the run would end there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from inspect import isawaitable
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from langgraph.types import Command

from forethought.nodes.context import Context

Handler = Callable[..., Any]
Router = Callable[[Any], str]


def falling_back(handler: Handler, *, to: str | Router) -> Any:
    """`handler` as an `error_handler=`; the run goes on at `to`, or where that router says."""
    return partial(_handled, handler=handler, to=to)


async def _handled(
    state: Mapping[str, Any],
    runtime: Runtime[Context],
    error: NodeError,
    *,
    handler: Handler,
    to: str | Router,
) -> Command[Any]:
    update = handler(state, runtime, error)
    if isawaitable(update):
        update = await update
    goto = to if isinstance(to, str) else to({**state, **update})
    return Command(update=update, goto=goto)
