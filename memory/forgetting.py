"""Forget everywhere: records, vectors; a crash on the way is finished by the next call."""

from __future__ import annotations

from dataclasses import dataclass

from forethought.memory.indexing import Indexer
from forethought.memory.records.port import Records
from forethought.memory.records.values import check_found, each_once
from forethought.memory.types import Forgotten, Ids


@dataclass(frozen=True, slots=True)
class Forgetter:
    """The stores that a forget must reach."""

    records: Records
    indexer: Indexer

    async def forget(  # noqa: PLR0913  # the port's
        self,
        bank: str,
        *,
        fact: Ids | None = None,
        session: Ids | None = None,
        entity: Ids | None = None,
        opinion: Ids | None = None,
        commitment: Ids | None = None,
    ) -> Forgotten:
        """Remove what is named, one or several of a sort, or the bank; say how much went.

        Name many at once: SQLite's file is rewritten once for all of them.

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

    async def unlearn(self, bank: str, cues: Ids) -> Forgotten:
        """Remove cues of facts, imagined or learned from use. Raises NotFound, and removes none."""
        ids = each_once(cues)
        facts = {id.rpartition(":")[0] for id in ids}
        found = {cue.id for cue in await self.records.cues(bank, sorted(facts))}
        check_found(bank, "cue", ids, found=found)
        gone = await self.records.unlearn(bank, ids)
        return Forgotten(cues=gone, vectors=await self.indexer.purge(bank))
