"""Counting tokens: near what a chat model counts, and never fooled into counting too few."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.tokens import counted


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("The cat likes tea.", 5),
        ("[f0123] (2024-08-14) The cat likes tea.", 18),
        ("unbelievably", 5),
        ("猫が好き", 8),  # two of the four are not in the vocabulary: three bytes each
    ],
)
async def test_words_and_what_they_are_made_of_count(text: str, tokens: int) -> None:
    assert await counted([text]) == [tokens]


@pytest.mark.parametrize("text", ["x" * 100_000, "🐈" * 5_000, "ⴰ" * 5_000, "a\udfff" * 2_000])
async def test_no_long_text_counts_as_a_few_tokens(text: str) -> None:
    (tokens,) = await counted([text])
    assert tokens >= 2_000


async def test_a_long_text_is_counted_to_its_end() -> None:
    assert await counted(["cat " * 3000, "cat"]) == [3000, 1]


@given(st.lists(st.text(), max_size=5))
async def test_each_text_is_counted_alone(texts: list[str]) -> None:
    assert await counted(texts) == [(await counted([text]))[0] for text in texts]
