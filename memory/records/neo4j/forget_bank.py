"""Forgetting a bank: part by part, since the server holds each transaction in its heap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from forethought.memory.records.changes import Purge
from forethought.memory.records.neo4j.database import Database, Row, Transaction
from forethought.memory.records.neo4j.forget_drawn import forget_all_drawn
from forethought.memory.records.neo4j.marks import unname_if_empty
from forethought.memory.records.neo4j.removal import (
    SESSION,
    VERSION,
    delete_sessions,
    linked,
    remove,
)
from forethought.memory.records.neo4j.rows import EVERY_FACT
from forethought.memory.records.values import not_found

AT_ONCE: Final = 2_000
"""Facts, or turns, of one transaction: 10,000 facts took more than the 512 MB of a small server."""

# Oldest first, so that what replaced a fact goes after it; in the order of the index, unsorted.
_OLDEST = f"""
    {EVERY_FACT} RETURN fact {{{VERSION}}} AS fact
    ORDER BY fact.bank, fact.date, fact.id LIMIT $most
"""
_EVERY_SESSION = f"""
    MATCH (session:Session {{bank: $bank}}) WHERE session.id IS NOT NULL {SESSION}
"""


@dataclass(frozen=True, slots=True)
class _Part:
    """What one transaction took: `others` are tombstones and settings; and whether more is left."""

    purge: Purge
    others: int
    more: bool


async def forget_bank(db: Database, bank: str) -> Purge:
    """Everything, tombstones and settings too: a bank may be forgotten and then given anew.

    What is cut off between two parts leaves a bank that lacks its oldest facts, and what rested on
    any; the next call takes the rest. Raises NotFound where there is nothing.
    """
    purge, others, more = Purge(), 0, True
    while more:
        part = await db.transaction(bank, _part)
        purge, others, more = purge.plus(part.purge), others + part.others, part.more
    if purge == Purge() and not others:
        raise not_found(bank)
    return replace(purge, revived=())  # they went with a later part


async def _part(tx: Transaction) -> _Part:
    drawn = await forget_all_drawn(tx)
    facts = linked(await tx.rows(_OLDEST, most=AT_ONCE))
    purge = drawn.plus(await remove(tx, facts))
    if len(facts) == AT_ONCE:
        return _Part(purge, others=0, more=True)
    every = await tx.rows(_EVERY_SESSION)
    some = _first(every)
    await delete_sessions(tx, [row["id"] for row in some])
    said = Purge(sessions=len(some), turns=sum(row["turns"] for row in some))
    if len(some) < len(every):
        return _Part(purge.plus(said), others=0, more=True)
    others = 0
    for label, key in (("Tombstone", "mark"), ("Setting", "id")):
        those = f"MATCH (n:{label} {{bank: $bank}}) WHERE n.{key} IS NOT NULL"
        (row,) = await tx.rows(f"{those} DELETE n RETURN count(*) AS deleted")
        others += row["deleted"]
    await unname_if_empty(tx)
    return _Part(purge.plus(said), others, more=False)


def _first(sessions: Iterable[Row]) -> list[Row]:
    """So many of these that they have hardly more turns than go at once; one at least."""
    some: list[Row] = []
    turns = 0
    for row in sessions:
        if turns >= AT_ONCE:
            break
        some.append(row)
        turns += row["turns"]
    return some
