"""Commit: a ChangeSet looked up, planned (`records/plan.py`) and written, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from forethought.memory.records.changes import ChangeSet, Committed
from forethought.memory.records.columns import version_columns, version_of
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.hush import hush
from forethought.memory.records.neo4j.ledger import write_ledger
from forethought.memory.records.neo4j.marks import WANTED_AGAIN, mark_unindexed
from forethought.memory.records.neo4j.rows import fact_node
from forethought.memory.records.neo4j.ties import known_ties, write_ties
from forethought.memory.records.neo4j.times import SETTLE
from forethought.memory.records.plan import Known, Plan, Version, planned
from forethought.memory.records.values import (
    check_changes,
    check_logged,
    content_of,
)
from forethought.memory.types import Fact, Source

VERSION = ".id, .content, .date, .until, .successor, .succession"
"""The properties of a fact that `_version_from` needs."""

# All that a step of the look-up asks for in one journey to the server.
_KNOWN = f"""
    RETURN
        COLLECT {{
            UNWIND $ids AS id MATCH (fact:Fact {{bank: $bank, id: id}})
            RETURN fact {{{VERSION}}}
        }} AS named,
        COLLECT {{
            UNWIND $contents AS content MATCH (fact:Fact {{bank: $bank, held: content}})
            RETURN fact {{{VERSION}}}
        }} AS held,
        COLLECT {{
            UNWIND $new AS content MATCH (fact:Fact {{bank: $bank, content: content}})
            WHERE fact.until IS NOT NULL
            RETURN {{
                id: fact.id, content: content,
                sessions: COLLECT {{ MATCH (fact)-[:FROM]->(s:Session) RETURN DISTINCT s.id }}
            }}
        }} AS past,
        COLLECT {{
            WITH $contents + $sessions AS marks
            WHERE EXISTS {{ MATCH (any:Tombstone {{bank: $bank}}) WHERE any.mark IS NOT NULL }}
            UNWIND marks AS mark MATCH (t:Tombstone {{bank: $bank, mark: mark}}) RETURN mark
        }} AS forgotten,
        COLLECT {{
            UNWIND $sessions AS id MATCH (s:Session {{bank: $bank, id: id}}) RETURN id
        }} AS logged
"""
_UPDATE = (
    """
    UNWIND $rows AS row
    MATCH (fact:Fact {bank: $bank, id: row.id})
    SET fact += row.version
"""
    + SETTLE
)
# The label comes last: what a property changes in an index is else looked up once for each of them.
_INSERT = f"""
    UNWIND $nodes AS node CREATE (fact) SET fact = node, fact.bank = $bank SET fact:Fact
    {WANTED_AGAIN}
"""
_SOURCES = """
    UNWIND $rows AS row MATCH (fact:Fact {bank: $bank, id: row.fact})
    WITH fact, row, COLLECT {
        MATCH (fact)-[said:FROM]->(session:Session) RETURN [session.id, said.turn]
    } AS known
    UNWIND [one IN row.said WHERE NOT one[0..2] IN known] AS one
    MATCH (session:Session {bank: $bank, id: one[0]})
    CREATE (fact)-[:FROM {turn: one[1], n: one[2]}]->(session)
"""
# A step sees what those before it did.
_PROGRESS = """
    UNWIND $steps AS step
    CALL (step) {
        MATCH (session:Session {bank: $bank, id: step.session})
        WITH session, step, session.extracted AS before,
            CASE WHEN step.extracted < session.turns THEN step.extracted ELSE session.turns END
                AS reached
        SET session.error = CASE WHEN step.extracted >= before THEN step.error
                ELSE session.error END,
            session.extracted = CASE WHEN reached > before THEN reached ELSE before END
    }
