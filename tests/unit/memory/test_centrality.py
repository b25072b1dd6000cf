"""PageRank over links and entities is what solving its equations gives, without a pair stored."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.centrality import DAMPING, centralities
from forethought.memory.types import Link, Mention

FACTS = tuple(f"f{n}" for n in range(7))

some = st.sampled_from([*FACTS, "f-replaced"])
links = st.lists(st.builds(Link, some, some, st.just("temporal"), st.floats(0, 1)), max_size=9)
mentions = st.lists(st.builds(Mention, some, st.sampled_from(["e1", "e2", "e3"])), max_size=12)


def solved(links: list[Link], mentions: list[Mention]) -> list[float]:
    """By the equations of the whole matrix, every pair of facts that share an entity in it."""
    count = len(FACTS)
    ways = np.zeros((count, count))
    for link in links:
        if {link.source, link.target} <= set(FACTS):
            ends = FACTS.index(link.source), FACTS.index(link.target)
            ways[ends] += link.weight
            ways[ends[::-1]] += link.weight
    for entity in {one.entity for one in mentions}:
        said_by = {FACTS.index(m.fact) for m in mentions if m.entity == entity and m.fact in FACTS}
        for one, other in permutations(said_by, 2):
            ways[one, other] += 1 / (len(said_by) - 1)
    ways[ways.sum(axis=1) == 0] = 1
    step = ways / ways.sum(axis=1, keepdims=True)
    left = np.eye(count) - DAMPING * step.T
    solution: list[float] = np.linalg.solve(left, np.full(count, (1 - DAMPING) / count)).tolist()
    return solution


@given(links, mentions)
def test_ranks_are_those_that_the_equations_give(
    links: list[Link], mentions: list[Mention]
) -> None:
    links = [link for link in links if link.weight > 1e-6 or link.weight == 0]
    ranks = centralities(FACTS, links, mentions)
    assert ranks.sum() == pytest.approx(1)
    assert ranks == pytest.approx(solved(links, mentions), abs=1e-5)


def test_without_links_all_are_level_and_of_none_there_is_none() -> None:
    assert centralities(FACTS, [], []) == pytest.approx([1 / 7] * 7)
    assert list(centralities([], [Link("a", "b", "causes", 1.0)], [Mention("a", "e")])) == []


@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1e-12])
def test_a_link_that_weighs_nothing_leads_nowhere(weight: float) -> None:
    nothing = [Link("f0", other, "causes", weight) for other in ("f0", "f1")]
    assert centralities(FACTS, nothing, []) == pytest.approx([1 / 7] * 7)


def test_what_much_leads_to_ranks_first() -> None:
    hub = [Link("f0", fact, "causes", 1.0) for fact in FACTS[1:4]]
    named = [Mention(fact, "e1") for fact in ("f0", "f4", "f5")]
    ranks = centralities(FACTS, hub, named)
    assert np.argmax(ranks) == 0 and np.argmin(ranks) == 6
    assert ranks[4] == pytest.approx(ranks[5])


def test_an_entity_that_only_one_fact_mentions_is_no_way() -> None:
    alone = [Mention("f1", f"e{n}") for n in range(9)]
    assert centralities(FACTS, [], alone) == pytest.approx([1 / 7] * 7)


def test_a_name_said_twice_of_one_entity_is_one_mention() -> None:
    named = [Mention(fact, "e1") for fact in FACTS[:3]]
    link = [Link("f0", "f3", "causes", 1.0)]
    once, twice = (centralities(FACTS, link, some) for some in (named, [*named, *named[:1]]))
    assert once == pytest.approx(twice)
