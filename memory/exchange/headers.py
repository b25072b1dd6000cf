"""The first line of an exported bank, of this version and of earlier ones (docs/EXPORT.md)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field

from forethought.memory.beliefs.profile import MOST_BACKGROUND, MOST_NAME
from forethought.memory.exchange.lines import Count, Line, Said, Text, Weight

FORMAT: Final = "forethought-bank"
VERSION: Final = 4
"""Raised when a line changes so that an older Forethought would read it wrongly.

Version 3 had no dimensions and uses of facts, version 2 no opinions, observations, commitments and
learned cues either, version 1 no entities, mentions and links; they are read as banks without any.
"""


Trait = Annotated[int, Field(ge=1, le=5)]


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


class Counts3(Counts2):
    """The same in version 3."""

    opinions: Count
    observations: Count
    commitments: Count
    reminders: Count


class Counts(Counts3):
    """The same in this version."""

    uses: Count


class Mark(BaseModel):
    """As much of a first line as tells whether, and by which version, the rest can be read."""

    format: Literal["forethought-bank"]
    version: int


class ProfilePart(Line):
    """Who the assistant is to the bank (`beliefs/profile.py`)."""

    name: Annotated[Text, Field(max_length=MOST_NAME)]
    skepticism: Trait
    literalism: Trait
    empathy: Trait
    bias: Weight
    background: Annotated[Text, Field(max_length=MOST_BACKGROUND)]


class Header(Line):
    """The first line; `profile` is null for a bank that has the default one."""

    format: Literal["forethought-bank"]
    version: Literal[4]
    bank: Said
    counts: Counts
    profile: ProfilePart | None


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


class Header3(Line):
    """The first line of a file of version 3."""

    format: Literal["forethought-bank"]
    version: Literal[3]
    bank: Said
    counts: Counts3
    profile: ProfilePart | None


Earlier = Header1 | Header2 | Header3

EARLIER: Final[dict[int, type[Earlier]]] = {1: Header1, 2: Header2, 3: Header3}
"""The first lines of earlier versions."""


def as_now(earlier: Earlier) -> Header:
    """The same first line as of this version: of what there was not yet, there is none."""
    none = dict.fromkeys(Counts.model_fields, 0)
    counts = Counts(**{**none, **earlier.counts.model_dump()})
    profile = earlier.profile if isinstance(earlier, Header3) else None
    return Header(format=FORMAT, version=VERSION, bank=earlier.bank, counts=counts, profile=profile)
