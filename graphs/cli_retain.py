"""`retain` and `foresee`: take conversations in, and imagine when what they say will matter."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.graphs.cli_progress import progress
from forethought.graphs.cli_read import Sources, read_sources
from forethought.graphs.cli_shell import (
    FAILED,
    Desk,
    NoModel,
    Options,
    Stopped,
    clean,
    cost,
    opened,
    options,
    out,
    print_json,
    run,
    say,
)
from forethought.memory.errors import InvalidInput

if TYPE_CHECKING:
    from forethought.graphs.retaining import Retained, Work
    from forethought.graphs.settings import Settings

LATER = "Once there is a model, `forethought retain --pending` extracts their facts"
NOBODY_TO_IMAGINE = (
    "no model is configured, so no cues can be imagined: set FORETHOUGHT_MODEL (for instance "
    "openai:gpt-4.1-mini) and, for a server of your own, FORETHOUGHT_BASE_URL"
)
_STOPPING = "Stopping after the step in hand; Ctrl-C again stops at once. Nothing is lost"
_GOES_ON = "Stopped. Nothing is lost: `forethought retain` goes on from here"


@dataclass(slots=True)
class Outcome:
    """All that a command did, in the order it was done; `stopped` if by Ctrl-C."""

    done: list[Retained] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    cues: int = 0
    modelless: bool = False
    stopped: bool = False

    @property
    def report(self) -> list[dict[str, Any]]:
        """One entry a session, the latest of each."""
        by_key = {entry["key"]: entry for item in self.done for entry in item.report}
        return list(by_key.values())

    @property
    def notes(self) -> list[str]:
        """What was repaired, skipped or left for later."""
        return [note for item in self.done for note in item.notes]

    @property
    def failed(self) -> bool:
        """Whether anything that was given is not as it should be afterwards."""
        left = {"failed"} if self.modelless else {"failed", "pending"}
        bad = [e for e in self.report if e.get("status") in left or e["outcome"] in _REFUSED]
        return bool(self.problems or bad)

    def plain(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "runs": [item.run for item in self.done],
            "resumed": [item.run for item in self.done if item.again],
            "report": self.report,
            "notes": self.notes,
            "usage": _total([item.usage for item in self.done]),
            "cues": self.cues,
            "problems": self.problems,
            "stopped": self.stopped,
        }


_REFUSED = ("invalid", "differs")


def retain(  # noqa: PLR0913  # each option of a command is a parameter to typer
    ctx: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Files or folders of conversations; - reads standard input."),
    ] = None,
    *,
    pending: Annotated[
        bool, typer.Option("--pending", help="Extract every session that still waits for it.")
    ] = False,
    only: Annotated[
        str | None, typer.Option(help="Whose conversations to take, where a file holds several's.")
    ] = None,
    date: Annotated[
        str | None, typer.Option(help="Date of conversations that have none, as 2025-03-01.")
    ] = None,
    zone: Annotated[
        str | None, typer.Option(help="Time zone of dates without one, as Europe/Helsinki.")
    ] = None,
    foresight: Annotated[
        bool, typer.Option("--foresight/--no-foresight", help="Imagine cues for the new facts.")
    ] = True,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try sessions again whose extraction failed.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Take conversations in: log them, extract facts, and imagine when those will matter.

    Formats: MemoryQuest, LoCoMo and LongMemEval JSON, OpenAI-style chats, ChatGPT exports. A retain
    that was interrupted is gone on with first.
    """
    given = Sources(files or [], only, date, pending)
    settings = options(ctx).settings(zone=zone)
    context = {"retry": retry} if foresight else {"retry": retry, "foresight": 0}
    outcome = run(_retain(settings, given, context))
    _end(outcome, as_json=json)


def foresee(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Imagine cues for facts that have none yet."""
    settings = _with_model(options(ctx))
    outcome = run(_retain(settings, Sources(), {"consolidate_after": 0, "observe": 0}, must=False))
    _end(outcome, as_json=json)


def _with_model(given: Options) -> Settings:
    settings = given.settings()
    if settings.model is None:
        raise NoModel(NOBODY_TO_IMAGINE)
    return settings


async def _retain(
    settings: Settings, given: Sources, context: dict[str, Any], *, must: bool = True
) -> Outcome:
    """Resume, then retain. `must`: with nothing to resume, something has to be given."""
    work, problems = read_sources(given, settings)
    outcome = Outcome(problems=problems)
    async with opened(settings) as desk:
        outcome.modelless = desk.app.model is None
        await _run(desk, work, context, outcome, must=must)
    return outcome


async def _run(
    desk: Desk, work: Work | None, context: dict[str, Any], outcome: Outcome, *, must: bool
) -> None:
    from langgraph.errors import GraphDrained
    from langgraph.runtime import RunControl

    from forethought.graphs.recording import Watcher
    from forethought.graphs.retaining import Retainer, Work, drained_by
    from forethought.nodes.context import Context

    control = RunControl()
    with progress() as bar:
        retainer = Retainer(desk.app, desk.runs, Watcher(bar), control)
        try:
            async with drained_by(signal.SIGINT, control, lambda: say(_STOPPING)):
                async for resumed in retainer.resume(desk.bank):
                    outcome.done.append(resumed)
                if work is None and must and not outcome.done:
                    raise InvalidInput(
                        "nothing to retain: give files, - for standard input, or --pending"
                    )
                if work is not None or not must:
                    given = Context(bank=desk.bank, **context)
                    now = desk.app.clock()
                    outcome.done.append(await retainer.retain(work or Work(), given, now))
        except (GraphDrained, asyncio.CancelledError):
            outcome.stopped = True
        outcome.cues = bar.cues


def _total(usages: Sequence[dict[str, int]]) -> dict[str, int]:
    names = ("calls", "input_tokens", "output_tokens")
    return {name: sum(usage.get(name, 0) for usage in usages) for name in names}


def _end(outcome: Outcome, *, as_json: bool) -> None:
    if as_json:
        print_json(outcome.plain())
    else:
        _show(outcome)
    for problem in outcome.problems:
        say(problem, style="yellow")
    if outcome.stopped:
        raise Stopped(_GOES_ON)
    if outcome.modelless and any(e.get("status") == "pending" for e in outcome.report):
        say(LATER, style="bold")
    if outcome.failed:
        raise typer.Exit(FAILED)


def _show(outcome: Outcome) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("session", "outcome", "status", "facts", ""):
        table.add_column(column, justify="right" if column == "facts" else "left")
    for entry in outcome.report:
        cells = (entry.get(name) for name in ("key", "outcome", "status", "facts", "error"))
        table.add_row(*(clean("" if cell is None else str(cell)) for cell in cells))
    if outcome.report:
        out().print(table)
    for note in outcome.notes:
        say(note, style="yellow")
    usage = _total([item.usage for item in outcome.done])
    facts = sum(entry.get("facts", 0) for entry in outcome.report)
    stored = f"{len(outcome.report)} sessions, {facts} facts, {outcome.cues} cues"
    out().print(f"{stored}; {cost(usage)}")
