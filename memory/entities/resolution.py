"""ρ: which entity each name of a stretch means, and which entities are one (Hindsight §4.1.3).

Every name is an entity of its own, so a mention is of the entity that has its very name, whatever
that is joined to: exact names and known aliases come before any likeness. What ρ decides is which
entities are joined: by name, company and time, and never against what the user decided.

A bare name that may be one of two ("Ana", where Ana Ruiz and Ana Costa are known) is decided for
each session by itself: if the company tells whose it is, the session's mentions are of an entity of
that session, joined there; if not, they are of the plain name, which stands for itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from forethought.memory import ids
from forethought.memory.entities.clusters import Clusters, is_apart, kept_apart, precedence, said
from forethought.memory.entities.evidence import (
    ACCEPTED,
    beside,
    score,
    score_of_name,
    speaks_for,
)
from forethought.memory.entities.naming import names_somebody
from forethought.memory.types import ENTITY_KINDS, Entity, EntityKind, Mention
from forethought.memory.words import name_key

_CLEARER = 0.05  # by how much one of two who cannot both be meant must be the likelier


@dataclass(frozen=True, slots=True)
class Said:
    """That a fact names something."""

    fact: str
    name: str
    kind: EntityKind = "OTHER"


@dataclass(frozen=True, slots=True)
class Stretch:
    """What one stretch of a session names, and when that was said (aware UTC).

    Where no session is known ("") nothing can be told apart for it.
    """

    bank: str
    session: str
    date: datetime
    names: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored that the names may mean: entities with their roots.

    `company` maps an entity to those that facts mention beside it or one that shares its root;
    `mentions` has what the facts of the stretch mention already, if they are stored.
    """

    entities: tuple[Entity, ...] = ()
    company: Mapping[str, frozenset[str]] | None = None
    mentions: frozenset[Mention] = frozenset()


@dataclass(frozen=True, slots=True)
class Resolved:
    """Entities that are new or newly joined, by id, and who is mentioned where."""

    entities: tuple[Entity, ...] = ()
    mentions: tuple[Mention, ...] = ()


def resolve(stretch: Stretch, known: Known) -> Resolved:
    """Resolve the names of a stretch; their order does not matter, and twice is the same as once.

    Names of nobody (the user, pronouns) are passed over: the user is what the whole bank is about.
    """
    before = {entity.id: entity for entity in known.entities}
    clusters = Clusters(dict(before), known.company or {})
    for entity, facts in _named(stretch, before):
        clusters.add(entity, facts)
    if stretch.session:
        _tell_apart(clusters, stretch, known.mentions)
    while _join(clusters, stretch):
        pass
    changed = (e for id, e in clusters.entities.items() if before.get(id) != e)
    mentions = {Mention(fact, id) for id, facts in clusters.here.items() for fact in facts}
    return Resolved(tuple(sorted(changed, key=lambda e: e.id)), tuple(sorted(mentions)))


def own_ids(stretch: Stretch) -> list[str]:
    """Ids under which the stretch's names may be stored: for all, and for its session apart."""
    names = sorted({name_key(item.name) for item in stretch.names})
    return [ids.entity_id(stretch.bank, n, apart) for n in names for apart in ("", stretch.session)]


def _named(stretch: Stretch, known: Mapping[str, Entity]) -> Iterable[tuple[Entity, set[str]]]:
    """The entity of each name, and the facts that mention it."""
    by_name: dict[str, list[Said]] = {}
    for item in stretch.names:
        if names_somebody(item.name):
            by_name.setdefault(name_key(item.name), []).append(item)
    for key in sorted(by_name):
        items = by_name[key]
        own, apart = (ids.entity_id(stretch.bank, key, it) for it in ("", stretch.session))
        entity = known.get(apart) or known.get(own) or _new(stretch, own, items)
        yield entity, {item.fact for item in items}


