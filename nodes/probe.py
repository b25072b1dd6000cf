"""prospect: use the request and every imagined step as probes into memory (PGR §3.3, R and Δ)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.plain import from_plain, to_plain
from forethought.memory.prospection import Step
from forethought.memory.recall.candidates import Candidate, Probed, grown, ranked
from forethought.memory.recall.probing import Probing
from forethought.memory.recall.recall import Recall
from forethought.memory.records.port import Records
from forethought.memory.types import Fact, Hit
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.state import ProspectState

KEPT = 300  # candidates carried from round to round: ten times what is answered from


async def probe(
    state: ProspectState, runtime: Runtime[Context], *, recall: Recall, records: Records
) -> dict[str, Any]:
    """One batch of probes: R grows, each candidate keeps its best, the best `limit` are hits."""
    watch = Stopwatch()
    context = context_of(runtime)
    steps = from_plain(list[Step], state["steps"])
    probing = Probing(
        context.bank, state["query"], datetime.fromisoformat(state["now"]), context.probe_k,
        round=state["rounds"], tau=context.tau, foresight=context.foresight > 0,
        limit=context.limit,
    )  # fmt: skip
    before = from_plain(dict[str, Candidate], state["candidates"])
    found = await recall.probe(probing, steps, before)
    recalled, fresh = grown(state["recalled"], found.probed)
    order = ranked(found.candidates)[:KEPT]
    candidates = {fact: found.candidates[fact] for fact in order}
    shown = {fact for probe in found.probed for fact in probe.facts}
    wanted = list(shown.union(order[: context.limit]))
    facts = {fact.id: fact for fact in await records.facts(context.bank, wanted)}
    if candidates:
        hits = await _hits(order[: context.limit], candidates, facts, steps, records)
    else:  # nothing was imagined: the request alone searches, texts and cues
        found_alone = await recall.recall(
            context.bank, state["query"], now=probing.now, limit=context.limit,
            channels=context.channels,
        )  # fmt: skip
        hits = found_alone.hits
    emit(
        runtime, "probe", watch, round=state["rounds"], probes=_shown(found.probed, facts),
        fresh=fresh, recalled=len(recalled),
    )  # fmt: skip
    return {
        "candidates": to_plain(candidates), "recalled": recalled, "fresh": fresh,
        "hits": to_plain(hits),
    }  # fmt: skip


async def _hits(
    order: Sequence[str], candidates: Mapping[str, Candidate], facts: Mapping[str, Fact],
    steps: Sequence[Step], records: Records,
) -> list[Hit]:  # fmt: skip
    actions = {step.id: step.action for step in steps}
    ids = [fact for fact in order if fact in facts]
    cues = {
        (cue.fact, cue.position): cue.text for cue in await _cues(ids, candidates, facts, records)
    }
    hits = []
    for fact in ids:
        standing = candidates[fact]
        terms = {"probe": round(standing.probe, 3)}
        if standing.foresight is not None:
            terms["foresight"] = round(standing.foresight, 3)
        cue = cues.get((fact, standing.cue)) if standing.cue is not None else None
        by_cue = cue is not None and _by_cue(standing)
        step = actions.get(standing.by, "")
        found_by = (
            f"you may one day ask: {cue}" if by_cue else f"{standing.by}: {step}".rstrip(": ")
        )
        hits.append(
            Hit(facts[fact], round(standing.score, 4), terms, found_by, cue if by_cue else None)
        )
    return hits


def _by_cue(standing: Candidate) -> bool:
    """Whether its cues rather than a probe found it."""
    return standing.cue is not None and (standing.foresight or 0) > standing.probe


async def _cues(
    ids: Sequence[str],
    candidates: Mapping[str, Candidate],
    facts: Mapping[str, Fact],
    records: Records,
) -> Sequence[Any]:
    with_cue = [fact for fact in ids if _by_cue(candidates[fact])]
    return await records.cues(facts[with_cue[0]].bank, with_cue) if with_cue else []


def _shown(probed: Sequence[Probed], facts: Mapping[str, Fact]) -> list[dict[str, Any]]:
    return [
        {
            "probe": probe.step,
            "hits": [
                {"id": fact, "cosine": cosine, "text": facts[fact].text}
                for fact, cosine in zip(probe.facts, probe.cosines, strict=True)
                if fact in facts
            ],
        }
        for probe in probed
    ]
