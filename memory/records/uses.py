"""What the Records port keeps of facts' uses and of how much they weigh: a part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Day
from datetime import datetime
from typing import Protocol

from forethought.memory.dimensions import UNSAID, Dimensions


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """That an answer cited a fact on a day of the user's (PT §3.1: a recorded mention)."""

    fact: str
    on: Day


@dataclass(frozen=True, slots=True)
class Traits:
    """What terms go by of a fact itself: its salience in [0, 1], if it has one, and dimensions."""

    salience: float | None = None
    dimensions: Dimensions = UNSAID


class Uses(Protocol):
    """The uses of facts, and their salience as it was last computed, of every bank.

    Both go with their fact. Uses are exported; salience is not, since it is computed from the rest.
    """

    async def use(self, bank: str, facts: Sequence[str], *, on: Day) -> None:
        """Record that these facts were used on that day, each once a day; unknown ones are not."""

    async def uses(self, bank: str, facts: Sequence[str] | None = None) -> list[Use]:
        """The uses of these facts, or all, by fact and day."""

    async def weigh(self, bank: str, saliences: Mapping[str, float]) -> None:
        """Keep these, in [0, 1] by fact, in place of all saliences of the bank.

        Those of unknown facts are left out. Raises InvalidInput for a value outside the range.
        """

    async def traits(
        self, bank: str, facts: Sequence[str], *, now: datetime | None = None
    ) -> dict[str, Traits]:
        """The traits of those of these facts that hold at `now`, or of all: a light look-up.

        To hold is what it is in `Records.holding`.
        """
