"""Activation spreads as Hindsight's formula has it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.recall.graph import (
    DECAY,
    FRONTIER,
    MULTIPLIER,
    PRUNED,
    STEPS,
    Activated,
    activated,
    spread,
)
from forethought.memory.records.port import Records
from forethought.memory.types import Edge, EdgeKind

NOW = datetime(2026, 3, 1, tzinfo=UTC)
Graph = dict[str, list[Edge]]


class _Graph:
    """The one method of Records that the channel reads, over edges in memory."""

    def __init__(self, edges: Graph) -> None:
        self.edges = edges
        self.asked: list[list[str]] = []

    async def neighbours(
        self, bank: str, facts: list[str], *, now: datetime, fan: int
    ) -> dict[str, list[Edge]]:
        self.asked.append(facts)
        return {fact: self.edges.get(fact, []) for fact in facts}


async def _over(edges: Graph, seeds: dict[str, float]) -> dict[str, Activated]:
    return await activated(cast(Records, _Graph(edges)), "b", seeds, now=NOW)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("causes", 0.8), ("caused_by", 0.8), ("enables", 0.6), ("prevents", 0.6), ("entity", 0.48),
     ("temporal", 0.4), ("semantic", 0.4)],
)  # fmt: skip
async def test_an_edge_multiplies_by_its_weight_the_decay_and_what_its_kind_counts(
    kind: EdgeKind, expected: float
) -> None:
    found = await _over({"a": [Edge("b", kind, 0.5)]}, {"a": 1.0})
    assert found["b"].score == pytest.approx(expected)


async def test_a_fact_reached_twice_counts_with_the_greater_not_the_sum() -> None:
    edges = {"a": [Edge("c", "temporal", 0.9)], "b": [Edge("c", "semantic", 0.8)]}
    found = await _over(edges, {"a": 0.5, "b": 0.9})
    assert found["c"].score == pytest.approx(0.9 * 0.8 * DECAY)
    assert found["c"].path == ("b",)


async def test_a_longer_way_counts_where_it_activates_more() -> None:
    edges = {"a": [Edge("c", "temporal", 0.2), Edge("b", "causes", 1.0)],
             "b": [Edge("c", "causes", 1.0)]}  # fmt: skip
    found = await _over(edges, {"a": 0.6})
    assert found["c"].path == ("a", "b")
    assert found["c"].score == pytest.approx(0.6 * 1.6 * 1.6)


async def test_a_cause_and_its_effect_do_not_raise_each_other() -> None:
    edges = {"a": [Edge("b", "causes", 1.0)], "b": [Edge("a", "caused_by", 1.0)]}
    found = await _over(edges, {"a": 0.5})
    assert found["a"].score == 0.5
    assert found["b"].score == pytest.approx(0.8)


async def test_what_falls_under_the_threshold_goes_no_further() -> None:
    edges = {"a": [Edge("b", "temporal", 0.12), Edge("c", "temporal", 0.2)]}
    found = await _over(edges, {"a": 1.0, "d": 0.05})
    assert set(found) == {"a", "c"}


async def test_a_fact_that_many_mention_costs_a_step_no_more_than_its_frontier() -> None:
    edges = {"a": [Edge(f"b{n:04}", "entity", 1.0) for n in range(500)]}
    graph = _Graph(edges)
    await activated(cast(Records, graph), "b", {"a": 1.0}, now=NOW)
    assert [len(facts) for facts in graph.asked] == [1, FRONTIER]


async def test_without_seeds_nothing_is_asked() -> None:
    graph = _Graph({})
    assert await activated(cast(Records, graph), "b", {}, now=NOW) == {}
    assert graph.asked == []


NAMES = st.sampled_from("abcdef")
EDGES = st.builds(Edge, NAMES, st.sampled_from(sorted(MULTIPLIER)), st.floats(0, 1))
GRAPHS = st.dictionaries(NAMES, st.lists(EDGES, max_size=4))


def _over_all_paths(graph: Graph, seeds: dict[str, float]) -> dict[str, float]:
    """The same by brute force: every path of up to STEPS edges that visits no fact twice."""
    best: dict[str, float] = {}

    def walk(path: tuple[str, ...], score: float) -> None:
        if score < PRUNED:
            return
        best[path[-1]] = max(score, best.get(path[-1], score))
        if len(path) <= STEPS:
            for edge in graph.get(path[-1], []):
                if edge.fact not in path:
                    gain = edge.weight * DECAY * MULTIPLIER[edge.kind]
                    walk((*path, edge.fact), score * gain)

    for seed, score in seeds.items():
        walk((seed,), score)
    return best


@given(GRAPHS, st.dictionaries(NAMES, st.floats(0, 1), max_size=3))
async def test_no_path_activates_more_and_one_step_finds_the_best(
    graph: Graph, seeds: dict[str, float]
) -> None:
    found = {fact: one.score for fact, one in (await _over(graph, seeds)).items()}
    best = _over_all_paths(graph, seeds)
    assert all(score <= best[fact] * (1 + 1e-9) for fact, score in found.items())
    assert found.keys() <= best.keys()
    steps = spread({fact: Activated(s) for fact, s in seeds.items() if s >= PRUNED}, graph)
    for fact, one in steps.items():
        assert found[fact] >= one.score


@given(GRAPHS, st.dictionaries(NAMES, st.floats(0, 1), max_size=3))
async def test_the_order_of_seeds_and_edges_decides_nothing(
    graph: Graph, seeds: dict[str, float]
) -> None:
    turned = {fact: edges[::-1] for fact, edges in reversed(graph.items())}
    one = await _over(graph, seeds)
    two = await _over(turned, dict(reversed(seeds.items())))
    assert {f: a.score for f, a in one.items()} == {f: a.score for f, a in two.items()}
