from __future__ import annotations

from dataclasses import dataclass

import pytest

from forethought.evals.reach import FORESIGHT, MINI, Figures, NotReached, assert_reached, missed


@dataclass(frozen=True)
class Report:
    measured: Figures
    wanted: Figures


def test_what_is_reached_is_not_missed() -> None:
    assert missed(MINI, MINI) == []
    assert missed(FORESIGHT, FORESIGHT) == []


def test_what_falls_short_is_listed_with_both_figures() -> None:
    short = missed({"a": {"x": 0.4, "y": 0.9}}, {"a": {"x": 0.5, "y": 0.9}})
    assert short == ["a: x is 0.4000, to reach 0.50"]


def test_a_figure_that_is_not_there_is_missed_but_a_row_that_was_not_asked_for_is_not() -> None:
    assert missed({"a": {}}, {"a": {"x": 0.5}, "b": {"x": 0.5}}) == [
        "a: x is missing, to reach 0.50"
    ]


def test_a_report_that_falls_short_or_has_nothing_to_compare_is_refused() -> None:
    wanted = {"a": {"x": 0.5}}
    assert_reached(Report({"a": {"x": 0.5}}, wanted))
    with pytest.raises(NotReached, match="a: x is 0"):
        assert_reached(Report({"a": {"x": 0.1}}, wanted))
    with pytest.raises(NotReached, match="nothing to compare"):
        assert_reached(Report({"dense": {"x": 0.1}}, wanted))
