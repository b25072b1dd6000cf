from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.graphs.cli_shell import clean
from forethought.graphs.cli_stream import Spoken
from forethought.graphs.cli_trace import heading, tree

PARTS = st.lists(
    st.sampled_from(["tea ", "<", "a < b", "<think>", "</think>", "x > y", "<b>", "secret", "\n"])
)


def said(pieces: list[str]) -> str:
    spoken = Spoken()
    return "".join([*(spoken.feed(piece) for piece in pieces), spoken.rest()])


def test_thinking_is_not_shown_wherever_the_stream_is_cut() -> None:
    text = "<think>secret <b></think> Tea < coffee [f1].<THINKING>more</THINKING>Yes"
    for size in range(1, len(text)):
        pieces = [text[start : start + size] for start in range(0, len(text), size)]
        assert said(pieces) == " Tea < coffee [f1].Yes"


def test_thinking_that_never_ends_is_not_shown() -> None:
    assert said(["Tea", " <think>sec", "ret"]) == "Tea "


@given(PARTS, st.integers(1, 5))
def test_how_a_stream_is_cut_does_not_change_what_is_shown(parts: list[str], size: int) -> None:
    text = "".join(parts)
    assert said([text[at : at + size] for at in range(0, len(text), size)]) == said([text])


@given(st.text())
def test_no_control_character_reaches_the_terminal(text: str) -> None:
    assert all(char in "\n\t" or ord(char) >= 32 and not 127 <= ord(char) < 160
               for char in clean(text))  # fmt: skip


@pytest.mark.parametrize("turn", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_nothing_turns_the_reading_order_of_the_terminal(turn: str) -> None:
    assert turn not in clean(f"I owe Ana {turn}001€")


def test_a_heading_counts_only_what_a_step_did() -> None:
    event = {"node": "imagine", "ms": 1234.5, "steps": [{}], "calls": 1, "input_tokens": 1200}
    assert heading(event) == "1 steps · 1 call, 1,200 + 0 tokens · 1.2 s"
    assert heading({"node": "index", "ms": 3.2, "vectors": 0}) == "0 vectors · 3 ms"


def test_a_tree_holds_every_step_once_even_where_children_come_first() -> None:
    def step(id: str, parent: str | None) -> dict[str, str | None]:
        return {"id": id, "action": f"do {id}", "constraints": "", "parent": parent}

    drawn = tree([step("A2", "A1"), step("A1", None), step("A3", "A2"), step("A4", "gone")], "ask")
    labels = {str(node.label) for node in drawn.children}
    assert labels == {"A1 do A1", "A4 do A4"}
    (first,) = [node for node in drawn.children if str(node.label) == "A1 do A1"]
    assert [str(node.label) for node in first.children] == ["A2 do A2"]
