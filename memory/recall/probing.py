"""Probing: search memory with every step of an imagined future at once (PGR §3.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from forethought.memory.embedding import Embedder
from forethought.memory.index import Neighbour
from forethought.memory.prospection import Step
from forethought.memory.recall.candidates import Candidate, Placed, Probed, Round, merged
from forethought.memory.recall.foresight import CUES, near_cues
from forethought.memory.recall.raising import Raising
from forethought.memory.recall.sample import Samples
from forethought.memory.recall.shortlist import Exact, best_first, told_by
from forethought.memory.recall.similarity import best_two
from forethought.memory.recall.standing import (
    FORESEEN,
    Asked,
    Found,
    Request,
    best_foreseen,
    hold_against,
    standing_of,
    told_apart,
    with_foresight,
    worth_scoring,
)
from forethought.memory.recall.terms import Bearing
from forethought.memory.records.port import Records

DEPTH = 20  # texts read per probe for ranking; 10 already equal a full scan over 1,167 facts


@dataclass(frozen=True, slots=True)
class Probing:
    """How to probe: for which request, in whose memory, as of when, with PGR's K and τ.

    `tau` None means the embedder's own; `foresight` whether the request also searches the cues.
    `limit` is how many facts will be ranked by all scores.
    """

    bank: str
    query: str
    now: datetime
    k: int
    round: int = 0
    tau: float | None = None
    foresight: bool = True
    limit: int = 35


class Prober:
    """One round of probes over one bank."""

    def __init__(
        self, exact: Exact, embedder: Embedder, samples: Samples, raising: Raising
    ) -> None:
        """Over the stores of `exact`; `samples` are what scores are standardised against."""
        self._raising = raising
        self._exact = exact
        self._records = exact.records
        self._index = exact.index
        self._embedder = embedder
        self._samples = samples

    async def probe(
        self, probing: Probing, steps: Sequence[Step], before: Mapping[str, Candidate]
    ) -> Round:
        """What each probe recalls, and every candidate at its best since the first round.

        The steps, and in the first round the query, are embedded and searched in one batch. Each
        recalls its own top K of at least τ: these make R. For ranking, a fact's score is its best
        standardised cosine over the steps, plus the standardised score of its cues for the query.
        That of facts which the steps brought in is added by `foreseen`, once no round is to follow.
        """
        probes, request = await asyncio.gather(
            self._embedder.embed([step.probe for step in steps]),
            self._request(probing, steps, before),
        )
        asked = Asked.of(request, steps, probes)
        found = Found(await self._search(asked), request.cued)
        holding = await self._records.holding(probing.bank, found.facts, now=probing.now)
        standing = standing_of(asked, found)
        hold_against(asked, await self._exact.texts(probing.bank, request.cued, probes), standing)
        new = {
            fact: Candidate(best, steps[row].id, probing.round)
            for fact, (best, row) in standing.items()
            if fact in holding
        }
        probed = [
            self._recalled(name, probe, holding, probing)
            for name, probe in zip(asked.names, found.texts, strict=True)
        ]
        return Round(tuple(probed), told_apart(request, merged(before, new)), holding)

    async def ranked(
        self, probing: Probing, candidates: Mapping[str, Candidate], bearing: Bearing
    ) -> dict[str, Placed]:
        """The candidates, best first: as probes, cues and the terms of `bearing` place them.

        The best by probe get the score of their cues for the query.
        """
        (query,) = await self._embedder.embed([probing.query])
        request = Request(probing, query, await self._samples.of(probing.bank, lately=True))
        found = await self._foreseen(request, candidates)
        return await self._raising.placed(request, found, bearing)

    async def _foreseen(
        self, request: Request, candidates: Mapping[str, Candidate]
    ) -> dict[str, Candidate]:
        if not request.uses_cues:
            return dict(candidates)
        worth = worth_scoring(candidates, request.probing.limit)
        cues = await self._exact.cues(
            request.probing.bank, worth, request.towards.vector, now=request.probing.now
        )
        return with_foresight(request, candidates, worth, cues)

    async def _search(self, asked: Asked) -> list[list[Neighbour]]:
        """The texts nearest to each of `asked.names`."""
        import numpy as np

        request, probes = asked.request, asked.probes
        if request.first:
            probes = np.stack([request.query, *probes])
        n = max(DEPTH, 2 * request.probing.k)
        return await self._index.nearest(
            request.probing.bank, "text", probes, n=n, until=request.until
        )

    async def _request(
        self, probing: Probing, steps: Sequence[Step], before: Mapping[str, Candidate]
    ) -> Request:
        """All that needs no step, done while the steps are embedded.

        In the first round the cues are searched, too: most facts that they bring in have two among
        those that the search returns, which is what their score needs; those of the others are
        fetched. Later rounds hold the same facts against their own steps.
        """
        bank, first = probing.bank, probing.round == 0
        (query,), sample, until = await asyncio.gather(
            self._embedder.embed([probing.query]),
            self._samples.of(bank, lately=not first),
            searched_until(self._records, bank, probing.now),
        )
        request = Request(probing, query, sample, until)
        if not steps or not request.uses_cues:  # without steps nothing is ranked here
            return request
        if first:
            return await self._cued(request)
        cued = best_foreseen(before)
        await self._exact.fetch(bank, cued)
        return replace(request, cued=cued)

    async def _cued(self, request: Request) -> Request:
        bank, towards = request.probing.bank, request.towards
        near = await near_cues(self._index, bank, towards, n=CUES, until=request.until)
        scores = {fact: best_two(dots, near.floor) for fact, dots in near.scores.items()}
        cued, told = best_first(scores)[:FORESEEN], told_by(near, towards.offset)
        untold = [fact for fact in cued if fact not in told]
        fetched, _ = await asyncio.gather(
            self._exact.cues(bank, untold, towards.vector, now=request.probing.now),
            self._exact.fetch(bank, cued),
        )
        return replace(request, cued=cued, told=told | fetched)

    def _recalled(
        self, name: str, found: Sequence[Neighbour], holding: Container[str], probing: Probing
    ) -> Probed:
        floor = self._embedder.thresholds.probe if probing.tau is None else probing.tau
        top = [near for near in found if near.id in holding][: probing.k]
        kept = [near for near in top if near.cosine >= floor]
        return Probed(
            name, tuple(near.id for near in kept), tuple(round(near.cosine, 4) for near in kept)
        )


async def searched_until(records: Records, bank: str, now: datetime) -> datetime | None:
    """`now` if the bank has facts said or cues learned later; else None, as a filter takes time.

    It makes a search 3 times slower.
    """
    newest = await records.newest(bank)
    return now if newest is not None and newest > now else None
