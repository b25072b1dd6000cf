"""Cut a session into stretches that fit one extraction call, whatever the length of its turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from forethought.memory.types import Turn

SOURCES = ("user", "assistant")
"""Roles that facts may come from; system and tool text never is a source."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive turns of one session with the text to read of each.

    `extracted` is how many turns of the session are done once this stretch is; `offset` says how
    many characters of the turn at that position are done too, where a turn was cut.
    """

    turns: tuple[tuple[Turn, str], ...]
    extracted: int
    offset: int = 0


def next_stretch(turns: Sequence[Turn], *, start: int, offset: int, chars: int) -> Stretch:
    """Up to `chars` characters of turns from position `start`, whose first `offset` are done.

    At least one piece of one turn is taken, so that the next stretch starts further on. A turn is
    cut only where it is longer than `chars` alone.
    """
    taken: list[tuple[Turn, str]] = []
    room = chars
    for position in range(start, len(turns)):
        turn = turns[position]
        text = turn.text[offset:] if position == start else turn.text
        if turn.role not in SOURCES:
            continue
        if len(text) > room:
            if taken:
                return Stretch(tuple(taken), position)
            done = offset + chars if position == start else chars
            return Stretch(((turn, text[:chars]),), position, done)
        taken.append((turn, text))
        room -= len(text)
    return Stretch(tuple(taken), len(turns))
