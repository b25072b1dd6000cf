"""The facts worth scoring exactly: those whose text or cues came up in a search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forethought.memory.embedding import Vectors
from forethought.memory.index import Index, Neighbour
from forethought.memory.records.port import Records

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


_REMEMBERED = 256  # text vectors, 0.4 MB: those of several questions at once


@dataclass(frozen=True, slots=True)
class Exact:
    """Fetches vectors of shortlisted facts, so that no score rests on what a search left out."""

    records: Records
    index: Index
    _lately: dict[tuple[str, str], Vectors] = field(default_factory=dict)

    async def texts(
        self, bank: str, facts: Iterable[str], probes: Vectors
    ) -> dict[str, NDArray[np.float32]]:
        """Dot products of these facts' texts with each probe, by fact."""
        found = await self.fetch(bank, facts)
        return {fact: probes @ vector for fact, vector in found.items()}

    async def fetch(self, bank: str, facts: Iterable[str]) -> dict[str, Vectors]:
        """The vectors of these facts' texts.

        A few vectors are remembered, since round after round asks for the same ones; a text under
        one id never changes.
        """
        wanted = [(bank, fact) for fact in facts]
        known = {key: self._lately[key] for key in wanted if key in self._lately}
        new = [fact for key in wanted if key not in known for fact in key[1:]]
        found = await self.index.vectors(bank, "text", new)
        known |= {(bank, fact): vector for fact, vector in found.items()}
        self._lately.update(known)
        for key in list(self._lately)[:-_REMEMBERED]:
            del self._lately[key]
        return {fact: vector for (_, fact), vector in known.items()}

    async def cues(
        self, bank: str, facts: Sequence[str], direction: Vectors
    ) -> dict[str, BestCues]:
        """Dot products of these facts' cues with `direction`, by fact; none without cues."""
        import numpy as np

        if not facts:
            return {}
        cues = {cue.id: cue for cue in await self.records.cues(bank, facts)}
        vectors = await self.index.vectors(bank, "cue", list(cues))
        if not vectors:
            return {}
        dots = np.einsum("cd,d->c", np.stack(list(vectors.values())), direction).tolist()
        found: dict[str, list[tuple[float, int]]] = {}
        for name, dot in zip(vectors, dots, strict=True):
            found.setdefault(cues[name].fact, []).append((dot, cues[name].position))
        return {fact: _best(near) for fact, near in found.items()}


def _best(dots: Sequence[tuple[float, int]]) -> BestCues:
    return BestCues(tuple(dot for dot, _ in dots), max(dots)[1])


def best_first(scores: Mapping[str, float]) -> list[str]:
    """Keys by score, best first; equal scores by key."""
    return sorted(scores, key=lambda key: (-scores[key], key))
