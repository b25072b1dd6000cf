"""Foresight for commitments: the later turns of the user that should bring one to mind (PT §3)."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import Field

from forethought.prompts.foresee import CueText
from forethought.prompts.prompt import Answer, Numbered, Prompt, data_rule, fenced, numbered

_SYSTEM = """\
You are given numbered commitments of a person: what they have to do or must not do, each with the \
day or the situation in which it matters. For each one, imagine {count} later messages of theirs \
to an assistant at which a good friend would say: wait, there was something.
- Each is what they would really type then: a question, a request or a piece of news about \
something else. It does not name the commitment, which they have forgotten.
- In some, the situation has come about and they say so in other words; in some, they are about \
to do what they must not, or what has to wait; in others, something that it touches comes up: the \
day, the place, the people, the money, the thing itself.
- Each is so specific that it would not be said on any other day.
- The {count} are as unlike each other as they can be, each one plain sentence with a detail or two.
- Keep the language of the commitment."""


class CommitmentCues(Answer):
    """The imagined messages for the commitment with this number."""

    commitment: Numbered
    cues: Annotated[list[CueText], Field(min_length=1, max_length=24)]


class Reminders(Answer):
    """Cues for every commitment of the batch."""

    commitments: Annotated[list[CommitmentCues], Field(min_length=1, max_length=64)]


def remind(*, commitments: tuple[str, ...], count: int) -> Prompt[Reminders]:
    """Ask for `count` cues for each of `commitments`; the answer numbers them from 1."""
    user = "\n\n".join(
        [
            fenced("commitments", numbered(commitments)),
            data_rule("commitments"),
            'Answer with JSON: {"commitments": [{"commitment": 1, "cues": ["..."]}, ...]}, every '
            "commitment once.",
        ]
    )
    subject = json.dumps(list(commitments), ensure_ascii=False)
    return Prompt("remind", subject, _SYSTEM.format(count=count), user, Reminders)
