"""retain, last step: consolidate what has come in since the last time, one group to a call."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from forethought.memory import ids
from forethought.memory.consolidation import WINDOW, groups
from forethought.memory.dimensions import agreed
from forethought.memory.entities.naming import distinct
from forethought.memory.errors import ModelError, ModelRefused, ModelUnavailable
from forethought.memory.index import Index
from forethought.memory.links import moved
from forethought.memory.records.changes import ChangeSet, Replacement
from forethought.memory.records.port import Records
from forethought.memory.types import Fact, Mention, Source, fact_ids
from forethought.memory.words import retells
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import dated
from forethought.nodes.model import Model
from forethought.nodes.retain_state import RetainState
from forethought.prompts.consolidate import Merged
from forethought.prompts.consolidate import consolidate as consolidate_prompt

_PLAN = "consolidation"
"""Setting of a bank: the mark up to which facts were grouped, and the groups still to be merged, so
that a run that ends between two of them, or for want of a model, loses none."""


class _Plan(TypedDict):
    mark: int
    groups: list[list[str]]


async def maintain(
    state: RetainState, runtime: Runtime[Context], *, records: Records, index: Index,
    model: Model | None,
) -> dict[str, Any]:  # fmt: skip
    """Find the groups once, then merge one of them each time it runs, until none is left."""
    watch = Stopwatch()
    bank, after = context_of(runtime).bank, context_of(runtime).consolidate_after
    if model is None or after == 0:
        emit(runtime, "maintain", watch, groups=0)
        return {"groups": []}
    todo = state.get("groups")
    if todo is None:
        found = await _groups(records, index, bank, after)
        emit(runtime, "maintain", watch, groups=len(found))
        return {"groups": found, "merged": 0}
    if not todo:
        emit(runtime, "maintain", watch, groups=0)
        return {"merged": 0}  # what was merged has been indexed and foreseen: the run may end
    facts = [fact for fact in await records.facts(bank, todo[0]) if fact.until is None]
    if len(facts) < 2:  # noqa: PLR2004  # a group of one: the others were replaced or forgotten since
        await _keep(records, bank, todo[1:])
        emit(runtime, "maintain", watch, group=len(facts), merged=0, left=len(todo) - 1)
        return {"groups": todo[1:]}
    reply = await model.ask(consolidate_prompt(facts=tuple(dated(fact) for fact in facts)))
    merge, text = reply.value.merge, reply.value.text
    strayed = merge and not all(retells(text, fact.text) for fact in facts)
    merged = await _merge(records, bank, facts, reply.value) if merge and not strayed else 0
    await _keep(records, bank, todo[1:])
    emit(
        runtime,
        "maintain",
        watch,
        group=len(facts),
        merged=merged,
        left=len(todo) - 1,
        **reply.usage,
    )
    return {
        "usage": reply.usage, "groups": todo[1:], "merged": state.get("merged", 0) + merged,
        "notes": [f"not consolidated, the reply is beside it: {text[:80]}"] if strayed else [],
    }  # fmt: skip


async def maintain_failed(
    state: RetainState, runtime: Runtime[Context], error: NodeError, *, records: Records
) -> dict[str, Any]:
    """Leave the group as it is; or, while the model is away, all of them to a later run."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    emit(runtime, "maintain", Stopwatch(), failed=str(problem))
    rest: list[list[str]] = []
    if not isinstance(problem, ModelUnavailable | ModelRefused):
        rest = (state.get("groups") or [])[1:]
        await _keep(records, context_of(runtime).bank, rest)
    return {"usage": problem.usage, "groups": rest, "notes": [f"not consolidated: {problem}"]}


async def _groups(records: Records, index: Index, bank: str, after: int) -> list[list[str]]:
    """Ids by group: what an earlier run left, or once `after` facts have come in since the last."""
    plan = await _plan(records, bank)
    if plan["groups"]:
        return plan["groups"]
    fresh, mark = await records.added(bank, since=plan["mark"])
    if len(fresh) < after:
        return []
    oldest = min(fact.date for fact in fresh) - WINDOW
    facts = [f for f in await records.facts(bank) if f.until is None and f.date >= oldest]
    vectors = await index.vectors(bank, "text", fact_ids(facts))
    found = await asyncio.to_thread(groups, [f for f in facts if f.id in vectors], vectors)
    await _keep(records, bank, [fact_ids(group) for group in found], mark=mark)
    return [fact_ids(group) for group in found]


async def _plan(records: Records, bank: str) -> _Plan:
    kept = await records.setting(bank, _PLAN)
    plan: _Plan = json.loads(kept) if kept else {"mark": 0, "groups": []}
    return plan


async def _keep(
    records: Records, bank: str, groups: list[list[str]], *, mark: int | None = None
) -> None:
    known = (await _plan(records, bank))["mark"] if mark is None else mark
    plan: _Plan = {"mark": known, "groups": groups}
    await records.setting(bank, _PLAN, json.dumps(plan))


async def _merge(records: Records, bank: str, facts: list[Fact], merged: Merged) -> int:
    """Commit the merged fact in place of `facts`, with their provenance; 1 if it was written."""
    last = max(facts, key=lambda fact: fact.date)
    starts = [fact.occurred_from for fact in facts if fact.occurred_from]
    ends = [fact.occurred_to for fact in facts if fact.occurred_to]
    fact = Fact(
        id=ids.fact_id(bank, "merge " + " ".join(sorted(fact_ids(facts))), merged.text),
        bank=bank,
        text=merged.text,
        kind=merged.kind,
        date=last.date,
        network=last.network,
        occurred_from=min(starts, default=None),
        occurred_to=max(ends, default=None),
        entities=distinct(name for old in facts for name in old.entities),
        sources=_sources(facts),
        dimensions=agreed([fact.dimensions for fact in facts]),
    )
    changes = ChangeSet(
        bank,
        facts=(fact,),
        replacements=tuple(Replacement(old.id, fact.id, last.date, "merge") for old in facts),
        mentions=await _mentions(records, facts, fact.id),
        links=tuple(
            moved(
                await records.links(bank, fact_ids(facts)), merged=set(fact_ids(facts)), to=fact.id
            )
        ),
    )
    return len((await records.commit(changes)).new)


async def _mentions(records: Records, facts: list[Fact], merged: str) -> tuple[Mention, ...]:
    """What the facts mention, the merged one mentions, by the same names."""
    found = await records.mentions(facts[0].bank, fact_ids(facts))
    return tuple(sorted({Mention(merged, mention.entity) for mention in found}))


def _sources(facts: list[Fact]) -> tuple[Source, ...]:
    turns: dict[str, list[str]] = {}
    for source in (source for fact in facts for source in fact.sources):
        turns.setdefault(source.session, []).extend(source.turns)
    return tuple(Source(session, tuple(dict.fromkeys(said))) for session, said in turns.items())
