"""Removing facts and sessions from the graph: what goes with them, and what holds again without."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from forethought.memory.records.changes import Purge
from forethought.memory.records.neo4j.beliefs import drop_observations
from forethought.memory.records.neo4j.database import Row, Transaction
from forethought.memory.records.neo4j.forget_drawn import forget_drawn_from
from forethought.memory.records.neo4j.marks import mark_unindexed, mark_unpurged
from forethought.memory.records.neo4j.rows import EMBEDDED, FOUND, listed
from forethought.memory.records.neo4j.ties import follow, mentioned_by
from forethought.memory.records.neo4j.times import SETTLE

VERSION = ".id, .content, .date, .until, .successor, .succession"
"""What is read of a fact that may go."""
SESSION = "RETURN session.id AS id, session.key AS key, session.turns AS turns"
"""What is read of a session that may go."""
SUCCEEDED_BY = f"""
    UNWIND $ids AS id MATCH (fact:Fact {{bank: $bank, successor: id}})
    RETURN fact {{{VERSION}}} AS fact
"""
_CUES = """
    UNWIND $ids AS id MATCH (:Fact {bank: $bank, id: id})-[:CUED]->(cue:Cue)
    RETURN cue.id AS id ORDER BY id
"""
_DELETE_FACTS = """
    UNWIND $ids AS id
    MATCH (fact:Fact {bank: $bank, id: id})
    OPTIONAL MATCH (fact)-[:CUED]->(cue:Cue)
    DETACH DELETE cue, fact
"""
_DELETE_SESSIONS = """
    UNWIND $ids AS id MATCH (session:Session {bank: $bank, id: id})
    OPTIONAL MATCH (session)-[:SAID]->(turn:Turn)
    DETACH DELETE turn, session
"""
_TURNS = f"""
    UNWIND $ids AS id MATCH (session:Session {{bank: $bank, id: id}})-[:SAID]->(turn:Turn)
    WHERE turn.{EMBEDDED} AND turn.{FOUND} RETURN turn.id AS id
"""
_HOLDING = """
    UNWIND $contents AS content MATCH (fact:Fact {bank: $bank, held: content})
    RETURN content, fact.id AS id, fact.date AS date
"""
_RELINK = f"""
    UNWIND $rows AS row MATCH (fact:Fact {{bank: $bank, id: row.id}})
    SET fact.until = row.until, fact.successor = row.successor, fact.succession = row.succession
    {SETTLE}
"""


@dataclass(frozen=True, slots=True)
class Linked:
    """A fact and what succeeded it, as it is stored."""

    id: str
    content: str
    date: str
    until: str | None
    successor: str | None
    succession: str | None


async def delete_sessions(tx: Transaction, sessions: Sequence[str]) -> None:
    """Delete sessions with their turns; have the index drop the turns' vectors."""
    await mark_unpurged(tx, [row["id"] for row in await tx.rows(_TURNS, ids=sessions)])
    await tx.rows(_DELETE_SESSIONS, ids=sessions)


async def remove(tx: Transaction, gone: dict[str, Linked]) -> Purge:
    """Delete facts with what comes from them; let hold again what they had replaced."""
    ids = list(gone)
    mentioned = await mentioned_by(tx, ids)
    cues = [row["id"] for row in await tx.rows(_CUES, ids=ids)]
    before = linked(await tx.rows(SUCCEEDED_BY, ids=ids))
    outlived = [_outlived(one, gone) for one in before.values() if one.id not in gone]
    drawn = await forget_drawn_from(tx, ids)
    await tx.rows(_DELETE_FACTS, ids=ids)
    revived = await _relink(tx, outlived)
    await mark_unindexed(tx, revived)
    await mark_unpurged(tx, [*ids, *cues])
    entities = await follow(tx, mentioned)
    on_them = await drop_observations(tx, entities)
    own = Purge(tuple(ids), tuple(cues), entities=len(entities), observations=on_them)
    return drawn.plus(replace(own, revived=tuple(revived)))


def _outlived(fact: Linked, gone: dict[str, Linked]) -> Linked:
    """A fact that stays, tied to the first of its successors that does; to none if none does."""
    seen: set[str] = set()
    while fact.successor in gone and fact.successor not in seen:
        seen.add(fact.successor)
        later = gone[fact.successor]
        fact = replace(
            fact, until=later.until, successor=later.successor, succession=later.succession
        )
    return fact


async def _relink(tx: Transaction, outlived: Sequence[Linked]) -> list[str]:
    """Store the ties of these facts; the ids of those that have none left, so that they hold.

    Where a text has been said again since, that later fact is the one that holds.
    """
    rows = await tx.rows(_HOLDING, contents=listed(one.content for one in outlived))
    holding = {row["content"]: (row["date"], row["id"]) for row in rows}
    links: list[dict[str, Any]] = []
    revived: list[str] = []
    by_id = sorted(outlived, key=lambda one: one.id)
    for one in sorted(by_id, key=lambda one: one.date, reverse=True):
        link = (one.until, one.successor, one.succession)
        if one.successor is None:
            again = holding.get(one.content)
            link = (*again, "update") if again else (None, None, None)
        if link[1] is None:
            holding[one.content] = (one.date, one.id)
            revived.append(one.id)
        links.append(
            dict(zip(("id", "until", "successor", "succession"), (one.id, *link), strict=True))
        )
    await tx.rows(_RELINK, rows=links)
    return revived


def linked(rows: Iterable[Row]) -> dict[str, Linked]:
    """The facts of these rows, by id."""
    return {row["fact"]["id"]: Linked(**row["fact"]) for row in rows}
