"""A bank of nothing but entities, in which sessions name people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from forethought.memory.entities.resolution import Known, Resolved, Said, Stretch, resolve
from forethought.memory.ids import entity_id
from forethought.memory.types import Entity, EntityKind, Mention

FIRST_DAY = datetime(2025, 5, 1, tzinfo=UTC)
BANK = "ann"

Names = Sequence[str]
"""The names of one fact."""

DOUBTED_AFTERWARDS: dict[str, list[tuple[int, list[list[str]]]]] = {
    "a name that was new": [
        (0, [["Ana"]]),
        (0, [["Ana Ruiz"]]),
        (0, [["my boss Ana", "Bruno"]]),
        (0, [["my sister Ana", "Ana R."]]),
        (0, [["my sister Ana"], ["Ruiz"]]),
    ],
    "two who were found to be one": [
        (0, [["Ana"], ["Ilse", "my sister Ana", "Ana Costa"]]),
        (0, [["Ana"], ["my boss Ana", "Dr. Ruiz"], ["Dr. Ruiz", "Ana Ruiz"]]),
    ],
    "a name that was joined": [
        (0, [["my boss Ana", "Bruno", "Dr. Ruiz"], ["Ana", "my sister Ana", "my boss Ana"]]),
        (0, [["Dr. Ruiz", "田中"], ["Ana"]]),
    ],
}
"""Sessions (day, facts), the last of which itself brings what speaks against whom it means by a
bare name, so that it would be another's if it were asked for again."""


@dataclass
class Bank:
    """What was said so far, resolved as it was said."""

    kind: EntityKind = "PERSON"
    entities: dict[str, Entity] = field(default_factory=dict)
    mentions: set[Mention] = field(default_factory=set)
    dates: dict[str, datetime] = field(default_factory=dict)

    def say(self, session: str, day: float, *facts: Names) -> Resolved:
        """Resolve and keep what a session said on a day."""
        stretch = self.stretch(session, day, *facts)
        found = resolve(stretch, self.known)
        self.keep(stretch, found)
        return found

    def stretch(self, session: str, day: float, *facts: Names) -> Stretch:
        said = [
            Said(f"{session}-{number}", name, self.kind)
            for number, names in enumerate(facts)
            for name in names
        ]
        return Stretch(BANK, session, FIRST_DAY + timedelta(days=day), tuple(said))

    @property
    def known(self) -> Known:
        company: dict[str, set[str]] = {}
        for one in self.mentions:
            beside = {m.entity for m in self.mentions if m.fact == one.fact} - {one.entity}
            company.setdefault(one.entity, set()).update(beside)
        frozen = {id: frozenset(others) for id, others in company.items()}
        return Known(tuple(self.entities.values()), frozen, frozenset(self.mentions))

    def keep(self, stretch: Stretch, found: Resolved) -> None:
        self.entities |= {entity.id: entity for entity in found.entities}
        self.mentions |= set(found.mentions)
        self.dates |= {item.fact: stretch.date for item in stretch.names}
        for id, entity in self.entities.items():
            said = [self.dates[one.fact] for one in self.mentions if one.entity == id]
            if said:
                self.entities[id] = replace(entity, first=min(said), last=max(said))

    def decide(self, name: str, into: str | None) -> None:
        """What the user said of a name."""
        id = entity_id(BANK, name)
        to = None if into is None else entity_id(BANK, into)
        self.entities[id] = replace(self.entities[id], into=to, joined_by="user")

    def root(self, id: str) -> str:
        for _ in self.entities:
            id = self.entities[id].into or id
        return id

    def whose(self, session: str) -> set[str]:
        """The canonical names of all that a session mentions."""
        ids = {one.entity for one in self.mentions if one.fact.startswith(f"{session}-")}
        return {self.entities[self.root(id)].name for id in ids}

    def people(self, among: Iterable[str] | None = None) -> list[list[str]]:
        """The names of each entity, or of those that have one of these names; sorted."""
        groups: dict[str, set[str]] = {}
        for id, entity in self.entities.items():
            groups.setdefault(self.root(id), set()).add(entity.name)
        wanted = None if among is None else set(among)
        return sorted(
            sorted(names) for names in groups.values() if wanted is None or names & wanted
        )
