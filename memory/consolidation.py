"""Which facts belong together: near in meaning, and to be merged if learned within a few days.

Those to merge are PGR's (§3.2); those near each other whenever they were learned are the topics
that PPRO makes semantic memories of (§3.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from forethought.memory.embedding import Vectors
from forethought.memory.types import Fact

SAME_CLUSTER = 0.85  # cosine; PPRO B.3's τ_c, the paper names no value of its own
WINDOW = timedelta(days=7)  # PGR §3.2
TOPIC = 3  # facts, ours: the paper names no number; two are no shorter summed up than as they are
_BLOCK = 512  # rows compared at once: with 10,000 facts a block of cosines takes 20 MB


def groups(facts: Sequence[Fact], vectors: Mapping[str, Vectors]) -> list[list[Fact]]:
    """Groups of two or more of `facts`, each near its first member and at most a week younger."""
    return [cluster for cluster in _clusters(facts, vectors, WINDOW) if len(cluster) > 1]


def topics(facts: Sequence[Fact], vectors: Mapping[str, Vectors]) -> list[list[Fact]]:
    """Groups of three or more of `facts`, each near its first member, however much younger."""
    return [cluster for cluster in _clusters(facts, vectors, None) if len(cluster) >= TOPIC]


def _clusters(
    facts: Sequence[Fact], vectors: Mapping[str, Vectors], window: timedelta | None
) -> list[list[Fact]]:
    """All facts, each with the first that it is near to, or by itself.

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
            home = next((one for one in leaders if _leads(clusters.get(one), fact, window)), row)
            clusters.setdefault(home, []).append(fact)
    return list(clusters.values())


def _leads(cluster: list[Fact] | None, fact: Fact, window: timedelta | None) -> bool:
    if not cluster:
        return False
    soon = window is None or fact.date - cluster[0].date <= window
    return cluster[0].network == fact.network and soon
