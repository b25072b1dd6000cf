"""The prospective term: facts of firing commitments rank higher (PT §3). It ranks, never prunes.

Pure functions over hits: what comes out is what went in, in another order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from forethought.memory.types import Hit

WEIGHT = 0.3  # W (PT §3.1)
TERM = "prospective"
"""Name of the term on a hit: the factor that its score was multiplied by, less 1."""


def relevance(cosine: float) -> float:
    """A cosine as a relevance in [0, 1] that terms may multiply, whichever the embedder.

    MiniLM's cosines of unrelated texts are about 0, where a factor does nothing: on hard clean
    triggers W = .3 gave recall@5 .20 over cosines and 1.0 over this (issue 6).
    """
    return min(max((1 + cosine) / 2, 0.0), 1.0)


def boosted(hits: Sequence[Hit], fired: Collection[str], weight: float = WEIGHT) -> list[Hit]:
    """`hits` by score × (1 + W·b), best first; b is 1 for facts whose ids are in `fired`.

    Scores must be relevances in [0, 1]; equals keep their order. Nothing is left out at any
    `weight` from 0 up; at 0 nothing changes. Raises ValueError for a negative one.
    """
    if weight < 0:
        raise ValueError(f"the prospective term's weight must not be negative, it is {weight}")
    if not weight:
        return list(hits)
    return sorted((_raised(hit, hit.fact.id in fired, weight) for hit in hits), key=_best_first)


def floored(hits: Sequence[Hit], fired: Sequence[str], *, among: int) -> list[Hit]:
    """`hits` with those of `fired` facts brought among the first `among`, the rest in order.

    `fired` has the surest first. At most half of the places (rounded up) are given to facts that
    had none, so that many firing commitments cannot hide what was asked for; each takes the place
    of the last that does not fire.
    """
    place = {fact: number for number, fact in enumerate(fired)}
    below = [hit for hit in hits[among:] if hit.fact.id in place]
    wanted = sorted(below, key=lambda hit: place[hit.fact.id])[: (among + 1) // 2]
    top = list(hits[:among])
    for hit in wanted:
        last = next((n for n in reversed(range(len(top))) if top[n].fact.id not in place), None)
        if last is None:
            break
        del top[last]
        top.append(hit)
    chosen = {hit.fact.id for hit in top}
    return top + [hit for hit in hits if hit.fact.id not in chosen]


def _raised(hit: Hit, fires: bool, weight: float) -> Hit:
    if not fires:
        return hit
    terms = {**hit.terms, TERM: weight}
    return replace(hit, score=hit.score * (1 + weight), terms=terms)


def _best_first(hit: Hit) -> float:
    return -hit.score
