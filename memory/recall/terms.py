"""What moves a fact's place beside how well it fits the request (DESIGN §5.4). Terms never prune.

Each term multiplies a relevance in [0, 1]; at weight 0 it changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.when import Span


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each term counts, from 0 (off) on.

    `prospective` is PT's W for facts of firing commitments, `salience` its W for salience,
    `profile` PPRO's 1 - λ, `dimensions` its boost for each dimension that matches.
    """

    prospective: float = 0.3
    salience: float = 0.0
    profile: float = 0.0
    dimensions: float = 0.0


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
