"""The order in which facts lead to others, and names to entities: the part without a store."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.records.paths import (
    Ways,
    edge_kind,
    latest_of,
    namesakes_of,
    nearest,
    neighbours_of,
)
from forethought.memory.types import Edge
from tests.contracts.samples import day, entity

facts = st.sampled_from("abcdef")
# A fact has one date, whichever list it stands in.
said = facts.map(lambda fact: (f"2024-01-0{ord(fact) % 4 + 1}", fact))
DAY = timedelta(days=1)


@given(lists=st.lists(st.lists(said, unique=True), max_size=3), k=st.integers(0, 7))
def test_the_latest_of_several_lists_are_the_latest_of_all_of_them(
    lists: list[list[tuple[str, str]]], k: int
) -> None:
    every = {fact: date for one in lists for date, fact in one}
    found = latest_of(lists, k=k)
    assert len(found) == min(k, len(every))
    assert [date for date, _ in found] == sorted(every.values(), reverse=True)[:k]
    assert all(
        date > later or fact < other
        for (date, fact), (later, other) in zip(found, found[1:], strict=False)
    )


def test_neighbours_are_by_kind_then_weight_or_date_then_id() -> None:
    links = [
        ("a", Edge("c", "temporal", 0.5)), ("a", Edge("b", "temporal", 0.5)),
        ("a", Edge("d", "temporal", 0.9)), ("a", Edge("b", "causes", 0.1)),
        ("z", Edge("b", "causes", 0.1)),
    ]  # fmt: skip
    latest = {
        "e1": [("2", "d"), ("1", "a"), ("1", "b"), ("0", "c")],
        "e2": [("2", "c"), ("1", "a")],
    }
    found = neighbours_of(["a", "x"], Ways(links, {"a": ["e1", "e2", "e3"]}, latest), fan=2)
    assert list(found) == ["a", "x"]
    assert not found["x"]
    assert found["a"] == [
        Edge("b", "causes", 0.1),
        Edge("c", "entity", 1.0, "e2"),
        Edge("d", "entity", 1.0, "e1"),
        Edge("b", "entity", 1.0, "e1"),
        Edge("d", "temporal", 0.9),
        Edge("b", "temporal", 0.5),
        Edge("c", "temporal", 0.5),
    ]


def test_only_what_causes_has_a_name_of_its_own_backwards() -> None:
    assert edge_kind("causes", backwards=True) == "caused_by"
    assert edge_kind("causes", backwards=False) == "causes"
    assert {edge_kind(kind, backwards=True) for kind in ("enables", "prevents", "temporal")} == {
        "enables", "prevents", "temporal",
    }  # fmt: skip


@given(
    offsets=st.dictionaries(facts, st.integers(-9, 9)),
    within=st.integers(-1, 9),
    k=st.integers(0, 7),
)
def test_the_nearest_lie_within_reach_and_nothing_nearer_is_left_out(
    offsets: dict[str, int], within: int, k: int
) -> None:
    others = [(fact, day(10) + DAY * days) for fact, days in offsets.items()]
    found = nearest(day(10), others, within=DAY * within, k=k)
    away = {fact: DAY * abs(days) for fact, days in offsets.items() if abs(days) <= within}
    assert found == sorted(away.items(), key=lambda one: (one[1], one[0]))[:k]


def test_a_name_without_words_means_only_the_very_same() -> None:
    named = [entity(name) for name in ("?!", "…", "Ana")]
    assert namesakes_of("?!", named, k=9) == [named[0]]
    assert namesakes_of("", named, k=9) == []
