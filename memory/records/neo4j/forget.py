"""Forgetting facts, sessions and other things: what goes with them, in one transaction.

What is forgotten is in no node and no index afterwards. The server's own files are its own to
clean: it writes over the space of deleted nodes as it needs it, and drops old transaction logs as
`db.tx_log.rotation.retention_policy` says.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from forethought.memory.records.changes import Purge
from forethought.memory.records.neo4j.cues import drop_asked_in
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.forget_bank import forget_bank
from forethought.memory.records.neo4j.forget_drawn import (
    forget_commitments,
    forget_opinions,
    forget_opinions_naming,
)
from forethought.memory.records.neo4j.hush import entomb, hush, turns_of, turns_saying
from forethought.memory.records.neo4j.ledger import drop_commitments_made_in
from forethought.memory.records.neo4j.removal import (
    SESSION,
    SUCCEEDED_BY,
    VERSION,
    Linked,
    delete_sessions,
    linked,
    remove,
)
from forethought.memory.records.neo4j.rows import SOME_FACTS, listed
from forethought.memory.records.neo4j.ties import ROOTED
from forethought.memory.records.values import check_found, session_marks, to_forget
from forethought.memory.types import Ids

_NAMED = f"""
    {SOME_FACTS} RETURN fact {{{VERSION}}} AS fact
"""
# The facts that only these sessions support.
_SUPPORTED = f"""
    UNWIND $ids AS id MATCH (:Session {{bank: $bank, id: id}})<-[:FROM]-(fact:Fact)
    WITH DISTINCT fact
    WHERE NOT EXISTS {{ MATCH (fact)-[:FROM]->(other:Session) WHERE NOT other.id IN $ids }}
    RETURN fact {{{VERSION}}} AS fact
"""
_SESSIONS = f"UNWIND $ids AS id MATCH (session:Session {{bank: $bank, id: id}}) {SESSION}"
_FAMILY = f"""
    UNWIND $ids AS id MATCH (:Entity {{bank: $bank, id: id}}){ROOTED}
    WITH DISTINCT root
    MATCH (root)<-[:SAME_AS*0..]-(named:Entity)
    RETURN named.id AS id, named.name AS name,
        COLLECT {{ MATCH (fact:Fact)-[:MENTIONS]->(named) RETURN fact.id }} AS facts
"""


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

        if sort == "bank":
            return await forget_bank(self._db, bank)

        async def work(tx: Transaction) -> Purge:
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
    return await remove(tx, gone)


async def _forget_entities(tx: Transaction, entities: Sequence[str]) -> Purge:
    """All that share a root, with the facts that mention one of them, in all their versions."""
    family = await tx.rows(_FAMILY, ids=entities)
    facts = listed(fact for named in family for fact in named["facts"])
    purge = await _forget_facts(tx, facts)
    named = await forget_opinions_naming(tx, [one["name"] for one in family])
    return purge.plus(Purge(opinions=named))


async def _forget_sessions(tx: Transaction, sessions: Sequence[str]) -> Purge:
    found = await tx.rows(_SESSIONS, ids=sessions)
    await entomb(tx, [mark for row in found for mark in session_marks(row["id"], row["key"])])
    await drop_asked_in(tx, await turns_of(tx, sessions))
    made = await drop_commitments_made_in(tx, sessions)
    gone = linked(await tx.rows(_SUPPORTED, ids=sessions))
    purge = await remove(tx, await _with_merged(tx, gone))
    await delete_sessions(tx, sessions)
    turns = sum(row["turns"] for row in found)
    return purge.plus(Purge(sessions=len(found), turns=turns, commitments=made))


async def _with_versions(tx: Transaction, facts: Sequence[str]) -> dict[str, Linked]:
    """All versions of the same knowledge, both ways, and whatever was merged from any of them."""
    gone: dict[str, Linked] = {}
    step = list(facts)
    while step:
        found = linked(await tx.rows(_NAMED, ids=step))
        gone |= found
        before = linked(await tx.rows(SUCCEEDED_BY, ids=listed(found)))
        near = [one.id for one in before.values() if one.succession == "update"]
        near += [one.successor for one in found.values() if one.successor is not None]
        step = [one for one in listed(near) if one not in gone]
    return gone


async def _with_merged(tx: Transaction, gone: dict[str, Linked]) -> dict[str, Linked]:
    """These facts, and whatever was merged from any of them."""
    gone = dict(gone)
    step = gone
    while step:
        merged = [one.successor for one in step.values() if one.succession == "merge"]
        named = [one for one in listed(filter(None, merged)) if one not in gone]
        step = linked(await tx.rows(_NAMED, ids=named)) if named else {}
        gone |= step
    return gone


_FORGET: dict[str, Callable[[Transaction, Sequence[str]], Awaitable[Purge]]] = {
    "fact": _forget_facts,
    "session": _forget_sessions,
    "entity": _forget_entities,
    "opinion": forget_opinions,
    "commitment": forget_commitments,
}
"""By the sort of thing, each a label of that name; the ids are all there."""
