"""How a statement stands to the world: PPRO's retrieval dimensions (A.4), of facts and requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Tense = Literal["past", "present", "future"]
Subjectivity = Literal["objective", "subjective"]
Certainty = Literal["certain", "speculative"]


@dataclass(frozen=True, slots=True)
class Dimensions:
    """The time it is of, whether it is so or is felt, and whether it is sure; None where unsaid.

    Of a request, those of the facts that would answer it.
    """

    tense: Tense | None = None
    subjectivity: Subjectivity | None = None
    certainty: Certainty | None = None

    def matching(self, other: Dimensions) -> int:
        """In how many of the three both say the same, 0 to 3."""
        pairs = (
            (self.tense, other.tense),
            (self.subjectivity, other.subjectivity),
            (self.certainty, other.certainty),
        )
        return sum(mine is not None and mine == its for mine, its in pairs)


UNSAID = Dimensions()


def agreed(several: Sequence[Dimensions]) -> Dimensions:
    """Each dimension in which all of one or more are the same, unsaid where two are not."""
    first = several[0]
    return Dimensions(
        first.tense if all(one.tense == first.tense for one in several) else None,
        first.subjectivity
        if all(one.subjectivity == first.subjectivity for one in several)
        else None,
        first.certainty if all(one.certainty == first.certainty for one in several) else None,
    )
