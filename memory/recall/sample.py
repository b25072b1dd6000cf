"""A sample of each bank's vectors, kept between calls, from which its statistics come."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from forethought.memory.embedding import Vectors
from forethought.memory.index import Index
from forethought.memory.types import Part

SIZE = 1000  # vectors: the mean cosine of a probe is then known to about .03 standard deviations
_GROWTH = 0.02  # a bank that has grown or shrunk by more than this is sampled anew


@dataclass(frozen=True, slots=True)
class Sample:
    """Vectors of texts and of cues [n, d], and how many of each the bank had at the time."""

    texts: Vectors
    cues: Vectors
    counts: tuple[int, int]


class Samples:
    """The samples of the banks asked for, refreshed as the banks change."""

    def __init__(self, index: Index) -> None:
        """Take samples from `index` when they are first asked for."""
        self._index = index
        self._samples: dict[str, Sample] = {}

    async def of(self, bank: str) -> Sample:
        """A sample that is true of the bank as it is now, to within 2 % of its size."""
        counts = await asyncio.gather(self._count(bank, "text"), self._count(bank, "cue"))
        known = self._samples.get(bank)
        if known is None or any(map(_differ, known.counts, counts)):
            texts, cues = await asyncio.gather(
                self._index.sample(bank, "text", limit=SIZE),
                self._index.sample(bank, "cue", limit=SIZE),
            )
            known = self._samples[bank] = Sample(texts, cues, counts)
        return known

    async def _count(self, bank: str, part: Part) -> int:
        return await self._index.count(bank, part)


def _differ(known: int, now: int) -> bool:
    return abs(known - now) > _GROWTH * known