"""


class Committing(Facet):
    """Facts, repeats and replacements, and what ties them together."""

    async def commit(self, changes: ChangeSet) -> Committed:
        """See `Records.commit`."""
        check_changes(changes)

        async def work(tx: Transaction) -> Committed:
            plan = planned(changes, await _known(tx, changes))
            await _write(tx, plan)
            await write_ledger(tx, changes, plan)
            if changes.progress:
                await tx.rows(_PROGRESS, steps=[asdict(step) for step in changes.progress])
            return plan.committed

        return await self._db.transaction(changes.bank, work, new=True)


async def _known(tx: Transaction, changes: ChangeSet) -> Known:
    """Look up what the changes name, what succeeded that, and what holds for the same texts.

    As a rule two journeys; each fact that was replaced takes another, to what replaced it.
    """
    ids, sessions = changes.named, changes.supporting
    new = contents = {content_of(fact.text) for fact in changes.facts}
    versions: dict[str, Version] = {}
    holding: dict[str, str] = {}
    past: dict[str, dict[str, frozenset[str]]] = {}
    forgotten: set[str] = set()
    asked: set[str] = set()
    while ids or contents or sessions:
        (row,) = await tx.rows(_KNOWN, ids=ids, contents=contents, new=new, sessions=sessions)
        check_logged(sessions - {*row["logged"], *row["forgotten"]}, bank=tx.bank)
        for one in row["past"]:
            said_in = past.setdefault(one["content"], {})
            said_in[one["id"]] = frozenset(one["sessions"])
        held = _versions(row["held"])
        holding |= {version.content: fact for fact, version in held.items()}
        forgotten |= set(row["forgotten"]) - set(row["logged"])
        versions |= _versions(row["named"]) | held
        asked |= contents
        later = {version.successor for version in versions.values() if version.successor}
        ids = (later | {fact for facts in past.values() for fact in facts}) - versions.keys() - ids
        contents = {version.content for version in versions.values()} - asked
        new, sessions = set(), set()
    mentions, entities = await known_ties(tx, versions, changes.named_entities)
    return Known(versions, holding, past, frozenset(forgotten), mentions, entities)


def _versions(nodes: Iterable[dict[str, Any]]) -> dict[str, Version]:
    return {node["id"]: version_of(node) for node in nodes}


async def _write(tx: Transaction, plan: Plan) -> None:
    """Retire before reviving and inserting: one fact that holds for each content, at any moment."""
    stored = (plan.redated | plan.revived | set(plan.replaced)) - set(plan.inserted)
    held = {fact for fact in stored if plan.versions[fact].until is None}
    for some in (stored - held, held):
        if some:
            rows = [
                {"id": fact, "version": version_columns(fact, plan.versions[fact])}
                for fact in sorted(some)
            ]
            await tx.rows(_UPDATE, rows=rows)
    if plan.inserted:
        await insert_facts(tx, [plan.as_stored(fact) for fact in plan.inserted.values()])
    if plan.sources:
        await insert_sources(tx, plan.sources)
    # The index stores dates, a cue's being its fact's. It knows of no end, so that a replacement
    # changes nothing there.
    redated = plan.redated - set(plan.inserted)
    await mark_unindexed(tx, redated)
    await write_ties(tx, plan.ties, redated=redated)
    if plan.hushed:
        await hush(tx, plan.hushed)


async def insert_facts(tx: Transaction, facts: Sequence[Fact]) -> None:
    """Facts that are not there, unindexed and unforeseen, with the words that find them."""
    numbers = tx.numbers(len(facts))
    nodes = [fact_node(fact, number=n) for fact, n in zip(facts, numbers, strict=True)]
    await tx.rows(_INSERT, nodes=nodes, made=[fact.id for fact in facts])


async def insert_sources(tx: Transaction, sources: Iterable[tuple[str, Source]]) -> None:
    """A relation for each turn that supports a fact; turn '' where a source names none."""
    said = list(
        dict.fromkeys(
            (fact, source.session, turn)
            for fact, source in sources
            for turn in source.turns or ("",)
        )
    )
    by_fact: dict[str, list[tuple[str, str, int]]] = {}
    for (fact, session, turn), n in zip(said, tx.numbers(len(said)), strict=True):
        by_fact.setdefault(fact, []).append((session, turn, n))
    await tx.rows(_SOURCES, rows=[{"fact": fact, "said": some} for fact, some in by_fact.items()])
