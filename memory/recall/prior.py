"""The user's profile as a vector, e_P, for ranking by request and user together (PPRO §3.3)."""

from __future__ import annotations

from datetime import datetime

from forethought.memory.beliefs.user import user_profile
from forethought.memory.embedding import Vectors, unit
from forethought.memory.indexing import Indexer


class Prior:
    """Gives each bank's e_P, and keeps it until the profile says other things.

    Which statements there are is asked of Records each time, one light look-up, so that what
    another process changed counts too; their vectors are fetched only where they are others.
    """

    def __init__(self, indexer: Indexer) -> None:
        """Take the statements' vectors from the stores that `indexer` keeps true to each other."""
        self._indexer = indexer
        self._known: dict[str, tuple[frozenset[str], Vectors]] = {}

    async def of(self, bank: str, *, now: datetime) -> Vectors | None:
        """The unit mean [d] of the vectors of the user's profile; None where `now` knows none."""
        made = await user_profile(self._indexer.records, bank, now=now)
        ids = frozenset(one.id for one in made)
        known = self._known.pop(bank, None)
        if known is None or known[0] != ids:
            found = await self._indexer.vectors(bank, "observation", [*ids]) if ids else {}
            if not found:
                return None
            known = (frozenset(found), _mean(found))
        self._known[bank] = known
        return known[1]


def _mean(vectors: dict[str, Vectors]) -> Vectors:
    import numpy as np

    return unit(np.array(list(vectors.values())).mean(axis=0))
