"""retain: imagine cues for facts that have none, many facts to a call, after the facts are safe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.errors import ModelError
from forethought.memory.indexing import Indexer
from forethought.memory.records.port import Records
from forethought.memory.types import Cue, Fact, fact_ids
from forethought.nodes.batches import cue_texts, gone_on
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.model import Model
from forethought.nodes.retain_state import RetainState
from forethought.prompts.foresee import Foresight
from forethought.prompts.foresee import foresee as foresee_prompt

NO_MODEL = (
    "no model is configured (FORETHOUGHT_MODEL, FORETHOUGHT_BASE_URL): the sessions are logged and "
    "their extraction is pending"
)
BATCH = 20  # facts to a call: about 100 cues, 2,500 tokens of reply


async def foresee(
    state: RetainState, runtime: Runtime[Context], *, records: Records, indexer: Indexer,
    model: Model | None,
) -> dict[str, Any]:  # fmt: skip
    """One batch: ask, keep the cues of the facts that got some, index them; `batch` 0 ends it."""
    watch = Stopwatch()
    bank, count = context_of(runtime).bank, context_of(runtime).foresight
    facts = await waiting(records, bank, state) if model is not None and count > 0 else []
    if model is None or not facts:
        emit(runtime, "foresee", watch, facts=0, cues=0, without=0)
        return {"batch": 0, "notes": [NO_MODEL] if model is None and state["queue"] else []}
    reply = await model.ask(foresee_prompt(facts=tuple(fact.text for fact in facts), count=count))
    cues = _cues(reply.value, facts, count)
    done = list(dict.fromkeys(cue.fact for cue in cues))
    await records.foresee(bank, cues, facts=done)
    await indexer.catch_up(bank)
    left = [fact.id for fact in facts if fact.id not in done]
    emit(
        runtime, "foresee", watch, facts=len(done), cues=len(cues), without=len(left), **reply.usage
    )
    return {
        "usage": reply.usage,
        "skipped": [*state.get("skipped", []), *left],
        "batch": state.get("batch") or BATCH,
        "notes": [f"cues are still missing: {len(left)} of {len(facts)} facts got none"]
        if left
        else [],
    }


async def waiting(records: Records, bank: str, state: RetainState) -> list[Fact]:
    """The next facts to imagine cues for, without those that failed in this run already."""
    skipped = set(state.get("skipped") or ())
    size = state.get("batch") or BATCH
    facts = await records.unforeseen(bank, limit=size + len(skipped))
    return [fact for fact in facts if fact.id not in skipped][:size]


async def foresee_failed(
    state: RetainState, runtime: Runtime[Context], error: NodeError, *, records: Records
) -> dict[str, Any]:
    """Go on with fewer facts, or without; see `gone_on`."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    emit(runtime, "foresee", Stopwatch(), failed=str(problem))
    facts = await waiting(records, context_of(runtime).bank, state)
    return gone_on(problem, fact_ids(facts), state.get("skipped") or [], full=BATCH)


def _cues(answer: Foresight, facts: Sequence[Fact], count: int) -> list[Cue]:
    """The cues by fact."""
    said = ((item.fact, item.cues) for item in answer.facts)
    texts = cue_texts(said, fact_ids(facts), count)
    return [Cue(fact, *pair) for fact, some in texts.items() for pair in enumerate(some)]
