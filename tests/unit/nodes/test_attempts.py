"""What attempts of a step paid: taken over once by the next attempt, and by nothing else."""

from __future__ import annotations

import pytest

from forethought.nodes import attempts
from forethought.nodes.attempts import Attempts
from forethought.nodes.usage import NOTHING

CALL = {"calls": 1, "input_tokens": 10, "output_tokens": 5}


Running = dict[str, tuple[str, int] | None]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Running:
    """The step and the attempt that are running."""
    running: Running = {"now": ("imagine", 1)}
    monkeypatch.setattr(attempts, "_place", lambda: running["now"])
    return running


def test_the_next_attempt_takes_over_what_was_paid_and_takes_it_once(at: Running) -> None:
    counted = Attempts()
    assert counted.owed() == NOTHING
    counted.pay(CALL)
    assert counted.owed() == NOTHING  # a second call of the same attempt
    counted.pay(CALL)
    at["now"] = ("imagine", 2)
    assert counted.owed()["calls"] == 2
    assert counted.owed() == NOTHING


def test_attempts_of_one_step_are_nothing_to_another_nor_to_a_later_run_of_it(at: Running) -> None:
    counted = Attempts()
    for place in (("imagine", 1), ("imagine", 2), ("answer", 1), ("imagine", 1)):
        at["now"] = place
        counted.owed()
        counted.pay(CALL)
    at["now"] = ("imagine", 2)
    assert counted.owed() == CALL


def test_a_step_that_failed_for_good_lost_what_all_its_attempts_paid_and_tells_it_once(
    at: Running,
) -> None:
    counted = Attempts()
    for attempt in (1, 2, 3):
        at["now"] = ("imagine", attempt)
        counted.pay(CALL)
    assert counted.lost("imagine")["calls"] == 3 and counted.lost("imagine") == NOTHING
    assert counted.lost("answer") == NOTHING


def test_a_call_outside_of_a_graph_owes_nothing(at: Running) -> None:
    counted = Attempts()
    at["now"] = None
    counted.pay(CALL)
    assert counted.owed() == NOTHING


def test_what_is_remembered_is_bounded(at: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "_STEPS", 2)
    counted = Attempts()
    for step in ("one", "two", "three"):
        at["now"] = (step, 1)
        counted.pay(CALL)
    for step, owed in (("three", 1), ("one", 0)):
        at["now"] = (step, 2)
        assert counted.owed()["calls"] == owed
