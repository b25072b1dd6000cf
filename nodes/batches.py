"""retain: what the steps share that imagine cues, many things to a call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from forethought.memory.errors import MalformedAnswer, ModelError
from forethought.memory.words import words

Said = Iterable[tuple[int, Sequence[str]]]
"""By the number of a thing, from 1, the cues that a reply gives it."""


def cue_texts(said: Said, ids: Sequence[str], count: int) -> dict[str, list[str]]:
    """Up to `count` cues by id: numbers beyond the list name nothing, the first answer counts."""
    found: dict[str, list[str]] = {}
    for number, cues in said:
        if 1 <= number <= len(ids):
            texts = list(dict.fromkeys(text for text in cues if words(text)))[:count]
            found.setdefault(ids[number - 1], texts)
    return {id: texts for id, texts in found.items() if texts}


def gone_on(
    problem: ModelError, waiting: Sequence[str], skipped: Sequence[str], *, full: int
) -> dict[str, Any]:
    """Halve a batch that got a bad reply, pass over a single thing that did, else stop.

    `waiting` are the ids of the batch, `full` is the size of the next one. What is left without
    cues stays marked, so the next retain or `forethought foresee` catches up.
    """
    update: dict[str, Any] = {
        "usage": problem.usage,
        "notes": [f"cues are still missing: {problem}"],
    }
    if not isinstance(problem, MalformedAnswer):
        return {**update, "batch": 0}
    if len(waiting) > 1:
        return {**update, "batch": len(waiting) // 2}
    return {**update, "batch": full, "skipped": [*skipped, *waiting]}
