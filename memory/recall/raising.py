"""Terms applied: what they go by is looked up for the request and the facts to be ranked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from forethought.memory.dimensions import UNSAID
from forethought.memory.embedding import Vectors, unit
from forethought.memory.indexing import Indexer
from forethought.memory.recall.candidates import Candidate, Placed
from forethought.memory.recall.prior import Prior
from forethought.memory.recall.sample import Sample
from forethought.memory.recall.shortlist import Exact, best_first
from forethought.memory.recall.standing import Request
from forethought.memory.recall.terms import PROFILE, Bearing, Known, Raised, raised
from forethought.memory.records.uses import Traits
from forethought.memory.records.versions import current

_UNASKED = Traits()


class Raising:
    """Raises the facts that a search found by the terms that bear on its request.

    A term that is off, or has nothing to go by, costs no look-up.
    """

    def __init__(self, indexer: Indexer, exact: Exact) -> None:
        """What facts weigh, are like and have become, and the profile, are in its stores."""
        self._records = indexer.records
        self._exact = exact
        self._prior = Prior(indexer)

    async def prior(self, bank: str, bearing: Bearing, *, now: datetime) -> Vectors | None:
        """The unit vector [d] of the user's profile; None where it does not count or there is none.

        It is for what facts say: `leaning`.
        """
        return await self._prior.of(bank, now=now) if bearing.weights.profile else None

    async def firing(self, bank: str, bearing: Bearing, *, now: datetime) -> frozenset[str]:
        """The facts that firing commitments concern, each as what replaced it by `now`."""
        if not bearing.weights.prospective or not bearing.firing:
            return frozenset()
        concerned = await current(self._records, bank, list(bearing.firing), now=now)
        return frozenset(fact.id for fact in concerned.values())

    async def holding(
        self, bank: str, facts: Sequence[str], bearing: Bearing, *, now: datetime
    ) -> dict[str, Traits]:
        """Those of these facts that hold at `now`, with their traits where a term goes by them."""
        if _goes_by_traits(bearing):
            return await self._records.traits(bank, facts, now=now)
        return dict.fromkeys(await self._records.holding(bank, facts, now=now), _UNASKED)

    async def placed(
        self, request: Request, candidates: Mapping[str, Candidate], bearing: Bearing
    ) -> dict[str, Placed]:
        """The candidates of a prospection, best first, as their terms place them."""
        bank, now = request.probing.bank, request.probing.now
        scale = Scale.of(request.query, request.sample)
        plain = {fact: scale.cosine(at.score) for fact, at in candidates.items()}
        drawn, firing = await asyncio.gather(
            self._drawn(request, plain, bearing), self.firing(bank, bearing, now=now)
        )
        scores = {fact: score + drawn.get(fact, 0.0) for fact, score in plain.items()}
        asked = _goes_by_traits(bearing)
        traits = await self._records.traits(bank, list(scores)) if asked else {}
        by_terms = raised(scores, known(traits, bearing, firing), bearing.weights)
        found = {
            fact: _placed(at, by_terms[fact], drawn.get(fact, 0.0), scale)
            for fact, at in candidates.items()
        }
        order = best_first({fact: one.score for fact, one in found.items()})
        return {fact: found[fact] for fact in order}

    async def _drawn(
        self, request: Request, scores: Mapping[str, float], bearing: Bearing
    ) -> dict[str, float]:
        """What the user's profile adds to each score: as to a cosine, if steps were the request."""
        bank, share = request.probing.bank, bearing.weights.profile
        prior = await self.prior(bank, bearing, now=request.probing.now)
        if prior is None:
            return {}
        towards = (1 - share) * request.query + share * prior
        length = float(towards @ towards) ** 0.5 or 1.0
        near = await self._exact.texts(bank, scores, prior[None, :])
        return {
            fact: ((1 - share) * scores[fact] + share * float(dots[0])) / length - scores[fact]
            for fact, dots in near.items()
        }


def known(traits: Mapping[str, Traits], bearing: Bearing, firing: frozenset[str]) -> Known:
    """What terms go by, of facts with these traits; of `firing` see `Raising.firing`."""
    felt = bearing.dimensions if bearing.weights.dimensions else UNSAID
    return Known(
        firing,
        {fact: its.salience for fact, its in traits.items() if its.salience},
        {} if felt == UNSAID else {
            fact: its.dimensions.matching(felt) for fact, its in traits.items()
        },
    )  # fmt: skip


def leaning(query: Vectors, prior: Vectors | None, weight: float) -> Vectors:
    """λ·e_q + (1 - λ)·e_P at length 1, `weight` being 1 - λ (PPRO §3.3); e_q without a profile.

    `query` and `prior` are unit vectors [d].
    """
    return query if prior is None else unit((1 - weight) * query + weight * prior)


@dataclass(frozen=True, slots=True)
class Scale:
    """Standard deviations as cosines: as those of the bank's texts with the request lie.

    Each step's score is in deviations of its own cosines; those of the request are one scale for
    all, and the one on which recall's channels count (`hybrid.py`).
    """

    mean: float
    spread: float

    @classmethod
    def of(cls, query: Vectors, sample: Sample) -> Scale:
        """The scale of a request [d]; where one text at most lies, scores stay as they are."""
        if sample.texts.size <= 1:
            return cls(0.0, 1.0)
        return cls(float(query @ sample.texts.mean), float(sample.texts.spread(query[None, :])[0]))

    def cosine(self, score: float) -> float:
        """What a score in standard deviations is as a cosine; beyond 1 where many would lie."""
        return self.mean + self.spread * score


def _goes_by_traits(bearing: Bearing) -> bool:
    weights = bearing.weights
    return bool(weights.salience or (weights.dimensions and bearing.dimensions != UNSAID))


def _placed(at: Candidate, by_terms: Raised, drawn: float, scale: Scale) -> Placed:
    terms = {**({PROFILE: drawn} if drawn else {}), **by_terms.terms}
    return Placed(at, (drawn + by_terms.by) / scale.spread, terms)
