"""`ask`: an answer that thinks ahead."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forethought.graphs.cli_shell import (
    Desk,
    NoModel,
    Stopped,
    opened,
    options,
    run,
    say,
)
from forethought.graphs.cli_stream import View
from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.recall.pack import BUDGET

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings
    from forethought.nodes.context import Context


def _said(now: str | None) -> str | None:
    """`now`, unless it says nothing: a variable of a script that is not set, most likely."""
    if now is not None and not now.strip():
        raise InvalidInput(
            "--now: it is empty; give a date such as 2025-03-01, or leave --now out for this moment"
        )
    return now


Now = Annotated[
    str | None,
    typer.Option(callback=_said, help="As of this date or moment: facts said later do not count."),
]
Mode = Annotated[
    Literal["auto", "prospect", "recall"],
    typer.Option(help="Think ahead first, answer from recall alone, or as the request reads."),
]
Augment = Annotated[
    Literal["facts", "model", "off"],
    typer.Option(
        help="Lay facts that the request surely means beside it (facts), or have the model rewrite "
        "it, one call more: what it refers to, which days, what to search for (model)."
    ),
]
Limit = Annotated[int, typer.Option(min=1, max=500, help="How many facts at most.")]
Budget = Annotated[
    int, typer.Option(min=1, max=1_000_000, help="How many tokens of facts at most.")
]
Foresight = Annotated[
    bool, typer.Option("--foresight/--no-foresight", help="Search by the imagined cues too.")
]
Turns = Annotated[
    int, typer.Option(min=0, max=100, help="How many turns of the log beside them at most.")
]
Phi = Annotated[
    Literal["hybrid", "dense", "dual"],
    typer.Option(
        help="Search by meaning and words, in facts and log, by facts' vectors alone, or by those "
        "of facts and of topics (PPRO)."
    ),
]
Term = Annotated[
    list[str] | None,
    typer.Option(
        "--term",
        metavar="NAME=WEIGHT",
        help="Weigh what ranks facts beside their fit: prospective, salience, profile or "
        "dimensions; 0 is off. May be given several times.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")]
CUES = 5  # cues a fact, as in `Context`
ALONE: dict[str, Any] = {"reflect": False, "remember": False}
"""A question by itself is no conversation: it is asked to look, or by a script, again and again, so
that it costs no more calls and leaves nothing in the bank (`chat` does)."""
NO_MODEL = (
    "no model is configured, so nothing can be answered: set FORETHOUGHT_MODEL (for instance "
    "openai:gpt-4.1-mini) and, for a server of your own, FORETHOUGHT_BASE_URL; or try `forethought "
    "demo`. `forethought recall` finds facts without one"
)


def ask(  # noqa: PLR0913  # each option of a command is a parameter to typer
    ctx: typer.Context,
    question: Annotated[str, typer.Argument(help="The question or request.")],
    *,
    trace: Annotated[bool, typer.Option("--trace", help="Show the run step by step.")] = False,
    mode: Mode = "auto",
    now: Now = None,
    shape: Annotated[
        Literal["tree", "chain"], typer.Option(help="Imagine alternatives, or one course.")
    ] = "tree",
    rounds: Annotated[
        int, typer.Option(min=0, max=50, help="Refinements at most; 0 imagines only once.")
    ] = 10,
    limit: Limit = 35,
    budget: Budget = BUDGET,
    probe_k: Annotated[
        int, typer.Option(min=1, max=100, help="Facts that each imagined step may recall.")
    ] = 5,
    tau: Annotated[
        float | None, typer.Option(min=-1, max=1, help="Cosine that means related.")
    ] = None,
    tau0: Annotated[
        float | None, typer.Option(min=-1, max=1, help="Cosine that means surely about this.")
    ] = None,
    augment: Augment = "facts",
    delta: Annotated[
        int, typer.Option(min=1, max=1000, help="Stop once a refinement finds fewer new facts.")
    ] = 5,
    turns: Turns = 10,
    phi: Phi = "hybrid",
    max_calls: Annotated[
        int, typer.Option(min=1, max=100, help="Model calls at most, the answer included.")
    ] = 14,
    foresight: Foresight = True,
    term: Term = None,
    json: Json = False,
) -> None:
    """Answer a question from what is remembered, thinking ahead first.

    It cites facts as [f…] and what was said as [t…].
    """
    from forethought.nodes.augment import check_asked
    from forethought.nodes.context import Context

    settings, view = options(ctx).settings(), View(trace=trace, as_json=json)
    if settings.model is None:
        raise NoModel(NO_MODEL)
    check_asked(question)
    context = Context(
        bank=settings.bank, now=now, mode=mode, shape=shape, probe_k=probe_k, tau=tau, tau0=tau0,
        augment=augment, delta=delta, max_rounds=rounds, limit=limit, max_calls=max_calls,
        budget=budget, turns=turns, phi=phi, foresight=CUES if foresight else 0,
        terms=terms_in(term), **ALONE,
    )  # fmt: skip
    show_run(lambda desk, id: ask_at(desk, question, context, id=id, view=view), settings, view)


def terms_in(given: Sequence[str] | None) -> dict[str, float] | None:
    """The weights that were given as NAME=WEIGHT. Raises InvalidInput that names what is wrong."""
    from forethought.memory.recall.terms import NAMES

    terms: dict[str, float] = {}
    for one in given or ():
        name, _, weight = one.partition("=")
        try:
            terms[name.strip()] = float(weight)
        except ValueError:
            raise InvalidInput(
                f"--term {one}: expected NAME=WEIGHT, such as salience=0.3; there are "
                f"{', '.join(NAMES)}"
            ) from None
    return terms or None


Asked = Callable[[Desk, str], Awaitable[dict[str, Any]]]
"""Makes a run with the given id and gives its outcome."""


def show_run(asked: Asked, settings: Settings, view: View) -> None:
    """Make a run of the agent and show it; after Ctrl-C, say how to go on with it."""
    from datetime import UTC, datetime

    from forethought.graphs.asking import new_id

    id = new_id(datetime.now(UTC))

    async def made() -> dict[str, Any]:
        async with opened(settings) as desk:
            return await asked(desk, id)

    try:
        view.show(run(made()))
    except KeyboardInterrupt:
        raise Stopped(_goes_on(settings, id)) from None


def _goes_on(settings: Settings, id: str) -> str:
    from forethought.graphs.runs import journal

    try:
        step = journal(settings.directory, id).last
    except NotFound:
        return "Stopped before anything was asked"
    return (
        f"Stopped. Nothing is lost: `forethought trace {id} --from {max(step, 1)}` goes on from "
        "the step in hand"
    )


async def ask_at(
    desk: Desk, question: str, context: Context, *, id: str, view: View
) -> dict[str, Any]:
    """Ask over open stores."""
    from forethought.graphs.asking import Asker

    if note := await state_of(desk, context.now):
        say(note, style="yellow")
    return await Asker(desk.app, desk.runs, view.watcher()).ask(question, context, id=id)


async def state_of(desk: Desk, now: str | None = None) -> str:
    """Why a search may find less than the user expects; nothing where there is no reason.

    `now` is as of when the user asked to search, if they did: what came later is no surprise then.
    """
    banks = {bank.bank: bank for bank in await desk.app.records.banks()}
    mine = banks.get(desk.bank)
    if mine is None:
        known = f"; there are {', '.join(banks)}" if banks else ""
        return f"bank {desk.bank!r} holds nothing{known}"
    if mine.pending:
        waiting = f"{mine.pending} of its sessions wait for extraction"
        return f"{waiting}: `forethought retain --pending` with a model configured"
    return await _to_come(desk) if now is None else ""


async def _to_come(desk: Desk) -> str:
    """That sessions are dated ahead of the clock: by mistake, or in a zone that is not ours."""
    present = desk.app.clock()
    dates = [session.date for session in await desk.app.records.sessions(desk.bank)]
    later = [date for date in dates if date > present]
    if not later:
        return ""
    return (
        f"{len(later)} of its sessions are dated after this moment, up to {max(later).isoformat()}:"
        " until then only `recall` and `ask` with a later --now find what was said in them"
    )
