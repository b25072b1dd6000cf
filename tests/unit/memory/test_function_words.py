"""Function words are not searched for, but what they leave always is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.function_words import telling
from forethought.memory.words import words


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("When did Ana's sister move to the city of Oslo?", "ana sister move city oslo"),
        ("What did my son do in the war?", "son war"),
        ("Wann war mein Sohn in Oslo?", "sohn oslo"),
        ("Où est-ce que j'ai garé la voiture ?", "gare voiture"),
        ("¿Cuándo se casó mi hermana?", "caso hermana"),
        ("Who is she?", "who is she"),
        ("will May call us", "will may call us"),
        ("我的猫叫什么", "我的 的猫 猫叫 叫什 什么"),
        ("", ""),
    ],
)
def test_examples(asked: str, left: str) -> None:
    assert telling(words(asked)) == left.split()


WORDS = ["the", "of", "war", "son", "die", "der", "la", "casa", "ana", "miso"]


@given(st.lists(st.sampled_from(WORDS)))
def test_what_is_left_is_of_the_query_in_its_order_and_never_nothing(asked: list[str]) -> None:
    left = telling(asked)
    assert bool(left) == bool(asked)
    rest = iter(asked)
    assert all(word in rest for word in left)
