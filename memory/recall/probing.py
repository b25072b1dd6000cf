"""Probing: search memory with every step of an imagined future at once (PGR §3.3)."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from forethought.memory.embedding import Embedder, Vectors
from forethought.memory.index import Index, Neighbour
from forethought.memory.prospection import Step
from forethought.memory.recall.candidates import Candidate, Probed, Round, merged
from forethought.memory.recall.foresight import CUES, Direction, near_cues
from forethought.memory.recall.sample import Sample, Samples
from forethought.memory.recall.shortlist import Exact, best_first
from forethought.memory.recall.similarity import EXPECTED_BEST_TWO, best_two
from forethought.memory.records.port import Records

DEPTH = 20  # texts read per probe for ranking; 10 already equal a full scan over 1,167 facts
SCORED = 80  # best candidates by probe, whose cues are fetched: as good as all, of 1,167 facts
FORESEEN = 60  # facts that the request's own cues bring in beside what the probes find


@dataclass(frozen=True, slots=True)
class Probing:
    """How to probe: for which request, in whose memory, as of when, with PGR's K and τ.

    `tau` None means the embedder's own; `foresight` whether the request also searches the cues.
    """

    bank: str
    query: str
    now: datetime
    k: int
    round: int = 0
    tau: float | None = None
    foresight: bool = True


@dataclass(frozen=True, slots=True)
class _Asked:
    """One round: its steps, the vectors of the query [d] and of the steps [steps, d].

    Only the first round searches with the query: it would find the same each time.
    """

    probing: Probing
    steps: Sequence[Step]
    query: Vectors
    probes: Vectors
    sample: Sample
    until: datetime | None

    @property
    def first(self) -> bool:
        """Whether it is the first round."""
        return self.probing.round == 0

    @property
    def uses_cues(self) -> bool:
        """Whether the query is also held against cues."""
        return self.probing.foresight and self.sample.cues.size > 0

    @property
    def names(self) -> list[str]:
        """What searches: the ids of the steps, after "query" in the first round."""
        return [*(["query"] if self.first else []), *(step.id for step in self.steps)]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a round's searches returned: neighbours for each name, and facts that cues bring in."""

    texts: Sequence[Sequence[Neighbour]]
    cued: Sequence[str]

    @property
    def facts(self) -> list[str]:
        """All of them, once each."""
        return list({near.id for probe in self.texts for near in probe} | set(self.cued))


