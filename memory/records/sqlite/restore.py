"""A whole bank written at once, exactly as it was, and what else only an export asks for."""

from __future__ import annotations

from collections.abc import Sequence

from forethought.memory.records.columns import cue_columns
from forethought.memory.records.contents import Contents
from forethought.memory.records.flaws import check_whole
from forethought.memory.records.sqlite.beliefs import insert_observations, insert_opinions
from forethought.memory.records.sqlite.commit import insert_facts, insert_sources
from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.entities import insert_entities, insert_mentions
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.hush import entomb, hush
from forethought.memory.records.sqlite.ledger import insert_commitments, replace_reminders
from forethought.memory.records.sqlite.links import write_links
from forethought.memory.records.sqlite.log import insert_turns
from forethought.memory.records.sqlite.marks import CUES, count, mark_foreseen, replace_cues
from forethought.memory.records.sqlite.uses import insert_uses
from forethought.memory.records.values import check_empty, check_named, stamp
from forethought.memory.types import Fact, fact_ids

_BATCH = 1000  # facts between two turns of the event loop: about 50 ms of finding their words


class Restoring(Facet):
    """Out of one store and into another."""

    async def tombstones(self, bank: str) -> list[str]:
        """See `Records.tombstones`."""
        sql = "SELECT mark FROM tombstone WHERE bank = ?1 ORDER BY mark"
        return await self._db.read(lambda row: str(row["mark"]), sql, bank)

    async def restore(self, contents: Contents) -> None:
        """See `Records.restore`."""
        check_named(contents.bank, to="remember")
        check_whole(contents)
        async with self._db.transaction(contents.bank) as tx:
            tables = ("session", "fact", "tombstone", "opinion", "observation", "commitment")
            held = [await count(tx, table) for table in tables]
            check_empty(contents.bank, holds=any(held))
            await _log(tx, contents)
            for start in range(0, len(contents.facts), _BATCH):
                await _learn(tx, contents.facts[start : start + _BATCH])
            cues = [cue_columns(cue) for cue in contents.cues]
            await replace_cues(tx, cues, of=fact_ids(contents.facts), kept=CUES)
            await insert_uses(tx, contents.uses)
            await insert_entities(tx, contents.entities)
            await insert_mentions(tx, contents.mentions)
            await write_links(tx, contents.links)
            await insert_opinions(tx, contents.opinions)
            await insert_observations(tx, contents.observations)
            await insert_commitments(tx, contents.commitments)
            made = [one.id for one in contents.commitments]
            await replace_reminders(tx, contents.reminders, of=made)
            await entomb(tx, contents.tombstones)
            await hush(tx, contents.tombstones)  # those of them that are turns


async def _log(tx: Transaction, contents: Contents) -> None:
    await tx.many(
        "INSERT INTO session (bank, id, key, date, turns, extracted, error) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        [
            (
                *(session.id, session.key, stamp(session.date, of=f"session {session.id}")),
                *(session.turns, session.extracted, session.error),
            )
            for session in contents.sessions
        ],
    )
    await insert_turns(tx, contents.turns)


async def _learn(tx: Transaction, facts: Sequence[Fact]) -> None:
    await insert_facts(tx, facts)
    await insert_sources(tx, [(fact.id, source) for fact in facts for source in fact.sources])
    await mark_foreseen(tx, [fact.id for fact in facts if fact.foreseen])
