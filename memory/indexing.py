"""Keep the index true to the records: add what is marked unindexed, drop what was forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from forethought.memory.embedding import Embedder, Vectors
from forethought.memory.index import PARTS, Entries, Index
from forethought.memory.locks import BankLocks
from forethought.memory.records.changes import Unindexed
from forethought.memory.records.port import Records
from forethought.memory.types import Part

_BATCH = 256  # vectors embedded and written together: 0.4 MB, about a second of embedding
_WINDOW = 16 * _BATCH  # marked rows read at once


@dataclass(frozen=True, slots=True)
class Indexer:
    """The collaborators that move marked records into the index.

    A crash between any two of its steps leaves a mark that the next call picks up, and putting or
    removing a vector twice changes nothing.
    """

    records: Records
    index: Index
    embedder: Embedder
    locks: BankLocks = field(default_factory=BankLocks)

    async def catch_up(
        self, bank: str, seen: Callable[[int], None] | None = None, *, turns: bool = True
    ) -> int:
        """Index everything marked in `bank`, remove everything forgotten; return vectors added.

        Facts and cues come first, so that they never wait for a long log; without `turns`, its
        turns stay marked. `seen` is told again and again how many were added so far.
        """
        await self.purge(bank)
        added = 0
        # Two runs at once would embed the same marks twice, and what is forgotten in the meantime
        # is purged after this has put it, not before.
        async with self.locks.of(bank):
            while marked := await self._marked(bank, turns=turns):
                await self._add(bank, marked)
                added += len(marked)
                if seen:
                    seen(added)
        return added

    async def vectors(self, bank: str, part: Part, ids: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of these, after indexing what another run has stored and not indexed yet."""
        found = await self.index.vectors(bank, part, ids)
        if len(found) < len(set(ids)):
            await self.catch_up(bank)
            found = await self.index.vectors(bank, part, ids)
        return found

    async def purge(self, bank: str, *, whole: bool = False) -> int:
        """Remove the vectors of what was forgotten, or all; return how many were there."""
        if not whole and not await self.records.unpurged(bank):
            return 0
        async with self.locks.of(bank):
            ids = await self.records.unpurged(bank)
            removed = await self.index.drop(bank) if whole else 0
            removed += await self.index.remove(bank, ids) if ids else 0
            await self.records.purged(bank, ids)
        return removed

    async def rebuild(self, bank: str, report: Callable[[int, int], None] | None = None) -> int:
        """Drop the bank's index and make it anew with the embedder of now; return vectors added.

        `report` is told again and again how many of how many are there.
        """
        await self.records.reindex(bank)  # first, so that a crash leaves all of it marked
        await self.index.drop(bank)
        total = await self.records.reindex(bank)  # again: what another run indexed meanwhile went
        return await self.catch_up(bank, (lambda done: report(done, total)) if report else None)

    async def _marked(self, bank: str, *, turns: bool) -> list[Unindexed]:
        marked = await self.records.unindexed(bank, limit=_WINDOW)
        return marked if turns else [item for item in marked if item.part != "turn"]

    async def _add(self, bank: str, marked: Sequence[Unindexed]) -> None:
        """Embed batch after batch; each is written while the next one is being embedded."""
        writing: asyncio.Task[None] | None = None
        try:
            for start in range(0, len(marked), _BATCH):
                batch = marked[start : start + _BATCH]
                vectors = await self.embedder.embed([item.text for item in batch])
                if writing:
                    await writing
                writing = asyncio.create_task(self._write(bank, batch, vectors))
        finally:
            if writing:
                await writing

    async def _write(self, bank: str, batch: Sequence[Unindexed], vectors: Vectors) -> None:
        for part in PARTS:
            rows = [row for row, item in enumerate(batch) if item.part == part]
            ids, dates = [batch[row].id for row in rows], [batch[row].date for row in rows]
            await self.index.put(bank, part, Entries(ids, vectors[rows], dates))
        await self.records.indexed(bank, [item.id for item in batch])
        # The lock is this process's own: another may have forgotten or changed some of these before
        # they were put. What it does from now on, it marks for itself.
        if outdated := await self.records.outdated(bank, batch):
            await self.index.remove(bank, outdated)
            await self.records.purged(bank, outdated)
