"""Entities by what they have been joined to: the state that ρ works on, and a step of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache

from forethought.memory import ids
from forethought.memory.entities.likeness import contrary, likeness
from forethought.memory.entities.naming import Name, name_of, sought
from forethought.memory.types import Entity
from forethought.memory.words import name_beginnings


@dataclass(slots=True)
class Clusters:
    """Entities, each with those that share its root.

    `new` are not stored yet; `here` maps an entity of this stretch to the facts that mention it;
    `company` a stored entity to those that stored facts mention beside it.
    """

    entities: dict[str, Entity]
    company: Mapping[str, frozenset[str]]
    new: set[str] = field(default_factory=set)
    here: dict[str, set[str]] = field(default_factory=dict)
    _members: dict[str, list[str]] = field(default_factory=dict)
    _near: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Gather the members of each root."""
        for id in sorted(self.entities):
            self._place(id)

    def root(self, id: str) -> str:
        """The entity that this one is in the end a name of; what is not known stands for itself."""
        seen = {id}
        while (entity := self.entities.get(id)) and entity.into and entity.into not in seen:
            id = entity.into
            seen.add(id)
        return id

    def is_root(self, id: str) -> bool:
        """Whether it is known, and joined to nothing."""
        return id in self._members and id in self.entities

    def members(self, root: str) -> list[Entity]:
        """The known entities that share this root."""
        return [self.entities[id] for id in self._members.get(root, ())]

    def near(self, root: str) -> list[str]:
        """The other known roots that have a word which begins as one of this root's, sorted."""
        found = set().union(*(self._near[start] for start in self._beginnings(root)))
        roots = {self.root(id) for id in found}
        return sorted(one for one in roots - {root} if one in self.entities)

    def mentioned(self, root: str, *, beside: str = "") -> bool:
        """Whether this stretch mentions one of a root's entities, other than `beside`."""
        return any(entity.id in self.here and entity.id != beside for entity in self.members(root))

    def facts_here(self, root: str) -> set[str]:
        """The facts of this stretch that mention one of a root's entities."""
        return set().union(*(self.here.get(entity.id, ()) for entity in self.members(root)))

    def like(self, one: str, other: str) -> float:
        """The likeness of two roots: that of the two names most alike; 0 if any two are contrary.

        An entity that was told apart from its namesakes says nothing by its name.
        """
        if self.contrary(one, other):
            return 0.0
        pairs = self._named(one, other)
        return max((likeness(a.name, b.name, (a.kind, b.kind)) for a, b in pairs), default=0.0)

    def same_name(self, one: str, other: str) -> bool:
        """Whether two roots have names that differ in "the", a title or an ending alone."""
        return any(
            said(mine).core == said(theirs).core and said(mine).roles == said(theirs).roles
            for mine, theirs in self._named(one, other)
        )

    def contrary(self, one: str, other: str) -> bool:
        """Whether a name of one root and a name of the other are surely of two."""
        return any(contrary(mine.name, theirs.name) for mine, theirs in self._named(one, other))

    def rivals(self, one: str, other: str) -> list[str]:
        """Roots that `one` might be as well, and that are surely not `other`."""
        return [
            root
            for root in self.near(one)
            if root != other and self.like(one, root) and self.contrary(other, root)
        ]

    def join(self, loser: str, winner: str) -> None:
        """Make one root a name of another."""
        self.entities[loser] = replace(self.entities[loser], into=winner, joined_by="rule")
        self._members[winner] += self._members.pop(loser)

    def add(self, entity: Entity, facts: Iterable[str]) -> None:
        """Know an entity that the stretch mentions in these facts."""
        if entity.id not in self.entities:
            self.entities[entity.id] = entity
            self.new.add(entity.id)
            self._place(entity.id)
        self.here.setdefault(entity.id, set()).update(facts)

    def tell_apart(self, entity: Entity, *, session: str, date: datetime, into: str) -> None:
        """Let what this session calls by the name of `entity` be `into`, and leave the name be.

        Each call leaves one name fewer to be told apart: `session` must have a name of its own.
        """
        id = ids.entity_id(entity.bank, entity.name, session)
        facts = self.here.pop(entity.id)
        if entity.id in self.new:
            self._remove(entity.id)
        told = replace(entity, id=id, first=date, last=date, into=into, joined_by="rule")
        self.add(told, facts)

    def _place(self, id: str) -> None:
        self._members.setdefault(self.root(id), []).append(id)
        for start in name_beginnings(sought(self.entities[id].name)):
            self._near.setdefault(start, set()).add(id)

    def _remove(self, id: str) -> None:
        """Forget a new entity that is a root by itself."""
        self.new.discard(id)
        del self._members[id]
        for start in name_beginnings(sought(self.entities.pop(id).name)):
            self._near[start].discard(id)

    def _beginnings(self, root: str) -> set[str]:
        names = (sought(entity.name) for entity in self.members(root))
        return {start for name in names for start in name_beginnings(name)}

    def _named(self, one: str, other: str) -> list[tuple[Entity, Entity]]:
        """Every entity of one root with every one of the other, as far as their names tell."""
        left, right = (
            [entity for entity in self.members(root) if not is_apart(entity)]
            for root in (one, other)
        )
        return [(mine, theirs) for mine in left for theirs in right]


def is_apart(entity: Entity) -> bool:
    """Whether an entity was told apart from its namesakes, for one session."""
    return entity.id != _id_of(entity.bank, entity.name)


@lru_cache(maxsize=16_384)
def _id_of(bank: str, name: str) -> str:
    """`ids.entity_id`, which is asked for again and again here."""
    return ids.entity_id(bank, name)


def said(entity: Entity) -> Name:
    """The entity's name, taken apart."""
    return name_of(entity.name)


def kept_apart(entity: Entity) -> bool:
    """Whether the user said that it is a name of nothing else."""
    return entity.into is None and entity.joined_by == "user"


def precedence(entity: Entity) -> tuple[bool, int, bool, bool, datetime, str]:
    """Which of two is the name of both: the fuller, without "my sister" or "Dr", the earlier."""
    name = said(entity)
    full = sum(len(word) > 1 for word in name.core)
    return is_apart(entity), -full, bool(name.roles), name.titled, entity.first, entity.id
