"""Forgetting facts, sessions or a bank: what goes with it, and what holds again without it."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace

from forethought.memory.records.changes import Purge
from forethought.memory.records.sqlite.beliefs import (
    drop_beliefs_from,
    drop_observations,
    drop_opinions,
    opinions_naming,
)
from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.entities import drop_unmentioned, group_of, mentioned_by
from forethought.memory.records.sqlite.evidence import stored
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.hush import entomb, hush, turns_saying
from forethought.memory.records.sqlite.learned import unlearn_asked_in
from forethought.memory.records.sqlite.ledger import (
    drop_commitments,
    drop_commitments_made_in,
    drop_commitments_to,
)
from forethought.memory.records.sqlite.marks import count, mark_unindexed, mark_unpurged
from forethought.memory.records.sqlite.rows import LISTED, packed
from forethought.memory.records.values import check_found, not_found, session_marks, to_forget
from forethought.memory.types import Ids

# All versions of the same knowledge, both ways, and whatever was merged from any of them.
_VERSIONS = """
    WITH RECURSIVE gone (id) AS (
        SELECT value FROM json_each(?2)
        UNION SELECT later.successor FROM fact AS later JOIN gone USING (id)
            WHERE later.bank = ?1 AND later.successor IS NOT NULL
        UNION SELECT earlier.id FROM fact AS earlier JOIN gone ON earlier.successor = gone.id
            WHERE earlier.bank = ?1 AND earlier.succession = 'update'
    )
    SELECT fact.id FROM fact JOIN gone USING (id) WHERE fact.bank = ?1
"""
# The facts that only these sessions support, and whatever was merged from any of them.
_SUPPORTED = f"""
    WITH RECURSIVE gone (id) AS (
        SELECT said.fact FROM source AS said WHERE said.bank = ?1 AND said.session IN {LISTED}
            AND NOT EXISTS (SELECT 1 FROM source AS other WHERE other.bank = ?1
                AND other.fact = said.fact AND other.session NOT IN {LISTED})
        UNION SELECT merged.successor FROM fact AS merged JOIN gone USING (id)
            WHERE merged.bank = ?1 AND merged.succession = 'merge'
    )
    SELECT fact.id FROM fact JOIN gone USING (id) WHERE fact.bank = ?1
"""
# What the facts that go had replaced, and the first of their successors that stays, if any does.
_OUTLIVED = f"""
    WITH RECURSIVE outlived (id, date, content, successor, until, succession) AS (
        SELECT id, date, content, successor, until, succession FROM fact
        WHERE bank = ?1 AND successor IN {LISTED} AND id NOT IN {LISTED}
        UNION SELECT outlived.id, outlived.date, outlived.content,
            fact.successor, fact.until, fact.succession
        FROM outlived JOIN fact ON fact.bank = ?1 AND fact.id = outlived.successor
        WHERE outlived.successor IN {LISTED}
    )
    SELECT * FROM outlived WHERE successor IS NULL OR successor NOT IN {LISTED}
    ORDER BY date DESC, id
