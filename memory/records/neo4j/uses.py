"""The uses of facts, and their salience: properties of theirs, which go with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date as Day
from datetime import datetime
from typing import Any

from forethought.memory.records.columns import dimensions_of
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.rows import EVERY_FACT, HOLDS, SOME_FACTS, batches, listed
from forethought.memory.records.uses import Traits, Use
from forethought.memory.records.values import check_saliences, day_text, stamp

_TRAITS = f"""
    {SOME_FACTS} WITH fact WHERE $now IS NULL OR {HOLDS}
    RETURN [fact.id, fact.salience, fact.tense, fact.subjectivity, fact.certainty] AS row
"""
_USE = """
    UNWIND $rows AS row MATCH (fact:Fact {bank: $bank, id: row.fact})
    WITH fact, row, coalesce(fact.uses, []) AS known
    SET fact.uses = known + [day IN row.days WHERE NOT day IN known]
"""
_WEIGH = """
    UNWIND $rows AS row MATCH (fact:Fact {bank: $bank, id: row.id})
    SET fact.salience = row.salience
"""


class Using(Facet):
    """How often facts were of use, and how much they weigh."""

    async def use(self, bank: str, facts: Sequence[str], *, on: Day) -> None:
        """See `Uses.use`."""

        async def work(tx: Transaction) -> None:
            await put_uses(tx, [Use(fact, on) for fact in listed(facts)])

        await self._db.transaction(bank, work)

    async def uses(self, bank: str, facts: Sequence[str] | None = None) -> list[Use]:
        """See `Uses.uses`."""
        found = f"{EVERY_FACT} AND" if facts is None else f"{SOME_FACTS} WHERE"
        cypher = f"{found} fact.uses IS NOT NULL RETURN fact.id AS id, fact.uses AS days"
        rows = await self._db.read(bank, cypher, ids=listed(facts or ()))
        return sorted(Use(row["id"], Day.fromisoformat(day)) for row in rows for day in row["days"])

    async def weigh(self, bank: str, saliences: Mapping[str, float]) -> None:
        """See `Uses.weigh`."""
        check_saliences(saliences)
        rows = [{"id": fact, "salience": float(salience)} for fact, salience in saliences.items()]

        async def work(tx: Transaction) -> None:
            await tx.rows(f"{EVERY_FACT} AND fact.salience IS NOT NULL REMOVE fact.salience")
            for some in batches(rows):
                await tx.rows(_WEIGH, rows=some)

        await self._db.transaction(bank, work)

    async def traits(
        self, bank: str, facts: Sequence[str], *, now: datetime | None = None
    ) -> dict[str, Traits]:
        """See `Uses.traits`."""
        at = None if now is None else stamp(now, of="the look-up")
        rows = await self._db.read_as_one(bank, _TRAITS, ids=listed(facts), now=at)
        return {id: Traits(salience, dimensions_of(*said)) for id, salience, *said in rows}


async def put_uses(tx: Transaction, uses: Iterable[Use]) -> None:
    """Uses of facts that are stored; those of others are left out, and known ones are known."""
    days: dict[str, dict[str | None, None]] = {}
    for use in uses:
        days.setdefault(use.fact, {})[day_text(use.on)] = None
    rows: list[dict[str, Any]] = [{"fact": fact, "days": list(own)} for fact, own in days.items()]
    for some in batches(rows):
        await tx.rows(_USE, rows=some)
