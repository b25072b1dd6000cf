"""The log: conversations as they came, appended to and never changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from forethought.memory.conversations import Conversation
from forethought.memory.ids import session_id
from forethought.memory.records.changes import Logged
from forethought.memory.records.columns import session_of, turn_of
from forethought.memory.records.neo4j.database import Transaction, as_one
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.marks import WANTED_AGAIN
from forethought.memory.records.neo4j.rows import (
    COLUMNS_OF_TURN,
    FOUND,
    SESSION,
    TURN,
    listed,
    turn_in,
    turn_node,
)
from forethought.memory.records.values import (
    appending,
    check_named,
    session_marks,
    stamp,
    stamps,
    turns_of,
)
from forethought.memory.types import Placed, Session, Turn
from forethought.memory.words import storable

_APPEND = f"""
    UNWIND $sessions AS given
    MERGE (session:Session {{bank: $bank, id: given.id}})
    ON CREATE SET session.key = given.key, session.date = given.date, session.extracted = 0
    SET session.turns = given.turns
    WITH session, given
    UNWIND given.appended AS turn
    CREATE (session)-[:SAID]->(said) SET said = turn, said.bank = $bank SET said:Turn
    {WANTED_AGAIN}
"""
# The session is that which the turn names.
_PLACED = f"""
    UNWIND $ids AS id MATCH (turn:Turn {{bank: $bank, id: id}})<-[:SAID]-(session:Session)
    WHERE turn.{FOUND}
    RETURN [session.key, session.date, turn.session, {COLUMNS_OF_TURN}] AS row
"""
_LOGGED = f"""
    UNWIND $named AS named
    WITH named.id AS id, named.marks AS marks
    OPTIONAL MATCH (session:Session {{bank: $bank, id: id}})
    RETURN id, {SESSION} AS session,
        EXISTS {{ UNWIND marks AS mark MATCH (t:Tombstone {{bank: $bank, mark: mark}}) RETURN t }}
            AS forgotten,
        COLLECT {{ MATCH (session)-[:SAID]->(turn:Turn)
            RETURN {TURN} ORDER BY turn.position }} AS turns,
        COLLECT {{ MATCH (session)-[:SAID]->(turn:Turn)
            WHERE NOT turn.{FOUND} RETURN turn.id }} AS hushed
"""


class Logging(Facet):
    """Sessions and their turns."""

    async def log(self, bank: str, conversations: Sequence[Conversation]) -> list[Logged]:
        """See `Records.log`."""
        check_named(bank, to="remember")
        dates = [stamp(talk.date, of=f"conversation {talk.name!r}") for talk in conversations]

        async def work(tx: Transaction) -> list[Logged]:
            ids = [session_id(bank, talk.name) for talk in conversations]
            log = await _log_of(tx, dict(zip(ids, conversations, strict=True)))
            given = zip(conversations, ids, dates, strict=True)
            logged = [log.take(talk, session, date) for talk, session, date in given]
            if log.appended:
                await append(tx, log.appendices())
            return logged

        return await self._db.transaction(bank, work, new=True)

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
        some = "MATCH (session:Session {bank: $bank}) WHERE session.id IS NOT NULL"
        if ids is not None:
            some = "UNWIND $ids AS id MATCH (session:Session {bank: $bank, id: id}) WHERE true"
        cypher = f"""
            {some} AND (session.extracted < session.turns OR NOT $unfinished)
                AND session.date >= $since AND session.date < $before
            RETURN {SESSION} AS session ORDER BY session.date, session.id
        """
        given = {"unfinished": unfinished, "since": since, "before": before}
        rows = await self._db.read(bank, cypher, ids=listed(ids or ()), **given)
        return [session_of(row["session"], bank=bank) for row in rows]

    async def turns(self, bank: str, session: str) -> list[Turn]:
        """See `Records.turns`."""
        cypher = f"""
            MATCH (session:Session {{bank: $bank, id: $session}})-[:SAID]->(turn:Turn)
            RETURN {TURN} AS turn ORDER BY turn.position
        """
        rows = await self._db.read(bank, cypher, session=session)
        return [turn_of(row["turn"], session=session) for row in rows]

    async def placed(self, bank: str, turns: Sequence[str]) -> list[Placed]:
        """See `Records.placed`."""
        # What is logged stays as it is, so that no writer need be waited for.
        (row,) = await self._db.peek(bank, as_one(_PLACED), ids=listed(turns))
        rows = row["rows"]
        found = {one.turn.id: one for one in map(_placed, rows)}
        return [found[turn] for turn in turns if turn in found]


@dataclass(slots=True)
class _Log:
    """The part of the log that some conversations concern, as they change it."""

    bank: str
    forgotten: frozenset[str]
    sessions: dict[str, Session]
    turns: dict[str, list[Turn]]
    hushed: frozenset[str]
    appended: dict[str, list[Turn]] = field(default_factory=dict)

    def take(self, talk: Conversation, session: str, date: str) -> Logged:
        """Log one conversation: what is logged stays, and only turns that follow are added."""
        if not talk.turns:
            return Logged(talk.name, "empty")
        if session in self.forgotten:
            return Logged(talk.name, "forgotten")
        given, logged = turns_of(talk, session), self.turns.get(session, [])
        outcome = appending(logged, given)
        if outcome in {"new", "extended"}:
            self.appended.setdefault(session, []).extend(given[len(logged) :])
            self.turns[session] = given
            self.sessions[session] = self._grown(session, talk, date)
        return Logged(talk.name, outcome, self.sessions[session])

    def appendices(self) -> list[dict[str, Any]]:
        """What is to be written of each session."""
        return [
            {
                "id": session,
                "key": self.sessions[session].key,
                "date": stamp(self.sessions[session].date, of=session),
                "turns": self.sessions[session].turns,
                "appended": [turn_node(turn, self._before(turn)) for turn in turns],
            }
            for session, turns in self.appended.items()
        ]

    def _before(self, turn: Turn) -> Turn | None:
        before = self.turns[turn.session][turn.position - 1] if turn.position else None
        return None if before is None or before.id in self.hushed else before

    def _grown(self, session: str, talk: Conversation, date: str) -> Session:
        turns = len(self.turns[session])
        if session in self.sessions:
            return replace(self.sessions[session], turns=turns)
        at = datetime.fromisoformat(date)
        return Session(session, self.bank, storable(talk.name), at, turns, extracted=0)


def _placed(row: Sequence[Any]) -> Placed:
    key, date, session, *columns = row
    return Placed(turn_in(columns, session=session), key, datetime.fromisoformat(date))


async def append(tx: Transaction, sessions: Sequence[dict[str, Any]]) -> None:
    """Write sessions, each with the turns `appended` to it, which are not there."""
    made = [turn["id"] for session in sessions for turn in session["appended"]]
    await tx.rows(_APPEND, sessions=sessions, made=made)


async def _log_of(tx: Transaction, named: dict[str, Conversation]) -> _Log:
    """What there is of these, and which of them were forgotten, under this bank's name or not."""
    marks = [{"id": id, "marks": session_marks(id, talk.name)} for id, talk in named.items()]
    rows = await tx.rows(_LOGGED, named=marks)
    forgotten = frozenset(row["id"] for row in rows if row["forgotten"])
    rows = [row for row in rows if row["session"] is not None]
    sessions = {row["id"]: session_of(row["session"], bank=tx.bank) for row in rows}
    turns = {row["id"]: [turn_of(turn, session=row["id"]) for turn in row["turns"]] for row in rows}
    hushed = frozenset(turn for row in rows for turn in row["hushed"])
    return _Log(tx.bank, forgotten, sessions, turns, hushed)
