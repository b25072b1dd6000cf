"""A step that reads, asks the model and writes, run by one run of a bank at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from langgraph.runtime import Runtime

from forethought.memory.locks import BankLocks
from forethought.nodes.context import Context, context_of

State = TypeVar("State")


async def exclusive(
    state: State,
    runtime: Runtime[Context],
    *,
    node: Callable[[State, Runtime[Context]], Awaitable[dict[str, Any]]],
    locks: BankLocks,
) -> dict[str, Any]:
    """Run `node` while no other run is in such a step of this bank, so that none is paid twice."""
    async with locks.of(context_of(runtime).bank):
        return await node(state, runtime)
