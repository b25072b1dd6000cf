"""Vectors of what was asked lately are remembered, and are the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from forethought.memory.embedding import Vectors
from forethought.memory.recall.lately import SIZE, Lately
from tests.flows.scripted import WordCounts


class _Counting(WordCounts):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return await super().embed(texts)


async def test_it_gives_what_the_embedder_gives_in_the_order_asked_for() -> None:
    lately = Lately(_Counting())
    for texts in (["a", "b"], ["b", "c", "a", "b"], ["c"], ["c", "c"], []):
        expected = await WordCounts().embed(texts)
        if texts:
            np.testing.assert_array_equal(await lately.embed(texts), expected)
    assert lately.name == WordCounts.name
    assert lately.thresholds == WordCounts.thresholds


async def test_what_is_remembered_is_not_asked_for_again() -> None:
    counting = _Counting()
    lately = Lately(counting)
    await lately.embed(["a", "b"])
    await lately.embed(["b", "c", "a", "c"])
    assert counting.asked == ["a", "b", "c"]


async def test_only_the_latest_are_remembered() -> None:
    counting = _Counting()
    lately = Lately(counting)
    await lately.embed(["first"])
    await lately.embed(["kept"])
    await lately.embed([f"word {n}" for n in range(SIZE - 1)])
    await lately.embed(["kept"])
    await lately.embed(["first"])
    assert counting.asked.count("kept") == 1
    assert counting.asked.count("first") == 2
