"""φ: the one way into memory for requests, probes and everything that must know what is known."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from forethought.memory.indexing import Indexer
from forethought.memory.prospection import Step
from forethought.memory.recall.candidates import Candidate, Round
from forethought.memory.recall.foresight import Foresight, Scored
from forethought.memory.recall.lately import Lately
from forethought.memory.recall.probing import Prober, Probing, searched_until
from forethought.memory.recall.rerank import Identity, Reranker, reranked
from forethought.memory.recall.sample import Samples
from forethought.memory.recall.shortlist import Exact, best_first
from forethought.memory.types import Fact, Hit


class Recall:
    """Finds facts in one bank as of one moment: none said later, none replaced by then."""

    def __init__(self, indexer: Indexer, reranker: Reranker | None = None) -> None:
        """Search the stores that `indexer` keeps true to each other."""
        self._reranker = reranker or Identity()
        self._indexer = indexer
        self._records = indexer.records
        self._index = indexer.index
        self._embedder = Lately(indexer.embedder)
        self._opened: set[tuple[str, bool]] = set()
        self._samples = Samples(self._index)
        exact = Exact(self._records, self._index)
        self._foresight = Foresight(self._index, exact)
        self._prober = Prober(exact, self._embedder, self._samples)

    async def recall(
        self, bank: str, query: str, *, now: datetime, limit: int, foresight: bool = True
    ) -> list[Hit]:
        """The `limit` facts nearest to `query` by text and cues, or by text without foresight.

        A reranker reads the best of them, `limit` or as many as it wants, and has the last word.
        """
        depth = max(limit, self._reranker.depth)
        await self._open(bank)
        (vector,), sample, until = await asyncio.gather(
            self._embedder.embed([query]),
            self._samples.of(bank),
            searched_until(self._records, bank, now),
        )
        if not foresight:
            sample = sample.without_cues()
        scored = await self._foresight.scored(bank, vector, sample, n=depth, until=until)
        order = best_first({fact: score.joint for fact, score in scored.items()})
        holding = await self._records.holding(bank, order, now=now)
        best = [fact for fact in order if fact in holding][:depth]
        texts = await self._cue_texts(bank, {f: s.position for f, s in scored.items() if f in best})
        facts = await self._records.facts(bank, best)
        hits = [_hit(fact, scored[fact.id], texts.get(fact.id)) for fact in facts]
        return (await reranked(self._reranker, query, hits))[:limit]

    async def related(self, bank: str, texts: Sequence[str], *, k: int, limit: int) -> list[Fact]:
        """What is known near any of `texts`: up to `k` facts each that still hold, best first."""
        await self._open(bank, turns=False)  # a retain's own turns wait until its facts are safe
        probes = await self._embedder.embed(texts)
        best: dict[str, float] = {}
        for found in await self._index.nearest(bank, "text", probes, n=k):
            for neighbour in found:
                best[neighbour.id] = max(best.get(neighbour.id, -1.0), neighbour.cosine)
        facts = await self._records.facts(bank, best_first(best)[: 2 * limit])
        return [fact for fact in facts if fact.until is None][:limit]

    async def sure(
        self, bank: str, query: str, *, now: datetime, k: int, floor: float | None
    ) -> list[Fact]:
        """φ(q; τ₀): up to `k` facts whose text is surely about `query`: cosine ≥ floor, or τ₀."""
        await self._open(bank)
        strict = self._embedder.thresholds.strict if floor is None else floor
        vectors, until = await asyncio.gather(
            self._embedder.embed([query]), searched_until(self._records, bank, now)
        )
        (found,) = await self._index.nearest(bank, "text", vectors, n=2 * k, until=until)
        facts = await self._records.facts(
            bank, [near.id for near in found if near.cosine >= strict]
        )
        return [fact for fact in facts if fact.holds(now)][:k]

    async def probe(
        self, probing: Probing, steps: Sequence[Step], before: Mapping[str, Candidate]
    ) -> Round:
        """Search with the query and every step in one batch (see `Prober.probe`)."""
        await self._open(probing.bank)
        return await self._prober.probe(probing, steps, before)

    async def foreseen(
        self, probing: Probing, candidates: Mapping[str, Candidate]
    ) -> dict[str, Candidate]:
        """The candidates as they rank, cues and all (see `Prober.foreseen`)."""
        await self._open(probing.bank)
        return await self._prober.foreseen(probing, candidates)

    async def _open(self, bank: str, *, turns: bool = True) -> None:
        """On first use of a bank, index whatever a crash of an earlier process left marked."""
        if self._opened.isdisjoint({(bank, True), (bank, turns)}):
            await self._indexer.catch_up(bank, turns=turns)
            self._opened.add((bank, turns))

    async def _cue_texts(self, bank: str, positions: dict[str, int | None]) -> dict[str, str]:
        cues = await self._records.cues(bank, list(positions))
        return {cue.fact: cue.text for cue in cues if positions[cue.fact] == cue.position}


def _hit(fact: Fact, scored: Scored, cue: str | None) -> Hit:
    terms = {"text": round(scored.text, 4)}
    if scored.position is not None:
        terms |= {"cue": round(scored.cue, 4), "cue_weight": round(scored.weight, 3)}
    by_cue = scored.by_cue and cue is not None
    found_by = f"you may one day ask: {cue}" if by_cue else "query"
    return Hit(fact, round(scored.joint, 4), terms, found_by, cue if by_cue else None)
