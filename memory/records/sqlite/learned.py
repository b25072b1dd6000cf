"""Requests whose answers cited facts, kept as cues of theirs, and cues that are to go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from forethought.memory.records.columns import cue_columns, cue_of
from forethought.memory.records.lessons import Request, check_request, lessons
from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.marks import insert_cues, mark_unpurged
from forethought.memory.records.sqlite.rows import LISTED, id_from, packed
from forethought.memory.types import Cue

_ASKED_IN = f"""
    SELECT id FROM cue WHERE bank = ?1 AND learned IS NOT NULL
    AND text IN (SELECT text FROM turn WHERE bank = ?1 AND id IN {LISTED})
"""


async def unlearn_asked_in(tx: Transaction, turns: Iterable[str]) -> None:
    """Drop the learned cues that these turns asked: each is a copy of what is to be gone."""
    gone = [row["id"] for row in await tx.rows(_ASKED_IN, packed(turns))]
    await tx.run(f"DELETE FROM cue WHERE bank = ?1 AND id IN {LISTED}", packed(gone))
    await mark_unpurged(tx, gone)


class Learning(Facet):
    """Cues that come of use."""

    async def learn(
        self, bank: str, facts: Sequence[str], request: str, *, at: datetime, keep: int
    ) -> list[Cue]:
        """See `Records.learn`."""
        asked = Request(request, at, keep)
        check_request(bank, asked)
        async with self._db.transaction(bank) as tx:
            some = f"bank = ?1 AND id IN {LISTED} AND until IS NULL"
            found = await tx.rows(f"SELECT id FROM fact WHERE {some}", packed(facts))
            cues: dict[str, list[Cue]] = {row["id"]: [] for row in found}
            sql = f"SELECT * FROM cue WHERE bank = ?1 AND fact IN {LISTED}"
            for cue in map(cue_of, await tx.rows(sql, packed(cues))):
                cues[cue.fact].append(cue)
            learned = lessons(cues, asked)
            gone = packed(learned.gone)
            await tx.run(f"DELETE FROM cue WHERE bank = ?1 AND id IN {LISTED}", gone)
            await mark_unpurged(tx, learned.gone)
            await insert_cues(tx, [cue_columns(cue) for cue in learned.new], table="cue")
        return list(learned.new)

    async def unlearn(self, bank: str, cues: Sequence[str]) -> int:
        """See `Records.unlearn`."""
        some = f"cue WHERE bank = ?1 AND id IN {LISTED}"
        if not await self._db.read(id_from, f"SELECT id FROM {some}", bank, packed(cues)):
            return 0  # an erasure rewrites the file
        async with self._db.erasure(bank) as tx:
            gone = [id_from(row) for row in await tx.rows(f"SELECT id FROM {some}", packed(cues))]
            await tx.run(f"DELETE FROM {some}", packed(gone))
            await mark_unpurged(tx, gone)
        return len(gone)
