"""What the Records port keeps of opinions and observations: a part of it, in a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from forethought.memory.beliefs.types import Judgement, Observation, Opinion
from forethought.memory.types import Fact, Kind


class Beliefs(Protocol):
    """Opinions with their trajectories, and observations, of every bank.

    Nothing is stored of a fact that is not there: a model may have been at work on it while it was
    forgotten. What becomes of both when a fact is forgotten says `Records.forget`; one that is
    merely replaced stays in the store, so they stay too, and evidence moves opinions on.
    """

    async def opinions(self, bank: str, ids: Sequence[str] | None = None) -> list[Opinion]:
        """The opinions with these ids, in this order, unknown ids left out; all by date formed."""

    async def hold(self, bank: str, opinions: Sequence[Opinion]) -> None:
        """Store new opinions, unindexed; one whose id is known, or that is blank, is left as it is.

        One that rests on a fact that is not there (forgotten, unknown) is left out: its text may be
        of that fact. Raises InvalidInput for a confidence outside [0, 1], naive dates and opinions
        of another bank.
        """

    async def judge(self, bank: str, judgements: Sequence[Judgement]) -> list[Opinion]:
        """Apply judgements to the opinions as they are now (`confidence.judged`), in this order.

        All in one transaction, so that none is lost to another that came at the same time. Those
        on unknown opinions, or that name a fact that is not there, are passed over. Returns the
        opinions that changed; one whose text did is marked unindexed. Raises InvalidInput as
        `hold` does.
        """

    async def observations(
        self,
        bank: str,
        subjects: Sequence[str] | None = None,
        *,
        ids: Sequence[str] | None = None,
    ) -> list[Observation]:
        """The observations on these subjects, or all, by subject and then as they were given.

        With `ids` those with these ids in this order instead, unknown ids left out.
        """

    async def of_kinds(self, bank: str, kinds: Sequence[Kind], *, k: int) -> list[Fact]:
        """The facts of these kinds that hold, those last said first, then by id; up to `k`."""

    async def observe(self, bank: str, subject: str, observations: Sequence[Observation]) -> None:
        """Put these in place of all observations on `subject`, in one transaction, unindexed.

        One that is the same as before stays indexed, a blank one is left out. Where a fact that one
        is made from, or the entity that it is about, is not there (any more), none of them is
        stored, since all were made from the same facts. Raises InvalidInput for naive dates and for
        observations of another bank or subject.
        """
