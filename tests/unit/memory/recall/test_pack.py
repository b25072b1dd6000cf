"""Packing into a budget: as many of the best as fit, and none beyond the first that does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.recall.pack import packed


@given(st.lists(st.integers(1, 50), max_size=20), st.integers(1, 300))
def test_what_is_packed_is_the_longest_beginning_that_fits(sizes: list[int], budget: int) -> None:
    found = list(range(len(sizes)))
    kept = packed(found, sizes, budget)
    assert kept == found[: len(kept)]
    assert sum(sizes[: len(kept)]) <= budget
    assert len(kept) == len(found) or sum(sizes[: len(kept) + 1]) > budget


@pytest.mark.parametrize(
    ("sizes", "budget", "kept"),
    [
        ([10, 10, 10], 30, "abc"),
        ([10, 10, 10], 29, "ab"),
        ([10, 30, 1], 20, "a"),  # what is too large ends it: the third is not taken instead
        ([21, 1, 1], 20, ""),
        ([], 20, ""),
    ],
)
def test_the_first_that_does_not_fit_ends_the_packing(
    sizes: list[int], budget: int, kept: str
) -> None:
    assert "".join(packed("abc"[: len(sizes)], sizes, budget)) == kept
