"""The lines of an export after its first, as models that check what is read (docs/EXPORT.md)."""

from __future__ import annotations

from datetime import UTC, datetime
from datetime import date as Day
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from forethought.memory.beliefs.types import About, Verdict
from forethought.memory.dimensions import Certainty, Subjectivity, Tense
from forethought.memory.ledger.types import State
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


class ReminderPart(Line):
    """A cue of the commitment that it stands in."""

    position: Count
    text: Said


class CuePart(ReminderPart):
    """A cue of the fact that it stands in; `learned` is not in files of earlier versions."""

    learned: Moment | None = None


class DimensionsPart(Line):
    """How the fact that it stands in is to be taken."""

    tense: Tense | None
    subjectivity: Subjectivity | None
    certainty: Certainty | None


class FactLine(Line):
    """A fact, whether it holds or was replaced, with its provenance, its cues and its uses.

    `dimensions` and `uses` are not in files of earlier versions.
    """

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
    dimensions: DimensionsPart | None = None
    cues: tuple[CuePart, ...]
    uses: tuple[Day, ...] = ()


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


class CommitmentLine(Line):
    """Something to do, whether it is still open, with its provenance and its cues."""

    type: Literal["commitment"]
    id: Said
    action: Said
    made: Moment
    condition: Text | None
    due: Day | None
    status: State
    source: SourcePart | None
    facts: tuple[Said, ...]
    closed: Moment | None
    closed_by: Said | None
    told: Day | None
    foreseen: bool
    cues: tuple[ReminderPart, ...]


class TombstoneLine(Line):
    """The mark of something that was forgotten."""

    type: Literal["tombstone"]
    mark: Said


Tie = EntityLine | MentionLine | LinkLine
Belief = OpinionLine | SubjectLine
Following = SessionLine | FactLine | Tie | Belief | CommitmentLine | TombstoneLine
"""What may follow the first line."""

AnyLine = Annotated[Following, Field(discriminator="type")]
