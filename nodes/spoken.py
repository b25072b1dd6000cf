"""What was said in the messages of a chat: by the user and the assistant, and by nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from langchain_core.messages import AnyMessage

from forethought.nodes.citations import uncited
from forethought.nodes.model import text_of

_ROLES: dict[str, Literal["user", "assistant"]] = {"human": "user", "ai": "assistant"}
"""System and tool messages were said by nobody: a prompt is ours, and so is a recalled block."""


SO_FAR = 12  # messages of this conversation: six exchanges, by when the first are retained


@dataclass(frozen=True, slots=True)
class Spoken:
    """One thing said: the id of its message, who said it, and the words without citations."""

    id: str
    role: Literal["user", "assistant"]
    text: str


def spoken(messages: Sequence[AnyMessage]) -> list[Spoken]:
    """What was said, in order; messages without words (tool calls, pictures) are passed over."""
    said = [
        Spoken(message.id or "", _ROLES[message.type], _words(message))
        for message in messages
        if message.type in _ROLES
    ]
    return [one for one in said if one.text]


def so_far(messages: Sequence[AnyMessage]) -> list[Spoken]:
    """What was said before the last message, the latest of it, oldest first."""
    return spoken(messages)[:-1][-SO_FAR:]


def _words(message: AnyMessage) -> str:
    text = text_of(message).strip()
    return uncited(text) if message.type == "ai" else text
