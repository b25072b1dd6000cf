"""What the assistant believes and has summed up that is near a request, with no model call.

Apart from the search for facts, by type: neither an opinion nor an observation is ever a hit.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime

from forethought.memory.beliefs.types import About, Observation, Opinion
from forethought.memory.beliefs.user import user_profile
from forethought.memory.embedding import Vectors
from forethought.memory.index import Index
from forethought.memory.records.port import Records

OPINIONS = 5  # ours, as many as PGR lets a probe recall: what is believed stands beside what is so
OBSERVATIONS = 7  # PPRO B.3: its K of semantic memories
SUMMED_UP: tuple[About, ...] = ("entity", "topic")
TOPICS: tuple[About, ...] = ("topic",)  # PPRO's semantic memories
_READ = (
    32  # nearest observations looked at first for those that are wanted, four times as many next
)


@dataclass(frozen=True, slots=True)
class Views:
    """Opinions as they were at the moment asked for, and observations; nearest first.

    `user` is the user's profile, whatever was asked; it is not among the observations.
    """

    opinions: list[Opinion]
    observations: list[Observation]
    user: list[Observation]


@dataclass(frozen=True, slots=True)
class Sight:
    """As of when to look, and how near a view must be: a cosine, the embedder's "related" (τ).

    `about` is what observations may be about.
    """

    now: datetime
    floor: float
    about: tuple[About, ...]


class Viewing:
    """Searches the opinions and observations of a bank."""

    def __init__(self, records: Records, index: Index) -> None:
        """Search the vectors of `index` for what `records` hold."""
        self._records = records
        self._index = index

    async def near(self, bank: str, vector: Vectors, sight: Sight) -> Views:
        """The few nearest to the request's `vector` that were held and made by then."""
        opinions, (observations, user) = await asyncio.gather(
            self._opinions(bank, vector, sight), self._observations(bank, vector, sight)
        )
        return Views(opinions, observations, user)

    async def _opinions(self, bank: str, vector: Vectors, sight: Sight) -> list[Opinion]:
        (found,) = await self._index.nearest(
            bank, "opinion", vector[None, :], n=OPINIONS, until=sight.now
        )
        ids = [near.id for near in found if near.cosine >= sight.floor]
        held = await self._records.opinions(bank, ids) if ids else []
        then = [as_of(opinion, sight.now) for opinion in held]
        return [opinion for opinion in then if opinion is not None]

    async def _observations(
        self, bank: str, vector: Vectors, sight: Sight
    ) -> tuple[list[Observation], list[Observation]]:
        """The nearest that are about what is wanted, and the user's profile.

        Other ones may be nearer, whole pages. Where the index has none at all, no record is read.
        """
        size = _READ
        while True:
            (found,) = await self._index.nearest(
                bank, "observation", vector[None, :], n=size, until=sight.now
            )
            if not found:
                return [], []
            ids = [near.id for near in found if near.cosine >= sight.floor]
            made = await self._records.observations(bank, ids=ids) if ids else []
            wanted = [one for one in made if one.about in sight.about and one.made <= sight.now]
            if len(wanted) >= OBSERVATIONS or len(ids) < size:
                user = await user_profile(self._records, bank, now=sight.now)
                return wanted[:OBSERVATIONS], user
            size *= 4


def as_of(opinion: Opinion, now: datetime) -> Opinion | None:
    """The opinion as it read and how sure it was at `now`; None if it was not held yet."""
    if opinion.formed > now:
        return None
    steps = tuple(step for step in opinion.steps if step.at <= now)
    if len(steps) == len(opinion.steps):
        return opinion
    text, confidence = opinion.first, opinion.initial
    if steps:
        text, confidence = steps[-1].text, steps[-1].after
    return replace(opinion, text=text, confidence=confidence, steps=steps)
