"""Which facts come together in one group, and which never do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.consolidation import SAME_CLUSTER, WINDOW, groups, topics
from forethought.memory.embedding import Vectors, unit
from forethought.memory.types import Fact, Network

START = datetime(2025, 1, 1, tzinfo=UTC)


def _fact(number: int, *, day: float = 0, network: Network = "world") -> Fact:
    date = START + timedelta(days=day)
    return Fact(f"f{number:03}", "ann", f"Fact {number}", "Event", date, network)


def _at(*angles: float) -> list[Vectors]:
    return [np.array([np.cos(a), np.sin(a)], dtype=np.float32) for a in angles]


facts_and_vectors = st.lists(
    st.tuples(
        st.floats(0, 20),
        st.floats(0, 3),
        st.sampled_from(["world", "experience"]),
    ),
    max_size=25,
).map(
    lambda rows: (
        [_fact(n, day=day, network=network) for n, (day, _, network) in enumerate(rows)],  # type: ignore[arg-type]  # sampled from two of its names
        {f"f{n:03}": _at(angle)[0] for n, (_, angle, _) in enumerate(rows)},
    )
)


@given(facts_and_vectors)
def test_every_group_is_near_its_first_within_a_week_and_one_network(
    given: tuple[list[Fact], dict[str, Vectors]],
) -> None:
    facts, vectors = given
    found = groups(facts, vectors)
    members = [fact.id for group in found for fact in group]
    assert len(members) == len(set(members))
    for group in found:
        first = group[0]
        assert len(group) > 1
        assert len({fact.network for fact in group}) == 1
        assert all(one.date <= two.date for one, two in pairwise(group))
        assert group[-1].date - first.date <= WINDOW
        for fact in group:
            assert vectors[fact.id] @ vectors[first.id] >= SAME_CLUSTER - 1e-5


@given(facts_and_vectors, st.randoms())
def test_the_same_facts_give_the_same_groups_in_any_order(
    given: tuple[list[Fact], dict[str, Vectors]], random: object
) -> None:
    facts, vectors = given
    shuffled = list(facts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis types it as an object
    assert groups(shuffled, vectors) == groups(facts, vectors)


@given(facts_and_vectors)
def test_two_that_stayed_alone_could_not_have_met(
    given: tuple[list[Fact], dict[str, Vectors]],
) -> None:
    facts, vectors = given
    grouped = {fact.id for group in groups(facts, vectors) for fact in group}
    alone = sorted((f for f in facts if f.id not in grouped), key=lambda f: (f.date, f.id))
    for at, one in enumerate(alone):
        for two in alone[at + 1 :]:
            near = vectors[one.id] @ vectors[two.id] >= SAME_CLUSTER + 1e-5
            assert not (near and one.network == two.network and two.date - one.date <= WINDOW)


def test_a_week_to_the_second_still_counts_and_a_second_more_does_not() -> None:
    vectors = dict(zip(("f001", "f002"), _at(0, 0), strict=True))
    one, two = _fact(1), replace(_fact(2), date=START + WINDOW)
    assert groups([one, two], vectors) == [[one, two]]
    later = replace(two, date=two.date + timedelta(seconds=1))
    assert groups([one, later], vectors) == []


def test_a_group_does_not_drift_away_from_its_first() -> None:
    step = np.arccos(SAME_CLUSTER) * 0.9
    vectors = dict(zip(("f001", "f002", "f003"), _at(0, step, 2 * step), strict=True))
    facts = [_fact(1), _fact(2), _fact(3)]
    assert groups(facts, vectors) == [facts[:2]]


def test_more_facts_than_a_block_are_grouped_alike() -> None:
    rng = np.random.default_rng(0)
    centres = unit(rng.normal(size=(40, 64)).astype(np.float32))
    noise = rng.normal(scale=0.01, size=(1200, 64)).astype(np.float32)
    near = unit(np.repeat(centres, 30, axis=0) + noise)
    facts = [_fact(n) for n in range(1200)]
    vectors = {f"f{n:03}": row for n, row in enumerate(near)}
    assert [len(group) for group in groups(facts, vectors)] == [30] * 40


def test_no_facts_give_no_groups() -> None:
    assert groups([], {}) == []
    assert groups([_fact(1)], {"f001": _at(0)[0]}) == []


def test_a_topic_is_three_facts_or_more_whenever_they_were_learned() -> None:
    facts = [_fact(n, day=100 * n) for n in range(3)]
    vectors = dict(zip([fact.id for fact in facts], _at(0, 0.1, 0.2), strict=True))
    assert topics(facts, vectors) == [facts]
    assert topics(facts[:2], vectors) == []
    assert groups(facts, vectors) == []


def test_a_topic_is_of_one_network() -> None:
    facts = [_fact(n, network="world" if n else "experience") for n in range(3)]
    vectors = dict(zip([fact.id for fact in facts], _at(0, 0, 0), strict=True))
    assert topics(facts, vectors) == []
