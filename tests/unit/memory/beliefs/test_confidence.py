"""The rule by which evidence moves an opinion (Hindsight §5.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.beliefs.confidence import ALPHA, judged, moved, without
from forethought.memory.beliefs.types import Judgement, Verdict
from tests.unit.memory.beliefs.judging import (
    AT,
    after,
    independent,
    judgement,
    judgements,
    opinion,
    sure,
)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [("reinforce", 0.6), ("weaken", 0.4), ("contradict", 0.3), ("neutral", 0.5)],
)
def test_evidence_moves_by_alpha_and_contradiction_by_two(
    verdict: Verdict, expected: float
) -> None:
    assert moved(0.5, verdict) == expected


def test_five_reinforcements_move_a_half_to_certainty() -> None:
    agreeing = [judgement("reinforce", f"f{n}") for n in range(5)]
    assert after(opinion(0.5), *agreeing).confidence == 1.0
    assert after(opinion(0.5), *agreeing[:4]).confidence < 1.0


@given(sure, st.lists(judgements, max_size=30))
def test_confidence_stays_within_bounds_and_steps_lead_from_one_to_the_next(
    start: float, said: list[Judgement]
) -> None:
    found = after(opinion(start), *said)
    assert 0 <= found.confidence <= 1
    confidences = [start, *(step.after for step in found.steps)]
    assert [step.before for step in found.steps] == confidences[:-1]
    assert found.confidence == confidences[-1]
    assert all(abs(one.after - one.before) <= 2 * ALPHA + 1e-9 for one in found.steps)
    assert (found.first, found.initial) == ("Tea is best", start)


@given(st.data(), independent)
def test_independent_steps_that_hit_no_bound_may_come_in_any_order(
    data: st.DataObject, said: list[Judgement]
) -> None:
    start = opinion(0.5)
    said = [replace(one, text=None) for one in said if one.verdict != "contradict"][:5]
    shuffled = data.draw(st.permutations(said))
    assert after(start, *said).confidence == after(start, *shuffled).confidence


@given(sure, independent, st.integers(1, 3))
def test_a_fact_counts_once_however_often_it_is_judged(
    start: float, said: list[Judgement], times: int
) -> None:
    once = after(opinion(start), *said)
    assert after(once, *(said * times)) == once
    other = [
        replace(one, verdict="weaken") for one in said if one.verdict not in {"neutral", "weaken"}
    ]
    assert after(once, *other) == once


def test_one_session_speaks_once_for_and_once_against() -> None:
    said = [
        judgement("reinforce", "f1", source="s1"),
        judgement("reinforce", "f2", source="s1"),
        judgement("weaken", "f3", source="s1"),
        judgement("contradict", "f4", source="s1"),
    ]
    assert [step.fact for step in after(opinion(), *said).steps] == ["f1", "f3"]


def test_a_neutral_verdict_is_no_step_even_with_a_text() -> None:
    assert after(opinion(), judgement("neutral", "f1", text="Coffee")) == opinion()


def test_at_a_bound_a_step_is_noted_and_moves_nothing() -> None:
    (step,) = after(opinion(1.0), judgement("reinforce", "f1")).steps
    assert (step.before, step.after) == (1.0, 1.0)


@given(sure, st.lists(judgements, max_size=12))
def test_without_all_that_moved_it_an_opinion_is_as_it_was_formed(
    start: float, said: list[Judgement]
) -> None:
    formed = opinion(start)
    found = after(formed, *said)
    facts = {step.fact for step in found.steps if step.fact}
    assert without(found, facts) == formed


@given(sure, independent, st.data())
def test_without_a_fact_is_as_if_it_had_never_been_judged(
    start: float, said: list[Judgement], data: st.DataObject
) -> None:
    """Where each fact is from a session of its own, and none rewords."""
    said = [replace(one, text=None) for one in said]
    gone = data.draw(st.sets(st.sampled_from([one.fact or "" for one in said] or ["f9"])))
    kept = [one for one in said if one.fact not in gone]
    assert without(after(opinion(start), *said), gone) == after(opinion(start), *kept)


def test_without_the_fact_that_reworded_it_an_opinion_reads_as_before() -> None:
    said = [
        judgement("contradict", "f1", text="Tea is fine"),
        judgement("reinforce", "f2"),
        judgement("contradict", "f3", text="Tea is all right, though not in summer"),
    ]
    found = without(after(opinion(0.8), *said), {"f1"})
    assert found is not None
    assert {found.text, *(step.text for step in found.steps)} == {"Tea is best"}
    assert [(step.fact, step.after) for step in found.steps] == [("f2", 0.9), ("f3", 0.7)]


def test_an_opinion_goes_with_a_fact_that_it_rests_on() -> None:
    assert without(opinion(facts=("f1",)), {"f1"}) is None


def test_facts_that_moved_nothing_leave_it_as_it_is() -> None:
    found = after(opinion(), judgement("weaken", "f1"))
    assert without(found, {"f2"}) is found


def test_a_revision_sets_confidence_wording_and_grounds() -> None:
    revision = Judgement("o1", "revise", AT, text="Tea is fine", confidence=0.3, facts=("f7",))
    found = judged(opinion(facts=("f1",)), revision)
    assert (found.text, found.confidence, found.facts) == ("Tea is fine", 0.3, ("f1", "f7"))
    assert [(step.verdict, step.before, step.after) for step in found.steps] == [
        ("revise", 0.5, 0.3)
    ]
