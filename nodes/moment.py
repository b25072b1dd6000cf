"""The moment as of which a run answers: what the caller set, else the clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo

from forethought.memory.when import moment

Clock = Callable[[], datetime]
Moment = Callable[[str | None], datetime]
"""From what the caller set as `now` to the moment meant; see `now_of`."""


def now_of(said: str | None, *, clock: Clock, zone: tzinfo) -> datetime:
    """`said` as an aware UTC moment, or the clock's. Raises InvalidInput for what is no date."""
    return moment(said, zone=zone, name="context.now") if said else clock().astimezone(UTC)
