"""What a request becomes before memory is searched: self-contained, dated, fit for retrieval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date as Day
from typing import Protocol

from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.terms import sought
from forethought.memory.when import Span
from forethought.memory.words import retells


@dataclass(frozen=True, slots=True)
class Original:
    """A request as it was said, and what it may refer to.

    `conversation` is what was said before it, `facts` what is surely about it, as lines, oldest
    first; `today` is the day that relative times count from.
    """

    request: str
    today: Day
    facts: tuple[str, ...] = ()
    conversation: tuple[str, ...] = ()


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

    @property
    def searched(self) -> str:
        """What to search memory by: the request, and behind it the query where that is another.

        Cues are worded like a request, which is where days are named; facts are worded like the
        query. By it alone plans find less than by the request (ARCHITECTURE, "Rewriting").
        """
        return self.request if self.query == self.request else f"{self.request} {self.query}"


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What a rewriter made of a request: `notes` say what of it does not hold and was left out.

    `usage` counts its model calls and tokens.
    """

    rewritten: Rewritten
    notes: tuple[str, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)


class Rewriter(Protocol):
    """Puts a request into other words; PPRO's trained one is to be one of these."""

    async def rewrite(self, original: Original, /, *, tries: int) -> Rewriting:
        """The request in other words, in at most `tries` model calls. Raises a ModelError."""


async def rewritten_by(rewriter: Rewriter, original: Original, *, tries: int) -> Rewriting:
    """What `rewriter` makes of a request, as far as it says the same. Raises a ModelError."""
    made = await rewriter.rewrite(original, tries=tries)
    kept, notes = faithful(made.rewritten, original.request)
    return replace(made, rewritten=kept, notes=(*made.notes, *notes))


def faithful(said: Rewritten, original: str) -> tuple[Rewritten, tuple[str, ...]]:
    """The rewriting without what has nothing to do with the request, and notes on that.

    A request must retell the `original`. A query is worded otherwise on purpose, and is searched by
    beside the request: one word that the request is searched by is enough (of 68 good ones, 67 have
    one and 47 would retell).
    """
    notes = []
    request, query = said.request, said.query
    if not request or not retells(request, original):
        notes.append(f"the request stays as it was said, not as {request[:80]!r}")
        request = original
    if set(sought(query)).isdisjoint([*sought(request), *sought(original)]):
        notes.append(f"the request itself is searched by, not {query[:80]!r}")
        query = request
    return replace(said, request=request, query=query), tuple(notes)
