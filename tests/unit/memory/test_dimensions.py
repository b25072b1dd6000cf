from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.dimensions import UNSAID, Dimensions, agreed

some = st.builds(
    Dimensions,
    st.sampled_from([None, "past", "present", "future"]),
    st.sampled_from([None, "objective", "subjective"]),
    st.sampled_from([None, "certain", "speculative"]),
)


@given(some)
def test_what_agrees_with_itself_is_all_of_it(one: Dimensions) -> None:
    assert agreed([one]) == agreed([one, one]) == one


@given(some, some)
def test_two_agree_where_they_match_and_say_nothing_else(
    one: Dimensions, other: Dimensions
) -> None:
    both = agreed([one, other])
    assert both == agreed([other, one])
    said = (both.tense, both.subjectivity, both.certainty)
    assert sum(part is not None for part in said) == one.matching(other)
    assert both.matching(one) == both.matching(other) == one.matching(other)
    assert agreed([one, UNSAID]) == UNSAID
