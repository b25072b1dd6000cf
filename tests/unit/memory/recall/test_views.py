"""An opinion as of a moment: what it said and how sure it was then, nothing that came later."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.beliefs.confidence import judged
from forethought.memory.beliefs.types import Judgement, Opinion
from forethought.memory.recall.views import as_of

FORMED = datetime(2025, 1, 1, tzinfo=UTC)
HELD = Opinion("o1", "ann", "Tea is best", 0.5, FORMED, "Tea is best", 0.5, facts=("f1",))
revisions = st.lists(st.tuples(st.text(min_size=1), st.floats(0, 1)), max_size=6)


@given(revisions, st.integers(0, 8))
def test_it_reads_as_it_did_before_the_later_steps(
    said: list[tuple[str, float]], days: int
) -> None:
    history = [HELD]
    for number, (text, sure) in enumerate(said, start=1):
        at = FORMED + timedelta(days=number)
        verdict = Judgement("o1", "revise", at, text=text, confidence=sure)
        history.append(judged(history[-1], verdict))
    then = as_of(history[-1], FORMED + timedelta(days=days))
    assert then == replace(history[min(days, len(said))], facts=HELD.facts)


def test_before_it_was_formed_it_was_not_held() -> None:
    assert as_of(HELD, FORMED - timedelta(seconds=1)) is None
    assert as_of(HELD, FORMED) == HELD
