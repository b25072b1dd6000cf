"""`recall`: facts, and turns that say other things, with no model call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.graphs.cli_ask import (
    CUES,
    Budget,
    Foresight,
    Json,
    Limit,
    Now,
    Phi,
    Term,
    Turns,
    state_of,
    terms_in,
)
from forethought.graphs.cli_shell import opened, options, out, print_json, run, say, without_model
from forethought.graphs.cli_trace import explanation, quotations, ranking
from forethought.memory.recall.pack import BUDGET, packed

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings
    from forethought.memory.recall.recall import Recalled
    from forethought.nodes.context import Context


def recall(  # noqa: PLR0913  # each option of a command is a parameter to typer
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    *,
    limit: Limit = 10,
    turns: Turns = 5,
    budget: Budget = BUDGET,
    now: Now = None,
    phi: Phi = "hybrid",
    foresight: Foresight = True,
    term: Term = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each rank and term that placed a hit.")
    ] = False,
    json: Json = False,
) -> None:
    """Find facts and turns with no model call, by what they say and by when they may matter.

    Facts that a commitment concerns which the query or the day brings up rank higher.
    """
    from forethought.nodes.context import Context

    settings = options(ctx).settings()
    context = Context(
        bank=settings.bank, now=now, limit=limit, turns=turns, budget=budget, phi=phi,
        foresight=CUES if foresight else 0, terms=terms_in(term),
    )  # fmt: skip
    found = run(_recalled(settings, query, context))
    if json:
        print_json({"query": query, "bank": settings.bank, **found.plain()})
    elif explain:
        explanation(found.hits, found.turns, found.read, out())
    else:
        ranking(found.hits, out())
        quotations(found.turns, out())
    for note in found.notes:
        say(note, style="yellow")


@dataclass(frozen=True, slots=True)
class _Found:
    """Plain hits, turns and what was read, and what the user should know about them."""

    hits: list[dict[str, Any]]
    turns: list[dict[str, Any]]
    read: dict[str, str]
    notes: list[str]

    def plain(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {"hits": self.hits, "turns": self.turns, "read": self.read}


async def _recalled(settings: Settings, query: str, context: Context) -> _Found:
    from forethought.nodes.bearing import bearing
    from forethought.nodes.due import brought_up
    from forethought.nodes.moment import now_of

    async with opened(without_model(settings)) as desk:
        app = desk.app
        await app.indexer.catch_up(desk.bank)
        now = now_of(context.now, clock=app.clock, zone=app.zone)
        fired, _ = await brought_up(query, context, watch=app.watch, now=now, zone=app.zone)
        found = await app.recall.recall(
            desk.bank, query, now=now, limit=context.limit, channels=context.channels,
            bearing=bearing(fired, context),
        )  # fmt: skip
        shown = await _packed(found, context)
        alone = "no facts were found: these are turns of the log" if _only_turns(shown) else ""
        shown.notes.extend(filter(None, [alone, await state_of(desk)]))
        return shown


async def _packed(found: Recalled, context: Context) -> _Found:
    """What fits into the budget, facts first."""
    from forethought.memory.plain import to_plain
    from forethought.memory.tokens import counted
    from forethought.nodes.lines import fact_lines, said_lines

    turns = found.turns[: context.quoted]
    lines = [*fact_lines([hit.fact for hit in found.hits]), *said_lines(turns)]
    room = len(packed(lines, await counted(lines), context.budget))
    hits, kept = found.hits[:room], turns[: max(0, room - len(found.hits))]
    left = len(lines) - room
    notes = [f"{left} more did not fit into {context.budget} tokens (--budget)"] if left else []
    return _Found(to_plain(hits), to_plain(kept), found.read, notes)


def _only_turns(found: _Found) -> bool:
    return bool(found.turns) and not found.hits
