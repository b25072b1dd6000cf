"""A whole bank written at once, exactly as it was, and what else only an export asks for."""

from __future__ import annotations

from typing import Any

from forethought.memory.records.columns import cue_columns
from forethought.memory.records.contents import Contents
from forethought.memory.records.flaws import check_whole
from forethought.memory.records.neo4j.beliefs import insert_observations, insert_opinions
from forethought.memory.records.neo4j.commit import insert_facts, insert_sources
from forethought.memory.records.neo4j.cues import FACTS, replace_cues
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.foresight import mark_foreseen
from forethought.memory.records.neo4j.hush import entomb, hush
from forethought.memory.records.neo4j.ledger import insert_commitments, replace_reminders
from forethought.memory.records.neo4j.log import append
from forethought.memory.records.neo4j.rows import batches, turn_node
from forethought.memory.records.neo4j.ties import (
    insert_entities,
    put_links,
    put_mentions,
    update_entities,
)
from forethought.memory.records.neo4j.uses import put_uses
from forethought.memory.records.values import check_empty, check_named, stamp
from forethought.memory.types import Turn, fact_ids

_ANYTHING = """
    RETURN EXISTS { MATCH (n:Session {bank: $bank}) WHERE n.id IS NOT NULL }
        OR EXISTS { MATCH (n:Fact {bank: $bank}) WHERE n.id IS NOT NULL }
        OR EXISTS { MATCH (n:Opinion {bank: $bank}) WHERE n.id IS NOT NULL }
        OR EXISTS { MATCH (n:Observation {bank: $bank}) WHERE n.id IS NOT NULL }
        OR EXISTS { MATCH (n:Commitment {bank: $bank}) WHERE n.id IS NOT NULL }
        OR EXISTS { MATCH (n:Tombstone {bank: $bank}) WHERE n.mark IS NOT NULL } AS there
"""
_REACHED = """
    UNWIND $sessions AS given MATCH (session:Session {bank: $bank, id: given.id})
    SET session.extracted = given.extracted, session.error = given.error
"""


class Restoring(Facet):
    """Out of one store and into another."""

    async def tombstones(self, bank: str) -> list[str]:
        """See `Records.tombstones`."""
        every = "MATCH (n:Tombstone {bank: $bank}) WHERE n.mark IS NOT NULL"
        rows = await self._db.read(bank, f"{every} RETURN n.mark AS mark ORDER BY mark")
        return [row["mark"] for row in rows]

    async def restore(self, contents: Contents) -> None:
        """See `Records.restore`. The server's heap must hold the transaction."""
        check_named(contents.bank, to="remember")
        check_whole(contents)

        async def work(tx: Transaction) -> None:
            (row,) = await tx.rows(_ANYTHING)
            check_empty(contents.bank, holds=row["there"])
            for sessions in batches(_sessions(contents)):
                await append(tx, sessions)
                await tx.rows(_REACHED, sessions=sessions)
            for facts in batches(contents.facts):
                await insert_facts(tx, facts)
                await insert_sources(tx, [(one.id, said) for one in facts for said in one.sources])
                await mark_foreseen(tx, [fact.id for fact in facts if fact.foreseen])
            await put_uses(tx, contents.uses)
            for entities in batches(contents.entities):
                await insert_entities(tx, entities)
            for entities in batches([one for one in contents.entities if one.into is not None]):
                await update_entities(tx, entities)
            for mentions in batches(contents.mentions):
                await put_mentions(tx, mentions)
            for links in batches(contents.links):
                await put_links(tx, links)
            await insert_opinions(tx, contents.opinions)
            await insert_observations(tx, contents.observations)
            cues = [cue_columns(cue) for cue in contents.cues]
            await replace_cues(tx, cues, of=fact_ids(contents.facts), cued=FACTS)
            await insert_commitments(tx, contents.commitments)
            made = [one.id for one in contents.commitments]
            await replace_reminders(tx, contents.reminders, of=made)
            await entomb(tx, contents.tombstones)
            await hush(tx, contents.tombstones)  # those of them that are turns

        await self._db.transaction(contents.bank, work, new=True)


def _sessions(contents: Contents) -> list[dict[str, Any]]:
    turns: dict[str, list[Turn]] = {}
    for turn in sorted(contents.turns, key=lambda turn: turn.position):
        turns.setdefault(turn.session, []).append(turn)
    return [
        {
            "id": session.id,
            "key": session.key,
            "date": stamp(session.date, of=f"session {session.id}"),
            "turns": session.turns,
            "extracted": session.extracted,
            "error": session.error,
            "appended": [
                turn_node(turn, said[turn.position - 1] if turn.position else None)
                for said in [turns.get(session.id, [])]
                for turn in said
            ],
        }
        for session in contents.sessions
    ]
