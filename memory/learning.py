"""Learning from use, without a model: a request becomes a cue of the facts its answer cited.

So a similar request finds them at once, though nothing in it resembles them (PGR's future work).
`forethought eval learning` prints what that brings, and what it costs other requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from forethought.memory.function_words import content
from forethought.memory.indexing import Indexer
from forethought.memory.types import Cue
from forethought.memory.words import words

KEEP = 3  # learned cues of a fact: beside five imagined ones they never outnumber those
TELLING = 3  # words beside function words: "and what about the second?" needs what it follows
LONGEST = 1000  # characters, MiniLM's 256 tokens: what is longer is a text to work on, no request


@dataclass(frozen=True, slots=True)
class Use:
    """A request, made `at` (aware UTC), and the ids of the facts that its answer cited."""

    request: str
    cited: Sequence[str]
    at: datetime


def unfit(request: str) -> str:
    """Why a request is nothing to learn, whatever was cited; "" where it is."""
    if len(request) > LONGEST:
        return f"over {LONGEST} characters"
    telling = len(set(content(words(request))))
    return f"{telling} telling words of {TELLING}" if telling < TELLING else ""


@dataclass(frozen=True, slots=True)
class Learner:
    """Makes cues of what was asked."""

    indexer: Indexer

    async def learn(self, bank: str, use: Use) -> list[Cue]:
        """Keep the request as a cue of each fact that it does not find by its text; the new ones.

        They have no vectors before the indexer caught up. Nothing is learned of an unfit request.
        """
        if unfit(use.request) or not (hidden := await self._hidden(bank, use)):
            return []
        return await self.indexer.records.learn(bank, hidden, use.request, at=use.at, keep=KEEP)

    async def _hidden(self, bank: str, use: Use) -> list[str]:
        """The cited facts whose text is not surely about the request (a cosine below τ₀).

        Where it is, the request is a question for the very fact, which needs no cue for it.
        """
        if not use.cited:
            return []
        (asked,) = await self.indexer.embedder.embed([use.request])
        texts = await self.indexer.vectors(bank, "text", list(use.cited))
        sure = self.indexer.embedder.thresholds.strict
        return [fact for fact, text in texts.items() if float(text @ asked) < sure]
