"""Rerank the best hits by reading each beside the query (Hindsight §4.2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from forethought.memory.types import Fact, Hit


class Reranker(Protocol):
    """Says how well each text answers a query, having read both together."""

    @property
    def depth(self) -> int:
        """How many of the best hits are worth showing to it; 0: none, every order stays."""

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score in [0, 1] for each text, in order, comparable for one query only."""


class Identity:
    """Reads nothing, so it changes nothing: the default."""

    depth = 0

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """No preference."""
        return [0.0] * len(texts)


async def reranked(reranker: Reranker, query: str, hits: Sequence[Hit]) -> list[Hit]:
    """All `hits` by their reranker's score, best first; equals keep their order.

    That score becomes theirs, and stands among their terms as "rerank".
    """
    if not reranker.depth or not hits:
        return list(hits)
    scores = await reranker.scores(query, [passage(hit.fact) for hit in hits])
    order = sorted(range(len(hits)), key=lambda row: -scores[row])
    return [
        _scored(hits[row], round(scores[row], 6), place) for place, row in enumerate(order, start=1)
    ]


def _scored(hit: Hit, score: float, place: int) -> Hit:
    terms, ranks = {**hit.terms, "rerank": score}, {**hit.ranks, "rerank": place}
    return replace(hit, score=score, terms=terms, ranks=ranks)


def passage(fact: Fact) -> str:
    """What a reranker reads: the text after the day it happened, or was said (Hindsight §4.2.4)."""
    first = fact.occurred_from or fact.date.date()
    last = fact.occurred_to or first
    return f"{first}: {fact.text}" if first == last else f"{first} to {last}: {fact.text}"
