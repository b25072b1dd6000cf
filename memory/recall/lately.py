"""The vectors of what was asked lately: the rounds of one question ask much of the same again."""

from __future__ import annotations

from collections.abc import Sequence

from forethought.memory.embedding import Embedder, Thresholds, Vectors
from forethought.memory.recall.latest import Latest

SIZE = 256  # texts, 0.4 MB: the requests and steps of several questions at once


class Lately:
    """An embedder that remembers the last `SIZE` texts it was given."""

    def __init__(self, embedder: Embedder) -> None:
        """Ask `embedder` for the texts that are not remembered."""
        self._embedder = embedder
        self._vectors = Latest[str](SIZE)

    @property
    def name(self) -> str:
        """See `Embedder.name`."""
        return self._embedder.name

    @property
    def thresholds(self) -> Thresholds:
        """See `Embedder.thresholds`."""
        return self._embedder.thresholds

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        import numpy as np

        known = self._vectors.of(texts)
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if len(new) == len(texts):
            vectors = await self._embedder.embed(new)
            self._vectors.keep(dict(zip(new, vectors, strict=True)))
            return vectors
        if new:
            known |= dict(zip(new, await self._embedder.embed(new), strict=True))
        self._vectors.keep(known)
        return np.stack([known[text] for text in texts])
