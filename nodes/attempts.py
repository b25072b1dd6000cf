"""What the attempts of a step paid for model calls, so that one that is run again counts them all.

LangGraph forgets what a failed attempt of a step spent: neither its update nor its error gets on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from langgraph.runtime import get_runtime

from forethought.nodes.usage import NOTHING, Usage, add_usage

_STEPS = 1000  # remembered at most: far more than are at work at once, each some hundred bytes


@dataclass(slots=True)
class _Step:
    """One step of one run: which attempt it is at, what that paid, and what earlier ones did."""

    attempt: int
    paid: Usage = field(default_factory=lambda: dict(NOTHING))
    owed: Usage = field(default_factory=lambda: dict(NOTHING))


class Attempts:
    """Counts by step and attempt. A call outside of a graph is of no step and owes nothing."""

    def __init__(self) -> None:
        """Count from nothing."""
        self._steps: dict[str, _Step] = {}

    def owed(self) -> Usage:
        """What earlier attempts of this step paid and no call has counted yet; now one does."""
        step = self._step()
        if step is None:
            return dict(NOTHING)
        owed, step.owed = step.owed, dict(NOTHING)
        return owed

    def pay(self, usage: Usage) -> None:
        """A call of this step came to this, with what it took over from earlier attempts."""
        if step := self._step():
            step.paid = add_usage(step.paid, usage)

    def lost(self, task: str) -> Usage:
        """What all attempts of the step with this task id paid; from then on that is forgotten."""
        step = self._steps.pop(task, None)
        return add_usage(step.owed, step.paid) if step else dict(NOTHING)

    def _step(self) -> _Step | None:
        place = _place()
        if place is None:
            return None
        task, attempt = place
        step = self._steps.pop(task, None)
        if step is None or attempt == 1 < step.attempt:  # or a checkpoint that is taken up again
            step = _Step(attempt)
        elif attempt > step.attempt:
            step = _Step(attempt, owed=add_usage(step.owed, step.paid))
        self._steps[task] = step  # as the latest
        if len(self._steps) > _STEPS:
            del self._steps[next(iter(self._steps))]
        return step


def _place() -> tuple[str, int] | None:
    """The running step of a graph, and which attempt at it this is; None outside of any."""
    try:
        runtime = get_runtime()
    except RuntimeError:
        return None
    info = runtime.execution_info if runtime else None
    return (info.task_id, info.node_attempt) if info else None
