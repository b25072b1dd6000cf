"""A fact's similarity to a request, of its text's and its cues'."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.recall.similarity import (
    BALANCE,
    best_two,
    cue_weight,
    joint,
    plain_weight,
    request_likeness,
)

cosines = st.floats(-1, 1)
weights = st.floats(0, 3)


@given(cosines, cosines, cosines, weights)
def test_a_nearer_text_is_never_ranked_lower(one: float, two: float, cue: float, w: float) -> None:
    low, high = sorted((one, two))
    assert joint(low, cue, w) <= joint(high, cue, w)


@given(cosines, cosines, cosines, weights)
def test_nearer_cues_are_never_ranked_lower(text: float, one: float, two: float, w: float) -> None:
    low, high = sorted((one, two))
    assert joint(text, low, w) <= joint(text, high, w)


@given(cosines, st.floats(-1, 0), weights)
def test_without_cues_it_is_the_text_alone(text: float, cue: float, w: float) -> None:
    assert joint(text, 0.0, w) == pytest.approx(text, abs=1e-6)
    assert joint(text, cue, w) == joint(text, 0.0, w)  # cues that point away do no harm


@given(st.floats(0, 1), st.floats(0, 1), weights)
def test_it_is_at_least_the_better_of_the_two(text: float, cue: float, w: float) -> None:
    assert joint(text, cue, w) >= max(text, w * cue) - 1e-6


@given(st.lists(cosines, max_size=8), cosines)
def test_the_two_best_cues_count_and_a_missing_one_is_what_is_expected(
    found: list[float], expected: float
) -> None:
    best = (sorted(found, reverse=True) + [expected, expected])[:2]
    assert best_two(found, expected) == pytest.approx(sum(best) / 2)


@given(st.lists(cosines, min_size=2, max_size=8), cosines)
def test_the_order_of_cues_makes_no_difference(found: list[float], expected: float) -> None:
    assert best_two(found, expected) == best_two(found[::-1], expected)


@given(st.floats(0, 1.5), st.floats(0, 1.5))
def test_cues_weigh_the_more_the_more_the_request_is_like_one(one: float, two: float) -> None:
    low, high = sorted((one, two))
    assert cue_weight(low) <= cue_weight(high)
    assert cue_weight(BALANCE) == 1


def test_a_typical_cue_is_one_and_likeness_stays_within_bounds() -> None:
    centroid = np.array([0.5, 0.5, 0], dtype=np.float32)
    assert request_likeness(centroid, centroid) == pytest.approx(1)
    assert request_likeness(-centroid, centroid) == 0
    assert request_likeness(9 * centroid, centroid) == 1.5
    assert request_likeness(centroid, np.zeros(3, dtype=np.float32)) == 0


@given(st.floats(0, 1.5), st.floats(0, 1.5))
def test_what_was_said_in_so_many_words_weighs_less_the_more_a_request_is_a_plan(
    one: float, other: float
) -> None:
    low, high = sorted([one, other])
    assert 0 < plain_weight(high) <= plain_weight(low) <= 1
    assert plain_weight(0.4) == 1
