"""Values as rows and rows as values: aware UTC dates, lists of ids, facts with their sources."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from datetime import UTC, date, datetime

from forethought.memory.errors import InvalidInput
from forethought.memory.ids import content_hash, same_text
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

_CONTENT_DIGITS = 32  # an identity, not a name: a clash would merge two unrelated facts


def content_of(text: str) -> str:
    """What makes two facts of a bank the same one: a hash of their text by `ids.same_text`."""
    return content_hash(same_text(text), length=_CONTENT_DIGITS)


def stamp(moment: datetime, *, of: str) -> str:
    """`moment` in UTC, as text of fixed width that sorts by time. Raises InvalidInput if naive."""
    if moment.utcoffset() is None:
        raise InvalidInput(
            f"the date {moment.isoformat()} of {of} has no time zone: "
            "make it aware first, in the bank's time zone"
        )
    try:
        return moment.astimezone(UTC).isoformat(timespec="microseconds")
    except OverflowError as error:
        raise InvalidInput(
            f"the date {moment.isoformat()} of {of} is out of range: give a year from 1 to 9999"
        ) from error


def stamp_or_none(moment: datetime | None, *, of: str) -> str | None:
    """`stamp`, where there is a moment."""
    return None if moment is None else stamp(moment, of=of)


def packed(items: Iterable[str]) -> str:
    """`items` as the JSON array that SQL unpacks with json_each, of any length."""
    return json.dumps([storable(item) for item in items], ensure_ascii=False)


def at_most(limit: int) -> int:
    """`limit` as SQL takes it: in SQL a negative one would mean no limit."""
    return max(0, min(limit, 2**63 - 1))


def fact_row(fact: Fact) -> tuple[str | None, ...]:
    """The columns of a new fact, in the order in which `commit` inserts them."""
    return (
        fact.id,
        fact.text,
        content_of(fact.text),
        fact.kind,
        fact.network,
        stamp(fact.date, of=f"fact {fact.id}"),
        _day_text(fact.occurred_from),
        _day_text(fact.occurred_to),
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
        occurred_from=_day(row["occurred_from"]),
        occurred_to=_day(row["occurred_to"]),
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


def moment_or_none(text: str | None) -> datetime | None:
    """What `stamp_or_none` wrote."""
    return None if text is None else datetime.fromisoformat(text)


def _sources(packed_rows: str) -> tuple[Source, ...]:
    """One source for each session, in the order in which they came."""
    turns: dict[str, list[str]] = {}
    for _, session, turn in sorted(json.loads(packed_rows)):
        turns.setdefault(session, []).extend([turn] if turn else [])
    return tuple(Source(session, tuple(ids)) for session, ids in turns.items())


def _day_text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()[:10]  # a datetime is a date, too


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
