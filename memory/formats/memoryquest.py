"""MemoryQuest: one user a file, with sessions of `{"user": text}` and `{"assistant": text}` turns.

Reads the mini set's files and the official ones (same outline; there a session has `is_required`).
Questions, facts and references are for evaluation and are not read here.
"""

from __future__ import annotations

from collections.abc import Iterator

from forethought.memory.conversations import Utterance
from forethought.memory.formats.node import Damaged, Node
from forethought.memory.formats.reading import Format, Found, Reading, content_name
from forethought.memory.formats.turns import ROLES, message

_TURNS = ("conversation", "turns", "messages")
_AROUND = ("demographics", "queries", "facts")  # what stands beside the sessions of a user
_TURN = 'an object such as {"user": text} or {"assistant": text}'


def matches(record: object) -> bool:
    """Whether it has sessions, and either a user around them or conversations in them."""
    if not isinstance(record, dict) or "sessions" not in record:
        return False
    sessions = record["sessions"]
    inside = sessions if isinstance(sessions, list) else []
    told = any(key in session for session in inside if isinstance(session, dict) for key in _TURNS)
    return told or any(key in record for key in _AROUND)


def person(record: Node, reading: Reading) -> str:
    """The user's id, else the file's name: the official files are one user each."""
    return reading.name(_about(record), "user_id", "id", default=reading.stem)


def conversations(record: Node, user: str, reading: Reading) -> Iterator[Found]:
    """Each session, named "mq05/s01"."""
    for session in record.at("sessions").items("a list of sessions"):
        with reading.reporting():
            yield _session(session, user, reading)


def _about(record: Node) -> Node:
    demographics = record.at("demographics")
    known = isinstance(demographics.value, dict) and demographics.first("user_id", "id")
    return demographics if known else record


def _session(session: Node, user: str, reading: Reading) -> Found:
    number = session.first("id", "session_id")
    date = reading.when(session.first("date", "session_date", "timestamp"), of=session)
    said = session.need(*_TURNS).items("a list of turns")
    turns = [turn for node in said for turn in _turns(node)]
    name = number.word("a session id") if number else content_name(date, turns)
    return reading.found(session, f"{user}/{name}", date=date, turns=turns)


def _turns(node: Node) -> list[Utterance]:
    keys = node.mapping(_TURN)
    if "role" in keys:
        return [message(node)]
    turns = [Utterance(role=ROLES[key], text=node.at(key).text()) for key in keys if key in ROLES]
    if not turns:
        raise Damaged(node.place, f"expected {_TURN}, found neither key")
    return turns


FORMAT = Format(
    name="memoryquest",
    outline='{"demographics": {"user_id"}, "sessions": [{"id", "date", "conversation": [...]}]}',
    matches=matches,
    conversations=conversations,
    person=person,
)
