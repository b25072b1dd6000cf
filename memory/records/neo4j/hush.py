"""Turns that are no longer found, since a fact that they say was forgotten; the log keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from forethought.memory.records.columns import turn_of
from forethought.memory.records.neo4j.cues import drop_asked_in
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.marks import mark_unpurged
from forethought.memory.records.neo4j.rows import EMBEDDED, FOUND, TURN, listed, turn_words

# A fact that was merged rests on the turns of its originals, and those of an original that stays
# do not say what goes.
_SAYING = """
    UNWIND $ids AS id MATCH (:Fact {bank: $bank, id: id})-[said:FROM]->(session:Session)
    WHERE NOT EXISTS {
        MATCH (original:Fact {bank: $bank, successor: id})-[own:FROM]->(session)
        USING INDEX SEEK original:Fact(bank, successor)
        WHERE original.succession = 'merge' AND own.turn = said.turn
    }
    RETURN DISTINCT said.turn AS turn
"""
_UNSAY = f"""
    UNWIND $ids AS id MATCH (turn:Turn {{bank: $bank, id: id}})
    WITH turn, turn.{FOUND} AND turn.{EMBEDDED} AS wanted
    REMOVE turn.words, turn.unindexed
    RETURN turn.id AS id, wanted
"""
# The words of a turn also find the turn after it.
_AFTER = f"""
    UNWIND $ids AS id MATCH (said:Turn {{bank: $bank, id: id}})
    MATCH (turn:Turn {{bank: $bank, session: said.session, position: said.position + 1}})
    USING INDEX SEEK turn:Turn(bank, session, position)
    WHERE turn.{FOUND} RETURN turn.session AS session, {TURN} AS turn
"""
_REWORD = """
    UNWIND $rows AS row
    MATCH (turn:Turn {bank: $bank, session: row.session, position: row.position})
    SET turn.words = row.words
"""


async def turns_saying(tx: Transaction, facts: Iterable[str]) -> list[str]:
    """The turns that support these facts."""
    return [row["turn"] for row in await tx.rows(_SAYING, ids=listed(facts))]


async def turns_of(tx: Transaction, sessions: Sequence[str]) -> list[str]:
    """The turns of these sessions."""
    cypher = """
        UNWIND $ids AS id MATCH (turn:Turn {bank: $bank, session: id})
        USING INDEX SEEK turn:Turn(bank, session, position) WHERE turn.position IS NOT NULL
        RETURN turn.id AS turn
    """
    return [row["turn"] for row in await tx.rows(cypher, ids=sessions)]


async def hush(tx: Transaction, turns: Iterable[str]) -> None:
    """Tombstone those of these turns that are logged, and let nothing find them any more."""
    logged = await tx.rows(_UNSAY, ids=listed(turns))
    if not logged:
        return
    await mark_unpurged(tx, [row["id"] for row in logged if row["wanted"]])
    await drop_asked_in(tx, [row["id"] for row in logged])
    ids = listed(row["id"] for row in logged)
    after = [turn_of(row["turn"], session=row["session"]) for row in await tx.rows(_AFTER, ids=ids)]
    rows = [
        {"session": turn.session, "position": turn.position, "words": turn_words(turn)}
        for turn in after
    ]
    await tx.rows(_REWORD, rows=rows)
    await entomb(tx, ids)


async def entomb(tx: Transaction, marks: Iterable[str]) -> None:
    """What must never be taken in again."""
    await tx.rows(
        "UNWIND $marks AS mark MERGE (:Tombstone {bank: $bank, mark: mark})", marks=listed(marks)
    )
