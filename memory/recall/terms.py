"""What moves a fact's place beside how well it fits the request (DESIGN §5.4). Terms never prune.

Each term multiplies a relevance or adds to it, and never lowers one; at weight 0 it changes
nothing. Pure functions over scores: what comes out is what went in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields

from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.errors import InvalidInput
from forethought.memory.when import Span

PROSPECTIVE, SALIENCE, PROFILE, DIMENSIONS = "prospective", "salience", "profile", "dimensions"

_MOST = {PROSPECTIVE: 10.0, SALIENCE: 10.0, PROFILE: 1.0, DIMENSIONS: 1.0}
"""Largest weights: at 10 a factor decides alone, 1 - λ is a share, a cosine is at most 1."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each term counts, from 0 (off) on. Raises InvalidInput that names the weight.

    `prospective` is PT's W for facts of firing commitments, `salience` its W for salience,
    `profile` PPRO's 1 - λ, `dimensions` its boost for each dimension that matches.
    """

    prospective: float = 0.3
    salience: float = 0.0
    profile: float = 0.0
    dimensions: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no number or out of its range."""
        for name, most in _MOST.items():
            weight = getattr(self, name)
            number = isinstance(weight, int | float) and not isinstance(weight, bool)
            if not number or not 0 <= weight <= most:
                expected = f"a weight from 0 (off) to {most:g}"
                raise InvalidInput(f"terms.{name}: expected {expected}, found {weight!r}")


PPRO = Weights(profile=0.2, dimensions=0.05)
"""PPRO's own (B.3): λ = .8 and its boost, beside what commitments do."""
NAMES: tuple[str, ...] = tuple(weight.name for weight in fields(Weights))


@dataclass(frozen=True, slots=True)
class Bearing:
    """What bears on one request beside its words.

    `firing` are the ids of facts that firing commitments concern. `days` (the last resort where its
    words name none that the rules read) and `dimensions` are a rewriting's.
    """

    weights: Weights = Weights()
    firing: frozenset[str] = frozenset()
    days: Span | None = None
    dimensions: Dimensions = UNSAID


PLAIN = Bearing()


@dataclass(frozen=True, slots=True)
class Known:
    """What the terms go by, of the facts that are ranked.

    `firing` are those that firing commitments concern, `saliences` in [0, 1], `matching` in how
    many dimensions a fact is as the request wants it; both by id, and only where above 0.
    """

    firing: Collection[str] = frozenset()
    saliences: Mapping[str, float] = field(default_factory=dict)
    matching: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raised:
    """By how much a fact's terms raise its score, and what each says that moved it, by name.

    Of a factor, the share by which it raises the relevance; of `dimensions` and `profile`, what
    they add to the score. Scores are on the scale of cosines.
    """

    by: float = 0.0
    terms: Mapping[str, float] = field(default_factory=dict)


_NOTHING = Raised()


def raised(scores: Mapping[str, float], known: Known, weights: Weights) -> dict[str, Raised]:
    """Every fact of `scores`, in the order given, with what its terms do.

    That is nothing at weights of 0, and for facts of which `known` says nothing.
    """
    found = {}
    for fact, score in scores.items():
        terms = _terms(fact, known, weights)
        found[fact] = Raised(gain(score, terms), terms) if terms else _NOTHING
    return found


def gain(score: float, terms: Mapping[str, float]) -> float:
    """What its terms add to a score of a fact; 0 or more, and exactly 0 without any.

    They multiply its relevance, (1 + score) / 2. MiniLM's cosines of unrelated texts are about 0,
    where a factor does nothing: on hard clean triggers W = .3 gave recall@5 .20 over cosines and
    1.0 over relevances (issue 6). A score is a cosine and what channels add to it, so that the
    relevance may be above 1: it is not cut off there, which would make equals of the best. Below 0,
    where a factor would lower it, it counts as 0.
    """
    added = terms.get(DIMENSIONS, 0.0)
    factor = (1 + terms.get(PROSPECTIVE, 0.0)) * (1 + terms.get(SALIENCE, 0.0))
    return added + (factor - 1) * max(0.0, 1 + score + added)


def _terms(fact: str, known: Known, weights: Weights) -> dict[str, float]:
    """Those that raise it: hundreds of facts are asked about for each request, most have none."""
    terms = {}
    if fact in known.firing and weights.prospective:
        terms[PROSPECTIVE] = weights.prospective
    if by := weights.salience * known.saliences.get(fact, 0.0):
        terms[SALIENCE] = by
    if by := weights.dimensions * known.matching.get(fact, 0):
        terms[DIMENSIONS] = by
    return terms
