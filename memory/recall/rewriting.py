"""What a request becomes before memory is searched: self-contained, dated, fit for retrieval."""

from __future__ import annotations

from dataclasses import dataclass

from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.when import Span


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A request in other words, after PGR's q_A and PPRO's q' (§3.3).

    `request` is what the user wants, self-contained, for imagining how it may unfold; `query` is
    what to search for, in the words that what is wanted would have. `days` are those that it is
    about, where it names any; `dimensions` are those of the facts that would answer it.
    """

    request: str
    query: str
    days: Span | None = None
    dimensions: Dimensions = UNSAID
