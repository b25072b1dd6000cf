"""What is still to be done outside Records: vectors to index or to drop; and settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial

from forethought.memory.conversations import spoken
from forethought.memory.ids import content_hash
from forethought.memory.records.changes import Unindexed
from forethought.memory.records.neo4j.database import Row, Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.rows import EMBEDDED, FOUND, batches, listed
from forethought.memory.records.values import at_most, changed
from forethought.memory.types import Part
from forethought.memory.words import storable

_CUE_DATE = "CASE WHEN cue.learned > fact.date THEN cue.learned ELSE fact.date END"
_UNINDEXED = f"""
    CALL () {{
        MATCH (fact:Fact {{bank: $bank, unindexed: true}})
        RETURN 0 AS later, 'text' AS part, fact.id AS id, null AS name, fact.text AS text,
            fact.date AS date
        ORDER BY date, id LIMIT $limit
        UNION ALL
        MATCH (cue:Cue {{bank: $bank, unindexed: true}})<-[:CUED]-(fact:Fact)
        RETURN 1 AS later, 'cue' AS part, cue.id AS id, null AS name, cue.text AS text,
            {_CUE_DATE} AS date
        ORDER BY date, id LIMIT $limit
        UNION ALL
        MATCH (opinion:Opinion {{bank: $bank, unindexed: true}})
        RETURN 2 AS later, 'opinion' AS part, opinion.id AS id, null AS name,
            opinion.text AS text, opinion.formed AS date
        ORDER BY date, id LIMIT $limit
        UNION ALL
        MATCH (summary:Observation {{bank: $bank, unindexed: true}})
        RETURN 3 AS later, 'observation' AS part, summary.id AS id, null AS name,
            summary.text AS text, summary.made AS date
        ORDER BY date, id LIMIT $limit
        UNION ALL
        MATCH (cue:Reminder {{bank: $bank, unindexed: true}})<-[:CUED]-(one:Commitment)
        RETURN 4 AS later, 'reminder' AS part, cue.id AS id, null AS name, cue.text AS text,
            one.made AS date
        ORDER BY date, id LIMIT $limit
    }}
    RETURN {{part: part, id: id, name: name, text: text, date: date}} AS row
    ORDER BY later, date, id LIMIT $limit
"""
_UNINDEXED_TURNS = """
    MATCH (turn:Turn {bank: $bank, unindexed: true}) WITH turn LIMIT $limit
    MATCH (turn)<-[:SAID]-(session:Session)
    RETURN turn {part: 'turn', .id, .name, .text, date: session.date} AS row
