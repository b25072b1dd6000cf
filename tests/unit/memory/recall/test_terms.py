"""Terms rank and never prune: what comes out is what went in, and weights of 0 change nothing."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput
from forethought.memory.recall.shortlist import best_first
from forethought.memory.recall.terms import NAMES, Known, Raised, Weights, gain, raised

FACTS = [f"f{number}" for number in range(8)]
OFF = Weights(prospective=0)

some_scores = st.dictionaries(st.sampled_from(FACTS), st.floats(-1.5, 3.0))
some_known = st.builds(
    Known,
    firing=st.frozensets(st.sampled_from([*FACTS, "elsewhere"])),
    saliences=st.dictionaries(st.sampled_from(FACTS), st.floats(0, 1)),
    matching=st.dictionaries(st.sampled_from(FACTS), st.integers(0, 3)),
)
some_weights = st.builds(
    Weights,
    prospective=st.floats(0, 10),
    salience=st.floats(0, 10),
    profile=st.floats(0, 1),
    dimensions=st.floats(0, 1),
)


def _final(scores: dict[str, float], found: dict[str, Raised]) -> dict[str, float]:
    return {fact: scores[fact] + one.by for fact, one in found.items()}


@given(some_scores, some_known, some_weights)
def test_no_weights_make_a_fact_unreachable(
    scores: dict[str, float], known: Known, weights: Weights
) -> None:
    ranked = best_first(_final(scores, raised(scores, known, weights)))
    assert sorted(ranked) == sorted(scores)


@given(some_scores, some_known)
def test_weights_of_0_leave_scores_and_order_exactly_as_they_are(
    scores: dict[str, float], known: Known
) -> None:
    assert raised(scores, known, OFF) == dict.fromkeys(scores, Raised())


@given(some_scores, some_known, some_weights)
def test_no_term_lowers_a_score_and_what_bears_on_nothing_keeps_its_own(
    scores: dict[str, float], known: Known, weights: Weights
) -> None:
    for one in raised(scores, known, weights).values():
        assert one.by >= 0 and math.isfinite(one.by)
        assert one.terms or one.by == 0
        assert all(by > 0 for by in one.terms.values())


@given(some_scores, st.frozensets(st.sampled_from(FACTS)), st.floats(0, 10))
def test_a_firing_fact_never_falls_and_the_others_keep_their_order(
    scores: dict[str, float], firing: frozenset[str], weight: float
) -> None:
    before = best_first(scores)
    found = raised(scores, Known(firing=firing), Weights(prospective=weight))
    after = best_first(_final(scores, found))
    for fact in firing & set(before):
        overtakers = set(after[: after.index(fact)]) - set(before[: before.index(fact)])
        assert overtakers <= firing
    assert [f for f in after if f not in firing] == [f for f in before if f not in firing]


def test_a_factor_raises_the_relevance_and_a_match_the_cosine() -> None:
    scores = {"fires": 0.0, "salient": 0.2, "alike": 0.4, "all": 0.6}
    known = Known({"fires", "all"}, {"salient": 0.5, "all": 1.0}, {"alike": 2, "all": 3})
    found = raised(scores, known, Weights(prospective=0.3, salience=0.2, dimensions=0.05))
    assert _final(scores, found) == {
        "fires": pytest.approx(0.5 * 1.3 * 2 - 1),
        "salient": pytest.approx(0.6 * 1.1 * 2 - 1),
        "alike": pytest.approx(0.5),
        "all": pytest.approx((1 + 0.6 + 0.15) / 2 * 1.3 * 1.2 * 2 - 1),
    }
    assert found["fires"].terms == {"prospective": 0.3}
    assert found["alike"].terms == {"dimensions": 0.1}
    assert set(found["all"].terms) == {"prospective", "salience", "dimensions"}


def test_a_relevance_above_1_is_not_cut_off() -> None:
    """Scores of the best facts go beyond a cosine: cut off, all of them would be equals."""
    terms = {"prospective": 0.3}
    assert 1.5 + gain(1.5, terms) > 1.2 + gain(1.2, terms) > 1.0 + gain(1.0, terms)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [-0.1, 11, float("nan"), float("inf"), "0.3", None, True])
def test_a_weight_out_of_range_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=rf"terms\.{name}: expected a weight from 0 .* found"):
        Weights(**{name: value})


def test_only_the_prospective_term_is_on_by_default() -> None:
    assert Weights() == Weights(prospective=0.3, salience=0, profile=0, dimensions=0)
