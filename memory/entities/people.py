"""Entities as people ask for them: one by a name or an id, all with their other names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from forethought.memory.entities.naming import sought
from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.records.port import Records
from forethought.memory.types import Entity, Mention
from forethought.memory.words import name_key

_OFFERED = 5  # names in a message
_NAMESAKES = 50  # of one very name; each session that told one apart has its own


@dataclass(frozen=True, slots=True)
class Person:
    """One entity, whoever or whatever it is: its canonical name, the others, how many facts."""

    entity: Entity
    others: tuple[Entity, ...]
    facts: int

    @property
    def first_and_last(self) -> tuple[str, str]:
        """The days of the first and the last fact that mentions it by any name."""
        every = (self.entity, *self.others)
        first, last = min(one.first for one in every), max(one.last for one in every)
        return f"{first:%Y-%m-%d}", f"{last:%Y-%m-%d}"


def people(
    entities: Iterable[Entity], mentions: Iterable[Mention], *, holding: set[str]
) -> list[Person]:
    """All entities by root, those with the most facts that hold first, then by name."""
    known = {entity.id: entity for entity in entities}
    roots = {id: root_of(id, known) for id in known}
    facts: dict[str, set[str]] = {}
    for one in mentions:
        if one.fact in holding and one.entity in roots:
            facts.setdefault(roots[one.entity], set()).add(one.fact)
    others: dict[str, list[Entity]] = {}
    for id, root in roots.items():
        if id != root:
            others.setdefault(root, []).append(known[id])
    found = []
    for root in set(roots.values()):
        names = tuple(sorted(others.get(root, ()), key=_by_name))
        found.append(Person(known[root], names, len(facts.get(root, ()))))
    return sorted(found, key=lambda person: (-person.facts, *_by_name(person.entity)))


def root_of(id: str, known: Mapping[str, Entity]) -> str:
    """The id of what an entity is in the end a name of, as far as that is known."""
    seen = {id}
    while (into := known[id].into) and into in known and into not in seen:
        id = into
        seen.add(id)
    return id


async def named(records: Records, bank: str, said: str) -> Entity:
    """The entity with this id, or this very name.

    Raises NotFound with the likeliest others, and InvalidInput where several bear the name.
    """
    same = await _same(records, bank, said)
    if len(same) > 1:
        raise await _ambiguous(records, said, same)
    return same[0]


async def one_of(records: Records, bank: str, said: str) -> Entity:
    """The root of the entity with this id or name; all that bear the name must be of one."""
    same = await _same(records, bank, said)
    known = await _with_roots(records, same)
    roots = {root_of(entity.id, known) for entity in same}
    if len(roots) > 1:
        raise await _ambiguous(records, said, same)
    return known[roots.pop()]


async def _ambiguous(records: Records, said: str, same: Sequence[Entity]) -> InvalidInput:
    these = await _listed(records, same)
    return InvalidInput(f"{said!r} may be any of these, so give an id: {these}")


async def _same(records: Records, bank: str, said: str) -> list[Entity]:
    """All that bear this very name, or the one with this id. Raises NotFound."""
    if by_id := await records.entities(bank, [said]):
        return by_id
    found = await records.namesakes(bank, [said], k=_NAMESAKES)
    same = [one for one in found[said] if name_key(one.name) == name_key(said)]
    if same:
        return sorted(same, key=_by_name)
    core = sought(said)
    like = (await records.namesakes(bank, [core], k=_OFFERED))[core] if said.strip() else []
    hint = f"; did you mean {await _listed(records, like)}?" if like else ""
    raise NotFound(
        f"bank {bank!r} has no entity {said!r}{hint}: `forethought entities` lists what there is"
    )


async def _listed(records: Records, entities: Sequence[Entity]) -> str:
    known = await _with_roots(records, entities)
    return ", ".join(_with_id(one, known[root_of(one.id, known)]) for one in entities[:_OFFERED])


def _with_id(entity: Entity, root: Entity) -> str:
    of = "" if root.id == entity.id else f", a name of {root.name}"
    return f"{entity.name} ({entity.id}{of})"


async def _with_roots(records: Records, entities: Sequence[Entity]) -> dict[str, Entity]:
    known = {entity.id: entity for entity in entities}
    while above := sorted({e.into for e in known.values() if e.into} - known.keys()):
        known |= {one.id: one for one in await records.entities(entities[0].bank, above)}
    return known


def _by_name(entity: Entity) -> tuple[str, str]:
    return entity.name, entity.id
