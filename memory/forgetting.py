"""Forget everywhere: records, vectors; a crash on the way is finished by the next call."""

from __future__ import annotations

from dataclasses import dataclass

from forethought.memory.indexing import Indexer
from forethought.memory.records.port import Records
from forethought.memory.records.values import not_found
from forethought.memory.types import Forgotten


@dataclass(frozen=True, slots=True)
class Forgetter:
    """The stores that a forget must reach."""

    records: Records
    indexer: Indexer

    async def forget(  # noqa: PLR0913  # the port's
        self,
        bank: str,
        *,
        fact: str | None = None,
        session: str | None = None,
        entity: str | None = None,
        opinion: str | None = None,
        commitment: str | None = None,
    ) -> Forgotten:
        """Remove what is named, or the bank; say how much went.

        Tombstones are written first, so from then on nothing brings the forgotten back. An opinion
        or a commitment has none: the one may be formed anew, the other made again. Raises NotFound.
        """
        gone = await self.records.forget(
            bank,
            fact=fact,
            session=session,
            entity=entity,
            opinion=opinion,
            commitment=commitment,
        )
        named = (fact, session, entity, opinion, commitment)
        whole = all(one is None for one in named)
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
            commitments=gone.commitments,
        )

    async def unlearn(self, bank: str, cue: str) -> Forgotten:
        """Remove a cue of a fact, imagined or learned from use. Raises NotFound."""
        if not await self.records.unlearn(bank, [cue]):
            raise not_found(bank, cue=cue)
        return Forgotten(cues=1, vectors=await self.indexer.purge(bank))
