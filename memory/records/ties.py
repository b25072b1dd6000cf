"""What ties facts together, entities, mentions and links, as changes leave it: pure, repeatable.

Used by `plan.py` for what a ChangeSet brings, and by the stores for what is joined or linked alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from forethought.memory.errors import InvalidInput
from forethought.memory.records.values import not_found
from forethought.memory.types import Entity, Joiner, Link, LinkKind, Mention

UNDIRECTED: Final[frozenset[LinkKind]] = frozenset({"temporal", "semantic"})
"""Kinds of links that are the same from either side, so that the smaller id is the source."""

Kept = Callable[[str], str | None]
"""The id that a fact is stored under, None if it is not stored."""


@dataclass(frozen=True, slots=True)
class Ties:
    """The writes that entities, mentions and links come to.

    `new` are entities to insert; `changed` are stored ones as they are to be. Mentions and links
    may be stored already: a mention is left then, a link takes this weight.
    """

    new: tuple[Entity, ...] = ()
    changed: tuple[Entity, ...] = ()
    mentions: tuple[Mention, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Which facts there are after a change: what each is stored as, and when it was last said."""

    kept: Kept
    date: Callable[[str], datetime]


def tied(
    entities: Sequence[Entity],
    mentions: Iterable[Mention],
    *,
    known: Mapping[str, Entity],
    redated: Iterable[Mention],
    facts: Facts,
) -> tuple[dict[str, Entity], list[Mention]]:
    """All entities as they are afterwards, and the mentions to store.

    `known` are the stored ones that are named here, with all that they are joined to; `redated`
    are stored mentions of facts whose date changes.
    """
    offered: dict[str, Entity] = {}
    wanted: dict[str, str] = {}  # what each is to be joined to: as with all else, the first counts
    for one in entities:
        if one.name.strip():
            offered.setdefault(one.id, one)
        if one.into is not None:
            wanted.setdefault(one.id, one.into)
    kept = list(dict.fromkeys(_kept_mentions(mentions, {*known, *offered}, facts.kept)))
    after = dict(known)
    for mention in (*kept, *redated):
        date = facts.date(mention.fact)
        if mention.entity in after:
            after[mention.entity] = _widened(after[mention.entity], date)
        elif mention.entity in offered:
            new = offered[mention.entity]
            after[new.id] = replace(new, first=date, last=date, into=None, joined_by=None)
    _join_all(after, wanted)
    return after, kept


def kept_links(links: Iterable[Link], kept: Kept) -> tuple[Link, ...]:
    """The links as they are stored: between two facts that are, and the last of several alike."""
    found: dict[tuple[str, str, LinkKind], Link] = {}
    for link in links:
        source, target = kept(link.source), kept(link.target)
        if source is None or target is None or source == target:
            continue
        one = directed(Link(source, target, link.kind, link.weight + 0.0))  # -0.0 is 0.0
        found[one.source, one.target, one.kind] = one
    return tuple(found.values())


def directed(link: Link) -> Link:
    """The same link, from the smaller id if its kind has no direction."""
    if link.kind in UNDIRECTED and link.target < link.source:
        return replace(link, source=link.target, target=link.source)
    return link


def leads(entities: Mapping[str, Entity], start: str, *, to: str) -> bool:
    """Whether `start` is `to`, or is joined to it over any number of steps."""
    seen: set[str] = set()
    step: str | None = start
    while step is not None and step != to and step not in seen:
        seen.add(step)
        step = entities[step].into if step in entities else None
    return step == to


def joined(
    bank: str, entity: str, into: str | None, *, by: Joiner, known: Mapping[str, Entity]
) -> Entity | None:
    """The entity as `Records.join` leaves it; None where the rule may not touch it.

    `known` has both, if they are stored, and all that `into` is joined to. Raises NotFound and
    InvalidInput as `join` does.
    """
    for one in (entity,) if into is None else (entity, into):
        if one not in known:
            raise not_found(bank, entity=one)
    if into is not None and leads(known, into, to=entity):
        what = "itself" if into == entity else f"{into!r}, which is joined to it already"
        raise InvalidInput(
            f"entity {entity!r} of bank {bank!r} cannot be joined to {what}: "
            "name another, or keep that one apart first"
        )
    if by == "rule" and known[entity].joined_by == "user":
        return None
    return replace(known[entity], into=into, joined_by=by)


def _kept_mentions(mentions: Iterable[Mention], there: set[str], kept: Kept) -> Iterable[Mention]:
    for mention in mentions:
        fact = kept(mention.fact)
        if fact is not None and mention.entity in there:
            yield Mention(fact, mention.entity)


def _widened(entity: Entity, date: datetime) -> Entity:
    if entity.first <= date <= entity.last:
        return entity
    return replace(entity, first=min(entity.first, date), last=max(entity.last, date))


def _join_all(entities: dict[str, Entity], wanted: Mapping[str, str]) -> None:
    """Join by the rule, but for what the user decided and what would close a circle.

    Over and over until nothing moves: what one joining kept from being a circle may be none after
    another, and then a second application would find something left to do.
    """
    open_to = {
        entity: into
        for entity, into in wanted.items()
        if entity in entities and into in entities and entities[entity].joined_by != "user"
    }
    moved = True
    while moved:
        moved = False
        for entity, into in open_to.items():
            one = replace(entities[entity], into=into, joined_by="rule")
            if one != entities[entity] and not leads(entities, into, to=entity):
                entities[entity] = one
                moved = True
