"""Which opinions a new fact may bear on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from forethought.memory.beliefs.candidates import THETA, Known, candidates
from forethought.memory.beliefs.types import Judgement, Opinion
from forethought.memory.types import Fact, Source
from tests.unit.memory.beliefs.judging import after, judgement, opinion

AT = datetime(2025, 5, 1, tzinfo=UTC)
FACT = Fact("f1", "ann", "Tea sells well", "Event", AT, sources=(Source("s1"),))
AXIS = np.array([1.0, 0.0], dtype=np.float32)


def _at(cosine: float) -> Known:
    vector = np.array([cosine, np.sqrt(1 - cosine**2)], dtype=np.float32)
    return Known(vectors={"f1": vector})


def _found(held: Opinion, fact: Fact = FACT, *, said: Known | None = None) -> bool:
    known = Known(names={"o1": {"tea"}}, vectors={"o1": AXIS})
    mentioned = said or Known(names={"f1": {"tea", "ana"}})
    return candidates([held], [fact], held=known, said=mentioned) == [("o1", "f1")]


def test_a_shared_name_is_enough() -> None:
    assert _found(opinion())
    assert not _found(opinion(), said=Known(names={"f1": {"coffee"}}))


def test_likeness_beyond_theta_is_enough() -> None:
    assert _found(opinion(), said=_at(THETA + 0.01))
    assert not _found(opinion(), said=_at(THETA - 0.01))


def test_what_has_no_vector_and_no_name_bears_on_nothing() -> None:
    assert not _found(opinion(), said=Known())


def test_a_fact_is_no_news_to_an_opinion_that_rests_on_it_or_was_moved_by_it() -> None:
    assert not _found(opinion(facts=("f1",)))
    assert not _found(after(opinion(), judgement("weaken", "f1")))


def test_a_fact_of_several_sessions_is_no_news_where_one_of_them_counted() -> None:
    """It may be merged from the facts that counted."""
    moved = after(opinion(), Judgement("o1", "weaken", AT, "f0", "s1"))
    merged = replace(FACT, sources=(Source("s1"), Source("s2")))
    assert not _found(moved, merged)
    assert _found(opinion(), merged)
    assert _found(moved)  # a fact of one session may yet speak for it


def test_the_most_alike_opinion_of_a_fact_comes_first() -> None:
    far, near = replace(opinion(), id="o1"), replace(opinion(), id="o2")
    vectors = {"o1": AXIS * 0.6, "o2": AXIS}
    found = candidates([far, near], [FACT], held=Known(vectors=vectors), said=_at(1.0))
    assert found == [("o2", "f1"), ("o1", "f1")]
