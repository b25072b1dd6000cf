"""Entities: by id, by name, by what mentions them; and what is joined to what."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime

from forethought.memory.records.columns import entity_columns, entity_of
from forethought.memory.records.paths import Said, latest_of, name_marks, namesakes_of
from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.rows import LISTED, packed
from forethought.memory.records.ties import joined
from forethought.memory.records.values import at_most, stamp
from forethought.memory.types import Entity, Joiner, Mention

_LATEST_BY = """
    SELECT asked.value AS asked, (
        SELECT json_group_array({id}) FROM (
            SELECT {id} FROM {table} WHERE bank = ?1 AND {by} = asked.value
            ORDER BY last DESC, {id} LIMIT ?3
        )
    ) AS ids FROM json_each(?2) AS asked
"""
_SAME = _LATEST_BY.format(id="id", table="entity", by="key")
_LIKE = _LATEST_BY.format(id="entity", table="beginning", by="start")
# Entities with all that they are joined to.
_AND_ROOTS = """
    WITH RECURSIVE up (id) AS (
        SELECT value FROM json_each(?2)
        UNION SELECT entity.joined_to FROM up JOIN entity ON entity.bank = ?1 AND entity.id = up.id
        WHERE entity.joined_to IS NOT NULL
    )
    SELECT entity.* FROM up JOIN entity ON entity.bank = ?1 AND entity.id = up.id
"""
_ROOTS = """
    up (asked, id) AS (
        SELECT asked, id FROM named
        UNION SELECT up.asked, entity.joined_to
        FROM up JOIN entity ON entity.bank = ?1 AND entity.id = up.id
        WHERE entity.joined_to IS NOT NULL
    ),
    root (asked, id) AS (
        SELECT up.asked, up.id FROM up JOIN entity ON entity.bank = ?1 AND entity.id = up.id
        WHERE entity.joined_to IS NULL
    )
"""
_ASKED = "SELECT value, value FROM json_each(?2)"
_SAID = f"SELECT fact, entity FROM mention WHERE bank = ?1 AND fact IN {LISTED}"
# What each that was asked leads to, and for each root and what is joined to it the latest facts: so
# many reads of the index, and no more. A single row, as for each one SQLite lets other threads in.
_LATEST = f"""
    WITH RECURSIVE named (asked, id) AS ({{named}}), {_ROOTS},
    member (root, id) AS (
        SELECT id, id FROM root
        UNION SELECT member.root, entity.id
        FROM member JOIN entity ON entity.bank = ?1 AND entity.joined_to = member.id
    )
    SELECT (SELECT json_group_array(json_array(asked, id)) FROM root) AS roots, (
        SELECT json_group_array(json_array(root, json((
            SELECT json_group_array(json_array(date, fact)) FROM (
                SELECT date, fact FROM mention
                WHERE bank = ?1 AND entity = member.id
                    AND date <= ?3 AND (until IS NULL OR until > ?3)
                ORDER BY date DESC, fact LIMIT ?4
            )
        )))) FROM member
    ) AS latest
"""
LATEST_OF_ENTITIES = _LATEST.format(named=_ASKED)
LATEST_OF_FACTS = _LATEST.format(named=_SAID)
_GROUP = f"""
    WITH RECURSIVE named (asked, id) AS ({_ASKED}), {_ROOTS},
    member (id) AS (
        SELECT id FROM root
        UNION SELECT entity.id
        FROM member JOIN entity ON entity.bank = ?1 AND entity.joined_to = member.id
    )
    SELECT id FROM member
"""
_INSERT = """
    INSERT INTO entity (bank, id, name, key, kind, first, last, joined_to, joined_by)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (bank, id) DO NOTHING
"""
_UPDATE = """
    UPDATE entity SET first = ?3, last = ?4, joined_to = ?5, joined_by = ?6
    WHERE bank = ?1 AND id = ?2
"""
_INSERT_MENTION = """
    INSERT OR IGNORE INTO mention (bank, fact, entity, date, until)
    SELECT bank, id, ?3, date, until FROM fact WHERE bank = ?1 AND id = ?2
