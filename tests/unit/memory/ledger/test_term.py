from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.ledger.term import TERM, boosted, floored, relevance
from forethought.memory.types import Fact, Hit

DATE = datetime(2026, 3, 1, tzinfo=UTC)


def hits_of(scores: list[float]) -> list[Hit]:
    ordered = sorted(scores, reverse=True)
    return [
        Hit(Fact(f"f{n}", "b", f"fact {n}", "Event", DATE), score)
        for n, score in enumerate(ordered)
    ]


def names(hits: list[Hit]) -> list[str]:
    return [hit.fact.id for hit in hits]


some_hits = st.lists(st.floats(0, 1), max_size=12).map(hits_of)
some_ids = st.lists(st.sampled_from([f"f{n}" for n in range(14)]), unique=True)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_relevance_lies_between_0_and_1_and_keeps_the_order(first: float, second: float) -> None:
    low, high = sorted((first, second))
    assert 0 <= relevance(low) <= relevance(high) <= 1


@given(some_hits, some_ids)
def test_a_weight_of_0_changes_nothing(hits: list[Hit], fired: list[str]) -> None:
    assert boosted(hits, fired, 0) == hits


@given(some_hits, some_ids, st.floats(0, 1e6), st.integers(0, 14))
def test_no_weight_makes_a_fact_unreachable(
    hits: list[Hit], fired: list[str], weight: float, among: int
) -> None:
    ranked = boosted(hits, fired, weight)
    assert sorted(names(ranked)) == sorted(names(hits))
    assert sorted(names(floored(ranked, fired, among=among))) == sorted(names(hits))


@given(some_hits, some_ids, st.floats(0, 10))
def test_a_firing_fact_never_falls_and_the_others_keep_their_order(
    hits: list[Hit], fired: list[str], weight: float
) -> None:
    before, after = names(hits), names(boosted(hits, fired, weight))
    for fact in set(before) & set(fired):
        overtakers = set(after[: after.index(fact)]) - set(before[: before.index(fact)])
        assert overtakers <= set(fired)
    assert [f for f in after if f not in fired] == [f for f in before if f not in fired]


@given(some_hits, some_ids, st.integers(1, 14))
def test_the_floor_lifts_the_surest_and_leaves_half_of_the_places(
    hits: list[Hit], fired: list[str], among: int
) -> None:
    before, after = names(hits)[:among], names(floored(hits, fired, among=among))[:among]
    assert set(before) & set(fired) <= set(after)
    assert len(set(after) - set(before)) <= (among + 1) // 2
    surest = [fact for fact in fired if fact in names(hits)][:1]
    unfired = [fact for fact in before if fact not in fired]
    assert not (unfired and set(surest) - set(after))


def test_the_floor_takes_the_last_places_of_what_does_not_fire() -> None:
    hits = hits_of([0.9, 0.8, 0.7, 0.6, 0.5])
    assert names(floored(hits, ["f4", "f2"], among=3)) == ["f0", "f2", "f4", "f1", "f3"]


def test_the_boost_is_seen_on_the_hit() -> None:
    first, second = boosted(hits_of([0.6, 0.5]), ["f1"], 0.3)
    assert (first.fact.id, first.terms) == ("f1", {TERM: 0.3})
    assert first.score == pytest.approx(0.65)
    assert second.terms == {}


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        boosted([], [], -0.1)
