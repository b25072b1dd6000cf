"""A session is read in stretches: every character of it, once, in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.stretches import SOURCES, Stretch, next_stretch
from forethought.memory.types import Role, Turn

ROLES: list[Role] = ["user", "assistant", "system", "tool"]
turns = st.lists(
    st.tuples(st.sampled_from(ROLES), st.text(min_size=1, max_size=60)), max_size=12
).map(lambda rows: [_turn(position, role, text) for position, (role, text) in enumerate(rows)])


def _turn(position: int, role: Role, text: str) -> Turn:
    return Turn(f"t{position}", "s1", position, role, text)


def _all(turns: list[Turn], chars: int) -> list[Stretch]:
    """Stretch after stretch, as the retain machine takes them."""
    stretches: list[Stretch] = []
    at, offset = 0, 0
    while at < len(turns):
        stretch = next_stretch(turns, start=at, offset=offset, chars=chars)
        assert (stretch.extracted, stretch.offset) > (at, offset)  # or it would never end
        stretches.append(stretch)
        at, offset = stretch.extracted, stretch.offset
    return stretches


@given(turns, st.integers(1, 100))
def test_every_character_of_every_source_is_read_once_and_in_order(
    turns: list[Turn], chars: int
) -> None:
    read: dict[str, str] = {}
    for stretch in _all(turns, chars):
        for turn, text in stretch.turns:
            read[turn.id] = read.get(turn.id, "") + text
    assert list(read) == [turn.id for turn in turns if turn.role in SOURCES]
    assert all(read[turn.id] == turn.text for turn in turns if turn.role in SOURCES)


@given(turns, st.integers(1, 100))
def test_no_stretch_is_longer_than_asked_for(turns: list[Turn], chars: int) -> None:
    for stretch in _all(turns, chars):
        assert sum(len(text) for _, text in stretch.turns) <= chars


@given(turns, st.integers(1, 100))
def test_a_turn_is_cut_only_where_it_is_too_long_alone(turns: list[Turn], chars: int) -> None:
    for stretch in _all(turns, chars):
        for turn, text in stretch.turns:
            assert text == turn.text or len(turn.text) > chars


@given(turns, st.integers(1, 100), st.integers(1, 100))
def test_less_room_half_way_loses_nothing(turns: list[Turn], chars: int, later: int) -> None:
    first = next_stretch(turns, start=0, offset=0, chars=chars)
    read = [text for _, text in first.turns]
    at, offset = first.extracted, first.offset
    while at < len(turns):
        stretch = next_stretch(turns, start=at, offset=offset, chars=later)
        read += [text for _, text in stretch.turns]
        at, offset = stretch.extracted, stretch.offset
    assert "".join(read) == "".join(turn.text for turn in turns if turn.role in SOURCES)


def test_system_and_tool_text_is_passed_over() -> None:
    turns = [_turn(0, "system", "You are Bob"), _turn(1, "user", "Hi"), _turn(2, "tool", "{}")]
    stretch = next_stretch(turns, start=0, offset=0, chars=100)
    assert [text for _, text in stretch.turns] == ["Hi"]
    assert stretch.extracted == 3


def test_nothing_left_is_an_empty_stretch_that_is_done() -> None:
    assert next_stretch([], start=0, offset=0, chars=9) == Stretch((), 0)
