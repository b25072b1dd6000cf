"""Cues of facts: imagined when a fact was learned, or requests whose answers cited it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from forethought.memory.records.columns import cue_columns, cue_of
from forethought.memory.records.lessons import (
    Request,
    check_imagined,
    check_request,
    lessons,
)
from forethought.memory.records.neo4j.cues import (
    CUE,
    FACTS,
    IMAGINED,
    drop_cues,
    put_cues,
    replace_cues,
)
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.marks import mark_unpurged
from forethought.memory.records.neo4j.rows import FACT, SOME_FACTS, fact_from, listed
from forethought.memory.records.values import at_most
from forethought.memory.types import Cue, Fact

_COLUMNS = ("fact", "position", "text", "learned")
_HOLDING = f"""
    {SOME_FACTS} WHERE fact.until IS NULL
    RETURN id, COLLECT {{ MATCH (fact)-[:CUED]->(cue:Cue) RETURN {CUE} }} AS cues
"""


_FORESEEN = """
    UNWIND $ids AS id MATCH (fact:Fact {bank: $bank, id: id}) REMOVE fact.unforeseen
"""


class Foreseeing(Facet):
    """When a fact should come to mind."""

    async def cues(self, bank: str, facts: Sequence[str]) -> list[Cue]:
        """See `Records.cues`."""
        cypher = """
            UNWIND $ids AS id MATCH (:Fact {bank: $bank, id: id})-[:CUED]->(cue:Cue)
            RETURN [cue.fact, cue.position, cue.text, cue.learned] AS one
        """
        rows = await self._db.read_as_one(bank, cypher, ids=listed(facts))
        found = [cue_of(dict(zip(_COLUMNS, row, strict=True))) for row in rows]
        return sorted(found, key=lambda cue: (cue.fact, cue.position))

    async def unforeseen(self, bank: str, *, limit: int) -> list[Fact]:
        """See `Records.unforeseen`."""
        cypher = f"""
            MATCH (fact:Fact {{bank: $bank, unforeseen: true}}) WHERE fact.until IS NULL
            WITH fact ORDER BY fact.date, fact.id LIMIT $limit
            RETURN {FACT} ORDER BY fact.date, fact.id
        """
        rows = await self._db.read(bank, cypher, limit=at_most(limit))
        return [fact_from(row, bank) for row in rows]

    async def foresee(self, bank: str, cues: Sequence[Cue], *, facts: Sequence[str]) -> None:
        """See `Records.foresee`."""
        check_imagined(cues)
        rows = [cue_columns(cue) for cue in cues]

        async def work(tx: Transaction) -> None:
            await replace_cues(tx, rows, of={*facts, *(cue.fact for cue in cues)}, cued=IMAGINED)
            await mark_foreseen(tx, facts)

        await self._db.transaction(bank, work)

    async def learn(
        self, bank: str, facts: Sequence[str], request: str, *, at: datetime, keep: int
    ) -> list[Cue]:
        """See `Records.learn`."""
        asked = Request(request, at, keep)
        check_request(bank, asked)

        async def work(tx: Transaction) -> list[Cue]:
            found = await tx.rows(_HOLDING, ids=listed(facts))
            cues = {row["id"]: [cue_of(cue) for cue in row["cues"]] for row in found}
            learned = lessons(cues, asked)
            await drop_cues(tx, [*learned.gone, *(cue.id for cue in learned.new)], cued=FACTS)
            await mark_unpurged(tx, learned.gone)
            await put_cues(tx, [cue_columns(cue) for cue in learned.new], cued=FACTS)
            return list(learned.new)

        return await self._db.transaction(bank, work)

    async def unlearn(self, bank: str, cues: Sequence[str]) -> int:
        """See `Records.unlearn`."""

        async def work(tx: Transaction) -> int:
            gone = await drop_cues(tx, cues, cued=FACTS)
            await mark_unpurged(tx, gone)
            return len(gone)

        return await self._db.transaction(bank, work)


async def mark_foreseen(tx: Transaction, facts: Iterable[str]) -> None:
    """Note that these facts were foreseen."""
    await tx.rows(_FORESEEN, ids=listed(facts))
