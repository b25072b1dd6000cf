"""Sum up facts in neutral statements: of an entity (Hindsight §4.1.5), or a topic (PPRO §3.2)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from forethought.prompts.prompt import Answer, Prompt, data_rule, fenced, numbered

LEAST, MOST = 3, 7  # statements on an entity; Hindsight's published code asks for so many

_ROLE = """\
You sum up what an assistant remembers, in neutral statements that can be read without the facts \
they come from. Say what the facts come to: what is lasting, what recurs, what changed and what \
holds now. No judgement, no advice, nothing that the facts do not say; where they contradict \
each other, the later one holds, and the change may be said. Each statement is one \
self-contained sentence in the language of the facts, with the dates and amounts that matter."""

_ENTITY = f"""\
The facts mention this subject. Write {LEAST} to {MOST} statements about it, each about another \
side of what is known, and name it in each. Facts may tell of other things too: leave those out. \
"title" is its name."""

_TOPIC = f"""\
The facts are about one topic. Name it in "title", in a few words, and write 1 to {LEAST} \
statements that gather what was learned of it over time, more general than any one fact."""


class Observed(Answer):
    """Statements that sum up the facts, and what they are about."""

    title: Annotated[str, Field(max_length=120)] = ""
    statements: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(min_length=1, max_length=MOST),
    ]


def observe(*, name: str | None, facts: tuple[str, ...]) -> Prompt[Observed]:
    """Ask for statements from `facts` (dated lines) on the entity `name`; None for a topic."""
    of = [_ENTITY, fenced("subject", [name]), data_rule("subject")] if name else [_TOPIC]
    user = "\n\n".join(
        [
            *of,
            fenced("facts", numbered(facts)),
            data_rule("facts"),
            'Answer with JSON: {"title": "...", "statements": ["...", ...]}.',
        ]
    )
    return Prompt("observe", name or facts[0], _ROLE, user, Observed)
