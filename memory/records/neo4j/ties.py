"""What ties facts together, as it is written: entities with their names, mentions, links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from forethought.memory.ids import content_hash
from forethought.memory.records.columns import entity_columns, entity_of
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.rows import ENTITY, listed
from forethought.memory.records.neo4j.times import counted, micros
from forethought.memory.records.paths import name_marks
from forethought.memory.records.ties import Ties
from forethought.memory.types import Entity, Link, LinkKind, Mention

LINKS: dict[LinkKind, str] = {
    "temporal": "TEMPORAL",
    "semantic": "SEMANTIC",
    "causes": "CAUSES",
    "enables": "ENABLES",
    "prevents": "PREVENTS",
}
"""The type of relation that a link of each kind is."""

ANY_LINK = "|".join(LINKS.values())

ROOTED = "-[:SAME_AS*0..]->(root:Entity) WHERE NOT EXISTS { (root)-[:SAME_AS]->() }"
"""Follows an entity, to its root."""

_KEY_DIGITS = 32  # an identity, as of `values.content_of`; a key may be too long for an index

_KNOWN = f"""
    CALL () {{
        UNWIND $facts AS id MATCH (:Fact {{bank: $bank, id: id}})-[:MENTIONS]->(entity:Entity)
        RETURN collect([id, entity.id]) AS mentions
    }}
    RETURN mentions, COLLECT {{
        UNWIND $entities + [mention IN mentions | mention[1]] AS id
        MATCH (:Entity {{bank: $bank, id: id}})-[:SAME_AS*0..]->(entity:Entity)
        WITH DISTINCT entity RETURN {ENTITY}
    }} AS entities
"""
_INSERT = """
    UNWIND $rows AS row
    CREATE (entity:Entity {bank: $bank}) SET entity += row.node
    WITH entity, row UNWIND row.beginnings AS begins
    CREATE (entity)-[:BEGINS]->(:Beginning {
        bank: $bank, begins: begins, ago: entity.ago, entity: entity.id
    })
"""
_UPDATE = """
    UNWIND $rows AS row
    MATCH (entity:Entity {bank: $bank, id: row.node.id}) SET entity += row.node
    WITH entity, row
    CALL (entity) { MATCH (entity)-[:BEGINS]->(word:Beginning) SET word.ago = entity.ago }
    CALL (entity, row) {
        MATCH (entity)-[was:SAME_AS]->(other:Entity)
        WHERE row.joined_to IS NULL OR other.id <> row.joined_to DELETE was
    }
    CALL (entity, row) {
        MATCH (other:Entity {bank: $bank, id: row.joined_to}) MERGE (entity)-[:SAME_AS]->(other)
    }
"""
_AGO = f"-{counted('fact.date')}"
_MENTION = f"""
    UNWIND $rows AS row MATCH (fact:Fact {{bank: $bank, id: row.fact}})
    WITH fact, row, {_AGO} AS ago,
        COLLECT {{ MATCH (fact)-[:MENTIONS]->(entity:Entity) RETURN entity.id }} AS known
    UNWIND [id IN row.entities WHERE NOT id IN known] AS id
    MATCH (entity:Entity {{bank: $bank, id: id}})
    CREATE (fact)-[:MENTIONS {{bank: $bank, entity: id, fact: row.fact, ago: ago}}]->(entity)
"""
_REDATE = f"""
    UNWIND $ids AS id MATCH (fact:Fact {{bank: $bank, id: id}})-[said:MENTIONS]->(:Entity)
    SET said.ago = {_AGO}
"""
_MENTIONED = """
    UNWIND $ids AS id MATCH (:Fact {bank: $bank, id: id})-[:MENTIONS]->(entity:Entity)
    RETURN DISTINCT entity.id AS id
"""
_END = """
    MATCH (fact:Fact)-[said:MENTIONS]->() USING INDEX said:MENTIONS(bank, entity, ago, fact)
    WHERE said.bank = $bank AND said.entity = id
        AND said.ago IS NOT NULL AND said.fact IS NOT NULL
    RETURN fact.date ORDER BY
"""
_DATES = f"""
    UNWIND $ids AS id
    RETURN id,
        COLLECT {{ {_END} said.bank, said.entity, said.ago, said.fact LIMIT 1 }} AS last,
        COLLECT {{ {_END} said.bank DESC, said.entity DESC, said.ago DESC, said.fact DESC LIMIT 1 }}
            AS first
"""
_DROP = """
    UNWIND $ids AS id MATCH (entity:Entity {bank: $bank, id: id})
    CALL (entity) { MATCH (other:Entity)-[:SAME_AS]->(entity) REMOVE other.joined_by }
    CALL (entity) { MATCH (entity)-[:BEGINS]->(word:Beginning) DETACH DELETE word }
    DETACH DELETE entity
"""
_DATE = """
    UNWIND $rows AS row MATCH (entity:Entity {bank: $bank, id: row.id})
    SET entity.first = row.first, entity.last = row.last, entity.ago = row.ago
    WITH entity MATCH (entity)-[:BEGINS]->(word:Beginning) SET word.ago = entity.ago
"""
# Each fact is looked up once, and then named by its place among them. A type cannot be a parameter,
# so that each kind has a part of the statement. What each source has is looked up once: a MERGE of
# every link takes locks and looks twice, and the bank is locked.
_LINKED = """
    UNWIND $facts AS id OPTIONAL MATCH (fact:Fact {bank: $bank, id: id})
    WITH collect({node: fact}) AS facts
