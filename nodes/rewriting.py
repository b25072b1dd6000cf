"""Rewriting by the chat model, in one call, and what the steps after it go by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from forethought.memory.dimensions import Dimensions
from forethought.memory.errors import ModelError
from forethought.memory.plain import from_plain, to_plain
from forethought.memory.recall.recall import Recall
from forethought.memory.recall.rewriting import (
    Original,
    Rewriter,
    Rewriting,
    Rewritten,
    rewritten_by,
)
from forethought.memory.recall.temporal import spelled
from forethought.memory.when import Span, day_in, iso_days
from forethought.nodes.budget import TRIES, calls_left
from forethought.nodes.context import Context
from forethought.nodes.lines import dated, today
from forethought.nodes.usage import NOTHING
from forethought.prompts.rewrite import Rewrite
from forethought.prompts.rewrite import rewrite as rewrite_prompt

if TYPE_CHECKING:
    from forethought.nodes.model import Model


@dataclass(frozen=True, slots=True)
class ModelRewriter:
    """The `Rewriter` that any chat model is."""

    model: Model

    async def rewrite(self, original: Original, /, *, tries: int) -> Rewriting:
        """See `Rewriter.rewrite`; days that are none are left out, and named."""
        prompt = rewrite_prompt(
            query=original.request,
            today=today(original.today),
            facts=original.facts,
            conversation=original.conversation,
        )
        reply = await self.model.ask(prompt, tries=tries)
        said = reply.value
        days = _days(said)
        named = [day for day in (said.first_day, said.last_day) if day]
        notes = () if days or not named else (f"days left out, they are none: {named}",)
        rewritten = Rewritten(
            said.request, said.query, days,
            Dimensions(said.tense, said.subjectivity, said.certainty),
        )  # fmt: skip
        return Rewriting(rewritten, notes, reply.usage)


def _days(said: Rewrite) -> Span | None:
    """From the first of the days to the last; None unless both are days, in this order."""
    first, last = iso_days(said.first_day or ""), iso_days(said.last_day or "")
    if first is None or last is None or first[0] > last[1]:
        return None
    return first[0], last[1]


async def original_of(
    request: str, context: Context, *, recall: Recall, now: datetime,
    conversation: tuple[str, ...] = (),
) -> Original:  # fmt: skip
    """The request with what is surely about it: φ(q; τ₀), none where augmentation is off."""
    facts = (
        await recall.sure(context.bank, request, now=now, k=context.probe_k, floor=context.tau0)
        if context.augment != "off"
        else []
    )
    lines = tuple(dated(fact) for fact in facts)
    return Original(request, day_in(recall.zone, now), lines, conversation)


async def rewriting_of(
    original: Original, context: Context, rewriter: Rewriter | None
) -> Rewriting:
    """What becomes of the request: itself, unless the run is to rewrite it and can."""
    left = calls_left(dict(NOTHING), context)
    if context.augment != "model":
        return Rewriting(unchanged(original))
    if rewriter is None or left < 1:
        why = "no model is configured" if rewriter is None else "the call budget is spent"
        return Rewriting(unchanged(original), (f"the request stays as it was said: {why}",))
    return await rewritten_by(rewriter, original, tries=min(TRIES, left))


def given_up(original: Original, problem: ModelError) -> Rewriting:
    """The request as it was said, and why no model rewrote it."""
    note = f"the request stays as it was said: {problem}"
    return Rewriting(unchanged(original), (note,), problem.usage)


def unchanged(original: Original) -> Rewritten:
    """The request as it was said."""
    return Rewritten(original.request, original.request)


def kept(made: Rewriting, original: Original) -> dict[str, Any] | None:
    """The rewriting as plain data for the state, None where the request is as it was said."""
    rewritten = made.rewritten
    return None if rewritten == unchanged(original) else to_plain(rewritten)


def rewritten_in(state: Mapping[str, Any]) -> Rewritten:
    """How the request was rewritten in this run, or the request as it was said."""
    made = state.get("rewriting")
    if made:
        return from_plain(Rewritten, made)
    return Rewritten(state["query"], state["query"])


def told(rewritten: Rewritten) -> list[str]:
    """What a model made of a request beside restating it, a line each, for people to read."""
    wanted = rewritten.dimensions
    words = [word for word in (wanted.tense, wanted.subjectivity, wanted.certainty) if word]
    days = f"{spelled(rewritten.days)} (as a model read them)" if rewritten.days else ""
    lines = {
        "searched for": rewritten.query if rewritten.query != rewritten.request else "",
        "days": days,
        "facts wanted": ", ".join(words),
    }
    return [f"{name}: {text}" for name, text in lines.items() if text]
