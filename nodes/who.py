"""Who answers: the profile of the bank in words, with what the caller set for this run on top."""

from __future__ import annotations

from dataclasses import asdict, replace

from forethought.memory.beliefs.profile import profile_of
from forethought.memory.records.port import Records
from forethought.nodes.context import Context
from forethought.prompts.disposition import disposition


async def who_answers(records: Records, context: Context) -> str:
    """The paragraph for a system message; "" where there is nothing to say."""
    profile = await profile_of(records, context.bank)
    theta = replace(profile.disposition, **(context.disposition or {}))
    return disposition(name=profile.name, background=profile.background, **asdict(theta))
