"""Links between facts, and what leads from a fact to others: over links, entities and time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from forethought.memory.records.columns import link_of
from forethought.memory.records.paths import Ways, edge_kind, nearest, neighbours_of
from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.entities import LATEST_OF_FACTS, roots_and_latest
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.rows import LISTED, packed
from forethought.memory.records.sqlite.schema_ties import TIME
from forethought.memory.records.ties import kept_links
from forethought.memory.records.values import at_most, check_links, check_named, stamp
from forethought.memory.types import Edge, Link

_HOLDS = "fact.date <= ?3 AND (fact.until IS NULL OR fact.until > ?3)"
# CROSS JOIN keeps SQLite to this order: the facts asked for, their links, what these lead to.
_FROM = "FROM json_each(?2) AS asked CROSS JOIN link ON link.bank = ?1 AND source = asked.value"
_TO = "FROM json_each(?2) AS asked CROSS JOIN link ON link.bank = ?1 AND target = asked.value"
_LINKS = f"""
    SELECT source, target, kind, weight {_FROM} UNION SELECT source, target, kind, weight {_TO}
    ORDER BY source, target, kind
"""
# In one statement, so that one reader is waited for: what is over entities is a row without kind.
_WAYS = f"""
    {LATEST_OF_FACTS}, NULL AS kind, NULL AS backwards, NULL AS weight
    UNION ALL
    SELECT source, target, link.kind, 0, weight {_FROM}
        CROSS JOIN fact ON fact.bank = ?1 AND fact.id = target AND {_HOLDS}
    UNION ALL
    SELECT target, source, link.kind, 1, weight {_TO}
        CROSS JOIN fact ON fact.bank = ?1 AND fact.id = source AND {_HOLDS}
"""
_NEAR = """
    SELECT json_group_array(json_array(id, at)) FROM (
        SELECT id, {TIME} AS at FROM fact
        WHERE bank = ?1 AND until IS NULL AND {TIME} {than} asked.at AND id != asked.id
        ORDER BY {TIME} {order}, id LIMIT ?3
    )
"""
# For each fact the nearest before it and after it: so many reads of either index, and no more.
_AROUND = f"""
    WITH asked (id, at) AS MATERIALIZED (
        SELECT fact.id, {TIME} FROM fact WHERE bank = ?1 AND id IN {LISTED}
    )
    SELECT asked.id, asked.at,
        ({_NEAR.format(TIME=TIME, than="<=", order="DESC")}) AS before,
        ({_NEAR.format(TIME=TIME, than=">", order="ASC")}) AS after
    FROM asked
"""


class Linking(Facet):
    """What leads from fact to fact."""

    async def link(self, bank: str, links: Sequence[Link]) -> None:
        """See `Records.link`."""
        check_named(bank, to="link")
        check_links(links)
        async with self._db.transaction(bank) as tx:
            sql = f"SELECT id FROM fact WHERE bank = ?1 AND id IN {LISTED}"
            named = {end for link in links for end in (link.source, link.target)}
            stored = {row["id"] for row in await tx.rows(sql, packed(named))}
            await write_links(tx, kept_links(links, lambda fact: fact if fact in stored else None))

    async def links(self, bank: str, facts: Sequence[str] | None = None) -> list[Link]:
        """See `Records.links`."""
        if facts is None:
            sql = "SELECT * FROM link WHERE bank = ?1 ORDER BY source, target, kind"
            return await self._db.read(link_of, sql, bank)
        return await self._db.read(link_of, _LINKS, bank, packed(facts))

    async def neighbours(
        self, bank: str, facts: Sequence[str], *, now: datetime, fan: int
    ) -> dict[str, list[Edge]]:
        """See `Records.neighbours`."""
        at, asked = stamp(now, of="the look-up"), packed(facts)
        rows = await self._db.read(tuple, _WAYS, bank, asked, at, at_most(fan + 1))
        ((roots, latest, *_),) = [row for row in rows if row[2] is None]
        links = [
            (fact, Edge(other, edge_kind(kind, backwards=bool(backwards)), weight))
            for fact, other, kind, backwards, weight in rows
            if kind is not None
        ]
        return neighbours_of(facts, Ways(links, *roots_and_latest(roots, latest)), fan=fan)

    async def around(
        self, bank: str, facts: Sequence[str], *, within: timedelta, k: int
    ) -> dict[str, list[tuple[str, timedelta]]]:
        """See `Records.around`."""
        found: dict[str, list[tuple[str, timedelta]]] = {fact: [] for fact in facts}
        rows = await self._db.read(_timed, _AROUND, bank, packed(facts), at_most(k))
        for fact, at, others in rows:
            found[fact] = nearest(at, others, within=within, k=k)
        return {fact: found[fact] for fact in facts}


async def write_links(tx: Transaction, links: Iterable[Link]) -> None:
    """Links between stored facts; one that is stored takes the new weight."""
    await tx.many(
        "INSERT INTO link (bank, source, target, kind, weight) VALUES (?1, ?2, ?3, ?4, ?5) "
        "ON CONFLICT (bank, source, target, kind) DO UPDATE SET weight = excluded.weight",
        [(link.source, link.target, link.kind, link.weight) for link in links],
    )


def _timed(row: sqlite3.Row) -> tuple[str, datetime, list[tuple[str, datetime]]]:
    others = [*json.loads(row["before"]), *json.loads(row["after"])]
    times = [(fact, datetime.fromisoformat(at)) for fact, at in others]
    return row["id"], datetime.fromisoformat(row["at"]), times
