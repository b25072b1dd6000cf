"""The trace: each node writes one `custom` stream event of what it did."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from langgraph.runtime import Runtime

from forethought.nodes.context import Context


class Stopwatch:
    """Milliseconds since it was made."""

    def __init__(self) -> None:
        """Start now."""
        self._start = perf_counter()

    @property
    def ms(self) -> float:
        """Milliseconds elapsed, to a tenth."""
        return round((perf_counter() - self._start) * 1000, 1)


def emit(runtime: Runtime[Context], node: str, watch: Stopwatch, **what: Any) -> None:
    """Stream `{"node": node, "ms": …, **what}`; every value must be plain data."""
    runtime.stream_writer({"node": node, "ms": watch.ms, **what})
