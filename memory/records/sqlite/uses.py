"""The uses of facts, and their salience."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import date as Day
from datetime import datetime

from forethought.memory.records.columns import dimensions_of
from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.rows import HOLDS, LISTED, packed
from forethought.memory.records.uses import Traits, Use
from forethought.memory.records.values import check_saliences, day_text, stamp

_USE = """
    INSERT OR IGNORE INTO use (bank, fact, day)
    SELECT bank, id, ?3 FROM fact WHERE bank = ?1 AND id = ?2
"""


class Using(Facet):
    """How often facts were of use, and how much they weigh."""

    async def use(self, bank: str, facts: Sequence[str], *, on: Day) -> None:
        """See `Uses.use`."""
        async with self._db.transaction(bank) as tx:
            await insert_uses(tx, [Use(fact, on) for fact in facts])

    async def uses(self, bank: str, facts: Sequence[str] | None = None) -> list[Use]:
        """See `Uses.uses`."""
        some = f"bank = ?1 AND (?2 IS NULL OR fact IN {LISTED})"
        listed = None if facts is None else packed(facts)
        sql = f"SELECT fact, day FROM use WHERE {some} ORDER BY fact, day"
        return await self._db.read(_use, sql, bank, listed)

    async def weigh(self, bank: str, saliences: Mapping[str, float]) -> None:
        """See `Uses.weigh`."""
        check_saliences(saliences)
        async with self._db.transaction(bank) as tx:
            sql = "UPDATE fact SET salience = NULL WHERE bank = ?1 AND salience IS NOT NULL"
            await tx.run(sql)
            sql = "UPDATE fact SET salience = ?3 WHERE bank = ?1 AND id = ?2"
            await tx.many(sql, saliences.items())

    async def traits(
        self, bank: str, facts: Sequence[str], *, now: datetime | None = None
    ) -> dict[str, Traits]:
        """See `Uses.traits`."""
        at = None if now is None else stamp(now, of="the look-up")
        sql = f"""
            SELECT id, salience, tense, subjectivity, certainty FROM fact
            WHERE bank = ?1 AND id IN {LISTED} AND (?3 IS NULL OR {HOLDS})
        """
        return dict(await self._db.read(_traits, sql, bank, packed(facts), at))


async def insert_uses(tx: Transaction, uses: Iterable[Use]) -> None:
    """Uses of facts that are stored; those of others are left out, and known ones are known."""
    await tx.many(_USE, [(use.fact, day_text(use.on)) for use in uses])


def _use(row: sqlite3.Row) -> Use:
    return Use(row["fact"], Day.fromisoformat(row["day"]))


def _traits(row: sqlite3.Row) -> tuple[str, Traits]:
    id, salience, *said = row
    return id, Traits(salience, dimensions_of(*said))
