"""retain: let new facts move the opinions that they bear on, up to 20 pairs to a call (CARA)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.beliefs.evidence import Evidence, Waiting
from forethought.memory.beliefs.types import Judgement, Opinion
from forethought.memory.errors import MalformedAnswer, ModelError
from forethought.memory.types import Fact
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import dated
from forethought.nodes.model import Model
from forethought.nodes.moment import Moment
from forethought.nodes.retain_state import RetainState
from forethought.prompts.reinforce import MOST, Verdicts
from forethought.prompts.reinforce import reinforce as reinforce_prompt


async def reinforce(
    state: RetainState, runtime: Runtime[Context], *, evidence: Evidence, model: Model | None,
    moment: Moment,
) -> dict[str, Any]:  # fmt: skip
    """One batch: assess the pairs that wait and move the opinions; `pairs` counts those left."""
    watch = Stopwatch()
    context = context_of(runtime)
    waiting = await evidence.waiting(context.bank) if model is not None else Waiting()
    pairs = waiting.next(MOST)
    shown = await evidence.known(context.bank, pairs) if pairs else []
    left = len(waiting.without(pairs).pairs)
    if model is None or not shown:  # no opinion, or what it was about is gone
        if pairs:
            await evidence.assessed(context.bank, pairs, [])
        emit(runtime, "reinforce", watch, pairs=0, moved=0, left=left)
        return {"pairs": left}
    lines = tuple((_line(opinion), dated(fact)) for opinion, fact in shown)
    reply = await model.ask(reinforce_prompt(pairs=lines))
    judgements, silent = _judgements(reply.value, shown, moment(context.now))
    if silent == len(shown):
        raise MalformedAnswer("reinforce: the reply names none of the pairs", usage=reply.usage)
    changed = await evidence.assessed(context.bank, pairs, judgements)
    emit(
        runtime, "reinforce", watch, pairs=len(shown), moved=len(changed), left=left, **reply.usage
    )
    notes = [f"{silent} of {len(shown)} pairs of opinion and fact got no verdict"] if silent else []
    return {"pairs": left, "usage": reply.usage, "notes": notes}


async def reinforce_failed(
    state: RetainState, runtime: Runtime[Context], error: NodeError, *, evidence: Evidence
) -> dict[str, Any]:
    """Go on with fewer pairs after a reply that did not fit; else leave them to the next retain."""
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    emit(runtime, "reinforce", Stopwatch(), failed=str(problem))
    left = 0
    if isinstance(problem, MalformedAnswer):
        bank = context_of(runtime).bank
        left = await evidence.refused(bank, (await evidence.waiting(bank)).next(MOST))
    return {
        "pairs": left,
        "usage": problem.usage,
        "notes": [f"opinions wait to be weighed against new facts: {problem}"],
    }


def _line(opinion: Opinion) -> str:
    return f"({opinion.confidence:.2f}) {opinion.text}"


def _judgements(
    answer: Verdicts, shown: Sequence[tuple[Opinion, Fact]], at: Any
) -> tuple[list[Judgement], int]:
    """The judgement on each pair that got one, its first, and how many got none.

    Numbers beyond the list name no pair; only what contradicts may reword an opinion.
    """
    found: dict[int, Judgement] = {}
    for said in answer.verdicts:
        if said.pair in found or not 1 <= said.pair <= len(shown):
            continue
        opinion, fact = shown[said.pair - 1]
        source = fact.sources[0].session if fact.sources else None
        text = said.text if said.verdict == "contradict" else None
        found[said.pair] = Judgement(opinion.id, said.verdict, at, fact.id, source, text)
    return [found[pair] for pair in sorted(found)], len(shown) - len(found)
