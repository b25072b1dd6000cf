"""What reading a file gives: the good conversations, and what was wrong with the rest."""

from __future__ import annotations

from dataclasses import dataclass

from forethought.memory.conversations import Conversation


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that could not be used as it stands.

    `path` is the file as the caller named it; `place` a line ("line 12") or a JSON path
    ("sessions[3].conversation[2]") in it, empty for the file as a whole; `message` says what was
    expected there and what was found.
    """

    path: str
    place: str
    message: str

    def __str__(self) -> str:
        """The line to show: file, place and message."""
        return ": ".join(part for part in (self.path, self.place, self.message) if part)


@dataclass(frozen=True, slots=True)
class Parsed:
    """The conversations of a file or a folder.

    `format` names the format found (several, joined by ", ", in a mixed folder).
    `conversations` have unique names (`Conversation.name`), dates in aware UTC, and the order of
    the file. `groups` names the people whose conversations the file holds, where its format keeps
    several apart: LoCoMo's samples, LongMemEval's questions, MemoryQuest's users. It lists all of
    them even when only one was asked for; what belongs to different groups belongs in different
    banks.
    """

    format: str
    conversations: tuple[Conversation, ...]
    problems: tuple[Problem, ...] = ()
    groups: tuple[str, ...] = ()