def _new(stretch: Stretch, id: str, items: Sequence[Said]) -> Entity:
    name, _ = min(Counter(item.name for item in items).items(), key=lambda n: (-n[1], n[0]))
    kinds = Counter(item.kind for item in items if item.kind != "OTHER")
    other: EntityKind = "OTHER"
    kind = min(kinds, key=lambda k: (-kinds[k], ENTITY_KINDS.index(k)), default=other)
    return Entity(id, stretch.bank, name, kind, first=stretch.date, last=stretch.date)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two roots that may be one: how likely, and whether the stretch speaks of both."""

    one: str
    other: str
    likely: float

    def has(self, root: str) -> bool:
        return root in {self.one, self.other}

    def beside(self, root: str) -> str:
        return self.other if root == self.one else self.one


def _join(known: Clusters, stretch: Stretch) -> bool:
    """Join the roots that are surely one; whether any were."""
    pairs = _pairs(known, stretch.date)
    clear = [pair for pair in pairs if not _doubtful(known, pair, pairs)]
    changed = False
    for pair in sorted(clear, key=lambda p: (-p.likely, p.one, p.other)):
        if not (known.is_root(pair.one) and known.is_root(pair.other)):
            continue  # an earlier one has changed what they are: the next round looks again
        winner, loser = _ranked(known, pair.one, pair.other)
        if known.like(winner, loser):
            changed |= _joined(known, stretch, loser=loser, winner=winner)
    return changed


def _joined(known: Clusters, stretch: Stretch, *, loser: str, winner: str) -> bool:
    """Join them, or only what this session says, where the name may be another's as well."""
    entity = known.entities[loser]
    if known.rivals(loser, winner):
        if loser not in known.here or not stretch.session:
            return False
        if said(entity).bare and len(known.members(loser)) == 1:
            known.tell_apart(entity, session=stretch.session, date=stretch.date, into=winner)
            return True
    known.join(loser, winner)
    return True


def _pairs(known: Clusters, date: datetime) -> list[_Pair]:
    """All that the evidence accepts between a root of this stretch and another."""
    here = sorted(filter(known.is_root, {known.root(id) for id in known.here}))
    found = {}
    for one in here:
        for other in known.near(one):
            if (other in here and other < one) or _settled(known, one, other):
                continue
            likely = score(known, one, other, date)
            if likely > ACCEPTED:
                # what is spoken of in the same breath is meant before what was long ago
                found[one, other] = _Pair(one, other, likely + (other in here))
    return list(found.values())


def _ranked(known: Clusters, *roots: str) -> list[str]:
    """The one whose name is the better name of both, and the other."""
    return sorted(roots, key=lambda root: precedence(known.entities[root]))


def _settled(known: Clusters, one: str, other: str) -> bool:
    """Whether the user kept one of them apart, when the other was there to be kept apart from."""
    winner, loser = _ranked(known, one, other)
    if kept_apart(known.entities[loser]):
        return True
    return kept_apart(known.entities[winner]) and loser not in known.new


def _doubtful(known: Clusters, pair: _Pair, pairs: Sequence[_Pair]) -> bool:
    """Whether one of the two may as well be a third, which cannot be the other."""
    for root in (pair.one, pair.other):
        for rival in pairs:
            if rival is pair or not rival.has(root):
                continue
            third, other = rival.beside(root), pair.beside(root)
            if rival.likely > pair.likely - _CLEARER and known.contrary(third, other):
                return True
    return False


def _tell_apart(known: Clusters, stretch: Stretch, stored: frozenset[Mention]) -> None:
    """Give what this session means by a bare name to another than the one it is known to be of.

    Only if a namesake is known by a fuller name, this stretch speaks of that one or its company,
    and of nothing that speaks for the one to which the plain name belongs. In doubt it is that one,
    and it stays so for what is stored: the stretch itself may have brought the evidence since.
    """
    for id in sorted(known.here):
        entity, home = known.entities[id], known.root(id)
        if id in known.new or is_apart(entity) or entity.joined_by == "user":
            continue
        if all(Mention(fact, id) in stored for fact in known.here[id]):
            continue
        alone = len(known.members(home)) == 1
        if alone or not said(entity).bare or not beside(known, home, here=False):
            continue
        if not speaks_for(known, id, home) and (to := _meant(known, id, stretch.date)):
            known.tell_apart(entity, session=stretch.session, date=stretch.date, into=to)


def _meant(known: Clusters, id: str, date: datetime) -> str | None:
    """The namesake that the stretch speaks for, if it is one alone and the evidence accepts it."""
    home = known.root(id)
    scores = {
        root: score_of_name(known, id, root, date)
        for root in known.near(home)
        if known.contrary(home, root) and speaks_for(known, id, root)
    }
    accepted = sorted((likely, root) for root, likely in scores.items() if likely > ACCEPTED)
    if not accepted or (len(accepted) > 1 and accepted[-1][0] - accepted[-2][0] < _CLEARER):
        return None
    return accepted[-1][1]
