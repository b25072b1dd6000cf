from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forethought.memory.beliefs.profile import Disposition, Profile, keep_profile, profile_of
from forethought.memory.errors import InvalidInput
from forethought.memory.records.sqlite import SqliteRecords

SKEPTIC = Profile("Ada", Disposition(5, 5, 1, 1.0), "I was born in Texas.")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"skepticism": 0}, "skepticism: expected a whole number from 1 to 5, found 0"),
        ({"literalism": 6}, "literalism: expected a whole number from 1 to 5, found 6"),
        ({"empathy": True}, "empathy: expected a whole number from 1 to 5, found True"),
        ({"empathy": 2.5}, "empathy: expected a whole number"),
        ({"bias": 1.01}, "bias: expected a number from 0 to 1, found 1.01"),
        ({"bias": float("nan")}, "bias: expected a number from 0 to 1, found nan"),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_range(values: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        Disposition(**values)


def test_a_background_longer_than_a_system_message_bears_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at most 2000 characters"):
        Profile(background="I " * 2000)


async def test_a_bank_has_the_profile_that_was_set_and_every_other_the_neutral_one(
    tmp_path: Path,
) -> None:
    records = await SqliteRecords.open(tmp_path)
    try:
        await keep_profile(records, "ann", SKEPTIC)
        assert await profile_of(records, "ann") == SKEPTIC
        assert await profile_of(records, "bob") == Profile()
        await records.forget("ann")
        assert await profile_of(records, "ann") == Profile()
    finally:
        await records.close()
