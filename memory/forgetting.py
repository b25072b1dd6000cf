"""Forget everywhere: records, vectors; a crash on the way is finished by the next call."""

from __future__ import annotations

from dataclasses import dataclass

from forethought.memory.indexing import Indexer
from forethought.memory.records.port import Records
from forethought.memory.types import Forgotten


@dataclass(frozen=True, slots=True)
class Forgetter:
    """The stores that a forget must reach."""

    records: Records
    indexer: Indexer

    async def forget(
        self,
        bank: str,
        *,
        fact: str | None = None,
        session: str | None = None,
        entity: str | None = None,
        opinion: str | None = None,
    ) -> Forgotten:
        """Remove a fact, a session, an entity, an opinion, or the bank; say how much went.

        Tombstones are written first, so from then on nothing brings the forgotten back. An opinion
        has none, and may be formed anew. Raises NotFound.
        """
        named = {"fact": fact, "session": session, "entity": entity, "opinion": opinion}
        gone = await self.records.forget(bank, **named)
        whole = all(one is None for one in named.values())
        vectors = await self.indexer.purge(bank, whole=whole)
        if gone.revived:
            await self.indexer.catch_up(bank)
        return Forgotten(
            sessions=gone.sessions,
            turns=gone.turns,
            facts=len(gone.facts),
            cues=len(gone.cues),
            entities=gone.entities,
            vectors=vectors,
            opinions=gone.opinions,
            observations=gone.observations,
        )
