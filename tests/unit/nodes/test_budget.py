"""When the loop stops, and how many calls are left to it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.nodes.budget import calls_left, stop_refining
from forethought.nodes.context import Context

STEP = {"id": "A1", "action": "Go", "constraints": "", "parent": None}


def _state(**fields: Any) -> Any:
    usage = {"calls": 1, "input_tokens": 0, "output_tokens": 0}
    return {"steps": [STEP], "rounds": 1, "fresh": 9, "usage": usage, **fields}


@pytest.mark.parametrize(
    ("fields", "settings", "why"),
    [
        ({}, {}, None),
        ({"steps": []}, {}, "nothing was imagined"),
        ({"fresh": 4}, {}, "converged"),
        ({"fresh": 5}, {}, None),
        ({"fresh": 0, "rounds": 0}, {}, None),
        ({"rounds": 10}, {}, "last round"),
        ({"rounds": 0}, {"max_rounds": 0}, "last round"),
        ({}, {"max_calls": 3}, "budget"),
        ({}, {"max_calls": 4}, None),
    ],
)
def test_why_the_loop_stops(
    fields: dict[str, Any], settings: dict[str, Any], why: str | None
) -> None:
    assert stop_refining(_state(**fields), Context(**settings)) == why


@given(st.integers(0, 20), st.integers(1, 20))
def test_one_call_is_kept_for_the_answer(spent: int, budget: int) -> None:
    assert calls_left({"calls": spent}, Context(max_calls=budget)) == budget - spent - 1
