"""What is stored of all that the names of a stretch may mean, in a handful of queries."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from forethought.memory.entities.likeness import likeness
from forethought.memory.entities.naming import names_somebody, sought
from forethought.memory.entities.resolution import (
    Known,
    Resolved,
    Said,
    Stretch,
    own_ids,
    resolve,
)
from forethought.memory.entities.roots import with_roots
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.port import Records
from forethought.memory.types import Entity, Fact, Mention

_NAMESAKES = 20  # for each name; more than bear one first name in anybody's life
_COMPANY = 50  # of an entity's latest facts: Hindsight's published code looks at as many


async def resolved(records: Records, stretch: Stretch) -> Resolved:
    """Resolve the names of a stretch against what the bank knows. Writes nothing."""
    if not stretch.names:
        return Resolved()
    known = await gathered(records, stretch)
    # thousands of comparisons for a long stretch, and rapidfuzz is loaded on the way
    return await asyncio.to_thread(resolve, stretch, known)


async def name_anew(records: Records, bank: str, facts: Sequence[Fact]) -> int:
    """Give facts that were stored without mentions those of their `entities`; return how many.

    They come from before there were mentions, or from whoever commits facts with names alone. All
    that is known of a name there is how it reads, so each is of kind OTHER.
    """
    named = [fact for fact in facts if fact.entities]
    told = {one.fact for one in await records.mentions(bank, [fact.id for fact in named])}
    by_session: dict[tuple[datetime, str], list[Said]] = {}
    for fact in named:
        if fact.id not in told:
            session = fact.sources[0].session if fact.sources else ""
            said = by_session.setdefault((fact.date, session), [])
            said += [Said(fact.id, name) for name in fact.entities]
    written = 0
    for (date, session), said in sorted(by_session.items(), key=lambda item: item[0]):
        found = await resolved(records, Stretch(bank, session, date, tuple(said)))
        if found.mentions:
            changes = ChangeSet(bank, entities=found.entities, mentions=found.mentions)
            await records.commit(changes)
            written += len(found.mentions)
    return written


async def gathered(records: Records, stretch: Stretch) -> Known:
    """The entities that the names may mean, their roots and company, and what is mentioned."""
    bank = stretch.bank
    names = sorted({sought(item.name) for item in stretch.names if names_somebody(item.name)})
    found = await records.namesakes(bank, names, k=_NAMESAKES)
    known = {entity.id: entity for entities in found.values() for entity in entities}
    own = own_ids(stretch)
    known = await with_roots(records, bank, known, own)
    wanted = sorted(_likely(stretch, found) | {id for id in own if id in known})
    now = max(stretch.date, await records.newest(bank) or stretch.date)
    facts = await records.mentioning(bank, wanted, k=_COMPANY, now=now)
    told = {id for some in facts.values() for id in some} | {item.fact for item in stretch.names}
    said = await records.mentions(bank, sorted(told))
    known = await with_roots(records, bank, known, [mention.entity for mention in said])
    return Known(tuple(known.values()), _company(said), frozenset(said))


def _likely(stretch: Stretch, found: Mapping[str, Sequence[Entity]]) -> set[str]:
    """Ids of those whose names are like one of the stretch: only their company matters."""
    said = {(item.name, item.kind) for item in stretch.names if names_somebody(item.name)}
    return {
        entity.id
        for name, kind in said
        for entity in found[sought(name)]
        if likeness(name, entity.name, (kind, entity.kind))
    }


def _company(mentions: Iterable[Mention]) -> dict[str, frozenset[str]]:
    """Who is mentioned in one fact with whom."""
    by_fact: dict[str, set[str]] = {}
    for mention in mentions:
        by_fact.setdefault(mention.fact, set()).add(mention.entity)
    company: dict[str, set[str]] = {}
    for together in by_fact.values():
        for one in together:
            company.setdefault(one, set()).update(together - {one})
    return {one: frozenset(others) for one, others in company.items()}