"""


class Naming(Facet):
    """Who and what the facts are about."""

    async def entities(self, bank: str, ids: Sequence[str] | None = None) -> list[Entity]:
        """See `Records.entities`."""
        if ids is None:
            sql = "SELECT * FROM entity WHERE bank = ?1 ORDER BY name, id"
            return await self._db.read(entity_from, sql, bank)
        sql = f"SELECT * FROM entity WHERE bank = ?1 AND id IN {LISTED}"
        found = {one.id: one for one in await self._db.read(entity_from, sql, bank, packed(ids))}
        return [found[entity] for entity in ids if entity in found]

    async def namesakes(
        self, bank: str, names: Sequence[str], *, k: int
    ) -> dict[str, list[Entity]]:
        """See `Records.namesakes`."""
        marks = {name: name_marks(name) for name in names}
        keys = packed({key for key, _ in marks.values()})
        starts = packed({start for _, beginnings in marks.values() for start in beginnings})
        same = dict(await self._db.read(_ids, _SAME, bank, keys, at_most(k)))
        like = dict(await self._db.read(_ids, _LIKE, bank, starts, at_most(k)))
        ids = {
            name: set(same[key]).union(*(like[start] for start in beginnings))
            for name, (key, beginnings) in marks.items()
        }
        every = sorted(set().union(*ids.values()))
        found = {one.id: one for one in await self.entities(bank, every)}
        return {
            name: namesakes_of(name, [found[id] for id in own if id in found], k=k)
            for name, own in ids.items()
        }

    async def mentions(self, bank: str, facts: Sequence[str] | None = None) -> list[Mention]:
        """See `Records.mentions`."""
        every = "SELECT fact, entity FROM mention WHERE bank = ?1"
        if facts is None:
            return await self._db.read(_mention, f"{every} ORDER BY fact, entity", bank)
        sql = f"{every} AND fact IN {LISTED} ORDER BY fact, entity"
        return await self._db.read(_mention, sql, bank, packed(facts))

    async def mentioning(
        self, bank: str, entities: Sequence[str], *, k: int, now: datetime
    ) -> dict[str, list[str]]:
        """See `Records.mentioning`."""
        asked, at = packed(entities), stamp(now, of="the look-up")
        (found,) = await self._db.read(tuple, LATEST_OF_ENTITIES, bank, asked, at, at_most(k))
        roots, latest = roots_and_latest(*found)
        return {
            entity: [
                fact for root in roots.get(entity, ()) for _, fact in latest[root][: max(0, k)]
            ]
            for entity in entities
        }

    async def join(self, bank: str, entity: str, into: str | None, *, by: Joiner) -> None:
        """See `Records.join`."""
        async with self._db.transaction(bank) as tx:
            known = await entities_and_roots(tx, [entity] if into is None else [entity, into])
            after = joined(bank, entity, into, by=by, known=known)
            if after is not None:
                await update_entities(tx, [after])


async def entities_and_roots(tx: Transaction, ids: Iterable[str]) -> dict[str, Entity]:
    """These entities, where they are stored, with all that they are joined to."""
    return {row["id"]: entity_from(row) for row in await tx.rows(_AND_ROOTS, packed(ids))}


async def mentioned_by(tx: Transaction, facts: Iterable[str]) -> dict[str, frozenset[str]]:
    """For each of these facts the entities that it mentions."""
    sql = f"SELECT fact, entity FROM mention WHERE bank = ?1 AND fact IN {LISTED}"
    found: dict[str, set[str]] = {}
    for row in await tx.rows(sql, packed(facts)):
        found.setdefault(row["fact"], set()).add(row["entity"])
    return {fact: frozenset(of) for fact, of in found.items()}


async def group_of(tx: Transaction, entities: Iterable[str]) -> list[str]:
    """All entities that share the root of one of these."""
    return [row["id"] for row in await tx.rows(_GROUP, packed(entities))]


async def insert_entities(tx: Transaction, entities: Sequence[Entity]) -> None:
    """New entities, with the beginnings of their names that find them."""
    await tx.many(_INSERT, [tuple(entity_columns(one).values()) for one in entities])
    await tx.many(
        "INSERT OR IGNORE INTO beginning (bank, entity, start, last) VALUES (?1, ?2, ?3, ?4)",
        [
            (one.id, start, stamp(one.last, of=f"entity {one.id}"))
            for one in entities
            for start in name_marks(one.name)[1]
        ],
    )


async def update_entities(tx: Transaction, entities: Sequence[Entity]) -> None:
    """What may change of stored ones: their dates and what they are joined to."""
    kept = ("id", "first", "last", "joined_to", "joined_by")
    columns = [entity_columns(one) for one in entities]
    await tx.many(_UPDATE, [[of[name] for name in kept] for of in columns])


async def insert_mentions(tx: Transaction, mentions: Iterable[Mention]) -> None:
    """That these stored facts mention these stored entities; what is known is known already."""
    await tx.many(_INSERT_MENTION, [(one.fact, one.entity) for one in mentions])


async def drop_unmentioned(tx: Transaction, entities: Iterable[str]) -> list[str]:
    """Remove those of these that no fact mentions any more, and date the others anew.

    What was joined to a removed one stands for itself then. Returns those that went.
    """
    listed = packed(entities)
    own = "FROM mention WHERE mention.bank = ?1 AND mention.entity = entity.id"
    sql = f"""
        SELECT id FROM entity
        WHERE bank = ?1 AND id IN {LISTED} AND NOT EXISTS (SELECT 1 {own})
    """
    unmentioned = [str(row["id"]) for row in await tx.rows(sql, listed)]
    gone = packed(unmentioned)
    await tx.run(
        "UPDATE entity SET joined_to = NULL, joined_by = NULL "
        f"WHERE bank = ?1 AND joined_to IN {LISTED}",
        gone,
    )
    await tx.run(f"DELETE FROM entity WHERE bank = ?1 AND id IN {LISTED}", gone)
    sql = f"""
        UPDATE entity SET first = (SELECT min(date) {own}), last = (SELECT max(date) {own})
        WHERE bank = ?1 AND id IN {LISTED}
    """
    await tx.run(sql, listed)
    return unmentioned


def entity_from(row: sqlite3.Row) -> Entity:
    """The entity of a row of its table."""
    return entity_of(row, bank=row["bank"])


def roots_and_latest(
    rooted: str, said_of: str
) -> tuple[dict[str, list[str]], dict[str, list[Said]]]:
    """The roots of all asked, and of each the latest facts, of what LATEST_OF_… selects."""
    roots: dict[str, list[str]] = {}
    for asked, root in json.loads(rooted):
        roots.setdefault(asked, []).append(root)
    lists: dict[str, list[list[Said]]] = {}
    for root, said in json.loads(said_of):
        lists.setdefault(root, []).append([(date, fact) for date, fact in said])
    return roots, {
        root: found[0] if len(found) == 1 else latest_of(found, k=sum(map(len, found)))
        for root, found in lists.items()
    }


def _mention(row: sqlite3.Row) -> Mention:
    return Mention(row["fact"], row["entity"])


def _ids(row: sqlite3.Row) -> tuple[str, list[str]]:
    return row["asked"], json.loads(row["ids"])
