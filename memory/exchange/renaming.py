"""The same contents in a bank of another name: ids are hashes that begin with the bank's."""

from __future__ import annotations

from dataclasses import replace

from forethought.memory.ids import fact_id, session_id, turn_id
from forethought.memory.records.contents import Contents
from forethought.memory.types import Fact, Session, Source


def renamed(contents: Contents, bank: str) -> Contents:
    """The contents with the ids that they would have, had they been retained in `bank`.

    An id that its content does not give is made from the old id instead: a consolidated fact's, a
    fact's whose first session was forgotten since, one that a program chose itself. Tombstones stay
    as they are: `ids.key_mark`s and hashes of texts mean the same under any name.
    """
    if bank == contents.bank:
        return contents
    sessions = {session.id: _session(session, bank) for session in contents.sessions}
    turns = {
        (turn.session, turn.id): turn_id(sessions[turn.session], turn.position, turn.text)
        for turn in contents.turns
    }
    facts = {fact.id: _fact(fact, bank, sessions) for fact in contents.facts}
    return Contents(
        bank,
        tuple(replace(one, id=sessions[one.id], bank=bank) for one in contents.sessions),
        tuple(
            replace(one, id=turns[one.session, one.id], session=sessions[one.session])
            for one in contents.turns
        ),
        tuple(
            replace(
                one,
                id=facts[one.id],
                bank=bank,
                sources=tuple(_source(source, sessions, turns) for source in one.sources),
                successor=None if one.successor is None else facts[one.successor],
            )
            for one in contents.facts
        ),
        tuple(replace(one, fact=facts[one.fact]) for one in contents.cues),
        contents.tombstones,
    ).ordered()


def _session(session: Session, bank: str) -> str:
    """From its key; from its id where the key could not be stored as it came."""
    own = session.id == session_id(session.bank, session.key)
    return session_id(bank, session.key if own else session.id)


def _fact(fact: Fact, bank: str, sessions: dict[str, str]) -> str:
    for source in fact.sources:
        if fact.id == fact_id(fact.bank, source.session, fact.text):
            return fact_id(bank, sessions[source.session], fact.text)
    return fact_id(bank, fact.id, fact.text)


def _source(source: Source, sessions: dict[str, str], turns: dict[tuple[str, str], str]) -> Source:
    said = tuple(turns.get((source.session, turn), turn) for turn in source.turns)
    return Source(sessions[source.session], said)
