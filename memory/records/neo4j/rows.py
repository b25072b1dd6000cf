"""Values as nodes and nodes as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from forethought.memory.records.neo4j.database import Row
from forethought.memory.records.neo4j.terms import terms
from forethought.memory.records.values import (
    content_of,
    day_from,
    day_text,
    moment_or_none,
    stamp,
    stamp_or_none,
)
from forethought.memory.types import Cue, Fact, Session, Source, Turn

FACT = """
    fact {
        .id, .text, .kind, .network, .date, .occurred_from, .occurred_to, .entities, .until,
        .successor, .succession, .unforeseen,
        sources: COLLECT { MATCH (fact)-[said:FROM]->(s:Session) RETURN [said.n, s.id, said.turn] }
    } AS fact
"""
"""What `fact_from` needs of a `fact`."""

SESSION = "session {.id, .key, .date, .turns, .extracted, .error} AS session"
"""What `session_from` needs of a `session`."""


TURN = "turn {.id, .position, .role, .name, .text} AS turn"
"""What `turn_from` needs of a `turn`, beside its session."""


def turn_node(turn: Turn, before: Turn | None) -> dict[str, Any]:
    """The properties of a turn, found by its words and those of the turn before it."""
    said = [f"{one.name or ''} {one.text}" for one in (before, turn) if one is not None]
    words = " ".join(term for text in said for term in terms(text, alone=True))
    return asdict(turn) | {"words": words}


def fact_node(fact: Fact, *, number: int) -> dict[str, Any]:
    """The properties of a new fact, unindexed and unforeseen, but for its bank."""
    content = content_of(fact.text)
    return {
        "n": number,
        "id": fact.id,
        "text": fact.text,
        "content": content,
        "held": content if fact.until is None else None,
        "words": " ".join(terms(fact.text, alone=True)),
        "kind": fact.kind,
        "network": fact.network,
        "date": stamp(fact.date, of=f"fact {fact.id}"),
        "occurred_from": day_text(fact.occurred_from),
        "occurred_to": day_text(fact.occurred_to),
        "entities": list(fact.entities),
        "until": stamp_or_none(fact.until, of=f"fact {fact.id}"),
        "successor": fact.successor,
        "succession": fact.succession,
        "unindexed": True,
        "unforeseen": True,
    }


def fact_from(row: Row, bank: str) -> Fact:
    """The fact of a row that has `FACT`."""
    node = row["fact"]
    sources = _sources(node["sources"])
    return Fact(
        id=node["id"],
        bank=bank,
        text=node["text"],
        kind=node["kind"],
        network=node["network"],
        date=datetime.fromisoformat(node["date"]),
        occurred_from=day_from(node["occurred_from"]),
        occurred_to=day_from(node["occurred_to"]),
        entities=tuple(node["entities"]),
        sources=sources,
        frequency=max(1, len(sources)),  # derived, so that a retry never counts twice
        until=moment_or_none(node["until"]),
        successor=node["successor"],
        succession=node["succession"],
        foreseen=not node["unforeseen"],
    )


def session_from(row: Row, bank: str) -> Session:
    """The session of a row that has `SESSION`."""
    node = row["session"]
    return Session(
        id=node["id"],
        bank=bank,
        key=node["key"],
        date=datetime.fromisoformat(node["date"]),
        turns=node["turns"],
        extracted=node["extracted"],
        error=node["error"],
    )


def turn_from(row: Row) -> Turn:
    """The turn of a row that has its properties as `turn`, and its `session`."""
    node = row["turn"]
    return Turn(
        id=node["id"],
        session=row["session"],
        position=node["position"],
        role=node["role"],
        text=node["text"],
        name=node.get("name"),
    )


def cue_from(row: Row) -> Cue:
    """The cue of a row that has its properties as `cue`."""
    node = row["cue"]
    return Cue(fact=node["fact"], position=node["position"], text=node["text"])


def listed(items: Iterable[str]) -> list[str]:
    """Each of `items` once, for an UNWIND."""
    return list(dict.fromkeys(items))


def _sources(said: list[list[Any]]) -> tuple[Source, ...]:
    """One source for each session, in the order in which they came."""
    turns: dict[str, list[str]] = {}
    for _, session, turn in sorted(said):
        turns.setdefault(session, []).extend([turn] if turn else [])
    return tuple(Source(session, tuple(ids)) for session, ids in turns.items())
