"""The log: conversations as they came, appended to and never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from forethought.memory.conversations import Conversation, embedded
from forethought.memory.ids import session_id
from forethought.memory.records.changes import Logged
from forethought.memory.records.sqlite.database import Transaction, Value
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.hush import unmarked
from forethought.memory.records.sqlite.marks import strike_unpurged
from forethought.memory.records.sqlite.rows import LISTED, packed, session_from, turn_from
from forethought.memory.records.values import (
    appending,
    check_named,
    session_marks,
    stamp,
    stamps,
    turns_of,
)
from forethought.memory.types import Placed, Session, Turn

_PLACED = f"""
    SELECT turn.*, session.key, session.date
    FROM turn JOIN session ON session.bank = turn.bank AND session.id = turn.session
    WHERE turn.bank = ?1 AND turn.id IN {LISTED} AND {unmarked("turn.id")}
"""


class Logging(Facet):
    """Sessions and their turns."""

    async def log(self, bank: str, conversations: Sequence[Conversation]) -> list[Logged]:
        """See `Records.log`."""
        check_named(bank, to="remember")
        dates = [stamp(talk.date, of=f"conversation {talk.name!r}") for talk in conversations]
        async with self._db.transaction(bank) as tx:
            return [
                await _log(tx, talk, date) for talk, date in zip(conversations, dates, strict=True)
            ]

    async def sessions(
        self,
        bank: str,
        *,
        ids: Sequence[str] | None = None,
        unfinished: bool = False,
        between: tuple[datetime, datetime] | None = None,
    ) -> list[Session]:
        """See `Records.sessions`."""
        since, before = stamps(between)
        sql = f"""
            SELECT * FROM session WHERE bank = ?1 AND (?2 IS NULL OR id IN {LISTED})
                AND (extracted < turns OR NOT ?3) AND date >= ?4 AND date < ?5 ORDER BY date, id
        """
        listed = None if ids is None else packed(ids)
        return await self._db.read(session_from, sql, bank, listed, unfinished, since, before)

    async def turns(self, bank: str, session: str) -> list[Turn]:
        """See `Records.turns`."""
        sql = "SELECT * FROM turn WHERE bank = ?1 AND session = ?2 ORDER BY position"
        return await self._db.read(turn_from, sql, bank, session)

    async def placed(self, bank: str, turns: Sequence[str]) -> list[Placed]:
        """See `Records.placed`."""
        rows = await self._db.read(_placed, _PLACED, bank, packed(turns))
        found = {one.turn.id: one for one in rows}
        return [found[turn] for turn in turns if turn in found]


async def _log(tx: Transaction, talk: Conversation, date: str) -> Logged:
    """Log one conversation: what is logged stays, and only turns that follow it are added."""
    if not talk.turns:
        return Logged(talk.name, "empty")
    session = session_id(tx.bank, talk.name)
    marks = packed(session_marks(session, talk.name))
    if await tx.rows(f"SELECT 1 FROM tombstone WHERE bank = ?1 AND mark IN {LISTED}", marks):
        return Logged(talk.name, "forgotten")
    sql = "SELECT * FROM turn WHERE bank = ?1 AND session = ?2 ORDER BY position"
    logged = [turn_from(row) for row in await tx.rows(sql, session)]
    given = turns_of(talk, session)
    outcome = appending(logged, given)
    if outcome in {"new", "extended"}:
        await _append(tx, session, given[len(logged) :], key=talk.name, date=date)
    found = await tx.rows("SELECT * FROM session WHERE bank = ?1 AND id = ?2", session)
    return Logged(talk.name, outcome, session_from(found[0]))


async def _append(
    tx: Transaction, session: str, turns: Sequence[Turn], *, key: str, date: str
) -> None:
    """Add turns to a session, which begins with them if it is new."""
    await tx.run(
        "INSERT INTO session (bank, id, key, date, turns) VALUES (?1, ?2, ?3, ?4, ?5) "
        "ON CONFLICT (bank, id) DO UPDATE SET turns = turns + excluded.turns",
        *(session, key, date, len(turns)),
    )
    await insert_turns(tx, turns)


async def insert_turns(tx: Transaction, turns: Sequence[Turn]) -> None:
    """Turns that were not logged before, of sessions that were."""
    await tx.many(
        "INSERT INTO turn (bank, session, position, id, role, name, text, indexed) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        [(*_columns(turn), 0 if embedded(turn.role, turn.text) else None) for turn in turns],
    )
    # One whose bank was forgotten and given again: its vector is wanted after all.
    await strike_unpurged(tx, [turn.id for turn in turns])


def _columns(turn: Turn) -> tuple[Value, ...]:
    return (turn.session, turn.position, turn.id, turn.role, turn.name, turn.text)


def _placed(row: sqlite3.Row) -> Placed:
    return Placed(turn_from(row), row["key"], datetime.fromisoformat(row["date"]))
