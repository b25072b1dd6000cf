"""`recall`: facts, and turns that say other things, with no model call but to rewrite the query."""

from __future__ import annotations

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
    Turns,
    state_of,
)
from forethought.graphs.cli_shell import (
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
from forethought.memory.recall.pack import BUDGET, packed

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings
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
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each rank and term that placed a hit.")
    ] = False,
    json: Json = False,
) -> None:
    """Find facts and turns by what they say and by when they may matter.

    No model is called, unless it is to rewrite the query.
    """
    from forethought.nodes.context import Context

    settings = options(ctx).settings()
    context = Context(
        bank=settings.bank, now=now, limit=limit, turns=turns, budget=budget, phi=phi,
        foresight=CUES if foresight else 0, augment=augment,
    )  # fmt: skip
    if augment == "model" and settings.model is None:
        raise NoModel(NO_REWRITER)
    found = run(_recalled(settings, query, context))
    if json:
        print_json({"query": query, "bank": settings.bank, **found.plain()})
    elif explain:
        for line in found.rewritten():
            out().print(clean(line), style="dim")
        explanation(found.hits, found.turns, found.read, out())
    else:
        ranking(found.hits, out())
        quotations(found.turns, out())
    for note in found.notes:
        say(note, style="yellow")


@dataclass(frozen=True, slots=True)
class _Found:
    """Plain hits, turns and what was read, and what the user should know about them.

    `rewriting` is a plain `Rewritten`, where the query was rewritten.
    """

    hits: list[dict[str, Any]]
    turns: list[dict[str, Any]]
    read: dict[str, str]
    notes: list[str]
    rewriting: dict[str, Any] | None = None

    def plain(self) -> dict[str, Any]:
        """As `--json` prints it."""
        told = {"hits": self.hits, "turns": self.turns, "read": self.read}
        return {**told, "rewriting": self.rewriting}

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
    from forethought.nodes.rewriting import (
        bearing_in,
        kept,
        original_of,
        rewriting_of,
        rewritten_in,
    )

    rewrites = context.augment == "model"
    async with opened(settings if rewrites else without_model(settings)) as desk:
        app = desk.app
        await app.indexer.catch_up(desk.bank)
        original = await original_of(query, context, recall=app.recall, now=app.moment(context.now))
        made = await rewriting_of(original, context, app.rewriter)
        rewriting = kept(made, original)
        state = {"query": query, "rewriting": rewriting}
        found = await app.recall.recall(
            desk.bank, rewritten_in(state).searched, now=app.moment(context.now),
            limit=context.limit, channels=context.channels, bearing=bearing_in(state),
        )  # fmt: skip
        shown = replace(await _packed(found, context), rewriting=rewriting)
        shown.notes.extend(made.notes)
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
