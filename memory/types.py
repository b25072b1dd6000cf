"""The words of the domain as values (DESIGN §2): turns, sessions, facts, cues and hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date as Day
from datetime import datetime
from typing import Literal, NamedTuple

from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.when import Span

Role = Literal["user", "assistant", "system", "tool"]
Kind = Literal["Identity", "Preference", "Goal", "Interest", "Activity", "Event"]
Network = Literal["world", "experience"]
"""Of a fact: what is so, or what the assistant did. Opinions and observations are no facts
(`memory/beliefs/types.py`)."""
SessionStatus = Literal["pending", "extracted", "failed"]
Succession = Literal["update", "merge"]
EntityKind = Literal["PERSON", "ORGANIZATION", "LOCATION", "PRODUCT", "CONCEPT", "OTHER"]
Joiner = Literal["rule", "user"]
LinkKind = Literal["temporal", "semantic", "causes", "enables", "prevents"]
EdgeKind = Literal["entity", "temporal", "semantic", "causes", "caused_by", "enables", "prevents"]
Part = Literal["text", "cue", "turn", "opinion", "observation", "reminder"]
"""What a vector stands for: a fact's text (what it says), one of its cues (when it matters), a turn
of the log, an opinion, an observation, or a cue of a commitment."""

ENTITY_KINDS: tuple[EntityKind, ...] = (
    "PERSON", "ORGANIZATION", "LOCATION", "PRODUCT", "CONCEPT", "OTHER",
)  # fmt: skip
KINDS: tuple[Kind, ...] = ("Identity", "Preference", "Goal", "Interest", "Activity", "Event")


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance in the log. `position` counts from 0 within its session."""

    id: str
    session: str
    position: int
    role: Role
    text: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """One dated conversation in the log.

    `key` is the caller's own name for it, `date` is aware UTC. `turns` counts its turns,
    `extracted` how many of the first of them have been turned into facts; `error` says why
    the next ones could not be.
    """

    id: str
    bank: str
    key: str
    date: datetime
    turns: int
    extracted: int
    error: str | None = None

    @property
    def status(self) -> SessionStatus:
        """Whether its turns are all extracted, still pending, or quarantined after a failure."""
        if self.extracted >= self.turns:
            return "extracted"
        return "failed" if self.error else "pending"


@dataclass(frozen=True, slots=True)
class Placed:
    """A turn in its place in the log: with its session's `key` and `date`."""

    turn: Turn
    key: str
    date: datetime


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact was said: a session and the ids of the turns that support it."""

    session: str
    turns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A self-contained statement with provenance, in one of two networks.

    `date` (aware UTC) is when it was last said; `occurred_from`/`occurred_to` when it happened,
    where that is known. From `until` on it is no longer so, because `successor` updated it or
    was merged from it. `frequency` counts the sessions that support it.
    """

    id: str
    bank: str
    text: str
    kind: Kind
    date: datetime
    network: Network = "world"
    occurred_from: Day | None = None
    occurred_to: Day | None = None
    entities: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    frequency: int = 1
    until: datetime | None = None
    successor: str | None = None
    succession: Succession | None = None
    foreseen: bool = False
    dimensions: Dimensions = UNSAID

    def holds(self, now: datetime) -> bool:
        """Whether it had been said by `now` and had not been replaced by then."""
        return self.date <= now and (self.until is None or self.until > now)


@dataclass(frozen=True, slots=True)
class Entity:
    """One name that facts mention, and what it has been found to be a name of.

    `into` is the entity that it was joined to, so that an entity and those joined to it (over any
    number of steps) are one: its root's name is the canonical one, the others are aliases. Mentions
    keep the entity that they were said of, so that a joining can be undone exactly. `joined_by`
    says who decided last: the rule of resolution, or the user, whose decision (joined, or kept
    apart with `into` None) the rule leaves alone. `first` and `last` (aware UTC) are the dates of
    the earliest and latest fact that mentions it.
    """

    id: str
    bank: str
    name: str
    kind: EntityKind
    first: datetime
    last: datetime
    into: str | None = None
    joined_by: Joiner | None = None


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """That a fact mentions an entity, by that entity's own name."""

    fact: str
    entity: str


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """A weighted link between two facts, `weight` in [0, 1] (Hindsight §4.1.4).

    Temporal and semantic links have no direction: `source` is the smaller id. "b caused by a" is
    kept as "a causes b".
    """

    source: str
    target: str
    kind: LinkKind
    weight: float


class Edge(NamedTuple):
    """A way from one fact to another, over a link in either direction or an entity in between.

    A tuple, as one recall makes hundreds and a dataclass takes longer to make.
    `entity` is the root of the entity that both mention, where the kind is "entity".
    """

    fact: str
    kind: EdgeKind
    weight: float
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The day on which a fact was last said, and the days on which it happened, where known."""

    fact: str
    said: Day
    happened: Span | None = None


LEARNED = 100
"""Positions of cues from here on were learned from use; at most twelve are imagined (`Context`)."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A later request, imagined when `fact` was learned, in which it would matter.

    Or one that was made, and whose answer cited the fact: then `learned` (aware UTC) is when, and
    its position is from LEARNED on.
    """

    fact: str
    position: int
    text: str
    learned: datetime | None = None

    @property
    def id(self) -> str:
        """Names its fact, so that a hit on the cue is a hit on the fact without a look-up."""
        return f"{self.fact}:{self.position}"

    @property
    def told(self) -> str:
        """How it found its fact, in words to the user."""
        return f"you {'may one day ask' if self.learned is None else 'asked before'}: {self.text}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A fact that recall found, with every score that ranked it.

    `score` is the final, comparable-within-one-result score. `terms` holds the score of each
    channel or term by name (cosines in [-1, 1], standardised scores in standard deviations).
    `ranks` has its place, from 1, in each channel that found it. `found_by` says in words which
    probe or cue found it; `cue` is that cue's text, if a cue did.
    """

    fact: Fact
    score: float
    terms: dict[str, float] = field(default_factory=dict)
    found_by: str = "query"
    cue: str | None = None
    ranks: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of the log that recall found, with the `key` and `date` of its session.

    `score` is the sum of `terms`, in standard deviations over the log; `ranks` as of a `Hit`.
    `facts` are the ids of those that it supports and that hold.
    """

    turn: Turn
    key: str
    date: datetime
    score: float
    terms: dict[str, float] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    facts: tuple[str, ...] = ()


Ids = str | Sequence[str]
"""What names one of a sort, or several."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How much a `forget` removed, per store."""

    sessions: int = 0
    turns: int = 0
    facts: int = 0
    cues: int = 0
    entities: int = 0
    vectors: int = 0
    runs: int = 0
    opinions: int = 0
    observations: int = 0
    commitments: int = 0


@dataclass(frozen=True, slots=True)
class BankSummary:
    """What one bank holds, in counts: `facts` that hold, and those `replaced` since.

    `pending` and `failed` count sessions, `unforeseen` facts that hold, `unindexed` all (facts,
    cues, turns and so on) whose vectors the index lacks, `entities` those that are not joined to
    another.
    """

    bank: str
    sessions: int
    turns: int
    pending: int
    failed: int
    facts: int
    replaced: int
    cues: int
    unforeseen: int
    unindexed: int
    entities: int = 0
    links: int = 0
    opinions: int = 0
    observations: int = 0
    commitments: int = 0


def fact_ids(facts: Sequence[Fact]) -> list[str]:
    """Ids of `facts`, in order."""
    return [fact.id for fact in facts]
