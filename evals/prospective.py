"""`eval prospective`: do commitments come to mind when they should, and facts with them (PT §4)?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from forethought.evals.banks import Kept
from forethought.evals.measuring import Progress
from forethought.evals.prospective_data import VARIANTS, Case, Entry, Variant, end_of, read_cases
from forethought.evals.prospective_report import ProspectiveReport
from forethought.evals.prospective_rows import rows
from forethought.evals.prospective_scenes import Judged, heard, judged, watched
from forethought.graphs.models import open_embedder
from forethought.graphs.settings import Settings
from forethought.memory.embedding import Embedder
from forethought.memory.ledger.firing import scored, spelled, usual
from forethought.memory.ledger.rules import noticed

FIRST = 3  # of the one ledger's entries: what an assistant may mention without being a nuisance


async def run_prospective(
    data: Path, *, settings: Settings, progress: Progress | None = None
) -> ProspectiveReport:
    """Measure the prospective term and the ledger on the blueprints in `data`.

    No model is called: commitments and cues are recorded. Raises InvalidInput for damaged files.
    """
    cases = read_cases(data)
    embedder = Kept(open_embedder(settings))
    done: list[Judged] = []
    for case in cases:
        done.append(await judged(case, _ruled(case), embedder))
        if progress:
            progress(case.blueprint.id, len(done), len(cases))
    return ProspectiveReport(
        methods=rows(done),
        ledger=await _one_ledger(cases, embedder),
        counts={
            "blueprints": len(cases),
            "hard": sum(one.hard for one in done),
            "pairs": sum(len(one.extracted.pairs) for one in done),
            "entries": sum(len(one.extracted.watched) for one in done),
        },
    )


def _ruled(case: Case) -> list[Entry]:
    """What rules notice in the dialogue, as entries; they imagine no cues."""
    return [
        Entry(commitment, spelled(commitment), place)
        for place, turn in enumerate(case.blueprint.turns)
        for commitment in noticed(
            turn.text, bank=case.blueprint.id, at=end_of(turn.date), facts=(turn.id,)
        )
    ]


async def _one_ledger(cases: Sequence[Case], embedder: Embedder) -> dict[str, float]:
    """Share of trigger turns whose entry is among the first of all that are open anywhere."""
    owned = [(case, entry) for case in cases for entry in case.entries()]
    entries = await watched([entry for _, entry in owned], embedder)
    texts = [turn.text for case in cases for turn in case.blueprint.turns]
    known = usual(texts, await embedder.embed(texts))
    found: dict[str, list[bool]] = {}
    for case in cases:
        if case.blueprint.constraint.kind != "trigger":
            continue
        right = [one is case and entry.place == case.place for one, entry in owned]
        for variant in VARIANTS:
            turn = await heard(_text(case, variant), embedder)
            scores = [score for score, _ in scored(entries, turn, known)]
            order = sorted(range(len(scores)), key=lambda row: -scores[row])[:FIRST]
            found.setdefault(variant, []).append(any(right[row] for row in order))
    return {f"{name}@{FIRST}": sum(hits) / len(hits) for name, hits in found.items()}


def _text(case: Case, variant: Variant) -> str:
    return case.blueprint.said(variant).text
