"""Retrieval metrics as pure functions of ranks, and the mean over questions.

A question needs one or more references. The rank of a reference counts from 0 and is None where the
reference was not found; recall@k and exact@k are PGR's Recall and RecallExact (§5.1) after k facts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

Ranks = Sequence[int | None]
"""One rank for each reference that a question needs."""


def ranks(found: Sequence[str], needed: Sequence[Collection[str]]) -> list[int | None]:
    """For each reference the place in `found`, best first, of the first fact that stands for it."""
    place: dict[str, int] = {}
    for position, fact in enumerate(found):
        place.setdefault(fact, position)
    return [min((place[fact] for fact in facts if fact in place), default=None) for facts in needed]


def recall_at(k: int, found: Ranks) -> float:
    """Share of the references among the first `k` facts, in [0, 1]. Raises ValueError for none."""
    if not found:
        raise ValueError("recall of nothing: the question needs no reference")
    return sum(rank is not None and rank < k for rank in found) / len(found)


def exact_at(k: int, found: Ranks) -> float:
    """1.0 where all references are among the first `k` facts, else 0.0."""
    return float(recall_at(k, found) == 1)


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean. Raises ValueError for no values."""
    if not values:
        raise ValueError("mean of nothing")
    return sum(values) / len(values)
