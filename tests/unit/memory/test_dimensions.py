from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.dimensions import UNSAID, Dimensions, agreed

dimensions = st.builds(
    Dimensions,
    st.sampled_from(["past", "present", "future", None]),
    st.sampled_from(["objective", "subjective", None]),
    st.sampled_from(["certain", "speculative", None]),
)


@given(dimensions, dimensions)
def test_what_is_unsaid_matches_nothing_and_what_is_said_matches_itself(
    one: Dimensions, other: Dimensions
) -> None:
    said = sum(value is not None for value in (one.tense, one.subjectivity, one.certainty))
    assert one.matching(one) == said
    assert one.matching(UNSAID) == 0
    assert one.matching(other) == other.matching(one) <= said


@given(st.lists(dimensions, max_size=4))
def test_several_agree_on_nothing_that_one_of_them_does_not_say(said: list[Dimensions]) -> None:
    both = agreed(said)
    matches = both.matching(both)
    assert all(both.matching(one) == matches for one in said)


def test_several_agree_on_what_all_of_them_say() -> None:
    trip = Dimensions("future", "objective", "speculative")
    assert agreed([trip, trip]) == trip
    assert agreed([trip, Dimensions("past", "objective")]) == Dimensions(None, "objective")
    assert agreed([]) == UNSAID
