"""prospect: from the candidates of all rounds to the hits that are answered from."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from forethought.memory.plain import from_plain
from forethought.memory.prospection import Step
from forethought.memory.recall.candidates import Candidate, Placed
from forethought.memory.recall.probing import Probing
from forethought.memory.recall.recall import Recall
from forethought.memory.records.port import Records
from forethought.memory.types import Cue, Fact, Hit
from forethought.nodes.bearing import bearing_of
from forethought.nodes.context import Context
from forethought.nodes.rewriting import rewritten_in
from forethought.nodes.state import ProspectState


def probing_of(state: ProspectState, context: Context) -> Probing:
    """How this round probes."""
    return Probing(
        context.bank, rewritten_in(state).searched, datetime.fromisoformat(state["now"]),
        context.probe_k, round=state["rounds"], tau=context.tau,
        foresight=context.channels.foresight, limit=context.limit,
    )  # fmt: skip


async def ranked_hits(
    state: ProspectState, context: Context, candidates: Mapping[str, Candidate], *,
    recall: Recall, records: Records,
) -> list[Hit]:  # fmt: skip
    """The best `limit` candidates; where nothing was imagined, what the request finds by itself."""
    probing, bearing = probing_of(state, context), bearing_of(state, context)
    if not candidates:
        alone = await recall.recall(
            context.bank,
            probing.query,
            now=probing.now,
            limit=context.limit,
            channels=context.channels,
            bearing=bearing,
        )
        return alone.hits
    placed = await recall.ranked(probing, candidates, bearing)
    best = list(placed)[: context.limit]
    cued = [fact for fact in best if _by_cue(placed[fact].at)]
    facts, cues = await asyncio.gather(
        records.facts(context.bank, best),
        records.cues(context.bank, cued) if cued else _none(),
    )
    nearest = {cue.fact: cue for cue in cues if cue.position == placed[cue.fact].at.cue}
    actions = {step.id: step.action for step in from_plain(list[Step], state["steps"])}
    return [_hit(fact, placed[fact.id], nearest.get(fact.id), actions) for fact in facts]


async def _none() -> Sequence[Cue]:
    return []


def _hit(fact: Fact, placed: Placed, cue: Cue | None, actions: Mapping[str, str]) -> Hit:
    at = placed.at
    terms = {"probe": round(at.probe, 3)}
    if at.foresight is not None:
        terms["foresight"] = round(at.foresight, 3)
    terms |= {name: round(by, 4) for name, by in placed.terms.items()}
    by_step = f"{at.by}: {actions.get(at.by, '')}".rstrip(": ")
    found_by = by_step if cue is None else cue.told
    return Hit(fact, round(placed.score, 4), terms, found_by, cue.text if cue else None)


def _by_cue(at: Candidate) -> bool:
    """Whether its cues rather than a probe found it."""
    return at.cue is not None and (at.foresight or 0) > at.probe
