"""The user's profile: what the user is like, summed up from facts of theirs (PPRO §3.2)."""

from __future__ import annotations

from datetime import datetime

from forethought.memory.beliefs.types import USER, Observation
from forethought.memory.records.port import Records


async def user_profile(records: Records, bank: str, *, now: datetime) -> list[Observation]:
    """Its statements as they are, in their order; none where it was made after `now`."""
    made = await records.observations(bank, [USER])
    return [one for one in made if one.made <= now]
