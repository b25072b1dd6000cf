"""retain: a step that reads, asks the model and writes, run by one retain of a bank at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.locks import BankLocks
from forethought.nodes.context import Context, context_of
from forethought.nodes.retain_state import RetainState

Node = Callable[[RetainState, Runtime[Context]], Awaitable[dict[str, Any]]]


async def exclusive(
    state: RetainState, runtime: Runtime[Context], *, node: Node, locks: BankLocks
) -> dict[str, Any]:
    """Run `node` while no other run is in such a step of this bank, so that none is paid twice."""
    async with locks.of(context_of(runtime).bank):
        return await node(state, runtime)
