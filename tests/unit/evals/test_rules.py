from __future__ import annotations

import numpy as np
import pytest

from forethought.evals.rules import RULES, Scores, best_first, standardised, two_best


def scores(*values: float) -> Scores:
    return np.array(values, dtype=np.float32)


def test_the_two_best_cues_are_averaged() -> None:
    cues = np.array([[0.1, 0.5, 0.3], [0.2, 0.2, -0.9]], dtype=np.float32)
    assert two_best(cues) == pytest.approx([0.4, 0.2])


def test_a_single_cue_is_its_own_mean() -> None:
    assert two_best(np.array([[0.4]], dtype=np.float32)) == pytest.approx([0.4])
    cues = np.array([[0.4, -np.inf, -np.inf], [0.1, 0.3, 0.2]], dtype=np.float32)
    assert two_best(cues) == pytest.approx([0.4, 0.25])


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("dense", [0, 1, 2]),
        ("cues alone", [2, 1, 0]),
        ("larger of the two", [2, 0, 1]),
        ("power mean p=2", [1, 2, 0]),
        ("sum of both standardised", [1, 2, 0]),
    ],
)
def test_each_rule_orders_by_what_it_says(name: str, order: list[int]) -> None:
    text, cue = scores(0.6, 0.5, 0.0), scores(0.0, 0.5, 0.65)
    assert best_first(RULES[name](text, cue)) == order


def test_a_higher_power_goes_towards_the_larger_of_the_two() -> None:
    text, cue = scores(0.72, 0.5), scores(0.0, 0.54)
    assert best_first(RULES["power mean p=2"](text, cue)) == [1, 0]
    assert best_first(RULES["power mean p=3"](text, cue)) == [0, 1]


def test_standardised_scores_have_mean_zero_and_deviation_one() -> None:
    result = standardised(scores(1.0, 2.0, 3.0))
    assert result.mean() == pytest.approx(0, abs=1e-6)
    assert result.std() == pytest.approx(1, abs=1e-6)
    assert standardised(scores(2.0, 2.0)).tolist() == [0, 0]


def test_equal_scores_keep_the_order_of_the_file() -> None:
    assert best_first(scores(0.5, 0.7, 0.5, 0.7)) == [1, 3, 0, 2]
