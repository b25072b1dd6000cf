"""retain: imagine the turns that should bring a commitment up, once all that was said is safe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.errors import ModelError
from forethought.memory.indexing import Indexer
from forethought.memory.ledger.types import Commitment, CommitmentCue
from forethought.memory.records.port import Records
from forethought.nodes.batches import cue_texts, gone_on
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import undertaken
from forethought.nodes.model import Model
from forethought.nodes.retain_state import RetainState
from forethought.prompts.remind import remind as remind_prompt

BATCH = 8  # commitments to a call: about 100 cues, 2,500 tokens of reply
CUES = 12  # a commitment: as many as the matcher was measured with (`memory/ledger/firing.py`)


async def remind(
    state: RetainState, runtime: Runtime[Context], *, records: Records, indexer: Indexer,
    model: Model | None,
) -> dict[str, Any]:  # fmt: skip
    """One batch: ask, keep the cues of those that got some, index them; `batch` 0 ends it."""
    timer = Stopwatch()
    context = context_of(runtime)
    wanted = model is not None and context.foresight > 0
    open_ = await _waiting(records, context.bank, state) if wanted else []
    if model is None or not open_:
        emit(runtime, "remind", timer, commitments=0, cues=0, without=0)
        return {"batch": 0}
    reply = await model.ask(
        remind_prompt(commitments=tuple(undertaken(one) for one in open_), count=CUES)
    )
    said = ((item.commitment, item.cues) for item in reply.value.commitments)
    texts = cue_texts(said, [one.id for one in open_], CUES)
    cues = [CommitmentCue(id, *pair) for id, some in texts.items() for pair in enumerate(some)]
    await records.remind(context.bank, cues, commitments=list(texts))
    await indexer.catch_up(context.bank)
    left = [one.id for one in open_ if one.id not in texts]
    emit(
        runtime, "remind", timer, commitments=len(texts), cues=len(cues), without=len(left),
        **reply.usage,
    )  # fmt: skip
    return {
        "usage": reply.usage,
        "skipped": [*state.get("skipped", []), *left],
        "batch": state.get("batch") or BATCH,
        "notes": [_missing(len(left), len(open_))] if left else [],
    }


async def remind_failed(
    state: RetainState, runtime: Runtime[Context], error: NodeError, *, records: Records
) -> dict[str, Any]:
    """Go on with fewer, or without; see `gone_on`. What has no cues goes by its own words."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    emit(runtime, "remind", Stopwatch(), failed=str(problem))
    waiting = await _waiting(records, context_of(runtime).bank, state)
    return gone_on(problem, [one.id for one in waiting], state.get("skipped") or [], full=BATCH)


async def _waiting(records: Records, bank: str, state: RetainState) -> Sequence[Commitment]:
    """The next open ones without cues, without those that failed in this run already."""
    skipped = set(state.get("skipped") or ())
    open_ = await records.commitments(bank, status="open")
    without = [one for one in open_ if not one.foreseen and one.id not in skipped]
    return without[: state.get("batch") or BATCH]


def _missing(left: int, of: int) -> str:
    return f"cues are still missing: {left} of {of} commitments got none"
