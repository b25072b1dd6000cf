"""Query augmentation: say what a request refers to, with facts surely about it (PGR §3.3, P_A)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from forethought.prompts.prompt import Answer, Prompt, data_rule, fenced

_SYSTEM = """\
You restate a person's request so that somebody who does not know them would understand it: \
names say who they are, "it" and "there" say what and where, as far as the facts tell. Add no \
wishes, no advice and no guesses. If nothing needs saying, repeat the request unchanged. Keep \
its language and its first person."""


class Restated(Answer):
    """The request, made self-contained."""

    request: Annotated[str, Field(min_length=1, max_length=2000)]


def augment(*, query: str, today: str, facts: tuple[str, ...]) -> Prompt[Restated]:
    """Ask for `query` with its references resolved from `facts`."""
    user = "\n\n".join(
        [
            f"Today is {today}.",
            fenced("request", [query]),
            fenced("facts", facts),
            data_rule("facts"),
            'Answer with JSON: {"request": "..."}.',
        ]
    )
    return Prompt("augment", query, _SYSTEM, user, Restated)
