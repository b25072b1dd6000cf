"""φ: the one way into memory for requests, probes and everything that must know what is known."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

from forethought.memory.beliefs.types import About
from forethought.memory.embedding import Embedder
from forethought.memory.indexing import Indexer
from forethought.memory.prospection import Step
from forethought.memory.recall.candidates import Candidate, Placed, Round
from forethought.memory.recall.channels import TIMELY_DEPTH, Channels, Question
from forethought.memory.recall.foresight import Foresight
from forethought.memory.recall.gate import Reading, read
from forethought.memory.recall.hybrid import Hybrid, Standing
from forethought.memory.recall.lately import Lately
from forethought.memory.recall.probing import Prober, Probing, searched_until
from forethought.memory.recall.raising import Raising, known, leaning
from forethought.memory.recall.rerank import Identity, Reranker, reranked
from forethought.memory.recall.sample import Samples
from forethought.memory.recall.shortlist import Exact, best_first
from forethought.memory.recall.similarity import request_likeness
from forethought.memory.recall.temporal import Temporal, Timely
from forethought.memory.recall.terms import PLAIN, PROFILE, Bearing, Raised, raised
from forethought.memory.recall.turns import Log, beside
from forethought.memory.recall.views import SUMMED_UP, Sight, Viewing, Views
from forethought.memory.types import Cue, Fact, Hit, Said

ALL = Channels()


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was found, best first: facts, and turns that support none of them.

    `read` says, by channel, what it read in the query: the days that it names.
    """

    hits: list[Hit]
    turns: list[Said]
    read: dict[str, str] = field(default_factory=dict)


