"""Foresight: when a fact is learned, imagine the later requests in which it will matter."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import Field

from forethought.prompts.prompt import Answer, Numbered, Prompt, data_rule, fenced, numbered

_SYSTEM = """\
You are given numbered facts about a person. For each one, run ahead in time: in which later \
requests to an assistant will this fact matter, although nothing in the request says so? Write \
{count} such requests for each fact, as the person themself would type them months later.
- The request is about something else: a purchase, a trip, a party, a job, a favour, a meal, a \
repair, a date to fix, a present, a form. The fact is what a good friend would bring up on \
hearing it.
- It shares no content word with the fact and gives nothing away of it.
- The {count} come from different parts of life, and each is one plain, specific sentence with a \
detail or two.
- Keep the language of the fact."""


CueText = Annotated[str, Field(min_length=1, max_length=400)]


class FactCues(Answer):
    """The imagined requests for the fact with this number."""

    fact: Numbered
    cues: Annotated[list[CueText], Field(min_length=1, max_length=16)]


class Foresight(Answer):
    """Cues for every fact of the batch."""

    facts: Annotated[list[FactCues], Field(min_length=1, max_length=64)]


def foresee(*, facts: tuple[str, ...], count: int) -> Prompt[Foresight]:
    """Ask for `count` cues for each of `facts`; the answer numbers them from 1."""
    user = "\n\n".join(
        [
            fenced("facts", numbered(facts)),
            data_rule("facts"),
            'Answer with JSON: {"facts": [{"fact": 1, "cues": ["..."]}, ...]}, every fact once.',
        ]
    )
    subject = json.dumps(list(facts), ensure_ascii=False)
    return Prompt("foresee", subject, _SYSTEM.format(count=count), user, Foresight)
