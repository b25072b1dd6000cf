"""Recall with foresight: a request finds facts by what they say and by when they matter."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from forethought.memory.embedding import Vectors
from forethought.memory.index import Index
from forethought.memory.recall.channels import Question
from forethought.memory.recall.sample import Sample
from forethought.memory.recall.shortlist import BestCues, Exact, Seen, best_first, seen, told_by
from forethought.memory.recall.similarity import (
    EXPECTED_BEST_TWO,
    best_two,
    cue_weight,
    joint,
    request_likeness,
)

TEXTS = 100  # nearest texts considered; 50 already equal a full scan in a bank of 1,167 facts
CUES = 300  # nearest cues considered; 100 do there
_EXACT = 100  # shortlisted facts scored exactly


@dataclass(frozen=True, slots=True)
class Scored:
    """One fact's similarity to a request: `text` and `cue` on the cosine scale, `joint` of the two.

    `position` is that of the cue nearest to the request; None where the fact has no cue.
    """

    joint: float
    text: float
    cue: float
    weight: float
    position: int | None

    @property
    def by_cue(self) -> bool:
        """Whether its cues rather than its text found it."""
        return self.position is not None and self.weight * self.cue > self.text


@dataclass(frozen=True, slots=True)
class Direction:
    """A request as a vector to search cues with: its own, less a share of the cues' centroid.

    What all cues have in common says nothing about any of them (centring removes hubs).
    """

    vector: Vectors
    offset: float

    @classmethod
    def of(cls, query: Vectors, centroid: Vectors, *, share: float) -> Direction:
        """(q − share·m)·cue + share·|m|²: cosines again in scale, centred by `share` of m."""
        return cls(query - share * centroid, share * float(centroid @ centroid))


class Foresight:
    """Scores facts for a request over one bank's index."""

    def __init__(self, index: Index, exact: Exact) -> None:
        """`exact` fetches what a nearest-neighbour search leaves out."""
        self._index = index
        self._exact = exact

    async def scored(
        self, bank: str, question: Question, sample: Sample, *, n: int
    ) -> dict[str, Scored]:
        """The facts nearest to `question` by text and cues together, `n` or more if there are."""
        query, until = question.vector, question.until
        if not sample.cues.size:
            texts = await self._texts(bank, question, n=max(TEXTS, n))
            return {fact: _by_text(scores[0]) for fact, scores in texts.scores.items()}
        centroid = sample.cues.mean
        direction = Direction.of(query, centroid, share=1.0)
        texts, cues = await asyncio.gather(
            self._texts(bank, question, n=max(TEXTS, n)),
            near_cues(self._index, bank, direction, n=max(CUES, 3 * n), until=until),
        )
        weight = cue_weight(request_likeness(query, centroid))
        facts = _shortlist(texts, cues, weight, max(_EXACT, 2 * n))
        told = told_by(cues, direction.offset)
        return await self.exactly(bank, facts, question, sample, told=told)

    async def exactly(
        self, bank: str, facts: Sequence[str], question: Question, sample: Sample,
        *, told: Mapping[str, BestCues] | None = None,
    ) -> dict[str, Scored]:  # fmt: skip
        """These facts' similarity to `question`; `told` are those whose best cues are known."""
        query, towards = question.vector, question.texts[None, :]
        if not sample.cues.size:
            texts = await self._exact.texts(bank, facts, towards)
            return {fact: _by_text(float(dots[0])) for fact, dots in texts.items()}
        centroid, told = sample.cues.mean, dict(told or {})
        direction = Direction.of(query, centroid, share=1.0)
        weight = cue_weight(request_likeness(query, centroid))
        exact_texts, fetched = await asyncio.gather(
            self._exact.texts(bank, facts, towards),
            self._exact.cues(
                bank, [one for one in facts if one not in told], direction.vector, now=question.now
            ),
        )
        spread = float(sample.cues.spread(direction.vector[None, :])[0])
        expected = float(query @ centroid) + EXPECTED_BEST_TWO * spread
        return {
            fact: _scored(float(dots[0]), (told | fetched).get(fact), direction, weight, expected)
            for fact, dots in exact_texts.items()
        }

    async def _texts(self, bank: str, question: Question, *, n: int) -> Seen:
        (found,) = await self._index.nearest(
            bank, "text", question.texts[None, :], n=n, until=question.until
        )
        return seen(found)


async def near_cues(
    index: Index, bank: str, direction: Direction, *, n: int, until: datetime | None
) -> Seen:
    """Facts by their nearest cues, on the cosine scale."""
    length = float((direction.vector @ direction.vector) ** 0.5) or 1.0
    probe = (direction.vector / length)[None, :]
    (found,) = await index.nearest(bank, "cue", probe, n=n, until=until)
    near = seen(found)
    scale = {
        fact: [length * cosine + direction.offset for cosine in cosines]
        for fact, cosines in near.scores.items()
    }
    return Seen(scale, length * near.floor + direction.offset, near.best)


def _shortlist(texts: Seen, cues: Seen, weight: float, size: int) -> list[str]:
    """Facts worth an exact score, by what the searches returned and their floors for the rest."""
    scores = {
        fact: joint(
            texts.scores.get(fact, [texts.floor])[0],
            best_two(cues.scores.get(fact, []), cues.floor),
            weight,
        )
        for fact in texts.scores.keys() | cues.scores.keys()
    }
    return best_first(scores)[:size]


def _by_text(cosine: float) -> Scored:
    return Scored(cosine, cosine, 0.0, 0.0, None)


def _scored(
    text: float, cues: BestCues | None, direction: Direction, weight: float, expected: float
) -> Scored:
    dots = [dot + direction.offset for dot in cues.dots] if cues else []
    cue = best_two(dots, expected)
    return Scored(joint(text, cue, weight), text, cue, weight, cues.best if cues else None)
