"""Merge a biographical snippet into what the assistant says of itself (CARA, Hindsight §5.6)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from forethought.memory.beliefs.profile import Profile, keep_profile, profile_of
from forethought.memory.errors import InvalidInput
from forethought.memory.locks import BankLocks
from forethought.memory.records.port import Records
from forethought.memory.words import words
from forethought.nodes.model import Model
from forethought.nodes.usage import Usage
from forethought.prompts.background import MOST
from forethought.prompts.background import background as background_prompt


@dataclass(frozen=True, slots=True)
class Merged:
    """The profile with its new background, and what the call cost."""

    profile: Profile
    usage: Usage


async def merge_background(
    bank: str, snippet: str, *, records: Records, model: Model, locks: BankLocks
) -> Merged:
    """Merge `snippet` into the bank's background, in one call, and keep the result.

    Raises InvalidInput for a snippet that is blank or too long, and a ModelError that leaves the
    background as it is.
    """
    if not words(snippet) or len(snippet) > MOST:
        raise InvalidInput(
            f"background: expected a text of 1 to {MOST} characters, found {len(snippet)}"
        )
    async with locks.of(bank):  # two that came at once would each merge into the same one
        profile = await profile_of(records, bank)
        reply = await model.ask(background_prompt(now=profile.background, snippet=snippet))
        merged = " ".join(reply.value.background.split())
        profile = replace(profile, background=merged)
        await keep_profile(records, bank, profile)
    return Merged(profile, reply.usage)
