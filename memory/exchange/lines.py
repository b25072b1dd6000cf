"""The lines of an exported bank, as the models that check what is read (docs/EXPORT.md)."""

from __future__ import annotations

from datetime import UTC, datetime
from datetime import date as Day
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from forethought.memory.beliefs.types import About, Verdict
from forethought.memory.types import (
    EntityKind,
    Joiner,
    Kind,
    LinkKind,
    Network,
    Role,
    Succession,
)
from forethought.memory.words import storable

FORMAT: Final = "forethought-bank"
VERSION: Final = 3
"""Raised when a line changes so that an older Forethought would read it wrongly.

Version 2 had no opinions and observations, version 1 no entities, mentions and links either; they
are read as banks without any.
"""

_BIGGEST = 2**63 - 1  # what every store's integers hold


def _faithful(text: str) -> str:
    if storable(text) != text:
        raise ValueError("text that can be stored, without NUL, was expected")
    return text


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("a text that is not blank was expected")
    return text


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("a year from 1 to 9999, in UTC too, was expected") from None


Text = Annotated[str, AfterValidator(_faithful)]
Said = Annotated[Text, AfterValidator(_said)]
Moment = Annotated[AwareDatetime, AfterValidator(_utc)]
Count = Annotated[int, Field(ge=0, le=_BIGGEST)]
Weight = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Line(BaseModel):
    """What all parts of a file have in common: no field unknown, none of another type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Counts1(Line):
    """How much follows in a file of version 1, so that one that was cut short is noticed."""

    sessions: Count
    turns: Count
    facts: Count
    cues: Count
    tombstones: Count


class Counts2(Counts1):
    """The same in version 2."""

    entities: Count
    mentions: Count
    links: Count


class Counts(Counts2):
    """The same in this version."""

    opinions: Count
    observations: Count


class Mark(BaseModel):
    """As much of a first line as tells whether, and by which version, the rest can be read."""

    format: Literal["forethought-bank"]
    version: int


class Header(Line):
    """The first line."""

    format: Literal["forethought-bank"]
    version: Literal[3]
    bank: Said
    counts: Counts


class Header1(Line):
    """The first line of a file of version 1."""

    format: Literal["forethought-bank"]
    version: Literal[1]
    bank: Said
    counts: Counts1


class Header2(Line):
    """The first line of a file of version 2."""

    format: Literal["forethought-bank"]
    version: Literal[2]
    bank: Said
    counts: Counts2


EARLIER: Final[dict[int, type[Header1 | Header2]]] = {1: Header1, 2: Header2}
"""The first lines of earlier versions."""


def as_now(earlier: Header1 | Header2) -> Header:
    """The same first line as of this version: of what there was not yet, there is none."""
    none = dict.fromkeys(Counts.model_fields, 0)
    counts = Counts(**{**none, **earlier.counts.model_dump()})
    return Header(format=FORMAT, version=VERSION, bank=earlier.bank, counts=counts)


class TurnPart(Line):
    """A turn; its place in the list is its position."""

    id: Said
    role: Role
    name: Text | None
    text: Said


class SessionLine(Line):
    """A session with its turns."""

    type: Literal["session"]
    id: Said
    key: Text
    date: Moment
    extracted: Count
    error: Text | None
    turns: tuple[TurnPart, ...]


class SourcePart(Line):
    """Where a fact was said."""

    session: Said
    turns: tuple[Said, ...]


class CuePart(Line):
    """A cue of the fact that it stands in."""

    position: Count
    text: Said


class FactLine(Line):
    """A fact, whether it holds or was replaced, with its provenance and its cues."""

    type: Literal["fact"]
    id: Said
    text: Said
    kind: Kind
    network: Network
    date: Moment
    occurred_from: Day | None
    occurred_to: Day | None
    entities: tuple[Text, ...]
    sources: tuple[SourcePart, ...]
    until: Moment | None
    successor: Said | None
    succession: Succession | None
    foreseen: bool
    cues: tuple[CuePart, ...]


class EntityLine(Line):
    """A name that facts mention, and what it was joined to."""

    type: Literal["entity"]
    id: Said
    name: Said
    kind: EntityKind
    first: Moment
    last: Moment
    into: Said | None
    joined_by: Joiner | None


class MentionLine(Line):
    """That a fact mentions an entity."""

    type: Literal["mention"]
    fact: Said
    entity: Said


class LinkLine(Line):
    """A link between two facts."""

    type: Literal["link"]
    source: Said
    target: Said
    kind: LinkKind
    weight: Weight


class StepPart(Line):
    """A step of the opinion that it stands in."""

    at: Moment
    verdict: Verdict
    before: Weight
    after: Weight
    text: Said
    fact: Said | None
    source: Said | None


class OpinionLine(Line):
    """What the assistant believes, and how it came to."""

    type: Literal["opinion"]
    id: Said
    first: Said
    initial: Weight
    formed: Moment
    text: Said
    confidence: Weight
    entities: tuple[Text, ...]
    facts: tuple[Said, ...]
    steps: tuple[StepPart, ...]


class ObservationPart(Line):
    """An observation on the subject that it stands in; its place in the list is its order."""

    id: Said
    about: About
    title: Text
    text: Said
    facts: tuple[Said, ...]
    made: Moment
    occurred_from: Day | None
    occurred_to: Day | None


class SubjectLine(Line):
    """A subject with the observations on it."""

    type: Literal["subject"]
    id: Said
    observations: tuple[ObservationPart, ...]


class TombstoneLine(Line):
    """The mark of something that was forgotten."""

    type: Literal["tombstone"]
    mark: Said


Tie = EntityLine | MentionLine | LinkLine
Belief = OpinionLine | SubjectLine
Following = SessionLine | FactLine | Tie | Belief | TombstoneLine
"""What may follow the first line."""

AnyLine = Annotated[Following, Field(discriminator="type")]
