"""The same contents in a bank of another name: ids are hashes that begin with the bank's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from forethought.memory.beliefs.types import Observation, Opinion
from forethought.memory.ids import (
    commitment_id,
    entity_id,
    fact_id,
    observation_id,
    opinion_id,
    session_id,
    turn_id,
)
from forethought.memory.ledger.types import Commitment
from forethought.memory.records.contents import Contents
from forethought.memory.records.ties import directed
from forethought.memory.types import Entity, Fact, Mention, Session, Source


def renamed(contents: Contents, bank: str) -> Contents:
    """The contents with the ids that they would have, had they been retained in `bank`.

    An id that its content does not give is made from the old id instead: a consolidated fact's, a
    fact's whose first session was forgotten since, an entity's that was told from its namesakes by
    such a session, one that a program chose itself. Tombstones of hushed turns go by the turns' new
    ids; the others stay as they are: `ids.key_mark`s and hashes of texts mean the same under any
    name.
    """
    if bank == contents.bank:
        return contents
    sessions = {session.id: _session(session, bank) for session in contents.sessions}
    turns = {
        (turn.session, turn.id): turn_id(sessions[turn.session], turn.position, turn.text)
        for turn in contents.turns
    }
    facts = {fact.id: _fact(fact, bank, sessions) for fact in contents.facts}
    entities = _entities(contents, bank, sessions)
    commitments = {one.id: _commitment(one, bank, sessions) for one in contents.commitments}
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
        _marks(contents.tombstones, turns),
        tuple(
            replace(
                one,
                id=entities[one.id],
                bank=bank,
                into=None if one.into is None else entities[one.into],
            )
            for one in contents.entities
        ),
        tuple(Mention(facts[one.fact], entities[one.entity]) for one in contents.mentions),
        tuple(
            directed(replace(one, source=facts[one.source], target=facts[one.target]))
            for one in contents.links
        ),
        tuple(_opinion(one, bank, facts, sessions) for one in contents.opinions),
        tuple(_observation(one, bank, facts, entities) for one in contents.observations),
        tuple(
            replace(
                one,
                id=commitments[one.id],
                bank=bank,
                source=None if one.source is None else _source(one.source, sessions, turns),
                facts=tuple(facts[fact] for fact in one.facts),
                closed_by=_settler(one, turns),
            )
            for one in contents.commitments
        ),
        tuple(replace(one, commitment=commitments[one.commitment]) for one in contents.reminders),
        tuple(replace(one, fact=facts[one.fact]) for one in contents.uses),
        contents.profile,
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


def _entities(contents: Contents, bank: str, sessions: dict[str, str]) -> dict[str, str]:
    """From its name, and from the session that told it from its namesakes: one that mentions it."""
    said_in = {fact.id: [source.session for source in fact.sources] for fact in contents.facts}
    apart: dict[str, dict[str, None]] = {}
    for mention in contents.mentions:
        apart.setdefault(mention.entity, {}).update(dict.fromkeys(said_in[mention.fact]))
    return {
        one.id: _entity(
            one, bank, {"": "", **{was: sessions[was] for was in apart.get(one.id, ())}}
        )
        for one in contents.entities
    }


def _entity(entity: Entity, bank: str, apart: dict[str, str]) -> str:
    for was, now in apart.items():
        if entity.id == entity_id(entity.bank, entity.name, was):
            return entity_id(bank, entity.name, now)
    return entity_id(bank, entity.name, entity.id)


def _opinion(
    opinion: Opinion, bank: str, facts: Mapping[str, str], sessions: Mapping[str, str]
) -> Opinion:
    """Formed with the same text; a session that was forgotten since keeps its id."""
    own = opinion.id == opinion_id(opinion.bank, opinion.first)
    return replace(
        opinion,
        id=opinion_id(bank, opinion.first if own else opinion.id),
        bank=bank,
        facts=tuple(facts[fact] for fact in opinion.facts),
        steps=tuple(
            replace(
                step,
                fact=None if step.fact is None else facts[step.fact],
                source=None if step.source is None else sessions.get(step.source, step.source),
            )
            for step in opinion.steps
        ),
    )


def _observation(
    one: Observation, bank: str, facts: Mapping[str, str], entities: Mapping[str, str]
) -> Observation:
    """On the entity of the new id; a topic is named by the new id of the fact that named it."""
    subject = (entities if one.about == "entity" else facts).get(one.subject, one.subject)
    own = one.id == observation_id(one.bank, one.subject, one.text)
    return replace(
        one,
        id=observation_id(bank, subject, one.text if own else one.id),
        bank=bank,
        subject=subject,
        facts=tuple(facts[fact] for fact in one.facts),
    )


def _commitment(one: Commitment, bank: str, sessions: Mapping[str, str]) -> str:
    """From its action and what says when: its day, its condition, and the session that made it."""
    made_in = "" if one.source is None else one.source.session
    days = {"" if one.due is None else one.due.isoformat(), ""}
    for day, condition, apart in product(days, {one.condition or "", ""}, {made_in, ""}):
        was, now = (_when(day, condition, said_in) for said_in in (apart, sessions.get(apart, "")))
        if one.id == commitment_id(one.bank, one.action, was):
            return commitment_id(bank, one.action, now)
    return commitment_id(bank, one.id)


def _when(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _settler(one: Commitment, turns: Mapping[tuple[str, str], str]) -> str | None:
    """The new id of the turn that settled it; a turn that was forgotten since keeps its id."""
    return next((now for (_, was), now in turns.items() if was == one.closed_by), one.closed_by)


def _marks(tombstones: Sequence[str], turns: Mapping[tuple[str, str], str]) -> tuple[str, ...]:
    now: dict[str, list[str]] = {}
    for (_, was), turn in turns.items():
        now.setdefault(was, []).append(turn)
    return tuple(turn for mark in tombstones for turn in now.get(mark, [mark]))


def _source(source: Source, sessions: dict[str, str], turns: dict[tuple[str, str], str]) -> Source:
    said = tuple(turns.get((source.session, turn), turn) for turn in source.turns)
    return Source(sessions[source.session], said)
