"""The rules of links: pure, bounded, and the same from either side."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.index import Neighbour
from forethought.memory.links import MOST_SIMILAR, WITHIN, causal, moved, semantic, temporal
from forethought.memory.types import Link

hours = st.floats(0, 24).map(lambda h: timedelta(hours=h))
ids = st.sampled_from(["f1", "f2", "f3"])


@given(hours, hours)
def test_the_nearer_in_time_the_heavier_and_never_nothing(one: timedelta, other: timedelta) -> None:
    near, far = sorted([one, other])
    (heavy,), (light,) = (temporal("f1", [("f2", apart)]) for apart in (near, far))
    assert 1 >= heavy.weight >= light.weight > 0.1


def test_a_day_apart_is_the_edge() -> None:
    assert temporal("f1", [("f2", WITHIN)])[0].weight == pytest.approx(0.135335)
    assert temporal("f1", [("f2", WITHIN + timedelta(seconds=1))]) == []


def test_links_without_direction_are_one_from_either_side() -> None:
    apart = timedelta(hours=3)
    assert temporal("f2", [("f1", apart)]) == temporal("f1", [("f2", apart)])
    near = [Neighbour("f1", 0.8)], [Neighbour("f2", 0.8)]
    both = {"f1", "f2"}
    assert semantic("f2", near[0], holding=both, at_least=0.7) == semantic(
        "f1", near[1], holding=both, at_least=0.7
    )


def test_only_the_most_alike_that_hold_are_linked() -> None:
    near = [Neighbour(f"f{n}", 1.0 - n / 100) for n in range(20)]
    holding = {one.id for one in near} - {"f2"}
    found = semantic("f0", near, holding=holding, at_least=0.95)
    assert [link.target for link in found] == ["f1", "f3", "f4", "f5"]
    most = semantic("f0", near, holding=holding, at_least=0.5)
    assert len(most) == MOST_SIMILAR
    assert (
        semantic("f9", [Neighbour("f1", 1.0000001)], holding=holding, at_least=0.7)[0].weight == 1
    )


@given(ids, st.sampled_from(["causes", "caused_by", "enables", "prevents", "resembles", ""]), ids)
def test_a_causal_link_joins_two_facts_or_is_none(one: str, kind: str, other: str) -> None:
    link = causal(one, kind, other)
    if link is None:
        assert one == other or kind in {"resembles", ""}
    elif kind == "caused_by":
        assert link == causal(other, "causes", one) == Link(other, one, "causes", 1.0)
    else:
        assert link == Link(one, other, link.kind, 1.0)


def test_a_merged_fact_takes_over_the_causes_of_its_originals() -> None:
    links = [
        Link("f1", "f9", "causes", 1.0),
        Link("f9", "f2", "prevents", 1.0),
        Link("f1", "f2", "enables", 1.0),
        Link("f1", "f9", "temporal", 0.5),
    ]
    assert moved(links, merged={"f1", "f2"}, to="m") == [
        Link("f9", "m", "prevents", 1.0),
        Link("m", "f9", "causes", 1.0),
    ]
