"""What the Records port keeps of commitments: a part of it, in a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as Day
from typing import Protocol

from forethought.memory.ledger.types import Commitment, CommitmentCue, Settlement, State


class Ledger(Protocol):
    """Commitments with their cues, of every bank: closed when settled, never deleted but by forget.

    What a retain finds out of them comes with its ChangeSet, in one transaction with the facts.
    """

    async def commitments(
        self, bank: str, ids: Sequence[str] | None = None, *, status: State | None = None
    ) -> list[Commitment]:
        """Those with these ids, in this order, unknown ids left out; all by date made, then id.

        Only those of this status, where one is given.
        """

    async def undertake(self, bank: str, commitments: Sequence[Commitment]) -> list[str]:
        """Store new ones, without cues yet; return the ids of those that were stored.

        One whose id is known, whose action is blank, or whose session was forgotten or is not in
        the log is left as it is or out; of the `facts` it concerns those that are not there are
        left out. Raises InvalidInput for naive dates and commitments of another bank.
        """

    async def settle(self, bank: str, settlements: Sequence[Settlement]) -> list[Commitment]:
        """Close open ones (`ledger.types.close`); return those that changed.

        Unknown and closed ones are passed over, and so is a settlement from before it was made.
        """

    async def reopen(self, bank: str, commitment: str) -> Commitment:
        """Have one open again that was closed by mistake. Raises NotFound."""

    async def tell(self, bank: str, commitments: Sequence[str], *, on: Day) -> None:
        """Note that these were brought up on that day."""

    async def reminders(self, bank: str, commitments: Sequence[str]) -> list[CommitmentCue]:
        """The cues of these commitments, by commitment and position."""

    async def remind(
        self, bank: str, cues: Sequence[CommitmentCue], *, commitments: Sequence[str]
    ) -> None:
        """Store cues (unindexed, part "reminder") and mark `commitments` foreseen.

        They replace those that these had. An unchanged one stays indexed, a dropped one is listed
        by `unpurged`, as for facts (`foresee`).
        """
