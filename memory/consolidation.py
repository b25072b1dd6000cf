"""Which facts to merge: near in meaning and learned within a few days (PGR §3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from forethought.memory.embedding import Vectors
from forethought.memory.types import Fact

SAME_CLUSTER = 0.85  # cosine; PPRO B.3's τ_c, the paper names no value of its own
WINDOW = timedelta(days=7)  # PGR §3.2


def groups(facts: Sequence[Fact], vectors: Vectors) -> list[list[Fact]]:
    """Groups of two or more of `facts`, each near its first member and at most a week younger.

    `vectors` are their unit vectors, row by row. Leaders are taken by date, so the same facts give
    the same groups; facts of different networks never meet.
    """
    rows = sorted(range(len(facts)), key=lambda row: (facts[row].date, facts[row].id))
    clusters: list[list[int]] = []
    for row in rows:
        home = next((c for c in clusters if _belongs(row, c[0], facts, vectors)), None)
        if home is None:
            clusters.append([row])
        else:
            home.append(row)
    return [[facts[row] for row in cluster] for cluster in clusters if len(cluster) > 1]


def _belongs(row: int, leader: int, facts: Sequence[Fact], vectors: Vectors) -> bool:
    return (
        facts[row].network == facts[leader].network
        and facts[row].date - facts[leader].date <= WINDOW
        and float(vectors[row] @ vectors[leader]) >= SAME_CLUSTER
    )
