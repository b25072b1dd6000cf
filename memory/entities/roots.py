"""From an entity to what it is in the end a name of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from forethought.memory.records.port import Records
from forethought.memory.types import Entity


def root_of(id: str, known: Mapping[str, Entity]) -> str:
    """The id of the root of an entity, as far as it is known; an unknown one stands for itself."""
    seen = {id}
    while (entity := known.get(id)) and entity.into and entity.into not in seen:
        id = entity.into
        seen.add(id)
    return id


async def with_roots(
    records: Records, bank: str, known: Mapping[str, Entity], ids: Sequence[str] = ()
) -> dict[str, Entity]:
    """What is known, the entities with these ids, and all that any of them is joined to."""
    found = dict(known)
    asked = set(found)
    missing = {*ids, *_above(found.values())} - asked
    while missing:
        asked |= missing
        more = await records.entities(bank, sorted(missing))
        found |= {one.id: one for one in more}
        missing = _above(more) - asked
    return found


def _above(entities: Iterable[Entity]) -> set[str]:
    return {one.into for one in entities if one.into}
