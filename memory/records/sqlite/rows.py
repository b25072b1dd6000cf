"""Values as rows and rows as values: lists of ids, facts with their sources."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from datetime import datetime

from forethought.memory.records.values import (
    content_of,
    day_from,
    day_text,
    moment_or_none,
    stamp,
    stamp_or_none,
)
from forethought.memory.types import Cue, Fact, Session, Source, Turn
from forethought.memory.words import storable

FACT = """
    fact.*, (
        SELECT json_group_array(json_array(source.n, source.session, source.turn))
        FROM source WHERE source.bank = fact.bank AND source.fact = fact.id
    ) AS sources
"""
"""The columns that `fact_from` needs; one statement, so that a fact never lacks its sources."""

LISTED = "(SELECT value FROM json_each(?2))"
"""What `packed` packed into `?2`, for an IN of any length."""


def packed(items: Iterable[str]) -> str:
    """`items` as the JSON array that SQL unpacks with json_each, of any length."""
    return json.dumps([storable(item) for item in items], ensure_ascii=False)


def fact_row(fact: Fact) -> tuple[str | None, ...]:
    """The columns of a new fact, in the order in which `commit` inserts them."""
    return (
        fact.id,
        fact.text,
        content_of(fact.text),
        fact.kind,
        fact.network,
        stamp(fact.date, of=f"fact {fact.id}"),
        day_text(fact.occurred_from),
        day_text(fact.occurred_to),
        packed(fact.entities),
        stamp_or_none(fact.until, of=f"fact {fact.id}"),
        fact.successor,
        fact.succession,
    )


def fact_from(row: sqlite3.Row) -> Fact:
    """The fact of a row that has the columns `FACT`."""
    sources = _sources(row["sources"])
    return Fact(
        id=row["id"],
        bank=row["bank"],
        text=row["text"],
        kind=row["kind"],
        network=row["network"],
        date=datetime.fromisoformat(row["date"]),
        occurred_from=day_from(row["occurred_from"]),
        occurred_to=day_from(row["occurred_to"]),
        entities=tuple(json.loads(row["entities"])),
        sources=sources,
        frequency=max(1, len(sources)),  # derived, so that a retry never counts twice
        until=moment_or_none(row["until"]),
        successor=row["successor"],
        succession=row["succession"],
        foreseen=bool(row["foreseen"]),
    )


def id_from(row: sqlite3.Row) -> str:
    """The id of a row."""
    return str(row["id"])


def session_from(row: sqlite3.Row) -> Session:
    """The session of a row of its table."""
    return Session(
        id=row["id"],
        bank=row["bank"],
        key=row["key"],
        date=datetime.fromisoformat(row["date"]),
        turns=row["turns"],
        extracted=row["extracted"],
        error=row["error"],
    )


def turn_from(row: sqlite3.Row) -> Turn:
    """The turn of a row of its table."""
    return Turn(
        id=row["id"],
        session=row["session"],
        position=row["position"],
        role=row["role"],
        text=row["text"],
        name=row["name"],
    )


def cue_from(row: sqlite3.Row) -> Cue:
    """The cue of a row of its table."""
    return Cue(fact=row["fact"], position=row["position"], text=row["text"])


def _sources(packed_rows: str) -> tuple[Source, ...]:
    """One source for each session, in the order in which they came."""
    turns: dict[str, list[str]] = {}
    for _, session, turn in sorted(json.loads(packed_rows)):
        turns.setdefault(session, []).extend([turn] if turn else [])
    return tuple(Source(session, tuple(ids)) for session, ids in turns.items())
