"""Which facts are linked, and how strongly (Hindsight §4.1.4). Pure rules; all constants are here.

Entity paths are not among them: they run over mentions and are never stored pairwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from math import exp

from forethought.memory.index import Neighbour
from forethought.memory.types import Link, LinkKind

WITHIN = timedelta(hours=24)  # Hindsight §4.1.4; farther away in time there is no link
NEAREST = 10  # temporal links a fact; Hindsight's published code
SIGMA = timedelta(hours=12)
"""σ: a day apart weighs e⁻² = .135. After one step of the spread (× .8) that is .108, just above
where activation is pruned (.1): at the edge of the window a link carries from a perfect seed only.
"""
MOST_SIMILAR = 5  # semantic links a fact; Hindsight's published code
CAUSAL = 1.0  # Hindsight §4.1.4: what the conversation itself says is certain

_CAUSAL_KINDS: Mapping[str, tuple[LinkKind, bool]] = {
    "causes": ("causes", False),
    "caused_by": ("causes", True),
    "enables": ("enables", False),
    "prevents": ("prevents", False),
}
"""From a relation as the model says it to the kind of the link, and whether it runs backwards."""


def temporal(fact: str, around: Iterable[tuple[str, timedelta]]) -> list[Link]:
    """Links from a fact to those near it in time, at exp(−Δt/σ)."""
    return [
        _undirected(fact, other, "temporal", exp(-(apart / SIGMA)))
        for other, apart in around
        if other != fact and apart <= WITHIN
    ]


def semantic(
    fact: str, near: Sequence[Neighbour], *, holding: set[str], at_least: float
) -> list[Link]:
    """Links from a fact to those most like it that hold, at their cosine; best first in `near`.

    `at_least` is θ_s, which belongs to the embedder (`Thresholds.link`).
    """
    alike = [one for one in near if one.cosine >= at_least and one.id != fact and one.id in holding]
    return [
        _undirected(fact, one.id, "semantic", min(1.0, one.cosine)) for one in alike[:MOST_SIMILAR]
    ]


def causal(fact: str, kind: str, other: str) -> Link | None:
    """The link that "fact `kind` other" comes to; None for no known relation, or to itself."""
    if kind not in _CAUSAL_KINDS or fact == other:
        return None
    stored, backwards = _CAUSAL_KINDS[kind]
    return Link(other, fact, stored, CAUSAL) if backwards else Link(fact, other, stored, CAUSAL)


def moved(links: Iterable[Link], *, merged: set[str], to: str) -> list[Link]:
    """Causal links of facts that were merged, as links of the fact that replaces them."""
    found = {
        Link(source, target, link.kind, link.weight)
        for link in links
        if link.kind not in {"temporal", "semantic"}
        for source, target in [
            (
                to if link.source in merged else link.source,
                to if link.target in merged else link.target,
            )
        ]
        if source != target
    }
    return sorted(found)


def _undirected(one: str, other: str, kind: LinkKind, weight: float) -> Link:
    return Link(min(one, other), max(one, other), kind, round(weight, 6))
