"""`recall`: facts, and turns that say other things, with no model call but to rewrite the query."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

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
from forethought.graphs.cli_beliefs import print_observations
from forethought.graphs.cli_shell import (
    Desk,
    NoModel,
    clean,
    opened,
    options,
    out,
    print_json,
    run,
    say,
    without_model,
)
from forethought.graphs.cli_trace import explanation, quotations, ranking
from forethought.memory.errors import ModelError
from forethought.memory.recall.pack import BUDGET, packed

if TYPE_CHECKING:
    from datetime import datetime

    from forethought.graphs.settings import Settings
    from forethought.memory.beliefs.types import Observation
    from forethought.memory.recall.recall import Recalled
    from forethought.nodes.context import Context


NO_REWRITER = (
    "no model is configured, so the query cannot be rewritten: set FORETHOUGHT_MODEL, or leave "
    "--augment out"
)


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
    augment: Annotated[
        Literal["off", "model"],
        typer.Option(
            help="Have the model rewrite the query first (model, one call): which days, what to "
            "search for."
        ),
    ] = "off",
    term: Term = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each rank and term that placed a hit.")
    ] = False,
    json: Json = False,
) -> None:
    """Find facts and turns by what they say and by when they may matter.

    Facts that a commitment concerns which the query or the day brings up rank higher. No model is
    called, unless it is to rewrite the query. `--phi dual` prints the topics near it, too, as far
    as they are summed up.
    """
    from forethought.nodes.augment import check_asked
    from forethought.nodes.context import Context

    settings = options(ctx).settings()
    check_asked(query)
    context = Context(
        bank=settings.bank, now=now, limit=limit, turns=turns, budget=budget, phi=phi,
        foresight=CUES if foresight else 0, augment=augment, terms=terms_in(term),
    )  # fmt: skip
    if augment == "model" and settings.model is None:
        raise NoModel(NO_REWRITER)
    found = run(_recalled(settings, query, context))
    if json:
        print_json({"query": query, "bank": settings.bank, **found.plain()})
    else:
        found.show(explain=explain)
    for note in found.notes:
        say(note, style="yellow")


@dataclass(frozen=True, slots=True)
class _Found:
    """Plain hits, turns, observations and what was read, and what the user should know of them.

    `rewriting` is a plain `Rewritten`, where the query was rewritten.
    """

    hits: list[dict[str, Any]]
    turns: list[dict[str, Any]]
    observations: list[dict[str, Any]]
    read: dict[str, str]
    notes: list[str]
    rewriting: dict[str, Any] | None = None

    def plain(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {
            "hits": self.hits, "turns": self.turns, "observations": self.observations,
            "read": self.read, "rewriting": self.rewriting,
        }  # fmt: skip

    def show(self, *, explain: bool) -> None:
        """As it is printed otherwise."""
        if explain:
            for line in self.rewritten():
                out().print(clean(line), style="dim")
            explanation(self.hits, self.turns, self.read, out())
        else:
            ranking(self.hits, out())
            quotations(self.turns, out())
        if self.observations:
            out().print("\nsummed up", style="dim")
            print_observations(self.observations)

    def rewritten(self) -> list[str]:
        """What the model made of the query, as lines."""
        from forethought.memory.plain import from_plain
        from forethought.memory.recall.rewriting import Rewritten
        from forethought.nodes.rewriting import told

        if self.rewriting is None:
            return []
        made = from_plain(Rewritten, self.rewriting)
        return [f"request: {made.request}", *told(made)]


async def _recalled(settings: Settings, query: str, context: Context) -> _Found:
    from forethought.nodes.bearing import bearing
    from forethought.nodes.due import brought_up
    from forethought.nodes.rewriting import given_up, kept, original_of, rewriting_of

    rewrites = context.augment == "model"
    async with opened(settings if rewrites else without_model(settings)) as desk:
        app = desk.app
        await app.indexer.catch_up(desk.bank)
        now = app.moment(context.now)
        fired, _ = await brought_up(query, context, watch=app.watch, now=now, zone=app.zone)
        original = await original_of(query, context, recall=app.recall, now=now)
        try:
            made = await rewriting_of(original, context, app.rewriter)
        except ModelError as problem:
            made = given_up(original, problem)
        searched = made.rewritten.searched
        found, near = await asyncio.gather(
            app.recall.recall(
                desk.bank, searched, now=now, limit=context.limit, channels=context.channels,
                bearing=bearing(fired, context, made.rewritten),
            ),
            _topics(desk, searched, context, now),
        )  # fmt: skip
        shown = replace(await _packed(found, near, context), rewriting=kept(made, original))
        shown.notes.extend(made.notes)
        alone = "no facts were found: these are turns of the log" if _only_turns(shown) else ""
        shown.notes.extend(filter(None, [alone, await state_of(desk, context.now)]))
        return shown


async def _topics(desk: Desk, query: str, context: Context, now: datetime) -> Sequence[Observation]:
    """PPRO's semantic path, beside the facts; nothing where that is not asked for."""
    if context.phi != "dual":
        return ()
    found = await desk.app.recall.views(desk.bank, query, now=now, about=context.summed_up)
    return found.observations


async def _packed(found: Recalled, near: Sequence[Observation], context: Context) -> _Found:
    """What fits into the budget, facts first."""
    from forethought.memory.plain import to_plain
    from forethought.memory.tokens import counted
    from forethought.nodes.lines import fact_lines, observation_lines, said_lines

    turns, facts = found.turns[: context.quoted], [hit.fact for hit in found.hits]
    lines = [*fact_lines(facts), *observation_lines(near), *said_lines(turns)]
    fitting = packed([*found.hits, *near, *turns], await counted(lines), context.budget)
    left = len(lines) - len(fitting)
    notes = [f"{left} more did not fit into {context.budget} tokens (--budget)"] if left else []
    hits, made, said = (
        to_plain([one for one in some if one in fitting]) for some in (found.hits, near, turns)
    )
    return _Found(hits, said, made, found.read, notes)


def _only_turns(found: _Found) -> bool:
    return bool(found.turns) and not found.hits
