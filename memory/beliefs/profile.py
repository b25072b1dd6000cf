"""Who the assistant is to a bank: P = (name, Θ, background), Θ its disposition (Hindsight §5.3)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from forethought.memory.errors import InvalidInput
from forethought.memory.plain import from_plain, to_plain
from forethought.memory.records.port import Records

PROFILE = "profile"
"""Setting of a bank: its profile as JSON; a bank without it has the default one."""

TRAITS = ("skepticism", "literalism", "empathy")
MOST_NAME = 80  # characters: a name, no text
MOST_BACKGROUND = 2000  # characters: it is in every system message; merged ones have a few hundred


@dataclass(frozen=True, slots=True)
class Disposition:
    """Θ: how the assistant reads and judges, each trait from 1 to 5; 3 is neutral (§5.2).

    `skepticism` goes from trusting to skeptical, `literalism` from flexible to literal, `empathy`
    from detached to empathetic. `bias` is β in [0, 1]: how far they shape what it concludes.
    """

    skepticism: int = 3
    literalism: int = 3
    empathy: int = 3
    bias: float = 0.2  # Hindsight §7.3

    def __post_init__(self) -> None:
        """Raises InvalidInput that names the value and its range."""
        for trait in TRAITS:
            value = getattr(self, trait)
            whole = isinstance(value, int) and not isinstance(value, bool)
            _check(trait, value, whole and 1 <= value <= 5, "a whole number from 1 to 5")  # noqa: PLR2004  # the range itself
        number = isinstance(self.bias, int | float) and not isinstance(self.bias, bool)
        _check("bias", self.bias, number and 0 <= self.bias <= 1, "a number from 0 to 1")


@dataclass(frozen=True, slots=True)
class Profile:
    """What the assistant is called, how it is disposed, and what it says of itself, as "I …".

    An empty `name` or `background` says nothing. Raises InvalidInput for what is too long.
    """

    name: str = ""
    disposition: Disposition = field(default_factory=Disposition)
    background: str = ""

    def __post_init__(self) -> None:
        """Refuse what would not fit a system message."""
        for what, most in (("name", MOST_NAME), ("background", MOST_BACKGROUND)):
            said = getattr(self, what)
            fits = isinstance(said, str) and len(said) <= most
            _check(what, said, fits, f"a text of at most {most} characters")


async def profile_of(records: Records, bank: str) -> Profile:
    """The profile of a bank; the default one if it was never set."""
    return await profile_set(records, bank) or Profile()


async def profile_set(records: Records, bank: str) -> Profile | None:
    """The profile that was set for a bank, if one was."""
    kept = await records.setting(bank, PROFILE)
    return from_plain(Profile, json.loads(kept)) if kept else None


async def keep_profile(records: Records, bank: str, profile: Profile) -> None:
    """Make this the profile of a bank, from the next answer on."""
    kept = json.dumps(to_plain(profile), ensure_ascii=False)
    await records.setting(bank, PROFILE, kept)


def _check(name: str, value: object, sound: bool, expected: str) -> None:
    if not sound:
        shown = value if not isinstance(value, str) else f"{value[:40]} ({len(value)} characters)"
        raise InvalidInput(f"profile.{name}: expected {expected}, found {shown!r}")
