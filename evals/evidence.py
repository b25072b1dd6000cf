"""LoCoMo and LongMemEval as they lie on disk, as far as questions and their evidence go."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from forethought.evals.reading import Given, Said

PREFERENCE = "single-session-preference"
"""LongMemEval's questions for advice; all its other types ask for something that was said."""

_DIALOGUE = re.compile(r"D:?(\d+):(\d+)")  # some are written "D:11:26" or "D30:05"


def _dialogue_ids(value: object) -> object:
    """The ids in a string, or in a list of strings that may hold several ("D8:6; D9:17")."""
    given = value if isinstance(value, list) else [value]
    found = [match for item in given if isinstance(item, str) for match in _DIALOGUE.findall(item)]
    return tuple(dict.fromkeys(f"D{int(session)}:{int(turn)}" for session, turn in found))


Evidence = Annotated[tuple[str, ...], BeforeValidator(_dialogue_ids)]
"""Ids of dialogue turns, such as "D1:3"; what is no such id is dropped."""


class Qa(Given):
    """A LoCoMo question; `category` 5 is adversarial, without evidence for an answer."""

    question: str
    evidence: Evidence = ()
    category: int


class Sample(Given):
    """One LoCoMo conversation with the facts published for it, by session and speaker."""

    sample_id: str
    observation: dict[str, dict[str, tuple[tuple[str, Evidence], ...]]]
    qa: tuple[Qa, ...]

    def observations(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """The facts in the order of their sessions: session name, text, ids of the turns."""
        sessions = sorted(self.observation, key=lambda name: int(_number(name)))
        return [
            (f"session_{_number(session)}", text, turns)
            for session in sessions
            for facts in self.observation[session].values()
            for text, turns in facts
        ]


def _number(session: str) -> str:
    found = re.search(r"\d+", session)
    return found.group() if found else "0"


def _numbered(value: tuple[Sample, ...]) -> tuple[Sample, ...]:
    if not value:
        raise ValueError("expected at least one conversation")
    return value


Samples = Annotated[tuple[Sample, ...], AfterValidator(_numbered)]


class ObservationCues(Given):
    """The recorded cues of one published fact."""

    fact: str
    cues: Annotated[tuple[str, ...], Field(min_length=1)]


class EvidenceTurn(Given):
    """What was said in an evidence session."""

    role: str
    content: str


class EvidenceSession(Given):
    """A session that holds evidence, cut down to the turns that do."""

    turns: tuple[EvidenceTurn, ...]


class EvidenceQuestion(Given):
    """A LongMemEval question with the turns that answer it."""

    question_id: str
    question_type: str
    question: str
    evidence_sessions: tuple[EvidenceSession, ...]

    def said(self) -> list[str]:
        """The texts of the user's turns among the evidence."""
        turns = [turn for session in self.evidence_sessions for turn in session.turns]
        return [turn.content for turn in turns if turn.role == "user"]


class PoolTurn(Given):
    """A user's turn of the pool, its text cut at 700 characters, with its recorded cues."""

    question_id: str
    date: Said
    text: Annotated[str, Field(min_length=1)]
    cues: Annotated[tuple[str, ...], Field(min_length=1)]
