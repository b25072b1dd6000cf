"""`eval mini`: what each method finds on a folder of MemoryQuest users, through the real graphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from forethought.evals.banks import open_apart
from forethought.evals.matching import NEAR
from forethought.evals.measuring import Measuring, Progress
from forethought.evals.memoryquest import Folder, read_folder
from forethought.evals.methods import Method, chosen
from forethought.evals.mini_report import MiniReport
from forethought.graphs.settings import Settings
from forethought.memory.errors import InvalidInput
from forethought.nodes.model import Model


async def run_mini(
    folder: Path, *, methods: Sequence[str] | None = None, settings: Settings,
    model: Model | None = None, progress: Progress | None = None,
) -> MiniReport:  # fmt: skip
    """Measure `methods` (all for None) on the users in `folder`.

    `prospections.jsonl` and `cues.jsonl` in it are the model's replies where they are there, else
    `model` imagines; where users come without facts it extracts them as well. No chain (CoT) was
    recorded: with recorded trees the chain is the tree's steps, depth first, so it finds what the
    tree finds. Raises InvalidInput for an unknown method, a damaged file, and where a
    model is needed and there is none.
    """
    wanted = chosen(methods)
    data = read_folder(folder)
    _check_replies(folder, data, wanted, model)
    run = Measuring(data, wanted, model, progress or (lambda what, done, of: None))
    async with open_apart(settings) as app:
        for person in data.people:
            await run.measure(app, person)
    return _report(data, run)


def _report(data: Folder, run: Measuring) -> MiniReport:
    exact = all(person.user.facts for person in data.people)
    trees = "recorded" if data.prospections is not None else "model"
    cues = "recorded" if data.cues is not None and exact else "model"
    return MiniReport(
        methods={name: outcome.figures() for name, outcome in run.outcomes.items()},
        users=len(data.people),
        queries=sum(len(person.user.queries) for person in data.people),
        lookups=sum(len(person.lookups) for person in data.people),
        trees=trees if any(method.calls for method in run.methods) else "none",
        cues=cues if any(method.foresight for method in run.methods) else "none",
        matching="exact" if exact else f"cosine>={NEAR}",
        skipped=tuple(run.skipped),
    )


def _check_replies(
    folder: Path, data: Folder, methods: Sequence[Method], model: Model | None
) -> None:
    if model is not None:
        return
    lacking = {
        "prospections.jsonl": data.prospections is None and any(m.calls for m in methods),
        "cues.jsonl": data.cues is None and any(m.foresight for m in methods),
        "facts of every user": not all(person.user.facts for person in data.people),
    }
    for what, lacks in lacking.items():
        if lacks:
            raise InvalidInput(
                f"{folder}: has no {what}, and no model is configured to take their place: set "
                "FORETHOUGHT_MODEL, or choose methods that need neither (--methods dense,bm25)"
            )
