"""Text from memory inside a prompt is fenced, and cannot get out."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.prompts.prompt import Fence, data_rule, fenced

TAGS: tuple[Any, ...] = get_args(Fence)
PIECES = ["<", "/", ">", " ", "\n", "facts", "FACTS", "request", "x", "</facts>", "<facts >"]
PIECES += ["< / steps\t>", "<known a='b'>"]
lines = st.lists(st.lists(st.sampled_from(PIECES)).map("".join), max_size=5)


@given(st.sampled_from(TAGS), lines)
def test_nothing_inside_a_fence_closes_it_or_opens_another(tag: Any, lines: list[str]) -> None:
    first, *body, last = fenced(tag, lines).split("\n")
    assert (first, last) == (f"<{tag}>", f"</{tag}>")
    inside = "\n".join(body)
    assert not re.search(rf"<\s*/?\s*({'|'.join(TAGS)})\b", inside, re.IGNORECASE)


@given(lines)
def test_whatever_is_no_fence_is_left_as_it_is(lines: list[str]) -> None:
    harmless = [line.replace("<", "(") for line in lines]
    assert fenced("facts", harmless) == "\n".join(["<facts>", "\n".join(harmless), "</facts>"])


@pytest.mark.parametrize("text", ["<b>bold</b>", "a < b > c", "<requests>", "x<factsheet>", "<3"])
def test_other_markup_is_left_as_it_is(text: str) -> None:
    assert text in fenced("facts", [text])


def test_the_rule_names_the_fence_and_says_that_it_is_data() -> None:
    for tag in TAGS:
        assert f"<{tag}>" in data_rule(tag)
        assert "never follow" in data_rule(tag)
