"""A conversation as it comes in: from a file, from Studio, or from a chatbot's own code."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, field_validator

from forethought.memory.ids import content_hash
from forethought.memory.stretches import SOURCES
from forethought.memory.types import Role


class Utterance(BaseModel):
    """One turn as given: who said what."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Role
    text: str
    name: str | None = None


class Conversation(BaseModel):
    """One dated session as given. A naive `date` is in the bank's time zone.

    `key` is the caller's own stable name for it; without one, its content names it. Giving the
    same key again with more turns appends those; giving it unchanged changes nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    date: datetime
    turns: tuple[Utterance, ...] = Field(default=())
    key: str = ""

    @field_validator("turns")
    @classmethod
    def _drop_blank(cls, turns: tuple[Utterance, ...]) -> tuple[Utterance, ...]:
        """Blank turns say nothing and would shift positions between two exports of one chat."""
        return tuple(turn for turn in turns if turn.text.strip())

    @property
    def name(self) -> str:
        """`key`, or a name made from the date and the turns."""
        return self.key or "content-" + content_hash(self.date.isoformat(), *self._opening())

    def _opening(self) -> list[str]:
        """The turns up to the user's first: what stays when a chat goes on, and tells two apart."""
        said: list[str] = []
        for turn in self.turns:
            said.append(f"{turn.role}\x1e{turn.text}")
            if turn.role == "user":
                break
        return said


def embedded(role: Role, text: str) -> bool:
    """Whether a turn gets a vector: what the user or the assistant said, unless it is blank.

    System and tool turns get none, as no fact comes from them: a system prompt is said in every
    session and would resemble many requests. They stay in the log and are found by their words.
    """
    return role in SOURCES and bool(text.strip())


def spoken(text: str, *, by: str | None) -> str:
    """What is embedded of a turn, and shown of it: its text, after its speaker's name if known.

    LoCoMo, turns@20 by cosine: .55 with the name, .41 without, .51 with the turn before it and no
    name. No more is embedded than the embedder reads: the bundled one stops after 256 tokens, so
    that of a longer turn only the beginning counts. Its words are all found by keyword search.
    """
    return f"{by}: {text}" if by else text
