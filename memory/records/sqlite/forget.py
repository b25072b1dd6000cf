"""Forgetting a fact, a session or a bank: what goes with it, and what holds again without it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
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
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.hush import entomb, hush, turns_saying
from forethought.memory.records.sqlite.ledger import (
    drop_commitments,
    drop_commitments_made_in,
    drop_commitments_to,
)
from forethought.memory.records.sqlite.marks import count, mark_unindexed, mark_unpurged
from forethought.memory.records.sqlite.rows import LISTED, packed
from forethought.memory.records.values import check_forgotten, not_found, session_marks

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
# The facts that only this session supports, and whatever was merged from any of them.
_SUPPORTED = """
    WITH RECURSIVE gone (id) AS (
        SELECT said.fact FROM source AS said WHERE said.bank = ?1 AND said.session = ?2
            AND NOT EXISTS (SELECT 1 FROM source AS other WHERE other.bank = ?1
                AND other.fact = said.fact AND other.session != ?2)
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
        fact: str | None = None,
        session: str | None = None,
        entity: str | None = None,
        opinion: str | None = None,
        commitment: str | None = None,
    ) -> Purge:
        """See `Records.forget`."""
        check_forgotten(bank, fact, session, entity, opinion, commitment)
        async with self._db.erasure(bank) as tx:
            if fact is not None:
                return await _forget_fact(tx, fact)
            if entity is not None:
                return await _forget_entity(tx, entity)
            if session is not None:
                return await _forget_session(tx, session)
            if opinion is not None:
                return await _forget_opinion(tx, opinion)
            if commitment is not None:
                return await _forget_commitment(tx, commitment)
            return await _forget_bank(tx)


async def _forget_fact(tx: Transaction, fact: str) -> Purge:
    purge = await _forget_versions(tx, [fact])
    if not purge.facts:
        raise not_found(tx.bank, fact=fact)
    return purge


async def _forget_entity(tx: Transaction, entity: str) -> Purge:
    group = await group_of(tx, entity)
    if not group:
        raise not_found(tx.bank, entity=entity)
    sql = f"SELECT name FROM entity WHERE bank = ?1 AND id IN {LISTED}"
    names = [row["name"] for row in await tx.rows(sql, packed(group))]
    opinions = await drop_opinions(tx, await opinions_naming(tx, names))
    said = "mention INDEXED BY mention_entity"  # SQLite would look through the bank instead
    sql = f"SELECT DISTINCT fact FROM {said} WHERE bank = ?1 AND entity IN {LISTED}"
    facts = [row["fact"] for row in await tx.rows(sql, packed(group))]
    purge = await _forget_versions(tx, facts)
    return replace(purge, opinions=purge.opinions + opinions)


async def _forget_opinion(tx: Transaction, opinion: str) -> Purge:
    opinions = await drop_opinions(tx, [opinion])
    if not opinions:
        raise not_found(tx.bank, opinion=opinion)
    return Purge(opinions=opinions)


async def _forget_commitment(tx: Transaction, commitment: str) -> Purge:
    commitments = await drop_commitments(tx, [commitment])
    if not commitments:
        raise not_found(tx.bank, commitment=commitment)
    return Purge(commitments=commitments)


async def _forget_versions(tx: Transaction, facts: Iterable[str]) -> Purge:
    """These facts with all their versions, for good; nothing finds the turns that say them."""
    gone = [row["id"] for row in await tx.rows(_VERSIONS, packed(facts))]
    await hush(tx, await turns_saying(tx, gone))
    sql = f"SELECT content FROM fact WHERE bank = ?1 AND id IN {LISTED}"
    await entomb(tx, [row["content"] for row in await tx.rows(sql, packed(gone))])
    return await _remove(tx, gone)


async def _forget_session(tx: Transaction, session: str) -> Purge:
    sql = "SELECT turns, key FROM session WHERE bank = ?1 AND id = ?2"
    found = await tx.rows(sql, session)
    if not found:
        raise not_found(tx.bank, session=session)
    await entomb(tx, session_marks(session, found[0]["key"]))
    await _unwant_turns(tx, "AND session = ?2", session)
    commitments = await drop_commitments_made_in(tx, session)
    purge = await _remove(tx, [row["id"] for row in await tx.rows(_SUPPORTED, session)])
    await tx.run("DELETE FROM session WHERE bank = ?1 AND id = ?2", session)
    return replace(
        purge,
        sessions=1,
        turns=found[0]["turns"],
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
