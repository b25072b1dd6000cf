"""retain: link what has come in to what lies near it in time and in meaning. No model is called."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.linking import Linker
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.retain_state import RetainState


async def link(state: RetainState, runtime: Runtime[Context], *, linker: Linker) -> dict[str, Any]:
    """Link every fact that no run has linked yet, those of earlier versions and imports too."""
    watch = Stopwatch()
    done = await linker.catch_up(context_of(runtime).bank)
    emit(runtime, "link", watch, **{name: n for name, n in asdict(done).items()})
    return {}
