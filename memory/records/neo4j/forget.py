"""Forgetting facts, sessions or a bank: what goes with it, and what holds again without it.

What is forgotten is in no node and no index afterwards. The server's own files are its own to
clean: it writes over the space of deleted nodes as it needs it, and drops old transaction logs as
`db.tx_log.rotation.retention_policy` says.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from forethought.memory.records.changes import Purge
from forethought.memory.records.neo4j.beliefs import drop_observations
from forethought.memory.records.neo4j.cues import drop_asked_in
from forethought.memory.records.neo4j.database import Row, Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.forget_drawn import (
    forget_all_drawn,
    forget_commitments,
    forget_drawn_from,
    forget_opinions,
    forget_opinions_naming,
)
from forethought.memory.records.neo4j.hush import entomb, hush, turns_of, turns_saying
from forethought.memory.records.neo4j.ledger import drop_commitments_made_in
from forethought.memory.records.neo4j.marks import mark_unindexed, mark_unpurged, unname_if_empty
from forethought.memory.records.neo4j.rows import EMBEDDED, EVERY_FACT, FOUND, SOME_FACTS, listed
from forethought.memory.records.neo4j.ties import ROOTED, follow, mentioned_by
from forethought.memory.records.neo4j.times import SETTLE
from forethought.memory.records.values import check_found, not_found, session_marks, to_forget
from forethought.memory.types import Ids

_VERSION = ".id, .content, .date, .until, .successor, .succession"
_NAMED = f"""
    {SOME_FACTS} RETURN fact {{{_VERSION}}} AS fact
"""
_SUCCEEDED_BY = f"""
    UNWIND $ids AS id MATCH (fact:Fact {{bank: $bank, successor: id}})
    RETURN fact {{{_VERSION}}} AS fact
"""
# The facts that only these sessions support.
_SUPPORTED = f"""
    UNWIND $ids AS id MATCH (:Session {{bank: $bank, id: id}})<-[:FROM]-(fact:Fact)
    WITH DISTINCT fact
    WHERE NOT EXISTS {{ MATCH (fact)-[:FROM]->(other:Session) WHERE NOT other.id IN $ids }}
    RETURN fact {{{_VERSION}}} AS fact
"""
_EVERY_FACT = f"""
    {EVERY_FACT} RETURN fact {{{_VERSION}}} AS fact
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
_SESSION = "RETURN session.id AS id, session.key AS key, session.turns AS turns"
_SESSIONS = f"UNWIND $ids AS id MATCH (session:Session {{bank: $bank, id: id}}) {_SESSION}"
_EVERY_SESSION = f"""
    MATCH (session:Session {{bank: $bank}}) WHERE session.id IS NOT NULL {_SESSION}
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
_FAMILY = f"""
    UNWIND $ids AS id MATCH (:Entity {{bank: $bank, id: id}}){ROOTED}
    WITH DISTINCT root
    MATCH (root)<-[:SAME_AS*0..]-(named:Entity)
    RETURN named.id AS id, named.name AS name,
        COLLECT {{ MATCH (fact:Fact)-[:MENTIONS]->(named) RETURN fact.id }} AS facts
"""


@dataclass(frozen=True, slots=True)
class _Linked:
    """A fact and what succeeded it, as it is stored."""

    id: str
    content: str
    date: str
    until: str | None
    successor: str | None
    succession: str | None


class Forgetting(Facet):
    """Removal, with tombstones."""

    async def forget(  # noqa: PLR0913  # the port's
        self,
        bank: str,
        *,
        fact: Ids | None = None,
        session: Ids | None = None,
        entity: Ids | None = None,
        opinion: Ids | None = None,
        commitment: Ids | None = None,
    ) -> Purge:
        """See `Records.forget`, and above for what is left in the server's files."""
        sort, ids = to_forget(bank, fact, session, entity, opinion, commitment)

        async def work(tx: Transaction) -> Purge:
            if sort == "bank":
                return await _forget_bank(tx)
            there = f"UNWIND $ids AS id MATCH (:{sort.capitalize()} {{bank: $bank, id: id}})"
            rows = await tx.rows(f"{there} RETURN id", ids=ids)
            check_found(bank, sort, ids, found={row["id"] for row in rows})
            return await _FORGET[sort](tx, ids)

        return await self._db.transaction(bank, work)


async def _forget_facts(tx: Transaction, facts: Sequence[str]) -> Purge:
    """These facts with all their versions, for good; nothing finds the turns that say them."""
    gone = await _with_versions(tx, facts)
    await hush(tx, await turns_saying(tx, gone))
    await entomb(tx, [one.content for one in gone.values()])
    return await _remove(tx, gone)


async def _forget_entities(tx: Transaction, entities: Sequence[str]) -> Purge:
    """All that share a root, with the facts that mention one of them, in all their versions."""
    family = await tx.rows(_FAMILY, ids=entities)
    facts = listed(fact for named in family for fact in named["facts"])
    purge = await _forget_facts(tx, facts)
    named = await forget_opinions_naming(tx, [one["name"] for one in family])
    return replace(purge, opinions=purge.opinions + named)


