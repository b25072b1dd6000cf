"""Turns that are no longer found, since a fact that they say was forgotten; the log keeps them."""

from __future__ import annotations

from collections.abc import Iterable

from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.learned import unlearn_asked_in
from forethought.memory.records.sqlite.marks import mark_unpurged
from forethought.memory.records.sqlite.rows import LISTED, packed

# A fact that was merged rests on the turns of its originals, and those of an original that stays
# do not say what goes.
_SAYING = f"""
    SELECT DISTINCT said.turn FROM source AS said
    WHERE said.bank = ?1 AND said.fact IN {LISTED} AND NOT EXISTS (
        SELECT 1 FROM fact AS original JOIN source AS own ON own.bank = original.bank
            AND own.fact = original.id AND own.session = said.session AND own.turn = said.turn
        WHERE original.bank = ?1 AND original.successor = said.fact
            AND original.succession = 'merge')
"""
# The words of a turn also find the turn after it.
_UNSAY_AFTER = f"""
    UPDATE said SET words = (SELECT words_of(name, text) FROM turn WHERE turn.n = said.rowid)
    WHERE rowid IN (
        SELECT later.n FROM turn JOIN turn AS later ON later.bank = turn.bank
            AND later.session = turn.session AND later.position = turn.position + 1
        WHERE turn.bank = ?1 AND turn.id IN {LISTED})
"""
_UNSAY = f"""
    DELETE FROM said WHERE rowid IN (SELECT n FROM turn WHERE bank = ?1 AND id IN {LISTED})
"""


def unmarked(id: str) -> str:
    """The condition that no tombstone marks the `id` of a turn, so that it may be found."""
    return f"NOT EXISTS (SELECT 1 FROM tombstone WHERE bank = ?1 AND mark = {id})"


async def turns_saying(tx: Transaction, facts: Iterable[str]) -> list[str]:
    """The turns that support these facts."""
    return [row["turn"] for row in await tx.rows(_SAYING, packed(facts))]


async def hush(tx: Transaction, turns: Iterable[str]) -> None:
    """Tombstone those of these turns that are logged, and let nothing find them any more."""
    sql = f"SELECT id, indexed FROM turn WHERE bank = ?1 AND id IN {LISTED}"
    logged = await tx.rows(sql, packed(turns))
    if not logged:
        return
    await mark_unpurged(tx, [row["id"] for row in logged if row["indexed"] is not None])
    await unlearn_asked_in(tx, [row["id"] for row in logged])
    ids = packed(row["id"] for row in logged)
    await tx.run(f"UPDATE turn SET indexed = NULL WHERE bank = ?1 AND id IN {LISTED}", ids)
    await tx.run(_UNSAY_AFTER, ids)
    await tx.run(_UNSAY, ids)
    await entomb(tx, [row["id"] for row in logged])


async def entomb(tx: Transaction, marks: Iterable[str]) -> None:
    """Have these marks stay forgotten."""
    sql = "INSERT OR IGNORE INTO tombstone SELECT ?1, value FROM json_each(?2) WHERE true"
    await tx.run(sql, packed(marks))
