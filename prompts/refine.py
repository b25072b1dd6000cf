"""Prospection, second phase: make the imagined future this person's own (PGR §3.3)."""

from __future__ import annotations

from forethought.prompts.prompt import Prompt, data_rule, fenced
from forethought.prompts.prospection import STEP_RULES, Chain, Tree

_ROLE = """\
You are given a request, a first imagining of how it may unfold, and facts about the person who \
made it. Imagine it again as it would unfold for this very person. Work each fact that bears on \
the request into the step that it changes; follow what the facts hint at but do not say (who \
depends on them, what is broken, promised, owed, booked or feared); drop steps that the facts \
rule out; add steps for what else may now matter and has not been found. Mind the dates: a fact \
may be out of date by the time the request is carried out. """

_TREE = """\
Give about a dozen steps as a tree: each has an "action_id", an "action", its "constraints", and \
the "action_id" of its "parent" (null for the first). Keep an id where a step stays what it was."""

_CHAIN = 'Give eight to twelve steps in order, each with an "action" and its "constraints".'


def refine_tree(
    *, query: str, today: str, steps: tuple[str, ...], facts: tuple[str, ...]
) -> Prompt[Tree]:
    """The tree again, personalised: `steps` is the tree so far, `facts` what its probes found."""
    user = _request(query=query, today=today, steps=steps, facts=facts)
    return Prompt("refine", query, f"{_ROLE}{_TREE}\n\n{STEP_RULES}", user, Tree)


def refine_chain(
    *, query: str, today: str, steps: tuple[str, ...], facts: tuple[str, ...]
) -> Prompt[Chain]:
    """The chain again, personalised; arguments as in `refine_tree`."""
    user = _request(query=query, today=today, steps=steps, facts=facts)
    return Prompt("refine", query, f"{_ROLE}{_CHAIN}\n\n{STEP_RULES}", user, Chain)


def _request(*, query: str, today: str, steps: tuple[str, ...], facts: tuple[str, ...]) -> str:
    return "\n\n".join(
        [
            f"Today is {today}.",
            fenced("request", [query]),
            "Imagined so far:",
            fenced("steps", steps),
            "What is known of the person:",
            fenced("facts", facts),
            data_rule("facts"),
            'Answer with JSON: {"steps": [...]}.',
        ]
    )
