from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.ledger.floor import floored
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


@given(some_hits, some_ids, st.integers(0, 14))
def test_no_floor_makes_a_fact_unreachable(hits: list[Hit], fired: list[str], among: int) -> None:
    assert sorted(names(floored(hits, fired, among=among))) == sorted(names(hits))


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
