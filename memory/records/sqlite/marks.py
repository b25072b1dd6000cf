"""What is still to be done outside Records: cues to imagine, vectors to index or to drop."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from forethought.memory.conversations import spoken
from forethought.memory.records.changes import Unindexed
from forethought.memory.records.columns import cue_columns
from forethought.memory.records.lessons import check_imagined
from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.rows import LISTED, id_from, packed
from forethought.memory.records.values import at_most, changed
from forethought.memory.types import Cue

# The tables whose rows have vectors.
_INDEXED = ("fact", "cue", "opinion", "observation", "reminder", "turn")

_CUE_DATE = "max(fact.date, ifnull(cue.learned, ''))"
_UNINDEXED = f"""
    SELECT 0 AS later, 'text' AS part, id, NULL AS name, text, date
    FROM fact WHERE bank = ?1 AND indexed = 0
    UNION ALL
    SELECT 1, 'cue', cue.id, NULL, cue.text, {_CUE_DATE}
    FROM cue JOIN fact ON fact.bank = cue.bank AND fact.id = cue.fact
    WHERE cue.bank = ?1 AND cue.indexed = 0
    UNION ALL
    SELECT 2, 'opinion', id, NULL, text, formed FROM opinion WHERE bank = ?1 AND indexed = 0
    UNION ALL
    SELECT 3, 'observation', id, NULL, text, made FROM observation
    WHERE bank = ?1 AND indexed = 0
    UNION ALL
    SELECT 4, 'reminder', reminder.id, NULL, reminder.text, commitment.made
    FROM reminder JOIN commitment ON commitment.bank = reminder.bank
        AND commitment.id = reminder.commitment
    WHERE reminder.bank = ?1 AND reminder.indexed = 0
    ORDER BY later, date, id LIMIT ?2
"""
# As they were logged, which is the order of the index: a log of 100,000 is not sorted each time.
_UNINDEXED_TURNS = """
    SELECT 'turn' AS part, turn.id, turn.name, turn.text, session.date
    FROM turn JOIN session ON session.bank = turn.bank AND session.id = turn.session
    WHERE turn.bank = ?1 AND turn.indexed = 0 ORDER BY turn.n LIMIT ?2
"""
_AS_INDEXED = f"""
    SELECT 'text' AS part, id, NULL AS name, text, date
    FROM fact WHERE bank = ?1 AND id IN {LISTED}
    UNION ALL
    SELECT 'cue', cue.id, NULL, cue.text, {_CUE_DATE}
    FROM cue JOIN fact ON fact.bank = cue.bank AND fact.id = cue.fact
    WHERE cue.bank = ?1 AND cue.id IN {LISTED}
    UNION ALL
    SELECT 'opinion', id, NULL, text, formed FROM opinion WHERE bank = ?1 AND id IN {LISTED}
    UNION ALL
    SELECT 'observation', id, NULL, text, made FROM observation
    WHERE bank = ?1 AND id IN {LISTED}
    UNION ALL
    SELECT 'reminder', reminder.id, NULL, reminder.text, commitment.made
    FROM reminder JOIN commitment ON commitment.bank = reminder.bank
        AND commitment.id = reminder.commitment
    WHERE reminder.bank = ?1 AND reminder.id IN {LISTED}
    UNION ALL
    SELECT 'turn', turn.id, turn.name, turn.text, session.date
    FROM turn JOIN session ON session.bank = turn.bank AND session.id = turn.session
    WHERE turn.bank = ?1 AND turn.id IN {LISTED} AND turn.indexed IS NOT NULL
