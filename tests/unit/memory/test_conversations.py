"""A conversation as it comes in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from forethought.memory.conversations import Conversation, Utterance

DATE = datetime(2025, 5, 16, tzinfo=UTC)


def _talk(*texts: str, **fields: Any) -> Conversation:
    turns = tuple(Utterance(role="user", text=text) for text in texts)
    return Conversation(**{"date": DATE, "turns": turns, **fields})


def test_blank_turns_are_not_there() -> None:
    assert [turn.text for turn in _talk("", "Hi", " \n", "\u3000").turns] == ["Hi"]


def test_a_key_of_the_callers_own_is_the_name() -> None:
    assert _talk("Hi", key="chat 1").name == "chat 1"


def test_without_a_key_the_date_and_the_first_words_name_it() -> None:
    assert _talk("Hi").name == _talk("Hi").name
    assert _talk("Hi").name == _talk("Hi", "and more").name  # it may grow
    names = {
        _talk("Hi").name,
        _talk("Ho").name,
        _talk("Hi", date=datetime(2025, 5, 17, tzinfo=UTC)).name,
        Conversation(date=DATE, turns=(Utterance(role="assistant", text="Hi"),)).name,
    }
    assert len(names) == 4


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"turns": [{"role": "owner", "text": "x"}]}, ("turns", 0, "role")),
        ({"turns": [{"role": "user"}]}, ("turns", 0, "text")),
        ({"turns": [{"role": "user", "text": "x", "when": 1}]}, ("turns", 0, "when")),
        ({"date": "soon"}, ("date",)),
        ({"extra": 1}, ("extra",)),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    fields: dict[str, Any], place: tuple[Any, ...]
) -> None:
    with pytest.raises(ValidationError) as refused:
        Conversation.model_validate({"date": "2025-05-16", **fields})
    assert refused.value.errors()[0]["loc"] == place


def test_it_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        _talk("Hi").key = "other"  # type: ignore[misc]  # that is what must not work
