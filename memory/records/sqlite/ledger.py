"""Commitments: undertaken, settled, told of, and with the cues that should bring them up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date as Day

from forethought.memory.ledger.types import Commitment, CommitmentCue, Settlement, State, reopen
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.held import in_order
from forethought.memory.records.plan import Plan
from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.evidence import (
    drop_evidence,
    from_facts,
    insert_evidence,
    stored,
)
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.marks import REMINDERS, mark_unpurged, replace_cues
from forethought.memory.records.sqlite.rows import LISTED, id_from, packed
from forethought.memory.records.undertaken import (
    Ground,
    after_settling,
    facts_of,
    sessions_of,
    to_undertake,
)
from forethought.memory.records.undertaken_columns import (
    commitment_columns,
    commitment_of,
    reminder_columns,
    reminder_of,
)
from forethought.memory.records.values import (
    check_commitments,
    check_settlements,
    day_text,
    not_found,
)

_INSERT = """
    INSERT INTO commitment (bank, id, action, made, condition, due, status, session, turns, facts,
        closed, closed_by, told, foreseen)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
"""
_CLOSE = """
    UPDATE commitment SET status = ?3, closed = ?4, closed_by = ?5 WHERE bank = ?1 AND id = ?2
"""


class Undertaking(Facet):
    """What was promised or planned, until it is kept or dropped, and after."""

    async def commitments(
        self, bank: str, ids: Sequence[str] | None = None, *, status: State | None = None
    ) -> list[Commitment]:
        """See `Ledger.commitments`."""
        some = f"(?2 IS NULL OR id IN {LISTED}) AND (?3 IS NULL OR status = ?3)"
        sql = f"SELECT * FROM commitment WHERE bank = ?1 AND {some} ORDER BY made, id"
        listed = None if ids is None else packed(ids)
        found = await self._db.read(_commitment, sql, bank, listed, status)
        return found if ids is None else in_order(ids, found)

    async def undertake(self, bank: str, commitments: Sequence[Commitment]) -> list[str]:
        """See `Ledger.undertake`."""
        check_commitments(bank, commitments)
        async with self._db.transaction(bank) as tx:
            facts = await stored(tx, "fact", facts_of(commitments))
            return await _undertake(tx, commitments, lambda id: id if id in facts else None)

    async def settle(self, bank: str, settlements: Sequence[Settlement]) -> list[Commitment]:
        """See `Ledger.settle`."""
        check_settlements(bank, settlements)
        async with self._db.transaction(bank) as tx:
            return await _settle(tx, settlements)

    async def reopen(self, bank: str, commitment: str) -> Commitment:
        """See `Ledger.reopen`."""
        async with self._db.transaction(bank) as tx:
            for found in await _known(tx, [commitment]):
                await _close(tx, [opened := reopen(found)])
                return opened
            raise not_found(bank, commitment=commitment)

    async def tell(self, bank: str, commitments: Sequence[str], *, on: Day) -> None:
        """See `Ledger.tell`."""
        async with self._db.transaction(bank) as tx:
            sql = f"UPDATE commitment SET told = ?3 WHERE bank = ?1 AND id IN {LISTED}"
            await tx.run(sql, packed(commitments), day_text(on))

    async def reminders(self, bank: str, commitments: Sequence[str]) -> list[CommitmentCue]:
        """See `Ledger.reminders`."""
        some = f"bank = ?1 AND commitment IN {LISTED}"
        sql = f"SELECT * FROM reminder WHERE {some} ORDER BY commitment, position"
        return await self._db.read(reminder_of, sql, bank, packed(commitments))

    async def remind(
        self, bank: str, cues: Sequence[CommitmentCue], *, commitments: Sequence[str]
    ) -> None:
        """See `Ledger.remind`."""
        async with self._db.transaction(bank) as tx:
            await replace_reminders(tx, cues, of={*commitments, *(cue.commitment for cue in cues)})
            await _mark_foreseen(tx, commitments)


async def write_ledger(tx: Transaction, changes: ChangeSet, plan: Plan) -> None:
    """What a ChangeSet says of commitments, once its facts are stored."""
    await _undertake(tx, changes.commitments, plan.kept, refused=plan.refused)
    await _settle(tx, changes.settlements)


async def insert_commitments(tx: Transaction, commitments: Sequence[Commitment]) -> None:
    """New commitments, as they are, whose facts and sessions are stored."""
    await tx.many(_INSERT, [tuple(commitment_columns(one).values()) for one in commitments])
    await insert_evidence(tx, "commitment", [(one.facts, one.id) for one in commitments])


async def replace_reminders(
    tx: Transaction, cues: Sequence[CommitmentCue], *, of: Iterable[str]
) -> None:
    """Keep `cues` in place of those that these commitments had."""
    await replace_cues(tx, [reminder_columns(cue) for cue in cues], of=of, kept=REMINDERS)


async def drop_commitments(tx: Transaction, commitments: Iterable[str]) -> int:
    """Remove these commitments with their cues; return how many were there."""
    gone = await stored(tx, "commitment", commitments)
    listed = packed(gone)
    sql = f"SELECT id FROM reminder WHERE bank = ?1 AND commitment IN {LISTED}"
    await mark_unpurged(tx, [row["id"] for row in await tx.rows(sql, listed)])
    await tx.run(f"DELETE FROM commitment WHERE bank = ?1 AND id IN {LISTED}", listed)
    await drop_evidence(tx, "commitment", listed)
    return len(gone)


async def drop_commitments_to(tx: Transaction, facts: Sequence[str]) -> int:
    """Remove those that concern one of these facts, which are still there; return how many."""
    return await drop_commitments(tx, await from_facts(tx, facts, "commitment"))


async def drop_commitments_made_in(tx: Transaction, sessions: Iterable[str]) -> int:
    """Remove those that were made in these sessions; return how many."""
    sql = f"SELECT id FROM commitment WHERE bank = ?1 AND session IN {LISTED}"
    made = await tx.rows(sql, packed(sessions))
    return await drop_commitments(tx, [id_from(row) for row in made])


async def _undertake(
    tx: Transaction,
    commitments: Sequence[Commitment],
    kept: Callable[[str], str | None],
    *,
    refused: Collection[str] = (),
) -> list[str]:
    if not commitments:
        return []
    ground = Ground(
        await stored(tx, "commitment", [one.id for one in commitments]),
        await stored(tx, "session", sessions_of(commitments)),
        kept,
        refused,
    )
    new = to_undertake(commitments, ground)
    await insert_commitments(tx, new)
    return [one.id for one in new]


async def _settle(tx: Transaction, settlements: Sequence[Settlement]) -> list[Commitment]:
    if not settlements:
        return []
    known = await _known(tx, [one.commitment for one in settlements])
    changed = after_settling(settlements, {one.id: one for one in known})
    await _close(tx, changed)
    return changed


async def _close(tx: Transaction, commitments: Sequence[Commitment]) -> None:
    columns = [commitment_columns(one) for one in commitments]
    names = ("id", "status", "closed", "closed_by")
    await tx.many(_CLOSE, [[row[name] for name in names] for row in columns])


async def _mark_foreseen(tx: Transaction, commitments: Iterable[str]) -> None:
    sql = f"UPDATE commitment SET foreseen = 1 WHERE bank = ?1 AND id IN {LISTED}"
    await tx.run(sql, packed(commitments))


async def _known(tx: Transaction, ids: Iterable[str]) -> list[Commitment]:
    sql = f"SELECT * FROM commitment WHERE bank = ?1 AND id IN {LISTED}"
    return [_commitment(row) for row in await tx.rows(sql, packed(ids))]


def _commitment(row: sqlite3.Row) -> Commitment:
    return commitment_of(row, bank=row["bank"])