"""


class Marking(Facet):
    """Cues, and the marks that keep the index one with Records (DESIGN §3)."""

    async def foresee(self, bank: str, cues: Sequence[Cue], *, facts: Sequence[str]) -> None:
        """See `Records.foresee`."""
        check_imagined(cues)
        rows = [cue_columns(cue) for cue in cues]
        async with self._db.transaction(bank) as tx:
            await replace_cues(tx, rows, of={*facts, *(cue.fact for cue in cues)}, kept=IMAGINED)
            await mark_foreseen(tx, facts)

    async def unindexed(self, bank: str, *, limit: int) -> list[Unindexed]:
        """See `Records.unindexed`."""
        marked = await self._db.read(_unindexed, _UNINDEXED, bank, at_most(limit))
        if (left := at_most(limit) - len(marked)) > 0:
            marked += await self._db.read(_unindexed, _UNINDEXED_TURNS, bank, left)
        return marked

    async def indexed(self, bank: str, ids: Sequence[str]) -> None:
        """See `Records.indexed`."""
        async with self._db.transaction(bank) as tx:
            for table in _INDEXED:
                some = f"indexed = 0 AND id IN {LISTED}"
                await tx.run(
                    f"UPDATE {table} SET indexed = 1 WHERE bank = ?1 AND {some}", packed(ids)
                )

    async def outdated(self, bank: str, items: Sequence[Unindexed]) -> list[str]:
        """See `Records.outdated`."""
        ids = packed(item.id for item in items)
        return changed(items, await self._db.read(_unindexed, _AS_INDEXED, bank, ids))

    async def reindex(self, bank: str) -> int:
        """See `Records.reindex`."""
        async with self._db.transaction(bank) as tx:
            for table in _INDEXED:
                await tx.run(f"UPDATE {table} SET indexed = 0 WHERE bank = ?1 AND indexed = 1")
            return sum([await count(tx, table, "indexed = 0") for table in _INDEXED])

    async def unpurged(self, bank: str) -> list[str]:
        """See `Records.unpurged`."""
        sql = "SELECT id FROM unpurged WHERE bank = ?1 ORDER BY id"
        return await self._db.read(id_from, sql, bank)

    async def purged(self, bank: str, ids: Sequence[str]) -> None:
        """See `Records.purged`."""
        async with self._db.transaction(bank) as tx:
            await strike_unpurged(tx, ids)
            # What was learned again in the meantime has lost its new vector with the old one.
            for table in _INDEXED:
                some = f"indexed = 1 AND id IN {LISTED}"
                await tx.run(
                    f"UPDATE {table} SET indexed = 0 WHERE bank = ?1 AND {some}", packed(ids)
                )

    async def setting(self, bank: str, name: str, value: str | None = None) -> str | None:
        """See `Records.setting`."""
        if value is not None:
            async with self._db.transaction(bank) as tx:
                await tx.run("INSERT OR REPLACE INTO setting VALUES (?1, ?2, ?3)", name, value)
        sql = "SELECT value FROM setting WHERE bank = ?1 AND name = ?2"
        found = await self._db.read(lambda row: str(row["value"]), sql, bank, name)
        return found[0] if found else None


async def count(tx: Transaction, table: str, where: str = "true") -> int:
    """How many rows of the bank are in `table`, or how many of them `where` is true of."""
    return int((await tx.rows(f"SELECT count(*) FROM {table} WHERE bank = ?1 AND {where}"))[0][0])


async def mark_foreseen(tx: Transaction, facts: Iterable[str]) -> None:
    """Note that these facts have the cues that they will have."""
    sql = f"UPDATE fact SET foreseen = 1 WHERE bank = ?1 AND id IN {LISTED}"
    await tx.run(sql, packed(facts))


async def mark_unindexed(tx: Transaction, facts: Iterable[str]) -> None:
    """Have these facts and their cues indexed anew."""
    listed = packed(facts)
    await tx.run(f"UPDATE fact SET indexed = 0 WHERE bank = ?1 AND id IN {LISTED}", listed)
    await tx.run(f"UPDATE cue SET indexed = 0 WHERE bank = ?1 AND fact IN {LISTED}", listed)


async def mark_unpurged(tx: Transaction, ids: Iterable[str]) -> None:
    """List ids of vectors that the index must drop."""
    await tx.run(
        "INSERT OR IGNORE INTO unpurged SELECT ?1, value FROM json_each(?2) WHERE true", packed(ids)
    )


async def strike_unpurged(tx: Transaction, ids: Iterable[str]) -> None:
    """Take off that list what is gone from the index, or wanted there again."""
    await tx.run(f"DELETE FROM unpurged WHERE bank = ?1 AND id IN {LISTED}", packed(ids))


@dataclass(frozen=True, slots=True)
class Kept:
    """A table of cues, the table of what they are of (and its column), and which are replaced."""

    table: str
    of: str
    which: str = "true"

    @property
    def theirs(self) -> str:
        """The condition of the cues of what `?2` lists."""
        return f"bank = ?1 AND {self.of} IN {LISTED} AND {self.which}"


CUES, REMINDERS = Kept("cue", "fact"), Kept("reminder", "commitment")
IMAGINED = Kept("cue", "fact", "learned IS NULL")


async def replace_cues(
    tx: Transaction, cues: Sequence[dict[str, Any]], *, of: Iterable[str], kept: Kept
) -> None:
    """Keep `cues`, as columns, in place of those that these had; an unchanged one stays indexed."""
    sql = f"SELECT id FROM {kept.of} WHERE bank = ?1 AND id IN {LISTED}"
    owners = {row["id"] for row in await tx.rows(sql, packed(of))}
    sql = f"SELECT * FROM {kept.table} WHERE {kept.theirs}"
    had = {row["id"]: row for row in await tx.rows(sql, packed(owners))}
    wanted = {cue["id"]: cue for cue in cues if cue[kept.of] in owners and cue["text"].strip()}
    await tx.run(f"DELETE FROM {kept.table} WHERE {kept.theirs}", packed(owners))
    await insert_cues(tx, list(wanted.values()), had=had, table=kept.table)
    await mark_unpurged(tx, had.keys() - wanted.keys())


async def insert_cues(
    tx: Transaction,
    cues: Sequence[dict[str, Any]],
    *,
    table: str,
    had: Mapping[str, sqlite3.Row] | None = None,
) -> None:
    """Cues, as columns, in place of any at their position; `had` were there under their ids."""
    if not cues:
        return
    before = had or {}
    rows = [(*cue.values(), _still_indexed(cue, before.get(cue["id"]))) for cue in cues]
    names = ", ".join(("bank", *cues[0], "indexed"))
    places = ", ".join(f"?{n}" for n in range(1, len(rows[0]) + 2))
    await tx.many(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({places})", rows)
    await strike_unpurged(tx, [cue["id"] for cue in cues])


def _still_indexed(cue: dict[str, Any], had: sqlite3.Row | None) -> int:
    return int(had is not None and had["text"] == cue["text"] and bool(had["indexed"]))


def _unindexed(row: sqlite3.Row) -> Unindexed:
    text = spoken(row["text"], by=row["name"])
    return Unindexed(row["id"], row["part"], text, datetime.fromisoformat(row["date"]))
