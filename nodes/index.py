"""retain: bring the index up to the records. What a crash left marked is picked up here too."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.indexing import Indexer
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.retain_state import RetainState


async def index(
    state: RetainState, runtime: Runtime[Context], *, indexer: Indexer
) -> dict[str, Any]:
    """Embed and index every marked fact, cue and turn of the bank, in this order."""
    watch = Stopwatch()
    added = await indexer.catch_up(context_of(runtime).bank)
    emit(runtime, "index", watch, vectors=added)
    return {}
