"""How central each fact is among those it is linked to: PageRank (PT §3.1). No model is called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from forethought.memory.types import Link, Mention

if TYPE_CHECKING:
    from numpy.typing import NDArray

DAMPING = 0.85  # PT §3.1
_ROUNDS = 100  # .85 to the 100th is below the tolerance, so the last round changes nothing
_TOLERANCE = 1e-6  # of the sum of all ranks, which is 1
_LEAST = 1e-9  # weight of a way: less is none, and to divide by it would overflow


def centralities(
    facts: Sequence[str], links: Iterable[Link], mentions: Iterable[Mention]
) -> NDArray[Any]:
    """The PageRank of each of these facts, which are different; an array that sums to 1.

    A walker leaves a fact over its links, either way and by their weights, or over an entity (1
    each) to any other fact that mentions it, and from a fact without either to any fact. No pair is
    made for an entity: its facts give their share to it and take theirs from it. Links and mentions
    of other facts are left out.
    """
    import numpy as np

    if not facts:
        return np.zeros(0)
    paths = _Paths.between({fact: n for n, fact in enumerate(facts)}, links, mentions)
    count, leaving = len(facts), paths.leaving(len(facts))
    stuck = leaving == 0
    leaving[stuck] = 1
    rank = np.full(count, 1 / count)
    for _ in range(_ROUNDS):
        flow = paths.flow(np.where(stuck, 0, rank / leaving))
        now = (1 - DAMPING) / count + DAMPING * (flow + rank[stuck].sum() / count)
        change, rank = float(np.abs(now - rank).sum()), now
        if change < _TOLERANCE:
            break
    return rank


@dataclass(frozen=True, slots=True)
class _Paths:
    """Links as ends and weights, mentions as facts and entities; `others` mention the same."""

    source: NDArray[Any]
    target: NDArray[Any]
    weight: NDArray[Any]
    fact: NDArray[Any]
    entity: NDArray[Any]
    others: NDArray[Any]

    @classmethod
    def between(
        cls, place: dict[str, int], links: Iterable[Link], mentions: Iterable[Mention]
    ) -> _Paths:
        """Those that join two of the facts that have a place."""
        import numpy as np

        ends = [
            (place[one.source], place[one.target], one.weight)
            for one in links
            if one.source in place and one.target in place and one.weight >= _LEAST
        ]
        number: dict[str, int] = {}
        said = {
            (place[one.fact], number.setdefault(one.entity, len(number)))
            for one in mentions
            if one.fact in place
        }
        source, target, weight = np.array(ends).reshape(-1, 3).T
        fact, entity = np.array(sorted(said), dtype=np.int64).reshape(-1, 2).T
        others = np.bincount(entity, minlength=1)[entity] - 1
        shared = others > 0
        places = source.astype(np.int64), target.astype(np.int64)
        return cls(*places, weight, fact[shared], entity[shared], others[shared])

    def leaving(self, count: int) -> NDArray[Any]:
        """The weight of all ways from each of `count` facts."""
        import numpy as np

        linked = np.bincount(self.source, self.weight, count)
        linked += np.bincount(self.target, self.weight, count)
        return linked + np.bincount(self.fact, minlength=count)

    def flow(self, share: NDArray[Any]) -> NDArray[Any]:
        """What comes to each fact where `share` leaves each over every way of weight 1."""
        import numpy as np

        count = len(share)
        flow = np.bincount(self.target, share[self.source] * self.weight, count)
        flow += np.bincount(self.source, share[self.target] * self.weight, count)
        through = np.bincount(self.entity, share[self.fact], 1)[self.entity] - share[self.fact]
        return flow + np.bincount(self.fact, through / self.others, count)
