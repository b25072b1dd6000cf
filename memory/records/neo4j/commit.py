"""Commit: a ChangeSet looked up, planned (`records/plan.py`) and written, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from forethought.memory.records.changes import ChangeSet, Committed, Progress
from forethought.memory.records.neo4j.database import Row, Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.marks import mark_unindexed
from forethought.memory.records.neo4j.rows import fact_node, listed
from forethought.memory.records.plan import Known, Plan, Version, planned
from forethought.memory.records.values import (
    check_changes,
    check_logged,
    content_of,
    moment_or_none,
    stamp,
    stamp_or_none,
)

VERSION = ".id, .content, .date, .until, .successor, .succession"
"""The properties of a fact that `_version_from` needs."""

_NAMED = f"""
    UNWIND $ids AS id MATCH (fact:Fact {{bank: $bank, id: id}}) RETURN fact {{{VERSION}}} AS fact
"""
_HOLDING = f"""
    UNWIND $contents AS content
    MATCH (fact:Fact {{bank: $bank, held: content}}) RETURN fact {{{VERSION}}} AS fact
"""
_PAST = """
    UNWIND $contents AS content
    MATCH (fact:Fact {bank: $bank, content: content}) WHERE fact.until IS NOT NULL
    RETURN fact.id AS id, content,
        COLLECT { MATCH (fact)-[:FROM]->(s:Session) RETURN DISTINCT s.id } AS sessions
    ORDER BY fact.n
"""
_LOGGED = "UNWIND $ids AS id MATCH (s:Session {bank: $bank, id: id}) RETURN id"
_FORGOTTEN = "UNWIND $marks AS mark MATCH (t:Tombstone {bank: $bank, mark: mark}) RETURN mark"
_UPDATE = """
    UNWIND $rows AS row
    MATCH (fact:Fact {bank: $bank, id: row.id})
    SET fact += row.version,
        fact.held = CASE WHEN row.version.until IS NULL THEN fact.content END
"""
_INSERT = "UNWIND $nodes AS node CREATE (fact:Fact {bank: $bank}) SET fact += node"
# One whose bank was forgotten and given again: its vector is wanted after all.
_WANTED = "UNWIND $ids AS id MATCH (mark:Unpurged {bank: $bank, id: id}) DELETE mark"
_SOURCES = """
    UNWIND $rows AS row
    MATCH (fact:Fact {bank: $bank, id: row.fact})
    MATCH (session:Session {bank: $bank, id: row.session})
    MERGE (fact)-[said:FROM {turn: row.turn}]->(session) ON CREATE SET said.n = row.n
"""
_PROGRESS = """
    MATCH (session:Session {bank: $bank, id: $session})
    WITH session, session.extracted AS before,
        CASE WHEN $extracted < session.turns THEN $extracted ELSE session.turns END AS reached
    SET session.error = CASE WHEN $extracted >= before THEN $error ELSE session.error END,
        session.extracted = CASE WHEN reached > before THEN reached ELSE before END
