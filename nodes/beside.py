"""retain: what is shown beside a stretch that is read: facts near it, and open commitments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from forethought.memory.ledger.types import Commitment
from forethought.memory.ledger.watch import Watch
from forethought.memory.recall.recall import Recall
from forethought.memory.types import Fact
from forethought.nodes.lines import dated, undertaken
from forethought.prompts.extract import Known

KNOWN_PER_TURN = 5  # PGR's K: what each turn may repeat or change
KNOWN_AT_MOST = 40  # about 1,000 tokens of known facts
OPEN_AT_MOST = 20  # open commitments, which a turn may settle: about 700 tokens


@dataclass(frozen=True, slots=True)
class Beside:
    """The facts and commitments that a stretch may repeat, change or settle."""

    facts: Sequence[Fact] = ()
    commitments: Sequence[Commitment] = ()

    @property
    def lines(self) -> Known:
        """Each under its label."""
        return Known(
            tuple(f"[K{n}] {dated(fact)}" for n, fact in enumerate(self.facts, start=1)),
            tuple(f"[C{n}] {undertaken(one)}" for n, one in enumerate(self.commitments, start=1)),
        )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where to look for them."""

    recall: Recall
    watch: Watch

    async def of(self, bank: str, texts: Sequence[str], *, by: datetime) -> Beside:
        """What is known near any of `texts`, and which commitments made by then are open."""
        return Beside(
            await self.recall.related(bank, texts, k=KNOWN_PER_TURN, limit=KNOWN_AT_MOST),
            await self.watch.near(bank, texts, by=by, most=OPEN_AT_MOST),
        )
