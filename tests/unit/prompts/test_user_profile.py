"""What a model may make of the three lists, and what is taken from it."""

from __future__ import annotations

from typing import Any

import pytest

from forethought.nodes.parsing import Parsed, Unfit, parse
from forethought.prompts.user_profile import MOST, UserProfile

MANY = [f"Fact {n}." for n in range(9)]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ('{"attributes": ["A nurse."], "preferences": ["Tea."]}', [["A nurse."], ["Tea."], []]),
        ('{"attributes": "A nurse.", "preferences": null}', [["A nurse."], [], []]),
        ('Here: ["A nurse.", 7, " ", null]', [["A nurse."], [], []]),
        ('{"attributes": [], "relationships": [{"text": "Ana."}]}', [[], [], ["Ana."]]),
        ('{"relationships": ["Ana is a sister."]}', [[], [], ["Ana is a sister."]]),
        (f'{{"attributes": {MANY}}}'.replace("'", '"'), [MANY[:MOST], [], []]),
        (f'{{"attributes": ["{"x" * 301}", "A nurse."]}}', [["A nurse."], [], []]),
    ],
)
def test_what_can_be_used_of_a_reply_is(said: str, kept: Any) -> None:
    read = parse(said, UserProfile)
    assert isinstance(read, Parsed)
    assert list(read.value.sides.values()) == kept


def test_a_reply_without_any_of_the_three_is_none() -> None:
    for said in ("{}", '{"name": "Ana"}'):
        assert isinstance(parse(said, UserProfile), Unfit)