"""
_INDEXED = {  # the nodes that have vectors, and which of them
    "Fact": "n.id IS NOT NULL",
    "Cue": "n.id IS NOT NULL",
    "Opinion": "n.id IS NOT NULL",
    "Observation": "n.id IS NOT NULL",
    "Reminder": "n.id IS NOT NULL",
    "Turn": f"n.id IS NOT NULL AND n.{EMBEDDED} AND n.{FOUND}",
}
# `n.id IN $ids` would be a fifth quicker, but with 6,000 ids a heap of 512 MB did not suffice for
# it; for this it does.
_SOME = "UNWIND $ids AS id MATCH (n:{label} {{bank: $bank, id: id}})"
# All of them in one journey; under a label of which nothing is marked, or there, no id is sought.
_CLEAR, _MARK = (
    "".join(
        f"CALL () {{ {change.format(label=label, which=which)} }}\n"
        for label, which in _INDEXED.items()
    )
    for change in (
        "WITH true AS any WHERE EXISTS {{ MATCH (:{label} {{bank: $bank, unindexed: true}}) }} "
        + f"{_SOME} REMOVE n.unindexed",
        "WITH true AS any WHERE EXISTS {{ MATCH (n:{label} {{bank: $bank}}) WHERE {which} }} "
        + _SOME
        + " WHERE {which} SET n.unindexed = true",
    )
)
_AS_INDEXED: dict[Part, str] = {  # a batch has one or two of these, which are planned in no time
    "text": """
        UNWIND $text AS id MATCH (fact:Fact {bank: $bank, id: id})
        RETURN {part: 'text', id: id, text: fact.text, date: fact.date} AS row
    """,
    "cue": f"""
        UNWIND $cue AS id MATCH (cue:Cue {{bank: $bank, id: id}})<-[:CUED]-(fact:Fact)
        RETURN {{part: 'cue', id: id, text: cue.text,
            date: {_CUE_DATE}}} AS row
    """,
    "opinion": """
        UNWIND $opinion AS id MATCH (opinion:Opinion {bank: $bank, id: id})
        RETURN {part: 'opinion', id: id, text: opinion.text, date: opinion.formed} AS row
    """,
    "observation": """
        UNWIND $observation AS id MATCH (summary:Observation {bank: $bank, id: id})
        RETURN {part: 'observation', id: id, text: summary.text, date: summary.made} AS row
    """,
    "reminder": """
        UNWIND $reminder AS id MATCH (cue:Reminder {bank: $bank, id: id})<-[:CUED]-(one:Commitment)
        RETURN {part: 'reminder', id: id, text: cue.text, date: one.made} AS row
    """,
    "turn": f"""
        UNWIND $turn AS id MATCH (turn:Turn {{bank: $bank, id: id}})<-[:SAID]-(session:Session)
        WHERE turn.{EMBEDDED} AND turn.{FOUND}
        RETURN {{part: 'turn', id: id, text: turn.text, date: session.date, name: turn.name}} AS row
    """,
}
WANTED_AGAIN = """
    WITH count(*) AS made
    WHERE EXISTS { MATCH (any:Unpurged {bank: $bank}) WHERE any.id IS NOT NULL }
    UNWIND $made AS id MATCH (mark:Unpurged {bank: $bank, id: id}) DELETE mark
"""
"""Follows what made nodes of the ids `$made`, whose vectors are wanted, though a bank that was
forgotten had the same. It costs one look where no vector is to be dropped."""
_SETTING = "MATCH (setting:Setting {bank: $bank, id: $id}) RETURN setting.value AS value"
# A name may be too long for an index, so its hash identifies it.
_SET = """
    MERGE (setting:Setting {bank: $bank, id: $id})
    SET setting.name = $name, setting.value = $value
"""
# The name of a bank in which nothing is left goes too. Its node stays, with the count of what it
# was given, so that no number is given twice; its hash says nothing of the name.
_UNNAME = """
    MATCH (bank:Bank {id: $bank}) USING INDEX SEEK bank:Bank(id)
    WHERE NOT EXISTS { MATCH (n:Session {bank: $bank}) WHERE n.id IS NOT NULL }
        AND NOT EXISTS { MATCH (n:Fact {bank: $bank}) WHERE n.id IS NOT NULL }
        AND NOT EXISTS { MATCH (n:Opinion {bank: $bank}) WHERE n.id IS NOT NULL }
        AND NOT EXISTS { MATCH (n:Observation {bank: $bank}) WHERE n.id IS NOT NULL }
        AND NOT EXISTS { MATCH (n:Commitment {bank: $bank}) WHERE n.id IS NOT NULL }
        AND NOT EXISTS { MATCH (n:Unpurged {bank: $bank}) WHERE n.id IS NOT NULL }
    REMOVE bank.name
