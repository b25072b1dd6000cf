"""Pack what was found into a budget of tokens (Hindsight §4.2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

BUDGET = 4096  # tokens, DESIGN §7; the paper leaves its own figure open

Found = TypeVar("Found")


def packed(found: Sequence[Found], sizes: Sequence[int], budget: int) -> list[Found]:
    """The first of `found` (best first) whose sizes, in tokens, add up to `budget` at most.

    The first that does not fit ends it, as in the paper: the next one would be less relevant, and
    what is packed would no longer be the best of what was found.
    """
    total = 0
    for count, size in enumerate(sizes):
        total += size
        if total > budget:
            return list(found[:count])
    return list(found)
