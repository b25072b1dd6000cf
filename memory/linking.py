"""Keep the links true to the facts: add those of facts that have come in since the last time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from forethought.memory.entities.gathering import name_anew
from forethought.memory.index import Neighbour
from forethought.memory.indexing import Indexer
from forethought.memory.links import MOST_SIMILAR, NEAREST, WITHIN, semantic, temporal
from forethought.memory.records.port import Records
from forethought.memory.types import Fact, Link, fact_ids

_MARK = "linked"
"""Setting of a bank: the mark up to which its facts are linked; 0 for a bank from before links."""

_BATCH = 500  # facts linked and written together: a second's work at most
_AFTER_ALL = datetime.max.replace(tzinfo=UTC)  # what holds then has been replaced by nothing
_ASKED = 4 * MOST_SIMILAR  # replaced facts stay in the index, so more are asked for than are kept


@dataclass(frozen=True, slots=True)
class Linker:
    """The collaborators that link facts by time and by meaning. No model is called.

    The mark moves once a batch's links are written, and writing a link twice changes nothing: so a
    crash between any two steps leaves work that the next call does.
    """

    indexer: Indexer

    @property
    def records(self) -> Records:
        """Where facts and links are."""
        return self.indexer.records

    @property
    def similar(self) -> float:
        """The cosine from which two facts are linked: the embedder's."""
        return self.indexer.embedder.thresholds.link

    async def catch_up(self, bank: str) -> Linked:
        """Link every fact of `bank` that is not linked yet."""
        mark, done = int(await self.records.setting(bank, _MARK) or 0), Linked()
        while True:
            facts, now = await self.records.added(bank, since=mark, limit=_BATCH)
            named = await name_anew(self.records, bank, facts) if facts else 0
            links = await self._links(bank, facts) if facts else []
            if links:
                await self.records.link(bank, links)
            if now != mark:
                await self.records.setting(bank, _MARK, str(now))
            done = done.plus(facts, links, named)
            if len(facts) < _BATCH or now == mark:
                return done
            mark = now

    async def _links(self, bank: str, facts: Sequence[Fact]) -> list[Link]:
        ids = fact_ids(facts)
        around, near = await asyncio.gather(
            self.records.around(bank, ids, within=WITHIN, k=NEAREST), self._near(bank, ids)
        )
        holding = await self._holding(bank, near)
        found = {
            link
            for id in ids
            for link in (
                *temporal(id, around.get(id, ())),
                *semantic(id, near.get(id, ()), holding=holding, at_least=self.similar),
            )
        }
        return sorted(found)

    async def _holding(self, bank: str, near: Mapping[str, Sequence[Neighbour]]) -> set[str]:
        """Those near to these facts that hold, of as many as it takes to link each to the best."""
        alike = {
            fact: [one.id for one in some if one.id != fact and one.cosine >= self.similar]
            for fact, some in near.items()
        }
        best = {other for some in alike.values() for other in some[:MOST_SIMILAR]}
        holding = set(await self.records.holding(bank, sorted(best), now=_AFTER_ALL))
        gone = best - holding
        more = {other for some in alike.values() if not gone.isdisjoint(some) for other in some}
        if left := sorted(more - best):
            holding |= set(await self.records.holding(bank, left, now=_AFTER_ALL))
        return holding

    async def _near(self, bank: str, ids: Sequence[str]) -> dict[str, list[Neighbour]]:
        import numpy as np

        vectors = await self.indexer.vectors(bank, "text", ids)
        if not vectors:
            return {}
        probes = np.array(list(vectors.values()))
        found = await self.indexer.index.nearest(bank, "text", probes, n=_ASKED)
        return dict(zip(vectors, found, strict=True))


@dataclass(frozen=True, slots=True)
class Linked:
    """How many facts were linked, and how many links were written for them, by kind.

    `named` are the mentions that were made of names alone, for facts from before mentions.
    """

    facts: int = 0
    temporal: int = 0
    semantic: int = 0
    named: int = 0

    def plus(self, facts: Sequence[Fact], links: Sequence[Link], named: int) -> Linked:
        """These counts and one batch more."""
        by_time = sum(link.kind == "temporal" for link in links)
        return Linked(
            self.facts + len(facts),
            self.temporal + by_time,
            self.semantic + len(links) - by_time,
            self.named + named,
        )
