from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.embedding import Vectors
from forethought.memory.ledger.firing import (
    LEAD,
    At,
    Heard,
    Rule,
    Usual,
    Watched,
    dated,
    firing,
    hiding,
    scored,
    spelled,
    untold,
    usual,
)
from forethought.memory.ledger.types import Outcome, close
from tests.unit.memory.ledger.entries import MADE, NOW, axis, commitment, heard, watched

CONDITION = "once the quote arrives"


def _leaning(cosine: float) -> Vectors:
    """A unit vector with this cosine to the first axis."""
    return cosine * axis(0) + np.float32((1 - cosine**2) ** 0.5) * axis(1)


days = st.dates(date(2026, 3, 1), date(2027, 3, 1))


@given(due=days, ahead=st.integers(-400, LEAD), lead=st.integers(LEAD, 30))
def test_a_dated_commitment_fires_from_its_lead_on(due: date, ahead: int, lead: int) -> None:
    on = due - timedelta(days=ahead)
    at = At(NOW.now, on)
    for turn in (None, heard(3)):
        fired = firing([watched(commitment(due=due))], turn, Usual(), at, Rule(lead=lead))
        assert [one.why for one in fired] == ["day"]


@given(due=days, early=st.integers(1, 400))
def test_a_dated_commitment_is_silent_before_its_lead(due: date, early: int) -> None:
    on = due - timedelta(days=LEAD + early)
    assert not dated(commitment(due=due), on)
    assert not firing([watched(commitment(due=due))], heard(0), Usual(), At(NOW.now, on))


@given(
    outcome=st.sampled_from(["kept", "dropped"]),
    due=st.none() | days,
    condition=st.none() | st.just(CONDITION),
    number=st.integers(0, 7),
    threshold=st.floats(-2, 2),
)
def test_a_resolved_commitment_never_fires(
    outcome: Outcome, due: date | None, condition: str | None, number: int, threshold: float
) -> None:
    shut = close(commitment(due=due, condition=condition), outcome, at=MADE + timedelta(days=1))
    at = At(NOW.now, date(2028, 1, 1))
    rule = Rule(threshold=threshold)
    assert not firing([watched(shut)], heard(number), Usual(), at, rule)


def test_what_was_closed_later_still_fires_as_of_a_day_before() -> None:
    shut = close(commitment(condition=CONDITION), "kept", at=NOW.now + timedelta(days=1))
    assert firing([watched(shut)], heard(0), Usual(), NOW)


def test_what_was_not_made_yet_does_not_fire() -> None:
    later = commitment(condition=CONDITION, made=NOW.now + timedelta(hours=1))
    assert not firing([watched(later)], heard(0), Usual(), NOW)


def test_a_trigger_fires_at_a_turn_like_its_cues_and_at_no_other() -> None:
    entry = watched(commitment(condition=CONDITION))
    (fired,) = firing([entry], heard(0), Usual(), NOW)
    assert (fired.why, fired.cue) == ("turn", "cue 0")
    assert not firing([entry], heard(1), Usual(), NOW)
    assert not firing([entry], None, Usual(), NOW)


def test_one_clause_among_many_is_enough_where_the_whole_comes_near() -> None:
    entry = watched(commitment(condition=CONDITION))
    whole, clauses = _leaning(0.32), [axis(2), axis(0)]
    assert not firing([entry], Heard("xyzzy", whole), Usual(), NOW)
    assert firing([entry], Heard("xyzzy", np.concatenate([whole, *clauses])), Usual(), NOW)


def test_a_turn_whose_whole_is_far_is_heard_the_same_with_its_clauses_as_without() -> None:
    entries = [watched(commitment(condition=CONDITION)), watched(commitment("other"))]
    whole = Heard("xyzzy", _leaning(0.29))
    parted = Heard("xyzzy", np.concatenate([whole.vectors, axis(0), axis(2)]))
    assert scored(entries, parted, Usual()) == scored(entries, whole, Usual())


def test_what_has_no_condition_lets_no_clause_be_heard() -> None:
    entry = watched(commitment(due=date(2026, 6, 1)))
    assert not hiding([entry], [(1.0, None)])
    assert hiding([watched(commitment(condition=CONDITION))], [(1.0, None)])


def test_two_clauses_on_end_are_one_thing_said() -> None:
    between = (axis(0) + axis(3)) / np.sqrt(2)
    entry = Watched(commitment(condition=CONDITION), ("cue",) * 12, np.repeat(between, 12, axis=0))
    turns = {
        apart: Heard("xyzzy", np.concatenate([between * 0.5, *(axis(number) for number in apart)]))
        for apart in ((0, 3), (0, 2, 3))
    }
    together, parted = (scored([entry], turn, Usual())[0][0] for turn in turns.values())
    assert together > parted + 0.2


def test_a_turn_alone_does_not_fire_what_has_a_day_and_no_condition() -> None:
    entry = watched(commitment(due=date(2026, 6, 1)))
    assert not firing([entry], heard(0), Usual(), NOW)


def test_what_the_user_says_all_the_time_fires_less() -> None:
    entry = watched(commitment(condition=CONDITION))
    often = usual(["bees"] * 50, axis(0, 50))
    seldom = usual(["bees"] * 50, axis(1, 50))
    ((score, _),), ((other, _),) = (scored([entry], heard(0), known) for known in (often, seldom))
    assert score < other


def test_a_word_of_the_cues_counts_and_less_once_it_is_said_often() -> None:
    cues = ("Where do I send the invoices?",)
    entry = Watched(commitment(condition=CONDITION), cues, axis(0))
    turn, other = heard(1, "invoice"), heard(1, "weather")
    said = replace(usual(["x"] * 20, axis(2, 20)), words={"invoic": 20})
    unsaid = replace(said, words={})
    first, second, third = (
        scored([entry], what, known)[0][0]
        for what, known in ((turn, unsaid), (turn, said), (other, unsaid))
    )
    assert first > second + 0.01 > third


def test_no_number_of_words_fires_what_is_not_alike() -> None:
    cues = tuple(f"word{n} other{n} more{n}" for n in range(12))
    entry = Watched(commitment(condition=CONDITION), cues, axis(0, 12))
    page = heard(1, " ".join(cues) * 20)
    assert not firing([entry], page, Usual(), NOW)


def test_those_of_the_turn_come_first_and_those_of_a_day_by_their_day() -> None:
    entries = [
        watched(commitment("late", due=date(2026, 3, 12)), number=1),
        watched(commitment("early", due=date(2026, 3, 2)), number=1),
        watched(commitment("met", condition=CONDITION)),
    ]
    fired = firing(entries, heard(0), Usual(), NOW)
    assert [one.commitment.id for one in fired] == ["met", "early", "late"]


def test_what_was_told_is_not_told_again_the_same_day() -> None:
    told = commitment(due=NOW.on, told=NOW.on)
    fired = firing([watched(told)], None, Usual(), NOW)
    assert fired
    assert not untold(fired, NOW.on)
    assert untold(fired, NOW.on + timedelta(days=1)) == fired


def test_without_cues_the_condition_and_the_action_stand_for_them() -> None:
    assert spelled(commitment(condition=CONDITION)) == (CONDITION, "reconcile the quote")
    assert spelled(commitment()) == ("reconcile the quote",)
    bare = Watched(commitment(condition=CONDITION), (), axis(0, 0))
    assert scored([bare], heard(0), Usual()) == [(0.0, None)]


def test_nothing_said_is_nothing_known() -> None:
    assert usual([], axis(0, 0)) == Usual()
