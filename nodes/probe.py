"""prospect: use the request and every imagined step as probes into memory (PGR §3.3, R and Δ)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.plain import from_plain, to_plain
from forethought.memory.prospection import Step
from forethought.memory.recall.candidates import Probed, from_rows, grown, ranked, to_rows
from forethought.memory.recall.recall import Recall
from forethought.memory.records.port import Records
from forethought.nodes.budget import stop_refining
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.ranking import probing_of, ranked_hits
from forethought.nodes.state import ProspectState

KEPT = 300  # candidates carried from round to round: ten times what is answered from


async def probe(
    state: ProspectState, runtime: Runtime[Context], *, recall: Recall, records: Records
) -> dict[str, Any]:
    """One batch of probes: R grows, each candidate keeps its best; the last round ranks them.

    Hits before the last round would be for nobody: `refine` goes by R.
    """
    watch = Stopwatch()
    context = context_of(runtime)
    steps = from_plain(list[Step], state["steps"])
    before = from_rows(state["candidates"])
    found = await recall.probe(probing_of(state, context), steps, before)
    recalled, fresh = grown(state["recalled"], found.probed)
    candidates = {fact: found.candidates[fact] for fact in ranked(found.candidates)[:KEPT]}
    update: dict[str, Any] = {
        "candidates": to_rows(candidates), "recalled": recalled, "fresh": fresh,
    }  # fmt: skip
    if stop_refining({**state, "fresh": fresh}, context):
        hits = await ranked_hits(state, context, candidates, recall=recall, records=records)
        update["hits"] = to_plain(hits)
    emit(
        runtime, "probe", watch, round=state["rounds"], probes=_shown(found.probed, found.texts),
        fresh=fresh, recalled=len(recalled),
    )  # fmt: skip
    return update


def _shown(probed: Sequence[Probed], texts: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "probe": probe.step,
            "hits": [
                {"id": fact, "cosine": cosine, "text": texts[fact]}
                for fact, cosine in zip(probe.facts, probe.cosines, strict=True)
            ],
        }
        for probe in probed
    ]
