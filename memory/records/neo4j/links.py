"""Links between facts, and the ways that lead from one to another: links, entities and time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from forethought.memory.records.columns import link_of
from forethought.memory.records.neo4j.around import around as lying_around
from forethought.memory.records.neo4j.database import Row, Transaction
from forethought.memory.records.neo4j.entities import FAMILY
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.rows import listed
from forethought.memory.records.neo4j.ties import ANY_LINK, ROOTED, put_links
from forethought.memory.records.neo4j.times import standing
from forethought.memory.records.paths import (
    Said,
    Ways,
    edge_kind,
    latest_of,
    neighbours_of,
)
from forethought.memory.records.ties import kept_links
from forethought.memory.records.values import at_most, check_links, check_named
from forethought.memory.types import Edge, Link

_ANY = f"[link:{ANY_LINK}]"
_KIND = "toLower(type(link))"
_LINK = f"""
    RETURN startNode(link).id AS source, endNode(link).id AS target, {_KIND} AS kind,
        link.weight AS weight
"""
_NEIGHBOURS = f"""
    CALL () {{
        UNWIND $ids AS id MATCH (asked:Fact {{bank: $bank, id: id}})-{_ANY}-(fact:Fact)
        USING INDEX SEEK asked:Fact(bank, id)
        WHERE fact.date <= $now AND (fact.until IS NULL OR fact.until > $now)
        RETURN collect([id, fact.id, {_KIND}, endNode(link) = asked, link.weight]) AS links
    }}
    CALL () {{
        UNWIND $ids AS id
        MATCH (:Fact {{bank: $bank, id: id}})-[:MENTIONS]->(:Entity){ROOTED}
        RETURN collect(DISTINCT [id, root.id]) AS roots
    }}
    CALL (roots) {{
        UNWIND roots AS pair WITH DISTINCT pair[1] AS id
        MATCH (root:Entity {{bank: $bank, id: id}})
        {FAMILY} RETURN collect([id, fact.date, fact.id]) AS latest
    }}
    RETURN links, roots, latest
"""


class Linking(Facet):
    """The ways between facts."""

    async def link(self, bank: str, links: Sequence[Link]) -> None:
        """See `Records.link`."""
        check_named(bank, to="link")
        check_links(links)
        kept = kept_links(links, lambda fact: fact)

        async def work(tx: Transaction) -> None:
            await put_links(tx, kept)

        await self._db.transaction(bank, work)

    async def links(self, bank: str, facts: Sequence[str] | None = None) -> list[Link]:
        """See `Records.links`."""
        some = f"MATCH (fact:Fact {{bank: $bank}})-{_ANY}->(:Fact) WHERE fact.id IS NOT NULL"
        if facts is not None:
            some = f"""
                UNWIND $ids AS id MATCH (:Fact {{bank: $bank, id: id}})-{_ANY}-(:Fact)
                WITH DISTINCT link
            """
        rows = await self._db.read(bank, f"{some} {_LINK}", ids=listed(facts or ()))
        return sorted(link_of(row) for row in rows)

    async def neighbours(
        self, bank: str, facts: Sequence[str], *, now: datetime, fan: int
    ) -> dict[str, list[Edge]]:
        """See `Records.neighbours`."""
        asked = {"ids": listed(facts), "most": at_most(fan + 1), **standing(now)}
        (row,) = await self._db.read(bank, _NEIGHBOURS, **asked)
        return neighbours_of(facts, _ways(row), fan=fan)

    async def around(
        self, bank: str, facts: Sequence[str], *, within: timedelta, k: int
    ) -> dict[str, list[tuple[str, timedelta]]]:
        """See `Records.around`."""

        async def work(tx: Transaction) -> dict[str, list[tuple[str, timedelta]]]:
            return await lying_around(tx, listed(facts), within=within, k=k)

        found = await self._db.transaction(bank, work)
        return {fact: found.get(fact, []) for fact in facts}


def _ways(row: Row) -> Ways:
    links = [
        (asked, Edge(fact, edge_kind(kind, backwards=backwards), weight))
        for asked, fact, kind, backwards, weight in row["links"]
    ]
    roots: dict[str, list[str]] = {}
    for fact, root in row["roots"]:
        roots.setdefault(fact, []).append(root)
    latest: dict[str, list[Said]] = {}
    for root, date, fact in row["latest"]:
        latest.setdefault(root, []).append((date, fact))
    return Ways(
        links, roots, {root: latest_of([said], k=len(said)) for root, said in latest.items()}
    )
