"""A MemoryQuest folder made ready: users, questions with their references, recorded replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import TypeVar

from forethought.evals.data import (
    CUES,
    LOOKUPS,
    PROSPECTIONS,
    FactCues,
    GivenFact,
    Lookup,
    Prospection,
    Query,
    User,
)
from forethought.evals.reading import files, read_json, read_lines
from forethought.memory import ids
from forethought.memory.conversations import Conversation
from forethought.memory.errors import InvalidInput
from forethought.memory.formats.files import read
from forethought.memory.types import Fact, Source

L = TypeVar("L", Prospection, FactCues, Lookup)


@dataclass(frozen=True, slots=True)
class Person:
    """One user: their conversations, and the facts and questions of the file.

    `facts` is empty where the file has none, as in the official ones: they must be extracted.
    """

    name: str
    path: Path
    conversations: tuple[Conversation, ...]
    user: User
    lookups: tuple[Lookup, ...]

    def facts(self) -> list[Fact]:
        """The given facts as if extracted from their sessions (the turns are not known)."""
        return [
            Fact(
                id=ids.fact_id(self.name, session, fact.info),
                bank=self.name,
                text=fact.info,
                kind=fact.type,
                date=fact.date,
                entities=fact.related_entities,
                sources=(Source(session),),
            )
            for fact in self.user.facts
            for session in [ids.session_id(self.name, f"{self.name}/{fact.session_id}")]
        ]


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of users with what was recorded beside them, None where a file is not there."""

    people: tuple[Person, ...]
    prospections: Mapping[str, Prospection] | None
    cues: Mapping[str, FactCues] | None
    lookups: bool


def read_folder(folder: Path) -> Folder:
    """Read every *.json file in `folder` as a user. Raises InvalidInput naming file and place."""
    lookups = _beside(folder / LOOKUPS, Lookup)
    people = tuple(_person(path, lookups or []) for path in files(folder))
    if not people:
        raise InvalidInput(f"{folder}: expected MemoryQuest users as *.json files, found none")
    prospections, cues = (
        _beside(folder / PROSPECTIONS, Prospection),
        _beside(folder / CUES, FactCues),
    )
    return Folder(
        people,
        None if prospections is None else {item.id: item for item in prospections},
        None if cues is None else {item.id: item for item in cues},
        lookups is not None,
    )


def _beside(path: Path, kind: type[L]) -> list[L] | None:
    return read_lines(path, kind) if path.exists() else None


def _person(path: Path, lookups: Sequence[Lookup]) -> Person:
    user = read_json(path, User)
    name = user.demographics.user_id or path.stem
    parsed = read(path, zone=UTC)
    for problem in parsed.problems:
        raise InvalidInput(str(problem))
    numbered = tuple(
        query if query.id else query.model_copy(update={"id": f"q{number}"})
        for number, query in enumerate(user.queries, start=1)
    )
    own = tuple(item for item in lookups if item.id.partition("/")[0] == name)
    user = user.model_copy(update={"queries": numbered})
    _check_references(path, user.facts, {f"queries, {query.id}": query for query in numbered})
    _check_references(path.parent / LOOKUPS, user.facts, {item.id: item for item in own})
    return Person(name, path, parsed.conversations, user, own)


def _check_references(
    path: Path, facts: Sequence[GivenFact], asked: Mapping[str, Query | Lookup]
) -> None:
    known = {fact.id for fact in facts}
    for place, question in asked.items():
        for reference in question.needed_references:
            if isinstance(reference, str) and reference not in known:
                raise InvalidInput(
                    f"{path}: {place}: needed_references: expected the id of a fact of the user, "
                    f"found {reference!r}"
                )
