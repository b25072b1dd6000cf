"""What the Records port says of the index: a part of it, in a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from forethought.memory.records.changes import Unindexed


class Marks(Protocol):
    """The marks that keep the index one with what is stored, of every bank."""

    async def unindexed(self, bank: str, *, limit: int) -> list[Unindexed]:
        """What lacks its vector: facts first, then cues, opinions, observations, reminders, turns.

        By date (an opinion's is when it was formed) and id, turns as they were logged.
        """

    async def indexed(self, bank: str, ids: Sequence[str]) -> None:
        """Clear the unindexed mark of these."""

    async def outdated(self, bank: str, items: Sequence[Unindexed]) -> list[str]:
        """Ids of those that `unindexed` gave and that are gone, or not the same any more."""

    async def reindex(self, bank: str) -> int:
        """Mark everything that is to have a vector unindexed; return how many."""

    async def unpurged(self, bank: str) -> list[str]:
        """Ids of what was forgotten, or reworded by that, whose vectors may be in the index."""

    async def purged(self, bank: str, ids: Sequence[str]) -> None:
        """Strike these ids from `unpurged`: their vectors are gone.

        Those that were learned or logged again in the meantime are marked unindexed.
        """
