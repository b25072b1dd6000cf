"""How each bank's vectors lie, estimated from a sample that is kept between calls."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forethought.memory.embedding import Vectors
from forethought.memory.index import Index
from forethought.memory.types import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE = 2000  # vectors; 1,000 give the mean cosine of a probe to about .03 standard deviations
_GROWTH = 0.02  # a bank that has grown or shrunk by more than this is sampled anew


@dataclass(frozen=True, slots=True)
class Moments:
    """The mean [d] and covariance [d, d] of the `size` vectors that were sampled."""

    size: int
    mean: Vectors
    covariance: Vectors

    @classmethod
    def of(cls, vectors: Vectors) -> Moments:
        """The moments of `vectors` [n, d]; nothing can be asked of those of none."""
        if not len(vectors):
            return cls(0, vectors, vectors)
        mean = vectors.mean(axis=0)
        centred = vectors - mean
        return cls(len(vectors), mean, centred.T @ centred / len(vectors))

    def spread(self, probes: Vectors) -> NDArray[np.float32]:
        """Standard deviation of the dot products with each of `probes` [p, d]: shape (p,)."""
        import numpy as np

        # einsum, not @: for so little, the threads of BLAS wait longer than they work
        turned = np.einsum("pi,ij->pj", probes, self.covariance)
        variances = np.einsum("pj,pj->p", turned, probes).clip(min=1e-12)
        deviations: NDArray[np.float32] = np.sqrt(variances)
        return deviations


@dataclass(frozen=True, slots=True)
class Sample:
    """The moments of texts and of cues, and how many of each the bank had at the time."""

    texts: Moments
    cues: Moments
    counts: tuple[int, int]

    def without_cues(self) -> Sample:
        """The same of a bank that has no cues."""
        return Sample(self.texts, Moments(0, self.cues.mean, self.cues.covariance), self.counts)


class Samples:
    """The samples of the banks asked for, refreshed as the banks change."""

    def __init__(self, index: Index) -> None:
        """Take samples from `index` when they are first asked for."""
        self._index = index
        self._samples: dict[str, Sample] = {}

    async def of(self, bank: str, *, lately: bool = False) -> Sample:
        """A sample that is true of the bank to within 2 % of its size.

        `lately` takes one that is there as it is: it was seen to be true a moment ago, and counting
        50,000 vectors takes Chroma 5 ms.
        """
        known = self._samples.get(bank)
        if known is not None and lately:
            return known
        counts = await asyncio.gather(self._count(bank, "text"), self._count(bank, "cue"))
        if known is None or any(map(_differ, known.counts, counts)):
            texts, cues = await asyncio.gather(
                self._index.sample(bank, "text", limit=SIZE),
                self._index.sample(bank, "cue", limit=SIZE),
            )
            known = self._samples[bank] = Sample(Moments.of(texts), Moments.of(cues), counts)
        return known

    async def _count(self, bank: str, part: Part) -> int:
        return await self._index.count(bank, part)


def _differ(known: int, now: int) -> bool:
    return abs(known - now) > _GROWTH * known