"""


class Committing(Facet):
    """Facts, repeats and replacements."""

    async def commit(self, changes: ChangeSet) -> Committed:
        """See `Records.commit`."""
        check_changes(changes)

        async def work(tx: Transaction) -> Committed:
            plan = planned(changes, await _known(tx, changes))
            await _write(tx, plan)
            for step in changes.progress:
                await _advance(tx, step)
            return plan.committed

        return await self._db.transaction(changes.bank, work, new=True)


async def _known(tx: Transaction, changes: ChangeSet) -> Known:
    """Look up what the changes name, in a handful of queries whatever their number."""
    named = {fact.id for fact in changes.facts} | {repeat.fact for repeat in changes.repeats}
    for change in changes.replacements:
        named |= {change.old, change.new}
    contents = {content_of(fact.text) for fact in changes.facts}
    past = await _past(tx, contents)
    named |= {fact for facts in past.values() for fact in facts}
    versions = await _and_later(tx, named)
    contents |= {version.content for version in versions.values()}
    held = _versions(await tx.rows(_HOLDING, contents=contents) if contents else [])
    sessions = await _forgotten_sessions(tx, changes)
    return Known(
        versions | held,
        {version.content: fact for fact, version in held.items()},
        past,
        frozenset(await _tombstones(tx, contents) | sessions),
    )


async def _past(tx: Transaction, contents: set[str]) -> dict[str, dict[str, frozenset[str]]]:
    """For each content the facts that no longer hold, with the sessions that said them."""
    said_in: dict[str, dict[str, frozenset[str]]] = {}
    for row in await tx.rows(_PAST, contents=contents) if contents else []:
        said_in.setdefault(row["content"], {})[row["id"]] = frozenset(row["sessions"])
    return said_in


async def _and_later(tx: Transaction, named: Iterable[str]) -> dict[str, Version]:
    """These facts and whatever succeeded them."""
    versions: dict[str, Version] = {}
    step = set(named)
    while step:
        found = _versions(await tx.rows(_NAMED, ids=step))
        versions |= found
        later = {version.successor for version in found.values() if version.successor}
        step = later - versions.keys()
    return versions


def _versions(rows: Iterable[Row]) -> dict[str, Version]:
    return {row["fact"]["id"]: _version_from(row["fact"]) for row in rows}


def _version_from(node: dict[str, Any]) -> Version:
    return Version(
        content=node["content"],
        date=datetime.fromisoformat(node["date"]),
        until=moment_or_none(node["until"]),
        successor=node["successor"],
        succession=node["succession"],
    )


def _version_row(fact: str, version: Version) -> dict[str, object]:
    properties = {
        "date": stamp(version.date, of=f"fact {fact}"),
        "until": stamp_or_none(version.until, of=f"fact {fact}"),
        "successor": version.successor,
        "succession": version.succession,
    }
    return {"id": fact, "version": properties}


async def _forgotten_sessions(tx: Transaction, changes: ChangeSet) -> set[str]:
    """The forgotten ones among the sessions that support the facts; all others must be logged."""
    named = {source.session for fact in changes.facts for source in fact.sources}
    named |= {repeat.source.session for repeat in changes.repeats}
    if not named:
        return set()
    logged = {row["id"] for row in await tx.rows(_LOGGED, ids=named)}
    forgotten = await _tombstones(tx, named - logged)
    check_logged(named - logged - forgotten, bank=tx.bank)
    return forgotten


async def _tombstones(tx: Transaction, marks: set[str]) -> set[str]:
    return {row["mark"] for row in await tx.rows(_FORGOTTEN, marks=marks)} if marks else set()


async def _write(tx: Transaction, plan: Plan) -> None:
    """Retire before reviving and inserting: one fact that holds for each content, at any moment."""
    stored = (plan.redated | plan.revived | set(plan.replaced)) - set(plan.inserted)
    held = {fact for fact in stored if plan.versions[fact].until is None}
    for some in (stored - held, held):
        if some:
            rows = [_version_row(fact, plan.versions[fact]) for fact in sorted(some)]
            await tx.rows(_UPDATE, rows=rows)
    if plan.inserted:
        await _insert(tx, plan)
    if plan.sources:
        await _support(tx, plan)
    # The index stores dates, a cue's being its fact's. It knows of no end, so that a replacement
    # changes nothing there.
    await mark_unindexed(tx, plan.redated - set(plan.inserted))


async def _insert(tx: Transaction, plan: Plan) -> None:
    """New facts, unindexed and unforeseen, with the words that find them."""
    facts = [plan.as_stored(fact) for fact in plan.inserted.values()]
    numbers = await tx.numbers(len(facts))
    nodes = [fact_node(fact, number=n) for fact, n in zip(facts, numbers, strict=True)]
    await tx.rows(_INSERT, nodes=nodes)
    await tx.rows(_WANTED, ids=listed(plan.inserted))


async def _support(tx: Transaction, plan: Plan) -> None:
    """A relation for each turn that supports a fact; turn '' where a source names none."""
    said = [
        {"fact": fact, "session": source.session, "turn": turn}
        for fact, source in plan.sources
        for turn in source.turns or ("",)
    ]
    numbers = await tx.numbers(len(said))
    rows = [row | {"n": n} for row, n in zip(said, numbers, strict=True)]
    await tx.rows(_SOURCES, rows=rows)


async def _advance(tx: Transaction, step: Progress) -> None:
    given = {"session": step.session, "extracted": step.extracted, "error": step.error}
    await tx.rows(_PROGRESS, **given)
