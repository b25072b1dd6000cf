"""What bears on a request beside its words, from what earlier steps of the turn found out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from forethought.memory.ledger.firing import Firing
from forethought.memory.plain import from_plain
from forethought.memory.recall.rewriting import Rewritten
from forethought.memory.recall.terms import Bearing
from forethought.nodes.context import Context


def bearing_of(state: Mapping[str, Any], context: Context) -> Bearing:
    """The facts of commitments that `due` found firing, and what a rewriting says of the request.

    Where neither step has run, and in `prospect` by itself, the weights alone.
    """
    rewriting = state.get("rewriting")
    return bearing(
        firing_in(state), context, from_plain(Rewritten, rewriting) if rewriting else None
    )


def bearing(
    fired: Sequence[Firing], context: Context, rewritten: Rewritten | None = None
) -> Bearing:
    """What bears on a request while these commitments fire."""
    firing = frozenset(fact for one in fired for fact in one.commitment.facts)
    if rewritten is None:
        return Bearing(context.weights, firing)
    return Bearing(context.weights, firing, rewritten.days, rewritten.dimensions)


def firing_in(state: Mapping[str, Any]) -> list[Firing]:
    """The commitments that came to mind with the request."""
    return from_plain(list[Firing], state.get("commitments") or [])
