"""Assess what new facts say of opinions: up to 20 pairs in one call (Hindsight §5.5, step 2)."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from forethought.prompts.prompt import Answer, Numbered, Prompt, data_rule, fenced, numbered

MOST = 20  # pairs in one call: their verdicts stay under 2,000 tokens of reply

_SYSTEM = """\
You keep an assistant's opinions true to the evidence. You are given numbered pairs, each of an \
opinion that the assistant holds and a fact that it has just learned. Say of each pair what the \
fact does to the opinion, going by the fact alone and not by what you would like to be so:
- "reinforce": it is a reason to believe the opinion more;
- "weaken": it is a reason to doubt it a little;
- "contradict": it speaks against what the opinion says, or against its reason;
- "neutral": it says nothing about whether the opinion is right, as when it only mentions the \
same person or thing. When in doubt, it is neutral.
Only where a fact contradicts, and the opinion can be put so that it is true to that fact too, \
give the opinion's new wording as "text": one sentence with its reason, in the opinion's own \
language and voice, no stronger than the evidence allows. Else "text" is null."""


def _verdict(value: Any) -> Any:
    """A verdict in any case and form: "Reinforces" and "contradicted" are what they begin with."""
    said = value.strip().lower() if isinstance(value, str) else ""
    stems = {"reinf": "reinforce", "weak": "weaken", "contra": "contradict", "neutral": "neutral"}
    return next((verdict for stem, verdict in stems.items() if said.startswith(stem)), value)


class PairVerdict(Answer):
    """What the fact of the pair with this number says of its opinion."""

    pair: Numbered
    verdict: Annotated[
        Literal["reinforce", "weaken", "contradict", "neutral"], BeforeValidator(_verdict)
    ]
    text: Annotated[str, Field(max_length=600)] | None = None


class Verdicts(Answer):
    """A verdict on every pair."""

    verdicts: Annotated[list[PairVerdict], Field(min_length=1, max_length=2 * MOST)]


def reinforce(*, pairs: tuple[tuple[str, str], ...]) -> Prompt[Verdicts]:
    """Ask for a verdict on each of `pairs` (opinion, dated fact); the answer numbers them from 1.

    An opinion comes with how sure it is, as "(.70) text".
    """
    user = "\n\n".join(
        [
            "The opinions, one for each pair:",
            fenced("opinions", numbered(opinion for opinion, _ in pairs)),
            data_rule("opinions"),
            "The facts, one for each pair:",
            fenced("facts", numbered(fact for _, fact in pairs)),
            data_rule("facts"),
            'Answer with JSON: {"verdicts": [{"pair": 1, "verdict": "neutral", "text": null}, '
            "...]}, every pair once.",
        ]
    )
    subject = json.dumps([list(pair) for pair in pairs], ensure_ascii=False)
    return Prompt("reinforce", subject, _SYSTEM, user, Verdicts)