"""
_LINK: dict[LinkKind, str] = {
    kind: f"""
        CALL (facts) {{
            UNWIND ${kind} AS row
            WITH facts[row.source].node AS source, row,
                [n IN row.targets | facts[n].node] AS targets
            WHERE source IS NOT NULL
            CALL (source, targets) {{
                MATCH (source)-[was:{relation}]->(target:Fact) WHERE target IN targets DELETE was
            }}
            UNWIND range(0, size(targets) - 1) AS n
            WITH source, targets[n] AS target, row.weights[n] AS weight WHERE target IS NOT NULL
            CREATE (source)-[:{relation} {{weight: weight}}]->(target)
        }}
    """
    for kind, relation in LINKS.items()
}


async def known_ties(
    tx: Transaction, facts: Iterable[str], entities: Iterable[str]
) -> tuple[dict[str, frozenset[str]], dict[str, Entity]]:
    """The entities that each of these facts mentions; those, these, and all they are joined to."""
    (row,) = await tx.rows(_KNOWN, facts=listed(facts), entities=listed(entities))
    mentions: dict[str, set[str]] = {}
    for fact, entity in row["mentions"]:
        mentions.setdefault(fact, set()).add(entity)
    known = [entity_of(node, bank=tx.bank) for node in row["entities"]]
    return (
        {fact: frozenset(mentioned) for fact, mentioned in mentions.items()},
        {entity.id: entity for entity in known},
    )


async def known_entities(tx: Transaction, entities: Iterable[str]) -> dict[str, Entity]:
    """These entities, those of them that there are, and all they are joined to."""
    _, known = await known_ties(tx, (), entities)
    return known


async def write_ties(tx: Transaction, ties: Ties, *, redated: Iterable[str]) -> None:
    """What a commit comes to; the facts are there, and those `redated` have their new date."""
    if moved := listed(redated):
        await tx.rows(_REDATE, ids=moved)
    await insert_entities(tx, ties.new)
    await update_entities(tx, [*ties.changed, *(one for one in ties.new if one.into is not None)])
    await put_mentions(tx, ties.mentions)
    await put_links(tx, ties.links)


async def insert_entities(tx: Transaction, entities: Sequence[Entity]) -> None:
    """Entities that are not there; `update_entities` joins them once all are."""
    if entities:
        await tx.rows(_INSERT, rows=[_row(entity) for entity in entities])


async def update_entities(tx: Transaction, entities: Sequence[Entity]) -> None:
    """Stored entities as they are to be, joined to another or not; their names never change."""
    if entities:
        await tx.rows(_UPDATE, rows=[_row(entity) for entity in entities])


async def put_mentions(tx: Transaction, mentions: Sequence[Mention]) -> None:
    """That facts mention entities, all of which are there; some of it may be known."""
    by_fact: dict[str, list[str]] = {}
    for mention in mentions:
        by_fact.setdefault(mention.fact, []).append(mention.entity)
    if by_fact:
        rows = [{"fact": fact, "entities": listed(some)} for fact, some in by_fact.items()]
        await tx.rows(_MENTION, rows=rows)


async def put_links(tx: Transaction, links: Sequence[Link]) -> None:
    """Links, of which those between facts that are there are stored; known ones take this weight.

    Kept as `records.ties.kept_links` has them: each once, and none from a fact to itself.
    """
    facts = listed(fact for link in links for fact in (link.source, link.target))
    at = {fact: n for n, fact in enumerate(facts)}
    by_kind: dict[LinkKind, dict[int, dict[int, float]]] = {}
    for link in links:
        of_source = by_kind.setdefault(link.kind, {}).setdefault(at[link.source], {})
        of_source[at[link.target]] = link.weight
    if by_kind:
        parts = [part for kind, part in _LINK.items() if kind in by_kind]
        rows: dict[str, object] = {
            kind: [
                {"source": source, "targets": list(to), "weights": list(to.values())}
                for source, to in of_kind.items()
            ]
            for kind, of_kind in by_kind.items()
        }
        await tx.rows(_LINKED + "".join(parts), **rows, facts=facts)


async def mentioned_by(tx: Transaction, facts: Iterable[str]) -> list[str]:
    """The entities that these facts mention."""
    return [row["id"] for row in await tx.rows(_MENTIONED, ids=listed(facts))]


async def follow(tx: Transaction, entities: Sequence[str]) -> list[str]:
    """Let entities follow the facts that are left of those that mentioned them.

    Those of them that went, because none is left.
    """
    dates = await tx.rows(_DATES, ids=entities)
    gone = [row["id"] for row in dates if not row["last"]]
    left = [(row["id"], row["first"][0], row["last"][0]) for row in dates if row["last"]]
    await tx.rows(_DROP, ids=gone)
    rows = [
        {"id": id, "first": first, "last": last, "ago": -micros(last)} for id, first, last in left
    ]
    await tx.rows(_DATE, rows=rows)
    return gone


def name_node(name: str) -> dict[str, Any]:
    """By what an entity is found: a hash of its `name_key`, and its `name_beginnings`."""
    key, beginnings = name_marks(name)
    return {"key": content_hash(key, length=_KEY_DIGITS), "beginnings": sorted(beginnings)}


def _row(entity: Entity) -> dict[str, Any]:
    node: dict[str, Any] = entity_columns(entity) | name_node(entity.name)
    joined_to, beginnings = node.pop("joined_to"), node.pop("beginnings")
    node["ago"] = -micros(node["last"])
    return {"node": node, "joined_to": joined_to, "beginnings": beginnings}
