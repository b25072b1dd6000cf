"""What the Records port keeps of opinions and observations: a part of it, in a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from forethought.memory.beliefs.types import Judgement, Observation, Opinion


class Beliefs(Protocol):
    """Opinions with their trajectories, and observations, of every bank."""

    async def opinions(self, bank: str, ids: Sequence[str] | None = None) -> list[Opinion]:
        """The opinions with these ids, in this order, unknown ids left out; all by date formed."""

    async def hold(self, bank: str, opinions: Sequence[Opinion]) -> None:
        """Store new opinions, unindexed; one whose id is known, or that is blank, is left as it is.

        What they rest on that is not there (forgotten, unknown) is left out, and an opinion that
        had facts and has none left is refused. Raises InvalidInput for a confidence outside [0, 1]
        and for naive dates.
        """

    async def judge(self, bank: str, judgements: Sequence[Judgement]) -> list[Opinion]:
        """Apply judgements to the opinions as they are now (`confidence.judged`), in this order.

        All in one transaction, so that none is lost to another that came at the same time. Those
        on unknown opinions or facts are passed over. Returns the opinions that changed; one whose
        text did is marked unindexed.
        """

    async def observations(
        self, bank: str, subjects: Sequence[str] | None = None
    ) -> list[Observation]:
        """The observations on these subjects, or all, by subject and then as they were given."""

    async def observe(self, bank: str, subject: str, observations: Sequence[Observation]) -> None:
        """Put these in place of all observations on `subject`, in one transaction, unindexed.

        One that is the same as before stays indexed. Where a fact that one is made from is not
        there (any more), none of them is stored, since all were made from the same facts.
        """
