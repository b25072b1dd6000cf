"""The lines of an exported bank, as the models that check what is read (docs/EXPORT.md)."""

from __future__ import annotations

from datetime import UTC, datetime
from datetime import date as Day
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

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
VERSION: Final = 2
"""Raised when a line changes so that an older Forethought would read it wrongly.

Version 1 had no entities, mentions and links; it is read as a bank without any.
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


class Counts(Line):
    """How much follows, so that a file that was cut short is noticed."""

    sessions: Count
    turns: Count
    facts: Count
    cues: Count
    entities: Count
    mentions: Count
    links: Count
    tombstones: Count


class EarlierCounts(Line):
    """The same in version 1."""

    sessions: Count
    turns: Count
    facts: Count
    cues: Count
    tombstones: Count


class Mark(BaseModel):
    """As much of a first line as tells whether, and by which version, the rest can be read."""

    format: Literal["forethought-bank"]
    version: int


class Header(Line):
    """The first line."""

    format: Literal["forethought-bank"]
    version: Literal[2]
    bank: Said
    counts: Counts


class EarlierHeader(Line):
    """The first line of a file of version 1."""

    format: Literal["forethought-bank"]
    version: Literal[1]
    bank: Said
    counts: EarlierCounts

    @property
    def now(self) -> Header:
        """The same as of this version."""
        counts = Counts(**self.counts.model_dump(), entities=0, mentions=0, links=0)
        return Header(format=self.format, version=VERSION, bank=self.bank, counts=counts)


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


class TombstoneLine(Line):
    """The mark of something that was forgotten."""

    type: Literal["tombstone"]
    mark: Said


Following = SessionLine | FactLine | EntityLine | MentionLine | LinkLine | TombstoneLine
"""What may follow the first line."""

AnyLine = Annotated[Following, Field(discriminator="type")]
