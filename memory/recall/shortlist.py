"""The facts worth scoring exactly: those whose text or cues came up in a search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from forethought.memory.embedding import Vectors
from forethought.memory.index import Index, Neighbour
from forethought.memory.recall.latest import Latest
from forethought.memory.records.port import Records
from forethought.memory.types import LEARNED, Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Seen:
    """Scores by fact as a search returned them, best first; `floor` bounds what it did not return.

    `best` is the vector that gave a fact its first score.
    """

    scores: dict[str, list[float]] = field(default_factory=dict)
    floor: float = 0.0
    best: dict[str, str] = field(default_factory=dict)


def seen(neighbours: Sequence[Neighbour]) -> Seen:
    """The neighbours by the fact each belongs to (cues name their fact before the colon)."""
    scores: dict[str, list[float]] = {}
    best: dict[str, str] = {}
    for neighbour in neighbours:
        fact = fact_of(neighbour.id)
        scores.setdefault(fact, []).append(neighbour.cosine)
        best.setdefault(fact, neighbour.id)
    return Seen(scores, neighbours[-1].cosine if neighbours else 0.0, best)


def fact_of(vector: str) -> str:
    """The fact that a vector of either part stands for."""
    return vector.partition(":")[0]


def position_of(cue: str) -> int:
    """Which of its fact's cues it is, from its id."""
    return int(cue.rpartition(":")[2])


def is_learned(cue: str) -> bool:
    """Whether it was learned from use, from its id."""
    return position_of(cue) >= LEARNED


@dataclass(frozen=True, slots=True)
class BestCues:
    """A fact's cues against one direction: their dot products, and the position of the best."""

    dots: tuple[float, ...]
    best: int


def told_by(cues: Seen, offset: float = 0.0) -> dict[str, BestCues]:
    """The facts of whose cues a search returned two or more: what decides is known of them.

    `offset` is what was added to their dot products.
    """
    return {
        fact: BestCues(tuple(score - offset for score in scores), position_of(cues.best[fact]))
        for fact, scores in cues.scores.items()
        if len(scores) > 1
    }


_REMEMBERED = 10_000  # vectors, 15 MB of 384 dimensions: the same facts come up again and again

Key = tuple[str, Part, str, int]
"""Bank, part and id of a vector, and the hash of a cue's text: cues may be imagined anew."""


@dataclass(frozen=True, slots=True)
class Exact:
    """Fetches vectors of shortlisted facts, so that no score rests on what a search left out.

    Those used last are remembered: rounds and questions ask for the same ones again, and Chroma
    takes 9 ms for 150.
    """

    records: Records
    index: Index
    _latest: Latest[Key] = field(default_factory=lambda: Latest(_REMEMBERED))

    async def texts(
        self, bank: str, facts: Iterable[str], probes: Vectors
    ) -> dict[str, NDArray[np.float32]]:
        """Dot products of these facts' texts with each probe, by fact."""
        import numpy as np

        found = await self.fetch(bank, facts)
        if not found:
            return {}
        # einsum, not @: for so little, the threads of BLAS wait longer than they work
        dots = np.einsum("fd,pd->fp", np.stack(list(found.values())), probes)
        return dict(zip(found, dots, strict=True))

    async def fetch(self, bank: str, facts: Iterable[str]) -> dict[str, Vectors]:
        """The vectors of these facts' texts; a text under one id never changes."""
        return await self._vectors([(bank, "text", fact, 0) for fact in facts])

    async def cues(
        self, bank: str, facts: Sequence[str], direction: Vectors, *, now: datetime
    ) -> dict[str, BestCues]:
        """Dot products of these facts' cues with `direction`, by fact; none without cues.

        Cues learned after `now` are left out, as searches leave them out.
        """
        import numpy as np

        if not facts:
            return {}
        known = await self.records.cues(bank, facts)
        cues = {cue.id: cue for cue in known if cue.learned is None or cue.learned <= now}
        vectors = await self._vectors([(bank, "cue", c.id, hash(c.text)) for c in cues.values()])
        if not vectors:
            return {}
        dots = np.einsum("cd,d->c", np.stack(list(vectors.values())), direction).tolist()
        found: dict[str, list[tuple[float, int]]] = {}
        for name, dot in zip(vectors, dots, strict=True):
            found.setdefault(cues[name].fact, []).append((dot, cues[name].position))
        return {fact: _best(near) for fact, near in found.items()}

    async def _vectors(self, keys: Sequence[Key]) -> dict[str, Vectors]:
        """The vectors under these keys, which are of one bank and part; by id."""
        known = self._latest.of(keys)
        new = {key[2]: key for key in keys if key not in known}
        if new:
            (bank, part, *_) = keys[0]
            found = await self.index.vectors(bank, part, list(new))
            # copied, since each is a row of all that Chroma returned
            known |= {new[name]: vector.copy() for name, vector in found.items()}
        self._latest.keep(known)
        return {name: vector for (_, _, name, _), vector in known.items()}


def _best(dots: Sequence[tuple[float, int]]) -> BestCues:
    return BestCues(tuple(dot for dot, _ in dots), max(dots)[1])


def best_first(scores: Mapping[str, float]) -> list[str]:
    """Keys by score, best first; equal scores by key."""
    return sorted(scores, key=lambda key: (-scores[key], key))