"""


class Forgetting(Facet):
    """Removal, with tombstones, and without a trace in the files."""

    async def forget(  # noqa: PLR0913  # the port's
        self,
        bank: str,
        *,
        fact: Ids | None = None,
        session: Ids | None = None,
        entity: Ids | None = None,
        opinion: Ids | None = None,
        commitment: Ids | None = None,
    ) -> Purge:
        """See `Records.forget`."""
        sort, ids = to_forget(bank, fact, session, entity, opinion, commitment)
        async with self._db.erasure(bank) as tx:
            if sort == "bank":
                return await _forget_bank(tx)
            check_found(bank, sort, ids, found=await stored(tx, sort, ids))
            return await _FORGET[sort](tx, ids)


async def _forget_entities(tx: Transaction, entities: Sequence[str]) -> Purge:
    group = await group_of(tx, entities)
    sql = f"SELECT name FROM entity WHERE bank = ?1 AND id IN {LISTED}"
    names = [row["name"] for row in await tx.rows(sql, packed(group))]
    opinions = await drop_opinions(tx, await opinions_naming(tx, names))
    said = "mention INDEXED BY mention_entity"  # SQLite would look through the bank instead
    sql = f"SELECT DISTINCT fact FROM {said} WHERE bank = ?1 AND entity IN {LISTED}"
    facts = [row["fact"] for row in await tx.rows(sql, packed(group))]
    purge = await _forget_versions(tx, facts)
    return replace(purge, opinions=purge.opinions + opinions)


async def _forget_opinions(tx: Transaction, opinions: Sequence[str]) -> Purge:
    return Purge(opinions=await drop_opinions(tx, opinions))


async def _forget_commitments(tx: Transaction, commitments: Sequence[str]) -> Purge:
    return Purge(commitments=await drop_commitments(tx, commitments))


async def _forget_versions(tx: Transaction, facts: Iterable[str]) -> Purge:
    """These facts with all their versions, for good; nothing finds the turns that say them."""
    gone = [row["id"] for row in await tx.rows(_VERSIONS, packed(facts))]
    await hush(tx, await turns_saying(tx, gone))
    sql = f"SELECT content FROM fact WHERE bank = ?1 AND id IN {LISTED}"
    await entomb(tx, [row["content"] for row in await tx.rows(sql, packed(gone))])
    return await _remove(tx, gone)


async def _forget_sessions(tx: Transaction, sessions: Sequence[str]) -> Purge:
    some, listed = f"bank = ?1 AND id IN {LISTED}", packed(sessions)
    found = await tx.rows(f"SELECT id, turns, key FROM session WHERE {some}", listed)
    await entomb(tx, [mark for row in found for mark in session_marks(row["id"], row["key"])])
    said = f"session IN {LISTED}"
    await _unwant_turns(tx, f"AND {said}", listed)
    asked = await tx.rows(f"SELECT id FROM turn WHERE bank = ?1 AND {said}", listed)
    await unlearn_asked_in(tx, [row["id"] for row in asked])
    commitments = await drop_commitments_made_in(tx, sessions)
    purge = await _remove(tx, [row["id"] for row in await tx.rows(_SUPPORTED, listed)])
    await tx.run(f"DELETE FROM session WHERE {some}", listed)
    return replace(
        purge,
        sessions=len(found),
        turns=sum(row["turns"] for row in found),
        commitments=purge.commitments + commitments,
    )


async def _forget_bank(tx: Transaction) -> Purge:
    """Everything, tombstones and settings too: a bank may be forgotten and then given anew."""
    tables = ("session", "fact", "tombstone", "setting", "opinion", "observation", "commitment")
    counts = {table: await count(tx, table) for table in (*tables, "turn")}
    if not any(counts.values()):
        raise not_found(tx.bank)
    await _unwant_turns(tx)
    for table in ("opinion", "observation", "reminder"):
        await mark_unpurged(tx, await _ids(tx, table))
    purge = await _remove(tx, await _ids(tx, "fact"))
    for table in tables:
        await tx.run(f"DELETE FROM {table} WHERE bank = ?1")
    return replace(
        purge,
        sessions=counts["session"],
        turns=counts["turn"],
        opinions=counts["opinion"],
        observations=counts["observation"],
        commitments=counts["commitment"],
    )


async def _ids(tx: Transaction, table: str) -> list[str]:
    return [row["id"] for row in await tx.rows(f"SELECT id FROM {table} WHERE bank = ?1")]


async def _unwant_turns(tx: Transaction, some: str = "", *args: str) -> None:
    """Have the index drop the vectors of these turns, or of all."""
    sql = f"SELECT id FROM turn WHERE bank = ?1 AND indexed IS NOT NULL {some}"
    await mark_unpurged(tx, [row["id"] for row in await tx.rows(sql, *args)])


async def _remove(tx: Transaction, facts: Sequence[str]) -> Purge:
    """Delete facts with all that came of them; let hold what they had replaced."""
    gone = packed(facts)
    sql = f"SELECT id FROM cue WHERE bank = ?1 AND fact IN {LISTED} ORDER BY id"
    cues = [row["id"] for row in await tx.rows(sql, gone)]
    outlived = await tx.rows(_OUTLIVED, gone)
    mentioned = frozenset().union(*(await mentioned_by(tx, facts)).values())
    opinions, observations = await drop_beliefs_from(tx, facts)
    commitments = await drop_commitments_to(tx, facts)
    sql = f"SELECT n FROM fact WHERE bank = ?1 AND id IN {LISTED}"
    await tx.run(f"DELETE FROM word WHERE rowid IN ({sql})", gone)
    await tx.run(f"DELETE FROM fact WHERE bank = ?1 AND id IN {LISTED}", gone)
    entities = await drop_unmentioned(tx, mentioned)
    observations += len(await drop_observations(tx, entities))
    revived = [str(row["id"]) for row in outlived if await _relink(tx, row)]
    await mark_unindexed(tx, revived)
    await mark_unpurged(tx, [*facts, *cues])
    return Purge(
        tuple(facts),
        tuple(cues),
        entities=len(entities),
        opinions=opinions,
        observations=observations,
        commitments=commitments,
        revived=tuple(revived),
    )


async def _relink(tx: Transaction, row: sqlite3.Row) -> bool:
    """Tie a fact to the successor that is left to it; True if there is none, so that it holds.

    Where its text has been said again since, that later fact is the one that holds.
    """
    link = (row["until"], row["successor"], row["succession"])
    if row["successor"] is None:
        sql = "SELECT id, date FROM fact WHERE bank = ?1 AND content = ?2 AND until IS NULL"
        again = await tx.rows(sql, row["content"])
        link = (again[0]["date"], again[0]["id"], "update") if again else (None, None, None)
    await tx.run(
        "UPDATE fact SET until = ?3, successor = ?4, succession = ?5 WHERE bank = ?1 AND id = ?2",
        *(row["id"], *link),
    )
    return link[1] is None


_FORGET: dict[str, Callable[[Transaction, Sequence[str]], Awaitable[Purge]]] = {
    "fact": _forget_versions,
    "session": _forget_sessions,
    "entity": _forget_entities,
    "opinion": _forget_opinions,
    "commitment": _forget_commitments,
}
"""By the sort of thing, each a table of that name; the ids are all in it."""
