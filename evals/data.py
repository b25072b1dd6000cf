"""MemoryQuest, mini and official, as it lies on disk: users, queries and recorded replies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from forethought.evals.reading import Asked, Given, Said
from forethought.prompts.prompt import FactKind
from forethought.prompts.prospection import TreeStep

PROSPECTIONS = "prospections.jsonl"
CUES = "cues.jsonl"
LOOKUPS = "lookups.jsonl"


class Demographics(Given):
    """Who the user is; the official files may leave the id to the file's name."""

    user_id: str | None = None


class GivenFact(Given):
    """A hand-written fact of the mini set, from the session `session_id`."""

    id: str
    info: Annotated[str, Field(min_length=1)]
    type: FactKind
    related_entities: tuple[str, ...] = ()
    session_id: str
    date: Said


class Query(Given):
    """A request that needs planning, and the references that help with it.

    References are ids of facts (mini) or dated texts (official).
    """

    id: str = ""
    date: Asked
    query: Annotated[str, Field(min_length=1)]
    needed_references: Annotated[tuple[str | tuple[str, str], ...], Field(min_length=1)]


class User(Given):
    """One user's file; official ones have no `facts`. Sessions are read by `memory.formats`."""

    demographics: Demographics = Demographics()
    facts: tuple[GivenFact, ...] = ()
    queries: Annotated[tuple[Query, ...], Field(min_length=1)]


class Prospection(Given):
    """The recorded trees of one query (`id` is user/query): imagined, then refined by facts."""

    id: str
    phase1: tuple[TreeStep, ...]
    phase2: tuple[TreeStep, ...] = ()


class FactCues(Given):
    """The recorded cues of one fact (`id` is user/fact)."""

    id: str
    cues: tuple[str, ...]


class Lookup(Given):
    """A question that one or two facts answer (`id` is user/number)."""

    id: str
    query: Annotated[str, Field(min_length=1)]
    needed_references: Annotated[tuple[str, ...], Field(min_length=1)]
