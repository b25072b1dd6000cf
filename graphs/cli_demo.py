"""`demo`: retain a conversation that ships with the package, ask about it, and show every step."""

from __future__ import annotations

import shutil
from shlex import quote
from typing import TYPE_CHECKING, Any

import typer

from forethought.graphs.cli_ask import ALONE, Json, ask_at
from forethought.graphs.cli_progress import progress
from forethought.graphs.cli_shell import Desk, clean, err, opened, options, out, run, say
from forethought.graphs.cli_stream import View
from forethought.memory.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

    from forethought.evals.demo import Demo
    from forethought.graphs.settings import Settings

_OURS = ("forethought.db", "chroma", "runs", "runs.db")  # what a demo leaves in its directory
_LOCKS = ("forethought.lock", "forethought.pid")


def demo(ctx: typer.Context, json: Json = False) -> None:
    """Retain the bundled conversation, ask about it, and print the trace and the answer.

    Without a configured model its replies are recorded ones; all else runs for real.
    """
    from forethought.evals.demo import BANK, read_demo

    configured = options(ctx).settings()
    settings = configured.embedded(configured.directory / "demo").model_copy(update={"bank": BANK})
    sample = read_demo()
    _clear(settings.directory)
    say(_who(settings, sample), style="bold")
    view = View(trace=True, as_json=json)
    outcome = run(_demo(settings, sample, view))
    view.show(outcome)
    if not json:
        _what_next(settings)


def _who(settings: Settings, sample: Demo) -> str:
    replies = (
        "The model's replies are recorded ones (none is configured); all else runs for real"
        if settings.model is None
        else f"The model is {settings.model}: it reads {len(sample.conversations)} sessions"
    )
    who = "Marisol, 25, a law student in Houston, has talked with her assistant since 2024"
    return f"{who}. {replies}."


async def _demo(settings: Settings, sample: Demo, view: View) -> dict[str, Any]:
    from forethought.nodes.context import Context

    model = sample.model if settings.model is None else None
    async with opened(settings, model=model) as desk:
        await _retain(desk, sample)
        context = Context(bank=desk.bank, now=sample.now, mode="prospect", **ALONE)
        if not view.as_json:
            out().print(f"\nOn {sample.now} she asks: {clean(sample.question)}", style="bold")
        return await ask_at(desk, sample.question, context, id=_run_id(desk), view=view)


async def _retain(desk: Desk, sample: Demo) -> None:
    from langgraph.runtime import RunControl

    from forethought.graphs.recording import Watcher
    from forethought.graphs.retaining import Retainer, Work
    from forethought.nodes.context import Context

    with progress() as bar:
        retainer = Retainer(desk.app, desk.runs, Watcher(bar), RunControl())
        work = Work(sample.conversations, "the bundled conversation")
        done = await retainer.retain(work, Context(bank=desk.bank), desk.app.clock())
    facts = sum(entry.get("facts", 0) for entry in done.report)
    say(f"Retained {len(done.report)} sessions: {facts} facts, {bar.cues} cues.")
    for note in done.notes:
        say(note, style="yellow")


def _run_id(desk: Desk) -> str:
    from forethought.graphs.asking import new_id

    return new_id(desk.app.clock())


def _what_next(settings: Settings) -> None:
    common = f"--data-dir {quote(str(settings.directory))} --bank {quote(settings.bank)}"
    err().print(
        f"\nGo on: forethought recall 'a used car' {common}\n"
        f"       forethought show facts {common}\n"
        f"       forethought trace {common}",
        style="dim",
        soft_wrap=True,
    )


def _clear(directory: Path) -> None:
    """Empty the demo's own directory. Raises InvalidInput if anything else lies in it."""
    from forethought.memory.records.lock import WriterLock

    with WriterLock.acquire(directory):
        inside = [path for path in directory.iterdir() if path.name not in _LOCKS]
        for path in inside:
            if not path.name.startswith(_OURS):
                raise InvalidInput(
                    f"{path} is none of the demo's files: move it away, since the demo empties "
                    f"{directory}"
                )
        for path in inside:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
