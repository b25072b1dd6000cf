"""Prospection's last step: how what was imagined led to what was remembered (PGR §3.3, PAG)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from forethought.prompts.prompt import Answer, Prompt, data_rule, fenced

_SYSTEM = """\
You are given a request, the steps in which somebody imagined it unfolding, and the facts about \
the person that those steps brought to mind. In at most 150 words of plain prose, say which \
facts matter for the request and why: what they make possible, impossible, urgent or costly, and \
where two of them together matter more than each alone. Point to a fact by its id in square \
brackets, as in [f0123456789ab]. Say nothing that the facts do not support. Keep the language of \
the request."""


class Summary(Answer):
    """The reasoning that goes to the answer together with the facts."""

    summary: Annotated[str, Field(min_length=1, max_length=3000)]


def summarise(*, query: str, steps: tuple[str, ...], facts: tuple[str, ...]) -> Prompt[Summary]:
    """Ask how `steps` and the `facts` they found bear on `query`."""
    user = "\n\n".join(
        [
            fenced("request", [query]),
            fenced("steps", steps),
            fenced("facts", facts),
            data_rule("facts"),
            'Answer with JSON: {"summary": "..."}.',
        ]
    )
    return Prompt("summarise", query, _SYSTEM, user, Summary)
