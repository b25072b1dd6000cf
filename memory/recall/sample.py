"""How each bank's vectors lie, estimated from a sample that is kept between calls."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forethought.memory.embedding import Vectors
from forethought.memory.grain import GRAIN
from forethought.memory.index import Index
from forethought.memory.recall.shortlist import is_learned
from forethought.memory.types import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE = 2000  # vectors; 1,000 give the mean cosine of a probe to about .03 standard deviations
_GROWTH = 0.02  # a bank that has grown or shrunk by more than this is sampled anew
_COUNTED = 2000  # vectors that Chroma counts in .3 ms; for 100,000 of each part it takes 40 ms
_SPARED = 25  # questions at most that a large bank is asked between two counts


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
        """Standard deviation of the dot products with each of `probes` [p, d]: shape (p,).

        At least the grain of the index: what differs by less does not differ.
        """
        import numpy as np

        # einsum, not @: for so little, the threads of BLAS wait longer than they work
        turned = np.einsum("pi,ij->pj", probes, self.covariance)
        variances = np.einsum("pj,pj->p", turned, probes).clip(min=GRAIN**2)
        deviations: NDArray[np.float32] = np.sqrt(variances)
        return deviations


@dataclass(frozen=True, slots=True)
class Sample:
    """The moments of a bank's texts and of its cues, as far as those were imagined.

    Cues learned from use are searched like others but no part of the mean: what a cue is like is
    not to follow what one user happens to ask (`forethought eval learning`).
    """

    texts: Moments
    cues: Moments

    def without_cues(self) -> Sample:
        """The same of a bank that has no cues."""
        return Sample(self.texts, Moments(0, self.cues.mean, self.cues.covariance))


@dataclass(slots=True)
class _Kept:
    """The moments of one part, of how many vectors, and for how many questions none is counted."""

    count: int
    moments: Moments
    spared: int = 0


class Samples:
    """The samples of the banks asked for, refreshed as the banks change."""

    def __init__(self, index: Index) -> None:
        """Take samples from `index` when they are first asked for."""
        self._index = index
        self._known: dict[tuple[str, Part], _Kept] = {}

    async def of(self, bank: str, *, lately: bool = False) -> Sample:
        """A sample that was true of the bank to within 2 % of its size when it was last counted.

        A large bank is not counted for every question. `lately` takes the sample as it is, where
        there is one: it was seen to be true a moment ago.
        """
        texts, cues = await asyncio.gather(
            self._part(bank, "text", lately=lately), self._part(bank, "cue", lately=lately)
        )
        return Sample(texts, cues)

    async def turns(self, bank: str) -> Moments:
        """The moments of the vectors of its turns, as true."""
        return await self._part(bank, "turn", lately=False)

    async def _part(self, bank: str, part: Part, *, lately: bool) -> Moments:
        kept = self._known.get((bank, part))
        if kept is not None and (lately or kept.spared):
            kept.spared -= 0 if lately else 1
            return kept.moments
        count = await self._index.count(bank, part)
        if kept is None or outgrown(kept.count, count):
            unless = is_learned if part == "cue" else None
            vectors = await self._index.sample(bank, part, limit=SIZE, unless=unless)
            kept = self._known[bank, part] = _Kept(count, Moments.of(vectors))
        kept.spared = min(count // _COUNTED, _SPARED)
        return kept.moments


def outgrown(known: int, now: int) -> bool:
    """Whether a bank of `now` vectors is no longer as it was seen with `known`: by 2 %."""
    return abs(known - now) > _GROWTH * known
