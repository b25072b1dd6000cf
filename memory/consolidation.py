"""Which facts to merge: near in meaning and learned within a few days (PGR §3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from forethought.memory.embedding import Vectors
from forethought.memory.types import Fact

SAME_CLUSTER = 0.85  # cosine; PPRO B.3's τ_c, the paper names no value of its own
WINDOW = timedelta(days=7)  # PGR §3.2
_BLOCK = 512  # rows compared at once: with 10,000 facts a block of cosines takes 20 MB


def groups(facts: Sequence[Fact], vectors: Mapping[str, Vectors]) -> list[list[Fact]]:
    """Groups of two or more of `facts`, each near its first member and at most a week younger.

    `vectors` are their unit vectors by id. Leaders are taken by date, so the same facts give the
    same groups; facts of different networks never meet.
    """
    import numpy as np

    by_date = sorted(facts, key=lambda fact: (fact.date, fact.id))
    clusters: dict[int, list[Fact]] = {}
    rows = np.array([vectors[fact.id] for fact in by_date])
    for start in range(0, len(by_date), _BLOCK):
        near = rows[start : start + _BLOCK] @ rows[: start + _BLOCK].T >= SAME_CLUSTER
        for row, fact in enumerate(by_date[start : start + _BLOCK], start):
            leaders = (int(one) for one in np.flatnonzero(near[row - start, :row]))
            home = next((one for one in leaders if _leads(clusters.get(one), fact)), row)
            clusters.setdefault(home, []).append(fact)
    return [cluster for cluster in clusters.values() if len(cluster) > 1]


def _leads(cluster: list[Fact] | None, fact: Fact) -> bool:
    if not cluster:
        return False
    return cluster[0].network == fact.network and fact.date - cluster[0].date <= WINDOW
