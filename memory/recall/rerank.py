"""Rerank the best hits by reading each beside the query (Hindsight §4.2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from forethought.memory.recall.terms import gain
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

    That score, a relevance, is raised by the terms of each hit and becomes theirs; as it was it
    stands among them as "rerank".
    """
    if not reranker.depth or not hits:
        return list(hits)
    read = await reranker.scores(query, [passage(hit.fact) for hit in hits])
    found = [_scored(hit, score) for hit, score in zip(hits, read, strict=True)]
    found.sort(key=lambda hit: -hit.score)
    return [_placed(hit, place) for place, hit in enumerate(found, start=1)]


def _scored(hit: Hit, score: float) -> Hit:
    raised = score + gain(2 * score - 1, hit.terms) / 2
    return replace(hit, score=raised, terms={**hit.terms, "rerank": round(score, 6)})


def _placed(hit: Hit, place: int) -> Hit:
    return replace(hit, score=round(hit.score, 6), ranks={**hit.ranks, "rerank": place})


def passage(fact: Fact) -> str:
    """What a reranker reads: the text after the day it happened, or was said (Hindsight §4.2.4)."""
    first = fact.occurred_from or fact.date.date()
    last = fact.occurred_to or first
    return f"{first}: {fact.text}" if first == last else f"{first} to {last}: {fact.text}"
