"""How much each fact weighs by itself, whatever is asked (PT §3.1). No model is called.

Salience ranks and never prunes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from datetime import date as Day
from typing import Any

from forethought.memory.centrality import centralities
from forethought.memory.records.uses import Use
from forethought.memory.types import Fact, Link, Mention, fact_ids
from forethought.memory.when import day_in

IMPORTANCE, ACTIVATION, CENTRALITY, LINKAGE, RECENCY = 0.30, 0.25, 0.20, 0.15, 0.10
"""The weights of the components, which sum to 1 (PT §3.1)."""

STANDING, ORDINARY, PASSING = 1.0, 0.6, 0.3  # importance (PT §3.1)
LINKED, BESIDE = 1.0, 0.6  # prospective linkage (PT §3.1)


@dataclass(frozen=True, slots=True)
class Grounds:
    """What the salience of a bank's facts rests on.

    `facts` are all, those that were replaced too, `days` the user's own day of each session that
    supports one, `mentions` by the roots of entities, `promised` the facts that open commitments
    concern, `zone` that of the user's days.
    """

    facts: Sequence[Fact]
    uses: Sequence[Use] = ()
    days: Mapping[str, Day] | None = None
    links: Sequence[Link] = ()
    mentions: Sequence[Mention] = ()
    promised: Collection[str] = ()
    zone: tzinfo = UTC


WEIGHTS: Mapping[str, float] = {
    "importance": IMPORTANCE, "activation": ACTIVATION, "centrality": CENTRALITY,
    "linkage": LINKAGE, "recency": RECENCY,
}  # fmt: skip


def saliences(
    grounds: Grounds, today: Day, *, weights: Mapping[str, float] = WEIGHTS
) -> dict[str, float]:
    """The salience of each fact that holds, in [0, 1]; each component by the bank's greatest.

    What was said, used or promised of a fact that was replaced counts for what stands in its place.
    Components that `weights` does not name count nothing.
    """
    import numpy as np

    facts = [fact for fact in grounds.facts if fact.until is None]
    ids = fact_ids(facts)
    stands_for = _standing(grounds.facts)
    components = {
        "importance": [importance(fact) for fact in facts],
        "activation": _activations(ids, grounds, stands_for, today),
        "centrality": centralities(ids, grounds.links, grounds.mentions),
        "linkage": _linkages(ids, grounds, stands_for),
        "recency": [faded(today, day_in(grounds.zone, fact.date)) for fact in facts],
    }
    weighed = sum(
        weights.get(name, 0.0) * _of_greatest(np.array(values))
        for name, values in components.items()
    )
    return dict(zip(ids, np.clip(weighed, 0, 1).tolist(), strict=True))


def importance(fact: Fact) -> float:
    """By its kind: who somebody is outlasts all else, what was done and is over is passing.

    PT's items are notes: anchors are 1.0, dated ephemera .3, all else .6.
    """
    if fact.kind == "Identity":
        return STANDING
    over = fact.occurred_to is not None
    return PASSING if over and fact.kind in {"Activity", "Event"} else ORDINARY


def faded(today: Day, on: Day) -> float:
    """(d+1)^-½ of a day d days ago, as in ACT-R; 1 for one to come."""
    return float((max((today - on).days, 0) + 1) ** -0.5)


def _of_greatest(values: Any) -> Any:
    """As shares of the greatest; all 0 where that is 0."""
    return values / greatest if len(values) and (greatest := values.max()) > 0 else values


def _standing(facts: Sequence[Fact]) -> dict[str, str]:
    """For each fact the last of those that succeeded it: itself, where it holds."""
    successors = {fact.id: fact.successor for fact in facts}
    last: dict[str, str] = {}
    for fact in successors:
        path, end = {fact: None}, fact
        while (later := successors.get(end)) is not None and later not in path:
            end = last.get(later, later)
            path[end] = None
        last |= dict.fromkeys(path, end)
    return last


def _activations(
    ids: Sequence[str], grounds: Grounds, stands_for: Mapping[str, str], today: Day
) -> list[float]:
    """Σ(d+1)^-½ over what a fact was brought up by: answers that cited it, sessions that said it.

    PT counts the mentions in its log of operations; the log here is of sessions, in which what is
    told again is brought up as much as what is asked for.
    """
    said = {
        (stands_for[fact.id], source.session) for fact in grounds.facts for source in fact.sources
    }
    days = grounds.days or {}
    brought_up = [(fact, days[session]) for fact, session in sorted(said) if session in days]
    brought_up += [(stands_for[use.fact], use.on) for use in grounds.uses if use.fact in stands_for]
    total = dict.fromkeys(ids, 0.0)
    for fact, on in brought_up:
        if fact in total:
            total[fact] += faded(today, on)
    return list(total.values())


def _linkages(
    ids: Sequence[str], grounds: Grounds, stands_for: Mapping[str, str]
) -> Iterable[float]:
    """1 for what an open commitment concerns, .6 for what mentions an entity that such a one does.

    PT has "a project in common": an entity is what facts have in common here.
    """
    promised = {stands_for[fact] for fact in grounds.promised if fact in stands_for}
    about = {one.entity for one in grounds.mentions if one.fact in promised}
    beside = {one.fact for one in grounds.mentions if one.entity in about}
    return [LINKED if id in promised else BESIDE if id in beside else 0.0 for id in ids]