class Prober:
    """One round of probes over one bank."""

    def __init__(
        self, records: Records, index: Index, embedder: Embedder, samples: Samples
    ) -> None:
        """`samples` of the banks in `index` are what scores are standardised against."""
        self._records = records
        self._index = index
        self._embedder = embedder
        self._samples = samples
        self._exact = Exact(records, index)

    async def probe(
        self, probing: Probing, steps: Sequence[Step], before: Mapping[str, Candidate]
    ) -> Round:
        """What each probe recalls, and every candidate at its best since the first round.

        The steps, and in the first round the query, are embedded and searched in one batch. Each
        recalls its own top K of at least τ: these make R. For ranking, a fact's score is its best
        standardised cosine over the steps, plus the standardised score of its cues for the query.
        """
        vectors, sample, until = await asyncio.gather(
            self._embedder.embed([probing.query, *(step.probe for step in steps)]),
            self._samples.of(probing.bank, lately=probing.round > 0),
            searched_until(self._records, probing.bank, probing.now),
        )
        asked = _Asked(probing, steps, vectors[0], vectors[1:], sample, until)
        found = await self._search(asked, before)
        holding = await self._records.holding(probing.bank, found.facts, now=probing.now)
        probed = [
            self._recalled(name, probe, holding, probing)
            for name, probe in zip(asked.names, found.texts, strict=True)
        ]
        new = await self._standing(asked, found, holding)
        candidates = merged(before, new)
        if asked.uses_cues:
            candidates = await self._with_foresight(asked, candidates, found.cued)
        return Round(tuple(probed), candidates)

    async def _search(self, asked: _Asked, before: Mapping[str, Candidate]) -> _Found:
        """The neighbours of the probes, and facts to hold them against because of their cues."""
        import numpy as np

        probes = np.vstack([asked.query, asked.probes]) if asked.first else asked.probes
        n = max(DEPTH, 2 * asked.probing.k)
        texts = self._index.nearest(asked.probing.bank, "text", probes, n=n, until=asked.until)
        if not (asked.first and asked.uses_cues):
            return _Found(await texts, _best_foreseen(before))
        return _Found(*await asyncio.gather(texts, self._cued(asked)))

    def _recalled(
        self, name: str, found: Sequence[Neighbour], holding: set[str], probing: Probing
    ) -> Probed:
        floor = self._embedder.thresholds.probe if probing.tau is None else probing.tau
        top = [near for near in found if near.id in holding][: probing.k]
        kept = [near for near in top if near.cosine >= floor]
        return Probed(
            name, tuple(near.id for near in kept), tuple(round(near.cosine, 4) for near in kept)
        )

    async def _cued(self, asked: _Asked) -> list[str]:
        """The facts whose cues are nearest to the query."""
        direction = _towards(asked.query, asked.sample)
        near = await near_cues(
            self._index, asked.probing.bank, direction, n=CUES, until=asked.until
        )
        scores = {fact: best_two(dots, near.floor) for fact, dots in near.scores.items()}
        return best_first(scores)[:FORESEEN]

    async def _standing(
        self, asked: _Asked, found: _Found, holding: set[str]
    ) -> dict[str, Candidate]:
        """Each fact's best standardised score over this round's steps, and which step gave it."""
        if not asked.steps or not asked.sample.texts.size:
            return {}
        texts = asked.sample.texts
        mean, spread = asked.probes @ texts.mean, texts.spread(asked.probes)
        scores: dict[str, list[tuple[float, int]]] = {}
        for row, probe in enumerate(found.texts[1:] if asked.first else found.texts):
            for near in probe:
                score = float((near.cosine - mean[row]) / spread[row])
                scores.setdefault(near.id, []).append((score, row))
        cued = await self._exact.texts(asked.probing.bank, found.cued, asked.probes)
        for fact, dots in cued.items():
            standard = (dots - mean) / spread
            row = int(standard.argmax())
            scores.setdefault(fact, []).append((float(standard[row]), row))
        return {
            fact: Candidate(best, asked.steps[row].id, asked.probing.round)
            for fact, (best, row) in ((fact, max(some)) for fact, some in scores.items())
            if fact in holding
        }

    async def _with_foresight(
        self, asked: _Asked, candidates: dict[str, Candidate], cued: Sequence[str]
    ) -> dict[str, Candidate]:
        """Candidates with the score of their cues for the query, where that can matter.

        It is fetched for those that the cues brought in and for the best by their probes. The
        others stay without, as long as they are so far down.
        """
        best = heapq.nlargest(SCORED, candidates, key=lambda fact: candidates[fact].probe)
        worth = {*best, *cued} & candidates.keys()
        lacking = [fact for fact in worth if candidates[fact].foresight is None]
        direction = _towards(asked.query, asked.sample).vector
        cues = asked.sample.cues
        mean, spread = float(cues.mean @ direction), float(cues.spread(direction[None, :])[0])
        found = await self._exact.cues(asked.probing.bank, lacking, direction)
        result = dict(candidates)
        for fact in lacking:
            near = found.get(fact)
            standard = [(dot - mean) / spread for dot in near.dots] if near else []
            score = best_two(standard, EXPECTED_BEST_TWO)
            at = candidates[fact]
            result[fact] = Candidate(at.probe, at.by, at.round, score, near.best if near else None)
        return result


def _towards(query: Vectors, sample: Sample) -> Direction:
    """The query with half of the cues' centroid removed: beside probes that ranks best.

    Measured recall@20 of both trees: .924, against .911 with all of it removed and .924 with none,
    which in turn is worse for the first tree (.863 against .876).
    """
    return Direction.of(query, sample.cues.mean, share=0.5)


def _best_foreseen(before: Mapping[str, Candidate]) -> list[str]:
    """The candidates that the cues favour most: a later round's steps are held against them too."""
    return best_first({fact: c.foresight for fact, c in before.items() if c.foresight is not None})[
        :FORESEEN
    ]


async def searched_until(records: Records, bank: str, now: datetime) -> datetime | None:
    """`now` if the bank has facts said later, else None: a filter makes a search 3 times slower."""
    newest = await records.newest(bank)
    return now if newest is not None and newest > now else None
