"""What one step of retain wants written, as one value that Records applies in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime

from forethought.memory.ledger.types import Commitment, Settlement
from forethought.memory.types import (
    Entity,
    Fact,
    Link,
    Mention,
    Part,
    Session,
    Source,
    Succession,
)


@dataclass(frozen=True, slots=True)
class Repeat:
    """An existing fact said again: its provenance grows, its text stays."""

    fact: str
    source: Source
    date: datetime


@dataclass(frozen=True, slots=True)
class Replacement:
    """`old` is no longer so from `at` on, because `new` updates it or was merged from it."""

    old: str
    new: str
    at: datetime
    how: Succession


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a session's turns have been extracted, or the error that stopped it there."""

    session: str
    extracted: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Facts, repeats, replacements, and their graph, of one bank: written together or not at all.

    Applying it twice is the same as applying it once. `entities` are new ones, or known ones that
    are joined by the rule; one that is known already keeps its name, its kind and what the user
    decided of it. Mentions and links may name facts of this ChangeSet and stored ones; what names
    a fact or an entity that is not there (refused, forgotten) is left out, and so is a new entity
    that nothing mentions. Commitments and what settles them are as of `Ledger.undertake` and
    `Ledger.settle`, after the facts; a fact that they concern and that is kept as another counts as
    that one, and a commitment that concerns a refused one is left out, too: it says the same.
    """

    bank: str
    facts: tuple[Fact, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    progress: tuple[Progress, ...] = ()
    entities: tuple[Entity, ...] = ()
    mentions: tuple[Mention, ...] = ()
    links: tuple[Link, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    settlements: tuple[Settlement, ...] = ()

    @property
    def named(self) -> set[str]:
        """Ids of the facts that it names."""
        ids = {fact.id for fact in self.facts} | {repeat.fact for repeat in self.repeats}
        ids |= {mention.fact for mention in self.mentions}
        ids = ids.union(*(one.facts for one in self.commitments))
        ids = ids.union(*((link.source, link.target) for link in self.links))
        return ids.union(*((change.old, change.new) for change in self.replacements))

    @property
    def named_entities(self) -> set[str]:
        """Ids of the entities that it names."""
        ids = {mention.entity for mention in self.mentions} | {one.id for one in self.entities}
        return ids | {one.into for one in self.entities if one.into is not None}

    @property
    def supporting(self) -> set[str]:
        """Ids of the sessions that support its facts: each is logged, or was forgotten."""
        ids = {source.session for fact in self.facts for source in fact.sources}
        return ids | {repeat.source.session for repeat in self.repeats}


@dataclass(frozen=True, slots=True)
class Committed:
    """What a commit did: ids by outcome, those of `repeated` and `replaced` as they are stored.

    `refused` were forgotten before and stay so, or are blank.
    """

    new: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Logged:
    """What logging one did: `new`, `extended`, `known`, `empty`, `differs` or `forgotten`."""

    key: str
    outcome: str
    session: Session | None = None


@dataclass(frozen=True, slots=True)
class Unindexed:
    """A vector that the index lacks: what it stands for, the id under which, and what to embed.

    `date` is that of the fact, of the cue's fact (or when the cue was learned, if that is later),
    or of the turn's session.
    """

    id: str
    part: Part
    text: str
    date: datetime


@dataclass(frozen=True, slots=True)
class Purge:
    """What a forget took out of Records, and the vectors the index must still drop."""

    facts: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    sessions: int = 0
    turns: int = 0
    entities: int = 0
    opinions: int = 0
    observations: int = 0
    commitments: int = 0
    revived: tuple[str, ...] = ()

    def plus(self, more: Purge) -> Purge:
        """These and those of another forget."""
        return Purge(*(getattr(self, at.name) + getattr(more, at.name) for at in fields(Purge)))
