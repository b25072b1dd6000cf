"""The order and the number of what leads from facts to others, the same in every store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter, itemgetter
from typing import Final

from forethought.memory.types import Edge, EdgeKind, Entity, LinkKind
from forethought.memory.words import name_beginnings, name_key, storable

_BACKWARDS: Final[dict[LinkKind, EdgeKind]] = {"causes": "caused_by"}

Said = tuple[str, str]
"""When a fact was last said, as `values.stamp` writes it, and its id."""


@dataclass(frozen=True, slots=True)
class Ways:
    """What `neighbours_of` chooses from.

    `links` are an asked fact each, with an edge to one that holds; `roots` the entities, by their
    roots, that each asked fact mentions; `latest` at least the `fan` + 1 latest facts that hold and
    mention a root or what is joined to it, latest first, then by id.
    """

    links: Iterable[tuple[str, Edge]] = ()
    roots: Mapping[str, Iterable[str]] = field(default_factory=dict)
    latest: Mapping[str, Sequence[Said]] = field(default_factory=dict)


def neighbours_of(facts: Iterable[str], ways: Ways, *, fan: int) -> dict[str, list[Edge]]:
    """See `Records.neighbours`."""
    found: dict[str, list[Edge]] = {fact: [] for fact in facts}
    for fact, edge in ways.links:
        if fact in found:  # it may be stored under a name that could not be kept as it came
            found[fact].append(edge)
    for fact, edges in found.items():
        edges.sort(
            key=attrgetter("fact")
        )  # by one after the other: a key of all three takes longer
        edges.sort(key=attrgetter("weight"), reverse=True)
        edges.extend(_entity_edges(fact, ways, max(0, fan)))
        edges.sort(key=attrgetter("kind"))
    return found


def edge_kind(kind: LinkKind, *, backwards: bool) -> EdgeKind:
    """The kind of an edge over a link, from its source or backwards from its target."""
    return _BACKWARDS.get(kind, kind) if backwards else kind


def latest_of(lists: Iterable[Iterable[Said]], *, k: int) -> list[Said]:
    """The `k` latest facts of several lists, each once: latest first, then by id."""
    by_id = sorted({said for one in lists for said in one}, key=lambda said: said[1])
    return sorted(by_id, key=lambda said: said[0], reverse=True)[: max(0, k)]


def nearest(
    at: datetime, others: Iterable[tuple[str, datetime]], *, within: timedelta, k: int
) -> list[tuple[str, timedelta]]:
    """The `k` of these that are nearest to `at` and how far away each is; see `Records.around`."""
    away = [(abs(time - at), fact) for fact, time in others]
    return [(fact, far) for far, fact in sorted(away) if far <= within][: max(0, k)]


def namesakes_of(name: str, entities: Iterable[Entity], *, k: int) -> list[Entity]:
    """Those of these entities that `name` may mean; see `Records.namesakes`."""
    key, beginnings = name_marks(name)
    likely: list[tuple[bool, Entity]] = []
    for entity in entities:
        own, starts = name_marks(entity.name)
        if own == key or not beginnings.isdisjoint(starts):
            likely.append((own != key, entity))
    likely.sort(key=lambda one: one[1].id)
    likely.sort(key=lambda one: one[1].last, reverse=True)
    likely.sort(key=lambda one: one[0])
    return [entity for _, entity in likely][: max(0, k)]


def name_marks(name: str) -> tuple[str, frozenset[str]]:
    """By what a store finds a name: its `name_key` and its `name_beginnings`, as it is kept."""
    kept = storable(name)
    return name_key(kept), frozenset(name_beginnings(kept))


def _entity_edges(fact: str, ways: Ways, fan: int) -> list[Edge]:
    """The `fan` latest other facts over each root."""
    paths = [
        (date, other, root)
        for root in set(ways.roots.get(fact, ()))
        for date, other in [said for said in ways.latest.get(root, ()) if said[1] != fact][:fan]
    ]
    paths.sort(key=itemgetter(1, 2))
    paths.sort(key=itemgetter(0), reverse=True)
    return [Edge(other, "entity", 1.0, root) for _, other, root in paths]
