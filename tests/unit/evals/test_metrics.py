from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.evals.metrics import exact_at, mean, ranks, recall_at

found_ranks = st.lists(st.none() | st.integers(0, 40), min_size=1, max_size=6)
depths = st.integers(1, 50)


def test_a_reference_ranks_where_the_first_of_its_facts_was_found() -> None:
    needed = [{"a"}, {"c", "d"}, {"x"}, set[str]()]
    assert ranks(["b", "a", "d", "c"], needed) == [1, 2, None, None]


def test_a_fact_found_twice_counts_where_it_was_found_first() -> None:
    assert ranks(["a", "b", "a"], [{"a"}]) == [0]


def test_recall_is_the_share_of_references_among_the_first_k() -> None:
    found = [0, 9, 10, None]
    assert recall_at(10, found) == 0.5
    assert recall_at(11, found) == 0.75
    assert recall_at(100, found) == 0.75


def test_exact_wants_every_reference() -> None:
    assert exact_at(10, [0, 9]) == 1.0
    assert exact_at(9, [0, 9]) == 0.0
    assert exact_at(50, [0, None]) == 0.0


@given(found_ranks, depths)
def test_reading_further_never_loses_recall(found: list[int | None], k: int) -> None:
    assert recall_at(k, found) <= recall_at(k + 1, found)


@given(found_ranks, depths)
def test_exact_is_never_above_recall_and_meets_it_at_one(found: list[int | None], k: int) -> None:
    assert exact_at(k, found) <= recall_at(k, found)
    assert (exact_at(k, found) == 1) == (recall_at(k, found) == 1)


@given(found_ranks, depths)
def test_the_order_of_references_does_not_matter(found: list[int | None], k: int) -> None:
    assert recall_at(k, found) == recall_at(k, found[::-1])


def test_means_and_recalls_of_nothing_are_errors() -> None:
    assert mean([0.25, 0.5]) == 0.375
    with pytest.raises(ValueError, match="nothing"):
        mean([])
    with pytest.raises(ValueError, match="no reference"):
        recall_at(5, [])
