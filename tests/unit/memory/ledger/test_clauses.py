from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.ledger.clauses import MOST, clauses, parts, sentences

turns = st.text(st.sampled_from("ab 你。、，,.!?;: \n–-5é"), max_size=80) | st.text(max_size=60)


def letters(text: str) -> str:
    """What is left of a text without its spaces and dashes, which may stand between two clauses."""
    return "".join(char for char in text if not char.isspace() and char not in "–—-")


@given(turns)
def test_splitting_loses_no_word_and_says_none_twice(text: str) -> None:
    assert letters("".join(clauses(text))) == letters(text)
    assert letters("".join(sentences(text))) == letters(text)


@given(turns)
def test_a_part_is_the_whole_or_lies_in_it(text: str) -> None:
    first, *others = parts(text)
    assert first == text
    assert len(others) < MOST
    for part in others:
        assert letters(part) in letters(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "What suits a rainy day, and how long do scones keep? Also book the vet",
            ["What suits a rainy day,", "and how long do scones keep?", "Also book the vet"],
        ),
        ("Please, help me with this", ["Please, help me with this"]),
        ("It costs 4,215 all in at 18:30 today", ["It costs 4,215 all in at 18:30 today"]),
        ("Der Bericht ist bis zum 15. März fällig", ["Der Bericht ist bis zum 15. März fällig"]),
        ("¿Qué hago hoy con Ana? Llama al médico mañana", None),
        ("明天去银行吗？别忘了带护照，还有那封信。", None),
        ("هل نذهب غدا صباحا؟ أحضر معك الكتاب الجديد، والقلم الأزرق أيضا", None),
        ("明日は雨ですか。傘を持って行ってください。", None),
    ],
)
def test_what_is_asked_at_once_is_taken_apart(text: str, expected: list[str] | None) -> None:
    found = clauses(text)
    assert found == expected if expected else len(found) >= 2


def test_a_turn_of_one_clause_is_itself_alone() -> None:
    assert parts("Where is my umbrella?") == ["Where is my umbrella?"]
    assert parts("") == [""]
