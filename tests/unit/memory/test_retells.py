from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.words import retells


@pytest.mark.parametrize(
    ("original", "text"),
    [
        ("User has an allergy to peanuts.", "The user is allergic to peanuts."),
        ("Can I take it on the trip?", "Can I take my bike on the train trip to Turku?"),
        ("我妹妹对花生过敏", "我的妹妹莉娅对花生过敏"),
        ("Siskoni on allerginen maapähkinöille", "Siskoni Lea on allerginen maapähkinöille."),
        ("Mi hermana es alérgica al cacahuete", "MI HERMANA LEA ES ALERGICA AL CACAHUETE"),
    ],
)
def test_a_paraphrase_stands_in_for_what_it_says(original: str, text: str) -> None:
    assert retells(text, original)


@pytest.mark.parametrize("text", ["...", "<value1>", "It is always good to do sports", "你好"])
def test_what_says_something_else_does_not(text: str) -> None:
    assert not retells(text, "User has an allergy to peanuts.")


@given(st.text())
def test_every_text_stands_in_for_itself(text: str) -> None:
    assert retells(text, text)
