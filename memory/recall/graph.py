"""The graph channel: activation that spreads from the facts a request resembles (Hindsight §4.2.2).

It finds what shares an entity, a day, a meaning or a cause with them, though it may resemble the
request in nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from forethought.memory.records.port import Records
from forethought.memory.types import Edge, EdgeKind

SEEDS = 5  # Hindsight's published code: the facts that the semantic channel puts first
DECAY = 0.8  # δ, the same
PRUNED = 0.1  # activation below it goes no further, the same
STEPS = 2  # an entity path is one step; over entities, which hardly decay, a third reaches a bank
FAN = 10  # latest facts for each entity: as many as a fact has temporal links
FRONTIER = 10  # most activated facts that pass it on; 40 cost three times as much and find no more
MULTIPLIER: Mapping[EdgeKind, float] = {  # μ, the same
    "causes": 2.0, "caused_by": 2.0, "enables": 1.5, "prevents": 1.5, "entity": 1.2,
    "temporal": 1.0, "semantic": 1.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Activated:
    """A fact that activation reached: how much, over which facts (the seed first), by which edge.

    A seed has no edge, and no fact before itself.
    """

    score: float
    path: tuple[str, ...] = ()
    edge: Edge | None = None


async def activated(
    records: Records, bank: str, seeds: Mapping[str, float], *, now: datetime
) -> dict[str, Activated]:
    """Spread activation over the bank's graph from `seeds` (fact id to cosine), as of `now`.

    A(f, t+1) = max over edges (g, f, w, ℓ) of A(g, t) · w · δ · μ(ℓ), and a fact counts with the
    greatest over all steps. A path visits no fact twice: a cause and its effect, each of which
    multiplies by 1.6, would else raise each other without end.
    """
    reached = {fact: Activated(score) for fact, score in seeds.items() if score >= PRUNED}
    frontier = reached
    for _ in range(STEPS):
        if not frontier:
            break
        edges = await records.neighbours(bank, list(frontier), now=now, fan=FAN)
        frontier = spread(frontier, edges)
        for fact, one in frontier.items():
            if fact not in reached or one.score > reached[fact].score:
                reached[fact] = one
    return reached


def spread(
    frontier: Mapping[str, Activated], edges: Mapping[str, list[Edge]]
) -> dict[str, Activated]:
    """One step: the facts that the frontier activates most, each as much as one of its facts does.

    What stays under the threshold is left out; of equal activations the smaller source id wins,
    then the smaller id.
    """
    best: dict[str, tuple[float, str, Edge]] = {}  # most edges lead to less than another does
    for source in sorted(frontier):
        passed = frontier[source].score * DECAY
        path = (*frontier[source].path, source)
        for edge in edges.get(source, []):
            score = passed * edge.weight * MULTIPLIER[edge.kind]
            least = best[edge.fact][0] if edge.fact in best else 0.0
            if score >= PRUNED and score > least and edge.fact not in path:
                best[edge.fact] = score, source, edge
    most = sorted(best, key=lambda fact: (-best[fact][0], fact))[:FRONTIER]
    return {
        fact: Activated(score, (*frontier[source].path, source), edge)
        for fact, (score, source, edge) in ((fact, best[fact]) for fact in most)
    }
