"""`commitments` and `due`: the ledger by hand, and what of it comes to mind by day or turn."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.graphs.cli_ask import Json
from forethought.graphs.cli_shell import (
    Desk,
    clean,
    opened,
    options,
    out,
    print_json,
    run,
    say,
    without_model,
)
from forethought.graphs.cli_show import table_of
from forethought.memory.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from datetime import date as Day

    from forethought.graphs.settings import Settings
    from forethought.memory.ledger.types import Commitment, Outcome

commitments = typer.Typer(invoke_without_command=True, rich_markup_mode=None)

Plain = dict[str, Any]
All = Annotated[bool, typer.Option("--all", help="Those that were kept or dropped, too.")]
Id = Annotated[str, typer.Argument(help="Its id, as `forethought commitments` lists it.")]
_STANDS = (
    "It has no day and no condition, so it comes to mind by itself never: --due and --when say when"
)


@commitments.callback()
def listed(ctx: typer.Context, *, all: All = False, json: Json = False) -> None:
    """Show what the user or the assistant undertook, and settle it by hand."""
    if ctx.invoked_subcommand is None:
        _list(options(ctx).settings(), every=all, as_json=json)


@commitments.command("list")
def list_(ctx: typer.Context, *, all: All = False, json: Json = False) -> None:
    """List open commitments, oldest first."""
    _list(options(ctx).settings(), every=all, as_json=json)


@commitments.command()
def add(
    ctx: typer.Context,
    action: Annotated[str, typer.Argument(help='As in "Return the tent to Kari".')],
    *,
    due: Annotated[str | None, typer.Option(help="Its day, as 2025-03-15 or in words.")] = None,
    when: Annotated[
        str | None, typer.Option(help='The situation in which it matters: "the quote is here".')
    ] = None,
    json: Json = False,
) -> None:
    """Enter a commitment by hand; the next retain with a model imagines when it will matter."""
    made = run(_added(options(ctx).settings(), action, due=due, when=when))
    _tell([made], as_json=json)
    if made["due"] is None and made["condition"] is None:
        say(_STANDS, style="yellow")


@commitments.command()
def keep(ctx: typer.Context, id: Id, *, json: Json = False) -> None:
    """Close a commitment: it was done."""
    _tell([run(_settled(options(ctx).settings(), id, "kept"))], as_json=json)


@commitments.command()
def drop(ctx: typer.Context, id: Id, *, json: Json = False) -> None:
    """Close a commitment: it no longer applies."""
    _tell([run(_settled(options(ctx).settings(), id, "dropped"))], as_json=json)


@commitments.command()
def reopen(ctx: typer.Context, id: Id, *, json: Json = False) -> None:
    """Have a commitment open again that was closed by mistake."""
    _tell([run(_reopened(options(ctx).settings(), id))], as_json=json)


def due(
    ctx: typer.Context,
    turn: Annotated[
        str | None, typer.Argument(help="What is said: conditions are held against it.")
    ] = None,
    *,
    on: Annotated[str | None, typer.Option(help="The day, as 2025-03-15; else today.")] = None,
    json: Json = False,
) -> None:
    """Say which commitments come to mind on a day and by a turn, with no model call.

    They do not count as told by this.
    """
    data = run(_due(options(ctx).settings(), turn, on))
    print_json(data) if json else print_due(data)


def print_due(data: Plain) -> None:
    """What `due_at` gave, as a table."""
    table = table_of("id", "because", "told", "to do")
    for one in data["firing"]:
        duty = one["commitment"]
        cells = (duty["id"], one["because"], duty["told"] or "", duty["action"])
        table.add_row(*(clean(cell) for cell in cells))
    out().print(table) if data["firing"] else say(f"Nothing comes to mind on {data['on']}.")


def _list(settings: Settings, *, every: bool, as_json: bool) -> None:
    _tell(run(_found(settings, every=every)), as_json=as_json)


async def _found(settings: Settings, *, every: bool) -> list[Plain]:
    async with opened(without_model(settings)) as desk:
        return await commitments_at(desk, every=every)


async def commitments_at(desk: Desk, *, every: bool = False) -> list[Plain]:
    """The open commitments of the bank, oldest first, or all."""
    from forethought.memory.plain import to_plain

    found = await desk.app.records.commitments(desk.bank, status=None if every else "open")
    plain: list[Plain] = to_plain(found)
    return plain


async def _added(settings: Settings, action: str, *, due: str | None, when: str | None) -> Plain:
    from forethought.memory.ledger.types import Commitment, named
    from forethought.memory.plain import to_plain
    from forethought.memory.words import words

    if not words(action):
        raise InvalidInput("the commitment says nothing: say what is to be done")
    async with opened(without_model(settings)) as desk:
        now = desk.app.clock()
        day = None if due is None else _day(due, now.astimezone(desk.app.zone))
        condition = when.strip() or None if when else None
        id = named(desk.bank, action, due=day, condition=condition)
        given = Commitment(id, desk.bank, action.strip(), now, condition=condition, due=day)
        await desk.app.records.undertake(desk.bank, [given])
        known = await _one(desk, id)
        if known.status != "open":
            raise InvalidInput(
                f"that was {known.status} before: `forethought commitments reopen {id}` opens it "
                "again"
            )
        made: Plain = to_plain(known)
        return made


def _day(said: str, now: datetime) -> Day:
    from forethought.memory.times.resolving import resolved

    days = resolved(said, on=now, ahead=True)
    if days is None:
        raise InvalidInput(f"--due: {said!r} names no day; expected one such as 2025-03-15")
    return days[0]


async def _settled(settings: Settings, id: str, outcome: Outcome) -> Plain:
    from forethought.memory.ledger.types import Settlement, close
    from forethought.memory.plain import to_plain

    async with opened(without_model(settings)) as desk:
        now = desk.app.clock()
        close(await _one(desk, id), outcome, at=now)  # says what is wrong, if anything is
        await desk.app.records.settle(desk.bank, [Settlement(id, outcome, now)])
        done: Plain = to_plain(await _one(desk, id))
        return done


async def _reopened(settings: Settings, id: str) -> Plain:
    from forethought.memory.plain import to_plain

    async with opened(without_model(settings)) as desk:
        await _one(desk, id)
        opened_again: Plain = to_plain(await desk.app.records.reopen(desk.bank, id))
        return opened_again


async def _one(desk: Desk, id: str) -> Commitment:
    found = await desk.app.records.commitments(desk.bank, [id])
    if not found:
        raise NotFound(
            f"bank {desk.bank!r} has no commitment {id!r}: `forethought commitments --all` lists "
            "what there is"
        )
    return found[0]


async def _due(settings: Settings, turn: str | None, on: str | None) -> Plain:
    async with opened(without_model(settings)) as desk:
        return await due_at(desk, turn, on)


async def due_at(desk: Desk, turn: str | None, on: str | None = None) -> Plain:
    """What comes to mind on the day `on`, or today, and by a turn, each with why."""
    from forethought.memory.ledger.firing import At
    from forethought.memory.plain import to_plain
    from forethought.memory.when import day_in, moment
    from forethought.nodes.lines import why

    app = desk.app
    await app.indexer.catch_up(desk.bank)
    now = app.clock() if on is None else moment(on, zone=app.zone, name="--on")
    at = At(now, day_in(app.zone, now))
    fired = await app.watch.firing(desk.bank, turn, at, past=on is not None)
    firing = [{**to_plain(one), "because": why(one, at.on)} for one in fired]
    return {"bank": desk.bank, "on": str(at.on), "turn": turn, "firing": firing}


def _tell(found: list[Plain], *, as_json: bool) -> None:
    print_json({"commitments": found}) if as_json else print_commitments(found)


def print_commitments(found: list[Plain]) -> None:
    """Commitments as a table: when each was made, is due and matters, and its state."""
    table = table_of("id", "made", "due", "state", "when", "to do")
    for one in found:
        cells = (one["id"], one["made"][:10], one["due"] or "", one["status"])
        rest = (one["condition"] or "", one["action"])
        table.add_row(*(clean(cell) for cell in (*cells, *rest)))
    out().print(table) if found else say("The ledger holds no open commitment.")
