"""Values as rows and rows as values: lists of ids, facts with their sources."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from forethought.memory.records.columns import dimension_columns, fact_of, session_of, turn_of
from forethought.memory.records.values import content_of, day_text, stamp, stamp_or_none
from forethought.memory.types import Fact, Session, Turn
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

HOLDS = "+fact.date <= ?3 AND (fact.until IS NULL OR fact.until > ?3)"
"""The + keeps SQLite from the index by date, by which it would read a whole bank to check a few ids
(10,000 facts: 8 ms for .8)."""


def packed(items: Iterable[str]) -> str:
    """`items` as the JSON array that SQL unpacks with json_each, of any length."""
    items = list(items)
    if not storable("".join(items)).isascii():  # else all of them are as they should be
        items = [storable(item) for item in items]
    return json.dumps(items, ensure_ascii=False)


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
        *dimension_columns(fact).values(),
    )


def fact_from(row: sqlite3.Row) -> Fact:
    """The fact of a row that has the columns `FACT`."""
    return fact_of(
        row,
        bank=row["bank"],
        entities=json.loads(row["entities"]),
        said=json.loads(row["sources"]),
        foreseen=bool(row["foreseen"]),
    )


def id_from(row: sqlite3.Row) -> str:
    """The id of a row."""
    return str(row["id"])


def session_from(row: sqlite3.Row) -> Session:
    """The session of a row of its table."""
    return session_of(row, bank=row["bank"])


def turn_from(row: sqlite3.Row) -> Turn:
    """The turn of a row of its table."""
    return turn_of(row, session=row["session"])