"""


class Marking(Facet):
    """The marks that keep the index one with Records (DESIGN §3)."""

    async def unindexed(self, bank: str, *, limit: int) -> list[Unindexed]:
        """See `Records.unindexed`."""
        rows = await self._db.read_as_one(bank, _UNINDEXED, limit=at_most(limit))
        marked = [_unindexed(row) for row in rows]
        if (left := at_most(limit) - len(marked)) > 0:
            rows = await self._db.read_as_one(bank, _UNINDEXED_TURNS, limit=left)
            marked += [_unindexed(row) for row in rows]
        return marked

    async def indexed(self, bank: str, ids: Sequence[str]) -> None:
        """See `Records.indexed`."""

        async def work(tx: Transaction) -> None:
            await tx.rows(_CLEAR, ids=listed(ids))

        await self._db.transaction(bank, work)

    async def outdated(self, bank: str, items: Sequence[Unindexed]) -> list[str]:
        """See `Records.outdated`."""
        ids: dict[Part, list[str]] = {}
        for item in items:
            ids.setdefault(item.part, []).append(item.id)
        if not ids:
            return []
        of_parts = " UNION ALL ".join(some for part, some in _AS_INDEXED.items() if part in ids)
        rows = await self._db.read_as_one(bank, of_parts, **ids)
        return changed(items, [_unindexed(row) for row in rows])

    async def reindex(self, bank: str) -> int:
        """See `Records.reindex`."""

        async def work(tx: Transaction) -> int:
            marked = 0
            for label, which in _INDEXED.items():
                every = f"MATCH (n:{label} {{bank: $bank}}) WHERE {which}"
                (row,) = await tx.rows(f"{every} SET n.unindexed = true RETURN count(n) AS marked")
                marked += row["marked"]
            return marked

        return await self._db.transaction(bank, work)

    async def unpurged(self, bank: str) -> list[str]:
        """See `Records.unpurged`."""
        every = "MATCH (mark:Unpurged {bank: $bank}) WHERE mark.id IS NOT NULL"
        rows = await self._db.read(bank, f"{every} RETURN mark.id AS id ORDER BY id")
        return [row["id"] for row in rows]

    async def purged(self, bank: str, ids: Sequence[str]) -> None:
        """See `Records.purged`."""
        for some in [*batches(listed(ids))] or [()]:  # those of a bank are more than a heap holds
            await self._db.transaction(bank, partial(_purged, ids=some))

    async def setting(self, bank: str, name: str, value: str | None = None) -> str | None:
        """See `Records.setting`."""
        key = content_hash(storable(name), length=64)
        if value is not None:

            async def work(tx: Transaction) -> None:
                await tx.rows(_SET, id=key, name=name, value=value)

            await self._db.transaction(bank, work, new=True)
            return storable(value)
        found = await self._db.peek(bank, _SETTING, id=key)
        return found[0]["value"] if found else None


async def mark_unindexed(tx: Transaction, facts: Iterable[str]) -> None:
    """Have these facts and their cues indexed anew."""
    if ids := listed(facts):
        await tx.rows(
            "UNWIND $ids AS id MATCH (fact:Fact {bank: $bank, id: id}) SET fact.unindexed = true "
            "WITH fact MATCH (fact)-[:CUED]->(cue:Cue) SET cue.unindexed = true",
            ids=ids,
        )


async def mark_unpurged(tx: Transaction, ids: Iterable[str]) -> None:
    """List ids of vectors that the index must drop."""
    if marks := listed(ids):
        await tx.rows("UNWIND $ids AS id MERGE (:Unpurged {bank: $bank, id: id})", ids=marks)


async def strike_unpurged(tx: Transaction, ids: Iterable[str]) -> None:
    """Take off that list what is gone from the index, or wanted there again."""
    if marks := listed(ids):
        some = "UNWIND $ids AS id MATCH (mark:Unpurged {bank: $bank, id: id})"
        await tx.rows(f"{some} DELETE mark", ids=marks)


async def _purged(tx: Transaction, *, ids: Sequence[str]) -> None:
    await strike_unpurged(tx, ids)
    # What was learned again in the meantime has lost its new vector with the old one.
    await tx.rows(_MARK, ids=ids)
    await unname_if_empty(tx)


async def unname_if_empty(tx: Transaction) -> None:
    """Forget the name of a bank that has nothing of its own any more, nor vectors to drop."""
    await tx.rows(_UNNAME)


def _unindexed(row: Row) -> Unindexed:
    text = spoken(row["text"], by=row.get("name"))
    return Unindexed(row["id"], row["part"], text, datetime.fromisoformat(row["date"]))
