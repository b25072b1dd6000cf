"""The same thing has the same id; another thing has another."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.ids import content_hash, fact_id, same_text, session_id, turn_id

anything = st.text(st.characters(exclude_categories=[]), max_size=30)  # lone surrogates too


@given(anything, anything, st.integers(0, 10**6))
def test_an_id_is_a_letter_and_twelve_hex_digits_and_always_the_same(
    one: str, two: str, position: int
) -> None:
    made = (session_id(one, two), turn_id(one, position, two), fact_id(one, "s1", two))
    for letter, id in zip("stf", made, strict=True):
        assert re.fullmatch(rf"{letter}[0-9a-f]{{12}}", id)
    assert made == (session_id(one, two), turn_id(one, position, two), fact_id(one, "s1", two))


@given(st.lists(anything, min_size=2, max_size=4, unique=True))
def test_what_belongs_to_another_bank_or_session_is_another(names: list[str]) -> None:
    assert len({session_id(name, "key") for name in names}) == len(names)
    assert len({fact_id(name, "s1", "Miso") for name in names}) == len(names)
    assert len({fact_id("ann", name, "Miso") for name in names}) == len(names)


@given(anything)
def test_where_the_parts_are_split_matters(text: str) -> None:
    assert content_hash(text, "b") != content_hash(text + "b")
    assert content_hash("a", text + "x", "") != content_hash("a", text, "x")


@pytest.mark.parametrize(
    "other",
    ["my cat is called miso", "My  cat\nis called Miso", " My cat is called Miso. ",
     "My cat is called Miso .", "MY CAT IS CALLED MISO!", "Ｍｙ cat is called Miso"],
)  # fmt: skip
def test_case_spacing_form_and_a_full_stop_make_no_difference(other: str) -> None:
    assert same_text(other) == same_text("My cat is called Miso")
    assert fact_id("ann", "s1", other) == fact_id("ann", "s1", "My cat is called Miso")


@pytest.mark.parametrize("other", ["My cat is called Misa", "My cat is called Miso?", "Miso"])
def test_another_word_or_a_question_does(other: str) -> None:
    assert same_text(other) != same_text("My cat is called Miso")


@given(anything)
def test_a_text_made_the_same_stays_so(text: str) -> None:
    assert same_text(same_text(text)) == same_text(text)


def test_a_full_stop_of_another_script_makes_no_difference_either() -> None:
    assert same_text("我的猫叫小米。") == same_text("我的猫叫小米")
