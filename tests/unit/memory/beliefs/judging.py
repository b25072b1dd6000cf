"""Opinions and judgements, arbitrary and by hand, for the tests of the update rule."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import reduce

from hypothesis import strategies as st

from forethought.memory.beliefs.confidence import judged
from forethought.memory.beliefs.types import VERDICTS, Judgement, Opinion, Verdict

AT = datetime(2025, 5, 1, tzinfo=UTC)


def opinion(sure: float = 0.5, *, facts: tuple[str, ...] = ()) -> Opinion:
    return Opinion("o1", "ann", "Tea is best", sure, AT, "Tea is best", sure, (), facts)


def judgement(
    verdict: Verdict, fact: str, *, source: str | None = None, text: str | None = None
) -> Judgement:
    """A judgement on a fact, whose session is one of its own if none is given."""
    return Judgement("o1", verdict, AT, fact, source or f"s-{fact}", text)


def after(start: Opinion, *judgements: Judgement) -> Opinion:
    return reduce(judged, judgements, start)


sure = st.integers(0, 10).map(lambda tenths: tenths / 10)
facts = st.sampled_from([f"f{n}" for n in range(6)])
texts = st.none() | st.sampled_from(["Tea is fine", "Tea is best", " "])
sources = st.none() | st.sampled_from(["s1", "s2"])
judgements = st.builds(judgement, st.sampled_from(VERDICTS), facts, source=sources, text=texts)
"""Any, in which sessions may say several things."""

independent = st.lists(
    st.builds(judgement, st.sampled_from(VERDICTS), facts, text=texts),
    max_size=6,
    unique_by=lambda one: one.fact,
)
"""One on each fact, each fact from a session of its own."""
