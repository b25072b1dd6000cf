"""The entity graph in Neo4j: what a query costs, what a user sees, what is left of a name."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from forethought.memory.records.contents import Contents
from forethought.memory.records.neo4j import Neo4jRecords, around, entities, links, read
from forethought.memory.records.neo4j.ties import name_node
from forethought.memory.records.neo4j.times import occurs, standing
from forethought.memory.types import Cue, Entity, Fact, Link, Mention
from tests.contracts.adapters import open_neo4j
from tests.contracts.neo4j_server import Address
from tests.contracts.samples import BANK, NOW, day, entity, fact, tie

ANA, RUIZ = entity("Ana"), entity("Ana Ruiz")


@pytest.fixture
async def records(neo4j_address: Address, tmp_path: Path) -> AsyncIterator[Neo4jRecords]:
    opened = await open_neo4j(tmp_path)
    assert isinstance(opened, Neo4jRecords)
    yield opened
    await opened.close()


async def with_a_hub(records: Neo4jRecords, size: int) -> tuple[Fact, Entity]:
    """So many facts, all of one day, all of which mention one entity."""
    facts = [fact(f"says {n}", sources=()) for n in range(size)]
    hub = replace(entity("Hub of all"), first=day(1), last=day(1))
    mentions = tuple(Mention(one.id, hub.id) for one in facts)
    await records.restore(Contents(BANK, facts=tuple(facts), entities=(hub,), mentions=mentions))
    return facts[0], hub


async def hits(records: Neo4jRecords, cypher: str, **parameters: Any) -> int:
    """How often the database is asked for a record, an index entry or a property by a query."""
    done = await records._db._driver.execute_query(
        f"PROFILE {cypher}", parameters | {"bank": records._db.key(BANK)}
    )
    assert done.summary.profile is not None
    return _hits(done.summary.profile)


def _hits(step: dict[str, Any]) -> int:
    return int(step.get("dbHits", 0)) + sum(_hits(child) for child in step.get("children", ()))


async def test_no_query_goes_through_all_the_facts_of_a_day_or_an_entity(
    records: Neo4jRecords,
) -> None:
    one, hub = await with_a_hub(records, 500)
    # the server plans by statistics, which it would gather by itself a while later
    await records._db._driver.execute_query("CALL db.prepareForReplanning()")
    asked: dict[str, dict[str, Any]] = {
        links._NEIGHBOURS: {"ids": [one.id], "most": 6, **standing(NOW)},
        entities._MENTIONS_OF: {"ids": [one.id]},
        entities._MENTIONING: {"ids": [hub.id], "most": 5, **standing(NOW)},
        around._AROUND: {
            "stretches": [{"first": occurs(one), "last": occurs(one)}],
            "within": 10**12, "most": 8, "k": 5,
        },
        read._NEWEST: {},
        entities._NAMESAKES: {"names": [{"n": 0, **name_node("Huberta")}], "k": 5},
    }  # fmt: skip
    costs = [await hits(records, query, **of) for query, of in asked.items()]
    assert max(costs) < 100


async def test_the_graph_can_be_looked_at_in_the_database(records: Neo4jRecords) -> None:
    rain, wet = fact("Ana saw rain", on=1), fact("Ana Ruiz got wet", on=2)
    await tie(records, {rain: (ANA,), wet: (RUIZ,)}, links=(Link(rain.id, wet.id, "causes", 0.75),))
    await records.join(BANK, ANA.id, RUIZ.id, by="user")
    cypher = """
        MATCH (alias:Entity {bank: $bank})<-[:MENTIONS]-(cause:Fact)-[link:CAUSES]->(effect:Fact)
            -[:MENTIONS]->(name:Entity)<-[:SAME_AS]-(alias)
        RETURN cause.text AS cause, link.weight AS weight, effect.text AS effect, name.name AS name
    """
    (row,) = await records._db.peek(BANK, cypher)
    assert dict(row) == {
        "cause": rain.text, "weight": 0.75, "effect": wet.text, "name": "Ana Ruiz",
    }  # fmt: skip


async def test_the_name_of_a_forgotten_entity_is_nowhere(records: Neo4jRecords) -> None:
    secret, other = f"zq{uuid4().hex}", f"zw{uuid4().hex}"  # no hash begins like these
    ana, alias = entity(f"Ana {secret}"), entity(secret)
    bob = entity(f"Bob {other}")
    both = fact(f"Ana {secret} met Bob {other}", entities=(ana.name, bob.name))
    kept = fact(f"Bob {other} sings", on=3)
    old = fact(f"It was {secret}", on=2)
    await tie(records, {both: (ana, bob), kept: (bob,), old: (alias,)})
    await records.join(BANK, alias.id, ana.id, by="user")
    await records.foresee(BANK, [Cue(both.id, 0, f"where is {secret}?")], facts=[both.id])
    assert await places_of(records, secret) > 6
    purge = await records.forget(BANK, entity=alias.id)
    assert (set(purge.facts), purge.entities) == ({both.id, old.id}, 2)
    assert await places_of(records, secret, secret[:3], ana.id, alias.id) == 0
    assert await places_of(records, other) > 0
    assert [one.name for one in await records.entities(BANK)] == [bob.name]


async def places_of(records: Neo4jRecords, *texts: str) -> int:
    """How many nodes, relations and full-text entries have one of the texts anywhere in them.

    But for what is listed to be purged from the index: those are ids of facts and cues.
    """
    held = """any(text IN $texts WHERE any(key IN keys(n) WHERE toStringOrNull(n[key]) CONTAINS text
        OR (n[key] IS :: LIST<STRING> AND any(one IN n[key] WHERE one CONTAINS text))))"""
    cypher = f"""
        CALL () {{ MATCH (n) WHERE NOT n:Unpurged AND {held} RETURN n
            UNION ALL MATCH ()-[n]->() WHERE {held} RETURN n }}
        RETURN count(*) AS places
    """
    (row,) = await records._db.peek(BANK, cypher, texts=texts)
    words = await records.search(BANK, " ".join(texts), k=9, now=NOW)
    return int(row["places"]) + len(words)


async def test_facts_of_an_earlier_version_are_found_by_their_time(
    records: Neo4jRecords, tmp_path: Path
) -> None:
    one, other = fact("It rained", on=1), fact("Got wet", on=2)
    await tie(records, {one: (), other: ()})
    await records._db.peek(BANK, "MATCH (n:Fact {bank: $bank}) REMOVE n.at, n.ago")
    await records._db.peek(BANK, "MATCH (n:Schema) SET n.version = 2")
    assert (await records.around(BANK, [one.id], within=timedelta(9), k=9))[one.id] == []
    await (await open_neo4j(tmp_path)).close()
    found = await records.around(BANK, [one.id], within=timedelta(9), k=9)
    assert found == {one.id: [(other.id, timedelta(1))]}
