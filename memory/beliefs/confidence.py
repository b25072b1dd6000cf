"""How evidence moves an opinion: pure functions (Hindsight §5.3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from forethought.memory.beliefs.types import Judgement, Opinion, Step, Verdict

ALPHA = 0.1  # ours, the paper gives none: five reinforcements move .5 to 1
_DECIMALS = 6  # so that sums of steps of .1 stay equal in any order
_AGAINST = ("weaken", "contradict")


def moved(confidence: float, verdict: Verdict) -> float:
    """The confidence after evidence: up by α, down by α, down by 2α, or the same; in [0, 1]."""
    by = {"reinforce": ALPHA, "weaken": -ALPHA, "contradict": -2 * ALPHA}.get(verdict, 0.0)
    return round(min(max(confidence + by, 0.0), 1.0), _DECIMALS)


def judged(opinion: Opinion, judgement: Judgement) -> Opinion:
    """The opinion after a judgement; the same one where that counts for nothing (any more).

    A fact counts once, and of the facts of one session one that speaks for the opinion and one that
    speaks against it: saying a thing again and again is no more evidence. A neutral one is no step.
    """
    if judgement.verdict == "neutral" or _counted(opinion, judgement):
        return opinion
    before = opinion.confidence
    after = moved(before, judgement.verdict)
    if judgement.verdict == "revise" and judgement.confidence is not None:
        after = round(min(max(judgement.confidence, 0.0), 1.0), _DECIMALS)
    text = (judgement.text or "").strip() or opinion.text
    if (after, text) == (before, opinion.text) and judgement.verdict == "revise":
        return replace(opinion, facts=_joined(opinion.facts, judgement.facts))
    step = Step(
        judgement.at, judgement.verdict, before, after, text, judgement.fact, judgement.source
    )
    return replace(
        opinion,
        text=text,
        confidence=after,
        facts=_joined(opinion.facts, judgement.facts),
        steps=(*opinion.steps, step),
    )


def without(opinion: Opinion, facts: Collection[str]) -> Opinion | None:
    """The opinion as it is without these facts, which were forgotten.

    None if it rests on one of them: its reason is theirs, so it goes with them. Where they only
    moved it, its trajectory is taken anew without their steps, and what they reworded, or was
    worded after that, reads as before.
    """
    if not set(opinion.facts).isdisjoint(facts):
        return None
    if all(step.fact not in facts for step in opinion.steps):
        return opinion
    again = replace(opinion, text=opinion.first, confidence=opinion.initial, steps=())
    said, tainted = opinion.first, False
    for step in opinion.steps:
        reworded, said = step.text != said, step.text
        if step.fact in facts:
            tainted = tainted or reworded
        else:
            text = step.text if reworded and not tainted else None
            again = judged(again, _as_judgement(opinion.id, step, text))
    return again


def _as_judgement(opinion: str, step: Step, text: str | None) -> Judgement:
    sure = step.after if step.verdict == "revise" else None
    return Judgement(opinion, step.verdict, step.at, step.fact, step.source, text, sure)


def _counted(opinion: Opinion, judgement: Judgement) -> bool:
    """Whether that fact has moved it already, or another of its session in the same direction."""
    if judgement.fact is None:
        return False
    against = judgement.verdict in _AGAINST
    return any(
        step.fact == judgement.fact
        or (
            step.source is not None
            and step.source == judgement.source
            and (step.verdict in _AGAINST) == against
            and step.verdict != "revise"
        )
        for step in opinion.steps
    )


def _joined(before: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*before, *more)))
