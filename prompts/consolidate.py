"""Merge facts that say nearly the same within a few days into one (PGR §3.2)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from forethought.prompts.prompt import Answer, FactKind, Prompt, data_rule, fenced

_SYSTEM = """\
You are given facts about one person that say similar things and were learned within a few days. \
Write the one fact that replaces them: everything they say, said once, as one self-contained \
sentence in their language, with names, amounts and dates kept. Where they contradict each \
other, the later one holds. If they are about different matters and would lose something by \
being put into one sentence, set "merge" to false and repeat the first as "text"."""


class Merged(Answer):
    """The fact that replaces the group, or `merge` false to leave the group as it is."""

    merge: bool
    text: Annotated[str, Field(min_length=1, max_length=800)]
    kind: FactKind


def consolidate(*, facts: tuple[str, ...]) -> Prompt[Merged]:
    """Ask for the one fact that `facts` (dated lines) come to."""
    user = "\n\n".join(
        [
            fenced("facts", facts),
            data_rule("facts"),
            'Answer with JSON: {"merge": true, "text": "...", "kind": "..."}.',
        ]
    )
    return Prompt("consolidate", facts[0], _SYSTEM, user, Merged)
