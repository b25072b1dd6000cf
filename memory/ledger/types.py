"""Commitments as values: promises and plans that should come to mind by themselves (PT §3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date as Day
from datetime import datetime
from typing import Literal

from forethought.memory.errors import InvalidInput
from forethought.memory.ids import commitment_id
from forethought.memory.types import Source

State = Literal["open", "kept", "dropped"]
Outcome = Literal["kept", "dropped"]
"""How a commitment may be closed."""

OUTCOMES: tuple[Outcome, ...] = ("kept", "dropped")


@dataclass(frozen=True, slots=True)
class Commitment:
    """Something to do (or not to do), on a day or when a condition is met; never deleted.

    `due` is the day from which it matters, `condition` in words when it does; it has one of them or
    both, and with neither it only stands in the ledger. `source` is where it was said, None where
    it was entered by hand; `facts` are the ids of those that it concerns. `made` and `closed` are
    aware UTC, `closed_by` the id of the turn that settled it, None by hand. `told` is the day on
    which it was last brought up. `foreseen` says whether its cues have been imagined.
    """

    id: str
    bank: str
    action: str
    made: datetime
    condition: str | None = None
    due: Day | None = None
    status: State = "open"
    source: Source | None = None
    facts: tuple[str, ...] = ()
    closed: datetime | None = None
    closed_by: str | None = None
    told: Day | None = None
    foreseen: bool = False

    def stood(self, now: datetime) -> bool:
        """Whether it had been made by `now` and had not been closed by then."""
        return self.made <= now and (self.status == "open" or not self._closed_by(now))

    def _closed_by(self, now: datetime) -> bool:
        return self.closed is None or self.closed <= now


@dataclass(frozen=True, slots=True)
class CommitmentCue:
    """A later turn of the user's, imagined when it was made, that should bring a commitment up."""

    commitment: str
    position: int
    text: str

    @property
    def id(self) -> str:
        """Names its commitment, as a fact's cue names its fact."""
        return f"{self.commitment}:{self.position}"


@dataclass(frozen=True, slots=True)
class Settlement:
    """That a commitment was kept or dropped, when (aware UTC), by which turn (None: by hand)."""

    commitment: str
    outcome: Outcome
    at: datetime
    turn: str | None = None


def named(
    bank: str, action: str, *, due: Day | None, condition: str | None, apart: str = ""
) -> str:
    """The id of a commitment: by what is to be done, and when.

    `apart` (a session's id) tells one that is made again from the one that was closed.
    """
    when = " ".join(filter(None, (str(due) if due else "", condition, apart)))
    return commitment_id(bank, action, when)


def close(
    commitment: Commitment, outcome: Outcome, *, at: datetime, turn: str | None = None
) -> Commitment:
    """The commitment as kept or dropped at `at`, settled by `turn` or by hand.

    Closing it again in the same way changes nothing. Raises InvalidInput where it was closed in the
    other way, or would be closed before it was made.
    """
    if commitment.status == outcome:
        return commitment
    if commitment.status != "open":
        raise InvalidInput(
            f"commitment {commitment.id} is {commitment.status} already: reopen it before it is "
            f"marked as {outcome}"
        )
    if at < commitment.made:
        raise InvalidInput(
            f"commitment {commitment.id} was made on {commitment.made:%Y-%m-%d}: it cannot be "
            f"{outcome} on {at:%Y-%m-%d}, before that"
        )
    return replace(commitment, status=outcome, closed=at, closed_by=turn)


def reopen(commitment: Commitment) -> Commitment:
    """The commitment as open again, for one that was closed by mistake."""
    return replace(commitment, status="open", closed=None, closed_by=None)
