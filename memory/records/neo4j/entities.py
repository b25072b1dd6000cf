"""Entities: who and what facts mention, by which names, and which names are of one.

Nothing here visits all the facts that mention an entity: what is wanted of them is read in order
from an index (`times.LATEST`), so that one which half the bank mentions costs no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from forethought.memory.records.columns import entity_of
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.rows import ENTITY, EVERY_FACT, SOME_FACTS, listed
from forethought.memory.records.neo4j.ties import (
    ROOTED,
    known_entities,
    name_node,
    update_entities,
)
from forethought.memory.records.neo4j.times import LATEST, standing
from forethought.memory.records.paths import Said, latest_of, namesakes_of
from forethought.memory.records.ties import joined
from forethought.memory.records.values import at_most
from forethought.memory.types import Entity, Joiner, Mention

# Of each way to be meant the first k; `namesakes_of` chooses among them.
_NAMESAKES = f"""
    UNWIND $names AS asked
    CALL (asked) {{
        MATCH (entity:Entity) USING INDEX entity:Entity(bank, key, ago, id)
        WHERE entity.bank = $bank AND entity.key = asked.key
            AND entity.ago IS NOT NULL AND entity.id IS NOT NULL
        RETURN entity ORDER BY entity.bank, entity.key, entity.ago, entity.id LIMIT $k
        UNION
        UNWIND asked.beginnings AS begins
        CALL (begins) {{
            MATCH (entity:Entity)-[:BEGINS]->(word:Beginning)
            USING INDEX word:Beginning(bank, begins, ago, entity)
            WHERE word.bank = $bank AND word.begins = begins
                AND word.ago IS NOT NULL AND word.entity IS NOT NULL
            RETURN entity ORDER BY word.bank, word.begins, word.ago, word.entity LIMIT $k
        }}
        RETURN entity
    }}
    RETURN asked.n AS n, {ENTITY}
"""
# Of each fact by itself, or the server may begin at all entities: so it did, planning on an empty
# database.
_MENTIONS = """
    WITH fact.id AS id, COLLECT {
        MATCH (fact)-[:MENTIONS]->(entity:Entity) RETURN entity.id
    } AS named
    RETURN collect([id, named]) AS said
"""
_MENTIONS_OF = SOME_FACTS + _MENTIONS

FAMILY = f"""
    MATCH (root)<-[:SAME_AS*0..]-(named:Entity) WITH id, named.id AS entity
    CALL (entity) {{ {LATEST} }}
"""
"""The latest facts that mention a `root`, or what is joined to it, for an `id`."""

_MENTIONING = f"""
    UNWIND $ids AS id MATCH (:Entity {{bank: $bank, id: id}}){ROOTED}
    {FAMILY} RETURN id, fact.date AS date, fact.id AS fact
"""


class Naming(Facet):
    """Entities, what mentions them, and what is joined to what."""

    async def entities(self, bank: str, ids: Sequence[str] | None = None) -> list[Entity]:
        """See `Records.entities`."""
        some = "MATCH (entity:Entity {bank: $bank}) WHERE entity.id IS NOT NULL"
        if ids is not None:
            some = "UNWIND $ids AS id MATCH (entity:Entity {bank: $bank, id: id})"
        rows = await self._db.read(bank, f"{some} RETURN {ENTITY}", ids=listed(ids or ()))
        found = {row["entity"]["id"]: entity_of(row["entity"], bank=bank) for row in rows}
        if ids is None:
            return sorted(found.values(), key=lambda entity: (entity.name, entity.id))
        return [found[entity] for entity in ids if entity in found]

    async def namesakes(
        self, bank: str, names: Sequence[str], *, k: int
    ) -> dict[str, list[Entity]]:
        """See `Records.namesakes`."""
        asked = [{"n": n, **name_node(name)} for n, name in enumerate(names)]
        found: dict[str, list[Entity]] = {name: [] for name in names}
        for row in await self._db.read(bank, _NAMESAKES, names=asked, k=at_most(k)):
            found[names[row["n"]]].append(entity_of(row["entity"], bank=bank))
        return {name: namesakes_of(name, set(meant), k=k) for name, meant in found.items()}

    async def mentions(self, bank: str, facts: Sequence[str] | None = None) -> list[Mention]:
        """See `Records.mentions`."""
        every = EVERY_FACT + _MENTIONS
        some = every if facts is None else _MENTIONS_OF
        (row,) = await self._db.read(bank, some, ids=listed(facts or ()))
        return sorted(Mention(fact, entity) for fact, named in row["said"] for entity in named)

    async def mentioning(
        self, bank: str, entities: Sequence[str], *, k: int, now: datetime
    ) -> dict[str, list[str]]:
        """See `Records.mentioning`."""
        asked = {"ids": listed(entities), "most": at_most(k), **standing(now)}
        said: dict[str, list[Said]] = {entity: [] for entity in entities}
        for row in await self._db.read(bank, _MENTIONING, **asked):
            said[row["id"]].append((row["date"], row["fact"]))
        return {
            entity: [fact for _, fact in latest_of([found], k=k)] for entity, found in said.items()
        }

    async def join(self, bank: str, entity: str, into: str | None, *, by: Joiner) -> None:
        """See `Records.join`."""

        async def work(tx: Transaction) -> None:
            known = await known_entities(tx, [entity, *([] if into is None else [into])])
            if changed := joined(bank, entity, into, by=by, known=known):
                await update_entities(tx, [changed])

        await self._db.transaction(bank, work)
