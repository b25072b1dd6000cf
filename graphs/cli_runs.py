"""`trace`: list past runs, replay one step by step, or go on with one from a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.graphs.cli_ask import NO_MODEL, Json, show_run
from forethought.graphs.cli_shell import NoModel, clean, cost, options, out, print_json, say
from forethought.graphs.cli_stream import View
from forethought.graphs.cli_trace import Tracer, ranking
from forethought.memory.errors import InvalidInput

if TYPE_CHECKING:
    from forethought.graphs.cli_shell import Desk
    from forethought.graphs.journal import Journal, Run
    from forethought.graphs.settings import Settings

_ASKED = 200  # characters of a request in the list: one may be a whole document


def trace(
    ctx: typer.Context,
    run: Annotated[str | None, typer.Argument(help="A run, as in r20261130-7f3a2c.")] = None,
    *,
    step: Annotated[
        int | None, typer.Option("--from", min=1, help="Go on from this step, as a new run.")
    ] = None,
    json: Json = False,
) -> None:
    """List the bank's runs; with RUN, replay that run; with --from, go on with it from a step."""
    settings = options(ctx).settings()
    if run is None and step is not None:
        raise InvalidInput("--from needs a run to go on with: `forethought trace` lists them")
    if run is None:
        _list(settings, as_json=json)
    elif step is None:
        _replay(settings, run, as_json=json)
    else:
        _go_on(settings, run, step, as_json=json)


def _list(settings: Settings, *, as_json: bool) -> None:
    from forethought.graphs.runs import runs

    found = runs(settings.directory, settings.bank)
    if as_json:
        print_json({"bank": settings.bank, "runs": [_plain(run) for run in found]})
        return
    for run in found:
        origin = f" (from {run.origin})" if run.origin else ""
        began = f"{run.started:%Y-%m-%d %H:%M}"
        line = " ".join(run.query.split())
        asked = line if len(line) <= _ASKED else f"{line[:_ASKED]} …"
        out().print(clean(f"{run.id}  {began}  {run.machine:6}  {asked}{origin}"))
    if not found:
        say(f"bank {settings.bank!r} has no runs yet")


def _replay(settings: Settings, name: str, *, as_json: bool) -> None:
    from forethought.graphs.runs import journal

    found = journal(settings.directory, name)
    if as_json:
        print_json(plain(found))
        return
    replayed(found)


def replayed(found: Journal) -> None:
    """Show a run that is over, or was stopped, as it was shown while it went on."""
    console = out()
    run = found.run
    origin = f", from {run.origin}" if run.origin else ""
    console.print(f"{run.id}: {run.machine} of bank {clean(run.bank)}{origin}", style="bold")
    console.print(clean(run.query))
    tracer = Tracer(console)
    for happened in found.events:
        tracer(happened)
    for failure in found.failures:
        say(f"stopped: {failure}", style="red")
    if found.result is None:
        if found.usage:
            say(f"paid by then: {cost(found.usage)}", style="dim")
        say(_unfinished(found), style="yellow")
        return
    if found.result.get("answer"):
        console.print(f"\n{clean(found.result['answer'])}\n", soft_wrap=True)
    ranking(found.result.get("hits", ()), console)
    for note in found.result.get("notes", ()):
        say(note, style="yellow")


def _go_on(settings: Settings, name: str, step: int, *, as_json: bool) -> None:
    from forethought.graphs.runs import journal

    found = journal(settings.directory, name)
    if settings.model is None:
        raise NoModel(NO_MODEL)
    view = View(trace=True, as_json=as_json)

    async def asked(desk: Desk, id: str) -> dict[str, Any]:
        from forethought.graphs.asking import Asker

        return await Asker(desk.app, desk.runs, view.watcher()).branch(found, step, id=id)

    show_run(asked, settings, view)


def plain(found: Journal) -> dict[str, Any]:
    """A run with all its steps, as `--json` prints it."""
    steps = [{"step": item.step, **item.event} for item in found.events]
    failures = list(found.failures)
    came = {"result": found.result, "failures": failures, "usage": found.usage}
    return {**_plain(found.run), "steps": steps, **came}


def _plain(run: Run) -> dict[str, Any]:
    from dataclasses import asdict

    known = asdict(run)
    del known["thread"]  # the checkpoints' own name for it
    known["run"] = known.pop("id")
    return {**known, "started": run.started.isoformat()}


def _unfinished(found: Journal) -> str:
    if found.run.machine == "retain":
        return "It was interrupted: the next `forethought retain` goes on with it"
    if found.run.machine == "chat":
        return "It did not end: `/again` in `forethought chat` goes on from the step in hand"
    return (
        f"It did not end: `forethought trace {found.run.id} --from {max(found.last, 1)}` goes on "
        "from its last step"
    )
