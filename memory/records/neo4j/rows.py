"""Values as nodes and nodes as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from forethought.memory.conversations import embedded
from forethought.memory.records.columns import dimension_columns, fact_of, turn_of
from forethought.memory.records.neo4j.database import Row
from forethought.memory.records.neo4j.times import occurs
from forethought.memory.records.values import content_of, day_text, stamp, stamp_or_none
from forethought.memory.stretches import SOURCES
from forethought.memory.terms import terms
from forethought.memory.types import Fact, Turn

T = TypeVar("T")

_BATCH = 1000  # rows of one statement, whose parameters the server holds in its heap

FACT = """
    fact {
        .id, .text, .kind, .network, .date, .occurred_from, .occurred_to, .entities, .until,
        .successor, .succession, .unforeseen, .tense, .subjectivity, .certainty,
        sources: COLLECT { MATCH (fact)-[said:FROM]->(s:Session) RETURN [said.n, s.id, said.turn] }
    } AS fact
"""
"""What `fact_from` needs of a `fact`."""

ENTITY = """
    entity {
        .id, .name, .kind, .first, .last, .joined_by,
        joined_to: head(COLLECT { MATCH (entity)-[:SAME_AS]->(other:Entity) RETURN other.id })
    } AS entity
"""
"""What `columns.entity_of` needs of an `entity`."""

SESSION = "session {.id, .key, .date, .turns, .extracted, .error}"
"""What `columns.session_of` needs of a `session`."""

TURN = "turn {.id, .position, .role, .name, .text}"
"""What `columns.turn_of` needs of a `turn`."""

_COLUMNS = ("id", "position", "role", "name", "text")
COLUMNS_OF_TURN = ", ".join(f"turn.{name}" for name in _COLUMNS)
"""The same as values of a list, for `turn_in`: a name takes the driver as long as a value."""

EMBEDDED = f"role IN {list(SOURCES)}"
"""The `conversations.embedded` turns among those of the log, in which none is blank."""

FOUND = "words IS NOT NULL"
"""Turns that may be found: all but those that `hush` took the words from."""


# A statement keeps the plan that it got when it first came, while hardly anything was there: so one
# with a choice of indexes names its own. By that of dates, `holding` read every fact for each id.
SOME_FACTS = """
    UNWIND $ids AS id
    MATCH (fact:Fact {bank: $bank, id: id}) USING INDEX SEEK fact:Fact(bank, id)
"""
"""Each `fact` of those ids."""
HOLDS = "fact.date <= $now AND (fact.until IS NULL OR fact.until > $now)"
EVERY_FACT = """
    MATCH (fact:Fact) USING INDEX SEEK fact:Fact(bank, date, id)
    WHERE fact.bank = $bank AND fact.date IS NOT NULL AND fact.id IS NOT NULL
"""
"""Each `fact` of a bank; more conditions may follow."""


def turn_node(turn: Turn, before: Turn | None) -> dict[str, Any]:
    """The properties of a turn, found by its words and those of the turn before it."""
    words = turn_words(turn) if before is None else turn_words(before, turn)
    unindexed = True if embedded(turn.role, turn.text) else None
    return asdict(turn) | {"words": words, "unindexed": unindexed}


def turn_in(columns: Sequence[Any], *, session: str) -> Turn:
    """The turn of `COLUMNS_OF_TURN`."""
    return turn_of(dict(zip(_COLUMNS, columns, strict=True)), session=session)


def turn_words(*turns: Turn) -> str:
    """The words of these turns and of their speakers' names, for the index."""
    said = [f"{turn.name or ''} {turn.text}" for turn in turns]
    return " ".join(term for text in said for term in terms(text, alone=True))


def fact_node(fact: Fact, *, number: int) -> dict[str, Any]:
    """The properties of a new fact, unindexed and unforeseen, but for its bank."""
    content, holds = content_of(fact.text), fact.until is None
    at = occurs(fact)
    return {
        "n": number,
        "id": fact.id,
        "text": fact.text,
        "content": content,
        "held": content if holds else None,
        "at": at if holds else None,
        "ago": -at if holds else None,
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
        **dimension_columns(fact),
        "unindexed": True,
        "unforeseen": True,
    }


def fact_from(row: Row, bank: str) -> Fact:
    """The fact of a row that has `FACT`."""
    node = row["fact"]
    return fact_of(
        node,
        bank=bank,
        entities=node["entities"],
        said=node["sources"],
        foreseen=not node["unforeseen"],
    )


def listed(items: Iterable[str]) -> list[str]:
    """Each of `items` once, for an UNWIND."""
    return list(dict.fromkeys(items))


def batches(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """`items` in parts, each for one statement."""
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
