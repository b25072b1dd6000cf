"""`opinions` and `observations`: what the assistant believes, and what it has summed up."""

from __future__ import annotations

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
from forethought.memory.errors import NotFound

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings
    from forethought.memory.beliefs.types import Opinion

Plain = dict[str, Any]
_GONE = "(a fact that is not there any more)"


def opinions(
    ctx: typer.Context,
    id: Annotated[str | None, typer.Argument(help="An opinion, to see how it came about.")] = None,
    *,
    json: Json = False,
) -> None:
    """List what the assistant believes, or show what moved one opinion, when, and how far."""
    data = run(_opinions(options(ctx).settings(), id))
    print_json(data) if json else print_opinions(data)


def observations(ctx: typer.Context, *, json: Json = False) -> None:
    """List what was summed up of the user, and of people, things and topics."""
    data = run(_observations(options(ctx).settings()))
    if json:
        print_json(data)
    elif data["observations"]:
        print_observations(data["observations"])
    else:
        say("Nothing is summed up yet.")


def print_observations(found: list[Plain]) -> None:
    """Observations as a table: whom or what each is about, the days and facts that it is from."""
    listed = table_of("id", "about", "from", "to", "facts", "text")
    for one in found:
        days = (one["occurred_from"] or "", one["occurred_to"] or "")
        cells = (one["id"], one["title"], *days, str(len(one["facts"])), one["text"])
        listed.add_row(*(clean(cell) for cell in cells))
    out().print(listed)


async def _opinions(settings: Settings, id: str | None) -> Plain:
    async with opened(without_model(settings)) as desk:
        return await opinions_at(desk, id)


async def opinions_at(desk: Desk, id: str | None) -> Plain:
    """All opinions, the surest first, or one with its facts. Raises NotFound."""
    from forethought.memory.plain import to_plain

    found = await desk.app.records.opinions(desk.bank, None if id is None else [id])
    if id is None:
        surest = sorted(found, key=lambda one: (-one.confidence, one.formed, one.id))
        return {"bank": desk.bank, "opinions": to_plain(surest)}
    if not found:
        raise NotFound(
            f"bank {desk.bank!r} has no opinion {id!r}: `forethought opinions` lists what there is"
        )
    return await _one(desk, found[0])


async def _one(desk: Desk, opinion: Opinion) -> Plain:
    """An opinion with the texts of the facts that it rests on and that moved it."""
    from forethought.memory.plain import to_plain

    moved_by = [step.fact for step in opinion.steps if step.fact]
    facts = await desk.app.records.facts(desk.bank, [*opinion.facts, *moved_by])
    return {
        "bank": desk.bank,
        "opinion": to_plain(opinion),
        "facts": {fact.id: fact.text for fact in facts},
    }


async def _observations(settings: Settings) -> Plain:
    from forethought.memory.plain import to_plain

    async with opened(without_model(settings)) as desk:
        found = await desk.app.records.observations(desk.bank)
        return {"bank": desk.bank, "observations": to_plain(found)}


def print_opinions(data: Plain) -> None:
    """What `opinions_at` gave: a table, or how one opinion came about."""
    _trajectory(data) if "opinion" in data else _list(data["opinions"])


def _list(found: list[Plain]) -> None:
    listed = table_of("id", "sure", "moved", "about", "text")
    for one in found:
        cells = (one["id"], f"{one['confidence']:.2f}", f"{len(one['steps'])}×")
        listed.add_row(*(clean(cell) for cell in (*cells, ", ".join(one["entities"]), one["text"])))
    out().print(listed) if found else say("The assistant has formed no opinion yet.")


def _trajectory(data: Plain) -> None:
    """From how it was formed, step by step: the day, from → to, why, and each new wording."""
    opinion, facts, console = data["opinion"], data["facts"], out()
    console.print(clean(opinion["text"]), style="bold")
    about = f"  about: {', '.join(opinion['entities'])}" if opinion["entities"] else ""
    console.print(clean(f"{opinion['id']}  {opinion['confidence']:.2f}{about}\n"))
    formed = f"{opinion['formed'][:10]}  formed at {opinion['initial']:.2f}: {opinion['first']}"
    console.print(clean(formed), soft_wrap=True)
    for fact in opinion["facts"]:
        console.print(clean(f"            rests on {_told(fact, facts)}"), soft_wrap=True)
    text = opinion["first"]
    for step in opinion["steps"]:
        moved = f"{step['before']:.2f} → {step['after']:.2f}"
        why = f" by {_told(step['fact'], facts)}" if step["fact"] else ""
        line = f"{step['at'][:10]}  {moved}  {step['verdict']}{why}"
        console.print(clean(line), soft_wrap=True)
        if step["text"] != text:
            console.print(clean(f"            reads now: {step['text']}"), soft_wrap=True)
        text = step["text"]


def _told(fact: str, facts: Plain) -> str:
    return f"{facts.get(fact, _GONE)} ({fact})"
