"""The floor: facts of firing commitments among the first, however far down they rank (PT §3).

Pure functions over hits: what comes out is what went in, in another order. The factor by which such
facts rank higher among what was found is a term (`memory/recall/terms.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from forethought.memory.types import Hit


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
