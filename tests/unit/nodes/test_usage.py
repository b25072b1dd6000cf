"""What calls cost, added up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from forethought.nodes.usage import NOTHING, Usage, add_usage, usage_of

counts = st.integers(0, 10**9)
usages = st.builds(
    lambda calls, read, wrote: {"calls": calls, "input_tokens": read, "output_tokens": wrote},
    counts,
    counts,
    counts,
)


@given(usages, usages, usages)
def test_costs_add_up_in_any_order(one: Usage, two: Usage, three: Usage) -> None:
    assert add_usage(one, two) == add_usage(two, one)
    assert add_usage(add_usage(one, two), three) == add_usage(one, add_usage(two, three))
    assert add_usage(one, None) == add_usage(None, one) == add_usage(one, NOTHING) == one


@given(usages, usages)
def test_adding_changes_neither(one: Usage, two: Usage) -> None:
    before = dict(one), dict(two)
    add_usage(one, two)
    assert (one, two) == before


def test_a_call_counts_whether_or_not_its_tokens_are_known() -> None:
    counted = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}
    assert usage_of(AIMessage("x", usage_metadata=counted)) == {
        "calls": 1, "input_tokens": 3, "output_tokens": 4,
    }  # fmt: skip
    assert usage_of(AIMessage("x")) == usage_of(None) == {**NOTHING, "calls": 1}
