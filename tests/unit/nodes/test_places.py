"""What of a chat's messages is new, however its history was cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forethought.nodes.places import remembered, trailing, unlogged
from forethought.nodes.spoken import Spoken
from forethought.nodes.state import Chat


def _turn(number: int, asked: int = 1) -> list[Spoken]:
    """One turn: what the user said, in one or more messages, and the answer."""
    said = [Spoken(f"u{number}.{part}", "user", "Yes") for part in range(asked)]
    return [*said, Spoken(f"a{number}", "assistant", "OK")]


turns = st.lists(st.integers(1, 3), min_size=1, max_size=8)


@given(turns, st.data())
def test_each_turn_is_new_once_whatever_is_cut_from_the_history(
    asked: list[int], data: st.DataObject
) -> None:
    history: list[Spoken] = []
    chat: Chat = {}
    logged: list[Spoken] = []
    for number, count in enumerate(asked):
        keep = data.draw(st.integers(0, len(history)))
        history = [*history[len(history) - keep :], *_turn(number, count)]
        new = unlogged(history, chat) if chat else history
        logged += new
        chat = {"last": history[-1].id}
    assert logged == [one for number, count in enumerate(asked) for one in _turn(number, count)]


@given(turns)
def test_a_turn_is_its_answer_and_all_that_was_said_right_before_it(asked: list[int]) -> None:
    history = [one for number, count in enumerate(asked) for one in _turn(number, count)]
    assert trailing(history) == _turn(len(asked) - 1, asked[-1])


def test_what_is_not_to_be_remembered_goes_with_its_answer() -> None:
    history = [*_turn(0), *_turn(1), *_turn(2)]
    assert remembered(history, ["u1.0"]) == [*_turn(0), *_turn(2)]
    assert remembered(history, []) == history


@given(turns)
def test_what_was_said_to_no_answer_yet_is_new_with_the_next(asked: list[int]) -> None:
    """As after a run that failed before it answered."""
    history = [*_turn(0), Spoken("u9", "user", "Hello?"), *_turn(1, asked[0])]
    assert unlogged(history, {"last": "a0"}) == history[2:]
