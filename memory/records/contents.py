"""A whole bank as one value, to be read, written elsewhere, and compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forethought.memory.beliefs.types import Observation, Opinion
from forethought.memory.ledger.types import Commitment, CommitmentCue
from forethought.memory.records.uses import Use
from forethought.memory.types import Cue, Entity, Fact, Link, Mention, Session, Turn

if TYPE_CHECKING:
    from forethought.memory.beliefs.profile import Profile


@dataclass(frozen=True, slots=True)
class Contents:
    """All that a bank holds, but for vectors, salience, other settings and what is to be purged.

    Two that `ordered` made are equal if and only if the banks are. `tombstones` are the marks of
    what was forgotten, as `Records.tombstones` gives them; a turn whose id is one is hushed.
    `profile` is the one that was set; it goes with the bank as a setting, not by `restore`.
    """

    bank: str
    sessions: tuple[Session, ...] = ()
    turns: tuple[Turn, ...] = ()
    facts: tuple[Fact, ...] = ()
    cues: tuple[Cue, ...] = ()
    tombstones: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    mentions: tuple[Mention, ...] = ()
    links: tuple[Link, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    observations: tuple[Observation, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    reminders: tuple[CommitmentCue, ...] = ()
    uses: tuple[Use, ...] = ()
    profile: Profile | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it, not even a tombstone."""
        said = self.sessions or self.facts or self.tombstones
        return not (said or self.opinions or self.observations or self.commitments)

    @property
    def counts(self) -> dict[str, int]:
        """How much of each there is."""
        names = (
            "sessions", "turns", "facts", "cues", "entities", "mentions", "links", "opinions",
            "observations", "commitments", "reminders", "uses", "tombstones",
        )  # fmt: skip
        return {name: len(getattr(self, name)) for name in names}

    @property
    def described(self) -> str:
        """The counts in words."""
        return ", ".join(f"{number} {what}" for what, number in self.counts.items())

    def ordered(self) -> Contents:
        """The same with everything in its place: by date and id, by position, by mark.

        Observations on one subject stay in their order.
        """
        sessions = sorted(self.sessions, key=lambda session: (session.date, session.id))
        place = {session.id: at for at, session in enumerate(sessions)}
        turns = sorted(self.turns, key=lambda turn: (place.get(turn.session, -1), turn.position))
        return Contents(
            self.bank,
            tuple(sessions),
            tuple(turns),
            tuple(sorted(self.facts, key=lambda fact: (fact.date, fact.id))),
            tuple(sorted(self.cues, key=lambda cue: (cue.fact, cue.position))),
            tuple(sorted(set(self.tombstones))),
            tuple(sorted(self.entities, key=lambda entity: (entity.name, entity.id))),
            tuple(sorted(self.mentions)),
            tuple(sorted(self.links)),
            tuple(sorted(self.opinions, key=lambda one: (one.formed, one.id))),
            tuple(sorted(self.observations, key=lambda one: one.subject)),
            tuple(sorted(self.commitments, key=lambda one: (one.made, one.id))),
            tuple(sorted(self.reminders, key=lambda cue: (cue.commitment, cue.position))),
            tuple(sorted(self.uses)),
            self.profile,
        )
