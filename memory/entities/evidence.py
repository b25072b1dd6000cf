"""What speaks for two entities being one, as a score in [0, 1] (Hindsight §4.1.3)."""

from __future__ import annotations

from datetime import datetime

from forethought.memory.entities.clusters import Clusters
from forethought.memory.entities.likeness import likeness

NAME, COMPANY, TIME = 0.5, 0.3, 0.2  # α, β, γ; with ACCEPTED: Hindsight's published code
ACCEPTED = 0.6  # more than this
_WEEK = 7.0  # days after which nearness in time says nothing; Hindsight's published code
EXACT = 2.0  # more than any score: one and the same name needs no other evidence


def score(known: Clusters, one: str, other: str, date: datetime) -> float:
    """The evidence that a root which this stretch (said on `date`) mentions is `other` too.

    Names that are not the very same, and stand side by side in one fact, are of two, unless one is
    a part of the other, which models like to list twice.
    """
    like = known.like(one, other)
    if not like:
        return 0.0
    if known.same_name(one, other):
        return EXACT
    if like < 1 and (other in beside(known, one) or one in beside(known, other)):
        return 0.0
    return _weighed(like, _share(known, one, other), _recency(known, other, date))


def score_of_name(known: Clusters, id: str, other: str, date: datetime) -> float:
    """The evidence that what this stretch calls by the name of `id` is `other`, by itself."""
    name = known.entities[id]
    like = max(
        (likeness(name.name, one.name, (name.kind, one.kind)) for one in known.members(other)),
        default=0.0,
    )
    mine = spoken_of(known, id) - {other, known.root(id)}
    company = _overlap(mine, beside(known, other) - {known.root(id)})
    return _weighed(like, company, _recency(known, other, date)) if like else 0.0


def speaks_for(known: Clusters, id: str, other: str) -> bool:
    """Whether this stretch speaks of `other` by another name than that of `id`, or its company."""
    mine = spoken_of(known, id)
    return other in mine or bool(mine & beside(known, other, here=False))


def spoken_of(known: Clusters, id: str) -> set[str]:
    """The roots of all that this stretch mentions, but for `id`."""
    return {known.root(one) for one in known.here if one != id}


def beside(known: Clusters, root: str, *, here: bool = True) -> set[str]:
    """The roots that stand in one fact with a root, in what is stored and in this stretch."""
    found = {
        known.root(id)
        for entity in known.members(root)
        for id in known.company.get(entity.id, frozenset())
    }
    if here:
        facts = known.facts_here(root)
        found |= {known.root(id) for id, own in known.here.items() if own & facts}
    return found - {root}


def _share(known: Clusters, one: str, other: str) -> float:
    """How much of their company they have in common.

    Of what this stretch mentions, company is what stands in the same facts; of `one`, all that the
    stretch speaks of, where it does not speak of `other`.
    """
    mine = beside(known, one)
    if not known.mentioned(other):
        mine |= {known.root(id) for id in known.here}
    return _overlap(mine - {one, other}, beside(known, other) - {one})


def _overlap(mine: set[str], theirs: set[str]) -> float:
    """The share of the smaller that lies in the larger; 0 where one is empty."""
    return len(mine & theirs) / min(len(mine), len(theirs)) if mine and theirs else 0.0


def _recency(known: Clusters, other: str, date: datetime) -> float:
    """1 for what was mentioned at that time, 0 a week before or after."""
    if known.mentioned(other):
        return 1.0
    moments = (moment for entity in known.members(other) for moment in (entity.first, entity.last))
    days = min(abs((date - moment).total_seconds()) for moment in moments) / 86_400
    return max(0.0, 1 - days / _WEEK)


def _weighed(like: float, company: float, recent: float) -> float:
    return round(NAME * like + COMPANY * company + TIME * recent, 6)
