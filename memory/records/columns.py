"""Values out of what a store returns by the names of its columns, whichever store it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Protocol

from forethought.memory.dimensions import Dimensions
from forethought.memory.records.paths import name_marks
from forethought.memory.records.plan import Version
from forethought.memory.records.values import day_from, moment_or_none, stamp, stamp_or_none
from forethought.memory.types import Cue, Entity, Fact, Link, Session, Source, Turn


class Columns(Protocol):
    """A row of a table, or the properties of a node."""

    def __getitem__(self, name: str, /) -> Any:
        """The value under this name."""


def fact_of(
    columns: Columns, *, bank: str, entities: Sequence[str], said: Iterable[list[Any]],
    foreseen: bool,
) -> Fact:  # fmt: skip
    """A fact; `said` has a number that orders it, a session and a turn ("" for none) each."""
    sources = _sources(said)
    return Fact(
        id=columns["id"],
        bank=bank,
        text=columns["text"],
        kind=columns["kind"],
        network=columns["network"],
        date=datetime.fromisoformat(columns["date"]),
        occurred_from=day_from(columns["occurred_from"]),
        occurred_to=day_from(columns["occurred_to"]),
        entities=tuple(entities),
        sources=sources,
        frequency=max(1, len(sources)),  # derived, so that a retry never counts twice
        until=moment_or_none(columns["until"]),
        successor=columns["successor"],
        succession=columns["succession"],
        foreseen=foreseen,
        dimensions=dimensions_of(columns["tense"], columns["subjectivity"], columns["certainty"]),
    )


@lru_cache(maxsize=64)  # there are 36, and a recall reads those of some 200 facts
def dimensions_of(tense: Any, subjectivity: Any, certainty: Any) -> Dimensions:
    """The dimensions of a fact."""
    return Dimensions(tense, subjectivity, certainty)


def dimension_columns(fact: Fact) -> dict[str, str | None]:
    """What is kept of a fact's dimensions."""
    of = fact.dimensions
    return {"tense": of.tense, "subjectivity": of.subjectivity, "certainty": of.certainty}


def session_of(columns: Columns, *, bank: str) -> Session:
    """A session of `bank`."""
    return Session(
        id=columns["id"],
        bank=bank,
        key=columns["key"],
        date=datetime.fromisoformat(columns["date"]),
        turns=columns["turns"],
        extracted=columns["extracted"],
        error=columns["error"],
    )


def turn_of(columns: Columns, *, session: str) -> Turn:
    """A turn of `session`."""
    return Turn(
        id=columns["id"],
        session=session,
        position=columns["position"],
        role=columns["role"],
        text=columns["text"],
        name=columns["name"],
    )


def cue_of(columns: Columns) -> Cue:
    """A cue."""
    return Cue(
        fact=columns["fact"],
        position=columns["position"],
        text=columns["text"],
        learned=moment_or_none(columns["learned"]),
    )


def cue_columns(cue: Cue) -> dict[str, str | int | None]:
    """What is kept of a cue."""
    return {
        "fact": cue.fact,
        "position": cue.position,
        "id": cue.id,
        "text": cue.text,
        "learned": stamp_or_none(cue.learned, of=f"cue {cue.id}"),
    }


def entity_of(columns: Columns, *, bank: str) -> Entity:
    """An entity of `bank`. `into` is called `joined_to` there, INTO being a word of SQL's own."""
    return Entity(
        id=columns["id"],
        bank=bank,
        name=columns["name"],
        kind=columns["kind"],
        first=datetime.fromisoformat(columns["first"]),
        last=datetime.fromisoformat(columns["last"]),
        into=columns["joined_to"],
        joined_by=columns["joined_by"],
    )


def entity_columns(entity: Entity) -> dict[str, str | None]:
    """What is kept of an entity; `key` is the `name_key` that it is found by."""
    return {
        "id": entity.id,
        "name": entity.name,
        "key": name_marks(entity.name)[0],
        "kind": entity.kind,
        "first": stamp(entity.first, of=f"entity {entity.id}"),
        "last": stamp(entity.last, of=f"entity {entity.id}"),
        "joined_to": entity.into,
        "joined_by": entity.joined_by,
    }


def link_of(columns: Columns) -> Link:
    """A link."""
    return Link(columns["source"], columns["target"], columns["kind"], columns["weight"])


def version_of(columns: Columns) -> Version:
    """As much of a fact as planning a commit needs."""
    return Version(
        content=columns["content"],
        date=datetime.fromisoformat(columns["date"]),
        until=moment_or_none(columns["until"]),
        successor=columns["successor"],
        succession=columns["succession"],
    )


def version_columns(fact: str, version: Version) -> dict[str, str | None]:
    """What a commit may change of a stored fact."""
    return {
        "date": stamp(version.date, of=f"fact {fact}"),
        "until": stamp_or_none(version.until, of=f"fact {fact}"),
        "successor": version.successor,
        "succession": version.succession,
    }


def _sources(said: Iterable[list[Any]]) -> tuple[Source, ...]:
    """One source for each session, in the order in which they came."""
    turns: dict[str, list[str]] = {}
    for _, session, turn in sorted(said):
        turns.setdefault(session, []).extend([turn] if turn else [])
    return tuple(Source(session, tuple(ids)) for session, ids in turns.items())