async def _forget_sessions(tx: Transaction, sessions: Sequence[str]) -> Purge:
    found = await tx.rows(_SESSIONS, ids=sessions)
    await entomb(tx, [mark for row in found for mark in session_marks(row["id"], row["key"])])
    await drop_asked_in(tx, await turns_of(tx, sessions))
    made = await drop_commitments_made_in(tx, sessions)
    gone = _linked(await tx.rows(_SUPPORTED, ids=sessions))
    purge = await _remove(tx, await _with_merged(tx, gone))
    await _delete_sessions(tx, sessions)
    return replace(
        purge,
        sessions=len(found),
        turns=sum(row["turns"] for row in found),
        commitments=made + purge.commitments,
    )


async def _forget_bank(tx: Transaction) -> Purge:
    """Everything, tombstones and settings too: a bank may be forgotten and then given anew."""
    sessions = await tx.rows(_EVERY_SESSION)
    gone = _linked(await tx.rows(_EVERY_FACT))
    drawn = await forget_all_drawn(tx)
    purge = await _remove(tx, gone)
    await _delete_sessions(tx, [row["id"] for row in sessions])
    others = 0
    for label, key in (("Tombstone", "mark"), ("Setting", "id")):
        every = f"MATCH (n:{label} {{bank: $bank}}) WHERE n.{key} IS NOT NULL"
        (row,) = await tx.rows(f"{every} DELETE n RETURN count(*) AS deleted")
        others += row["deleted"]
    if not (sessions or gone or others) and drawn == Purge():
        raise not_found(tx.bank)
    await unname_if_empty(tx)
    return replace(
        purge,
        sessions=len(sessions),
        turns=sum(row["turns"] for row in sessions),
        opinions=drawn.opinions,
        observations=drawn.observations,
        commitments=drawn.commitments,
    )


async def _with_versions(tx: Transaction, facts: Sequence[str]) -> dict[str, _Linked]:
    """All versions of the same knowledge, both ways, and whatever was merged from any of them."""
    gone: dict[str, _Linked] = {}
    step = list(facts)
    while step:
        found = _linked(await tx.rows(_NAMED, ids=step))
        gone |= found
        before = _linked(await tx.rows(_SUCCEEDED_BY, ids=listed(found)))
        near = [one.id for one in before.values() if one.succession == "update"]
        near += [one.successor for one in found.values() if one.successor is not None]
        step = [one for one in listed(near) if one not in gone]
    return gone


async def _with_merged(tx: Transaction, gone: dict[str, _Linked]) -> dict[str, _Linked]:
    """These facts, and whatever was merged from any of them."""
    gone = dict(gone)
    step = gone
    while step:
        merged = [one.successor for one in step.values() if one.succession == "merge"]
        named = [one for one in listed(filter(None, merged)) if one not in gone]
        step = _linked(await tx.rows(_NAMED, ids=named)) if named else {}
        gone |= step
    return gone


async def _delete_sessions(tx: Transaction, sessions: Sequence[str]) -> None:
    """Delete sessions with their turns; have the index drop the turns' vectors."""
    await mark_unpurged(tx, [row["id"] for row in await tx.rows(_TURNS, ids=sessions)])
    await tx.rows(_DELETE_SESSIONS, ids=sessions)


async def _remove(tx: Transaction, gone: dict[str, _Linked]) -> Purge:
    """Delete facts with what comes from them; let hold again what they had replaced."""
    ids = list(gone)
    mentioned = await mentioned_by(tx, ids)
    cues = [row["id"] for row in await tx.rows(_CUES, ids=ids)]
    before = _linked(await tx.rows(_SUCCEEDED_BY, ids=ids))
    outlived = [_outlived(one, gone) for one in before.values() if one.id not in gone]
    drawn = await forget_drawn_from(tx, ids)
    await tx.rows(_DELETE_FACTS, ids=ids)
    revived = await _relink(tx, outlived)
    await mark_unindexed(tx, revived)
    await mark_unpurged(tx, [*ids, *cues])
    entities = await follow(tx, mentioned)
    on_them = await drop_observations(tx, entities)
    return replace(
        drawn,
        facts=tuple(ids),
        cues=tuple(cues),
        entities=len(entities),
        observations=drawn.observations + on_them,
        revived=tuple(revived),
    )


def _outlived(fact: _Linked, gone: dict[str, _Linked]) -> _Linked:
    """A fact that stays, tied to the first of its successors that does; to none if none does."""
    seen: set[str] = set()
    while fact.successor in gone and fact.successor not in seen:
        seen.add(fact.successor)
        later = gone[fact.successor]
        fact = replace(
            fact, until=later.until, successor=later.successor, succession=later.succession
        )
    return fact


async def _relink(tx: Transaction, outlived: Sequence[_Linked]) -> list[str]:
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


def _linked(rows: Iterable[Row]) -> dict[str, _Linked]:
    return {row["fact"]["id"]: _Linked(**row["fact"]) for row in rows}


_FORGET: dict[str, Callable[[Transaction, Sequence[str]], Awaitable[Purge]]] = {
    "fact": _forget_facts,
    "session": _forget_sessions,
    "entity": _forget_entities,
    "opinion": forget_opinions,
    "commitment": forget_commitments,
}
"""By the sort of thing, each a label of that name; the ids are all there."""
