"""prospect: how many model calls a question may still make, and whether to refine once more."""

from __future__ import annotations

from typing import Literal

from forethought.nodes.context import Context
from forethought.nodes.state import ProspectState
from forethought.nodes.usage import Usage

TRIES = 2  # calls that one step may make: the question, and once more where the reply did not fit

Stop = Literal["nothing was imagined", "converged", "last round", "budget"]


def calls_left(spent: Usage, context: Context) -> int:
    """Calls that may still be made before the answer, for which one is kept back."""
    return context.max_calls - 1 - spent["calls"]


def stop_refining(state: ProspectState, context: Context) -> Stop | None:
    """Why not to refine again: less than δ was new after a refinement, I_max, nothing to spend.

    One call is kept for the summary of what was found.
    """
    if not state["steps"]:
        return "nothing was imagined"
    if state["rounds"] > 0 and state["fresh"] < context.delta:
        return "converged"
    if state["rounds"] >= context.max_rounds:
        return "last round"
    return "budget" if calls_left(state["usage"], context) <= 1 else None
