"""retain, last step: sum up what is known of a subject anew once its facts changed, one to a call.

Of the user (PPRO's profile), entities (Hindsight's observations), topics (PPRO's semantic memory).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory import ids
from forethought.memory.beliefs.observing import Observer, Subject
from forethought.memory.beliefs.types import Observation
from forethought.memory.errors import MalformedAnswer, ModelError, ModelRefused, ModelUnavailable
from forethought.memory.plain import from_plain, to_plain
from forethought.memory.types import Fact, fact_ids
from forethought.memory.words import name_key, words
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import dated
from forethought.nodes.model import Model
from forethought.nodes.moment import Moment
from forethought.nodes.retain_state import RetainState
from forethought.prompts.observe import Observed
from forethought.prompts.observe import observe as observe_prompt
from forethought.prompts.prompt import Prompt
from forethought.prompts.user_profile import UserProfile, user_profile


async def observe(
    state: RetainState, runtime: Runtime[Context], *, observer: Observer, model: Model | None,
    moment: Moment,
) -> dict[str, Any]:  # fmt: skip
    """Find the subjects once, then sum up one of them each time it runs, until none is left."""
    watch, context = Stopwatch(), context_of(runtime)
    todo = state.get("subjects")
    if model is None or context.observe == 0 or todo == []:
        emit(runtime, "observe", watch, subjects=0)
        return {"subjects": []}
    now = moment(context.now)
    if todo is None:
        found = await observer.outdated(context.bank, now=now)
        emit(runtime, "observe", watch, subjects=len(found))
        left = len(found) - context.observe
        notes = [f"{left} subjects are left to be summed up by the next retain"] if left > 0 else []
        return {"subjects": to_plain(found[: context.observe]), "notes": notes}
    subject, rest = from_plain(Subject, todo[0]), todo[1:]
    facts = await observer.facts(context.bank, subject)
    # none, if some were forgotten or replaced since: what is left is found by the next retain
    reply = await model.ask(_prompt(subject, facts)) if facts else None
    said = _statements(reply.value, subject, facts) if reply else {}
    made = _observations(said, subject, facts, now)
    usage = reply.usage if reply else {}
    if reply and not made:
        raise MalformedAnswer("observe: the reply says nothing", usage=usage)
    kept = await observer.observed(context.bank, subject.id, made) if made else []
    emit(
        runtime, "observe", watch, subject=subject.id, about=subject.about,
        observations=len(kept), left=len(rest), **usage,
    )  # fmt: skip
    return {"subjects": rest, "usage": usage}


async def observe_failed(
    state: RetainState, runtime: Runtime[Context], error: NodeError, *, observer: Observer
) -> dict[str, Any]:
    """Leave the subject to a later retain; or, while the model is away, all of them."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    emit(runtime, "observe", Stopwatch(), failed=str(problem))
    todo: list[dict[str, Any]] = state.get("subjects") or []
    rest: list[dict[str, Any]] = []
    if todo and not isinstance(problem, ModelUnavailable | ModelRefused):
        await observer.failed(context_of(runtime).bank, todo[0]["id"])
        rest = todo[1:]
    return {"usage": problem.usage, "subjects": rest, "notes": [f"not summed up: {problem}"]}


def _prompt(subject: Subject, facts: Sequence[Fact]) -> Prompt[Any]:
    lines = tuple(dated(fact) for fact in facts)
    if subject.about == "user":
        return user_profile(facts=lines)
    return observe_prompt(name=subject.names[0] if subject.names else None, facts=lines)


def _statements(
    said: Observed | UserProfile, subject: Subject, facts: Sequence[Fact]
) -> dict[str, str]:
    """The title of each that says something; one on an entity names it."""
    if isinstance(said, UserProfile):
        titled = [(f"user: {side}", text) for side, texts in said.sides.items() for text in texts]
    else:
        title = subject.names[0] if subject.names else said.title.strip() or facts[0].text[:80]
        titled = [(title, text) for text in said.statements]
    distinct: dict[str, str] = {}
    for title, text in titled:
        if words(text):
            distinct.setdefault(_naming(text, subject.names), title)
    return distinct


def _observations(
    said: Mapping[str, str], subject: Subject, facts: Sequence[Fact], made: datetime
) -> list[Observation]:
    """The statements, by text, with their titles, spanning the facts' dates."""
    if not said:
        return []
    bank = facts[0].bank
    starts = [fact.occurred_from or fact.date.date() for fact in facts]
    ends = [fact.occurred_to or fact.occurred_from or fact.date.date() for fact in facts]
    return [
        Observation(
            id=ids.observation_id(bank, subject.id, text),
            bank=bank,
            subject=subject.id,
            about=subject.about,
            title=title,
            text=text,
            facts=tuple(fact_ids(facts)),
            made=made,
            occurred_from=min(starts),
            occurred_to=max(ends),
        )
        for text, title in said.items()
    ]


def _naming(text: str, names: Sequence[str]) -> str:
    """The statement, with the entity's name before it where it says none of its names."""
    said = f" {name_key(text)} "
    if not names or any(f" {name_key(name)} " in said for name in names):
        return text
    return f"{names[0]}: {text}"