class Recall:
    """Finds facts in one bank as of one moment: none said later, none replaced by then."""

    def __init__(
        self, indexer: Indexer, reranker: Reranker | None = None, *, zone: tzinfo = UTC
    ) -> None:
        """Search the stores that `indexer` keeps true to each other; days are those of `zone`."""
        self._reranker = reranker or Identity()
        self._indexer = indexer
        self._records = indexer.records
        self._index = indexer.index
        self._embedder = Lately(indexer.embedder)
        self._opened: set[tuple[str, bool]] = set()
        self._samples = Samples(self._index)
        exact = self._exact = Exact(self._records, self._index)
        self._raising = Raising(indexer, exact)
        self._log = Log(self._records, self._index, self._samples)
        self._hybrid = Hybrid(self._records, Foresight(self._index, exact), self._log)
        self._temporal, self._zone = Temporal(self._records), zone
        self._prober = Prober(exact, self._embedder, self._samples, self._raising)
        self._viewing = Viewing(self._records, self._index)

    @property
    def embedder(self) -> Embedder:
        """What embeds requests, and remembers those of lately."""
        return self._embedder

    @property
    def zone(self) -> tzinfo:
        """The zone of the user's days."""
        return self._zone

    async def recall(  # noqa: PLR0913  # whose memory, what is asked, and all that bears on it
        self, bank: str, query: str, *, now: datetime, limit: int, channels: Channels = ALL,
        bearing: Bearing = PLAIN,
    ) -> Recalled:  # fmt: skip
        """The `limit` best facts for `query` by these channels, and turns that say other things.

        A reranker reads the best facts, `limit` or as many as it wants, and has the last word.
        """
        depth = max(limit, self._reranker.depth)
        await self._open(bank)
        question, sample = await asyncio.gather(
            self._question(bank, query, now, channels, bearing), self._samples.of(bank)
        )
        ranked, firing = await asyncio.gather(
            self._hybrid.ranked(bank, question, sample, n=depth, channels=channels),
            self._raising.firing(bank, bearing, now=now),
        )
        found = list(ranked.facts)
        holding = await self._raising.holding(bank, found, bearing, now=now)
        related = await self._related(bank, question, ranked.facts) if channels.related else found
        scores = {fact: ranked.facts[fact].score for fact in related if fact in holding}
        by_terms = raised(scores, known(holding, bearing, firing), bearing.weights)
        order = best_first({fact: score + by_terms[fact].by for fact, score in scores.items()})
        best = {fact: by_terms[fact] for fact in order[:depth]}
        hits = await self._hits(bank, question, ranked.facts, best)
        kept = (await reranked(self._reranker, query, hits))[:limit]
        return Recalled(kept, beside(ranked.said, kept)[:limit], ranked.read)

    async def said(
        self, bank: str, query: str, *, now: datetime, limit: int, bearing: Bearing = PLAIN
    ) -> list[Said]:
        """The `limit` turns of the log that are best for `query`."""
        await self._open(bank)
        question = await self._question(bank, query, now, ALL, bearing)
        return (await self._log.said(bank, question))[:limit]

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

    async def reading(self, bank: str, query: str) -> Reading:
        """Whether `query` asks for thinking ahead, by its wording and the bank's cues."""
        await self._open(bank)
        (vector,), sample = await asyncio.gather(
            self._embedder.embed([query]), self._samples.of(bank)
        )
        return read(query, request_likeness(vector, sample.cues.mean) if sample.cues.size else None)

    async def views(
        self, bank: str, query: str, *, now: datetime, about: tuple[About, ...] = SUMMED_UP
    ) -> Views:
        """The opinions and observations near `query`, as of `now`: its meaning is embedded once.

        The observations are those on what `about` names; the user's profile is beside them.
        """
        await self._open(bank)
        (vector,) = await self._embedder.embed([query])
        sight = Sight(now, self._embedder.thresholds.probe, about)
        return await self._viewing.near(bank, vector, sight)

    async def probe(
        self, probing: Probing, steps: Sequence[Step], before: Mapping[str, Candidate]
    ) -> Round:
        """Search with the query and every step in one batch (see `Prober.probe`)."""
        await self._open(probing.bank)
        return await self._prober.probe(probing, steps, before)

    async def ranked(
        self, probing: Probing, candidates: Mapping[str, Candidate], bearing: Bearing
    ) -> dict[str, Placed]:
        """The candidates, best first, by cues, terms and all (see `Prober.ranked`)."""
        await self._open(probing.bank)
        return await self._prober.ranked(probing, candidates, bearing)

    async def _open(self, bank: str, *, turns: bool = True) -> None:
        """On first use of a bank, index whatever a crash of an earlier process left marked."""
        if self._opened.isdisjoint({(bank, True), (bank, turns)}):
            await self._indexer.catch_up(bank, turns=turns)
            self._opened.add((bank, turns))

    async def _question(
        self, bank: str, query: str, now: datetime, channels: Channels, bearing: Bearing
    ) -> Question:
        """What is asked of a bank that is open."""
        (vector,), until, timely, prior = await asyncio.gather(
            self._embedder.embed([query]),
            searched_until(self._records, bank, now),
            self._timely(bank, query, now, bearing) if channels.temporal else _none(),
            self._raising.prior(bank, bearing, now=now),
        )
        texts = leaning(vector, prior, bearing.weights.profile)
        return Question(query, vector, texts, now, until, timely)

    async def _timely(
        self, bank: str, query: str, now: datetime, bearing: Bearing
    ) -> Timely | None:
        return await self._temporal.timely(
            bank, query, now=now, zone=self._zone, k=TIMELY_DEPTH, otherwise=bearing.days
        )

    async def _hits(
        self, bank: str, question: Question, standings: Mapping[str, Standing],
        best: Mapping[str, Raised],
    ) -> list[Hit]:  # fmt: skip
        positions = {fact: standings[fact].scored.position for fact in best}
        facts, cues, own = await asyncio.gather(
            self._records.facts(bank, list(best)),
            self._records.cues(bank, list(best)),
            self._own(bank, question, best),
        )
        nearest = {cue.fact: cue for cue in cues if positions[cue.fact] == cue.position}
        hits = [_hit(fact, standings[fact.id], nearest.get(fact.id)) for fact in facts]
        return [_moved(hit, best[hit.fact.id], own.get(hit.fact.id)) for hit in hits]

    async def _related(
        self, bank: str, question: Question, standings: Mapping[str, Standing]
    ) -> list[str]:
        """Those whose text is related to the request itself, whatever profile was mixed into it."""
        own, floor = await self._own(bank, question, standings), self._embedder.thresholds.probe
        return [fact for fact, one in standings.items() if own.get(fact, one.scored.text) >= floor]

    async def _own(self, bank: str, question: Question, facts: Iterable[str]) -> dict[str, float]:
        """Their texts' cosines with the request itself, where a profile was mixed into it."""
        if question.texts is question.vector:
            return {}
        dots = await self._exact.texts(bank, facts, question.vector[None, :])
        return {fact: float(cosines[0]) for fact, cosines in dots.items()}


async def _none() -> None:
    return None


def _hit(fact: Fact, standing: Standing, cue: Cue | None) -> Hit:
    scored = standing.scored
    terms = {"text": round(scored.text, 4)}
    if scored.position is not None:
        terms |= {"cue": round(scored.cue, 4), "cue_weight": round(scored.weight, 3)}
    terms |= {name: round(by, 4) for name, by in standing.moved.items()}
    by = cue if scored.by_cue else None
    return Hit(
        fact, standing.score, terms, by.told if by else "query", by.text if by else None,
        dict(standing.ranks),
    )  # fmt: skip


def _moved(hit: Hit, raised: Raised, own: float | None) -> Hit:
    """The hit as its terms raise it; `profile` is what that made of its text's `own` cosine."""
    terms = {name: round(by, 4) for name, by in raised.terms.items()}
    if own is not None:
        terms[PROFILE] = round(hit.terms["text"] - own, 4)
    return replace(hit, score=round(hit.score + raised.by, 4), terms={**hit.terms, **terms})
