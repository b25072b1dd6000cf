"""`entities`: who and what the facts are about, and which names are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.graphs.cli_ask import Json
from forethought.graphs.cli_shell import (
    clean,
    opened,
    options,
    out,
    print_json,
    run,
    say,
    without_model,
)
from forethought.graphs.cli_show import print_facts, table_of

if TYPE_CHECKING:
    from forethought.graphs.cli_shell import Desk
    from forethought.graphs.settings import Settings
    from forethought.memory.entities.people import Person
    from forethought.memory.types import Entity

entities = typer.Typer(invoke_without_command=True, rich_markup_mode=None)

Plain = dict[str, Any]
Name = Annotated[str, typer.Argument(help="A name as `entities` lists it, or an id.")]


@entities.callback()
def listed(ctx: typer.Context, *, json: Json = False) -> None:
    """List who and what the facts are about, or say which names are one."""
    if ctx.invoked_subcommand is not None:
        return
    settings = options(ctx).settings()
    found = [_plain(person) for person in run(_all(settings))]
    if json:
        print_json({"bank": settings.bank, "entities": found})
    elif not found:
        say("No fact mentions anybody or anything.")
    else:
        _print(found)


@entities.command()
def show(
    ctx: typer.Context,
    name: Name,
    *,
    limit: Annotated[int, typer.Option(min=1, help="So many facts, the latest.")] = 50,
    json: Json = False,
) -> None:
    """Show the facts that mention an entity by any of its names, latest first."""
    data = run(_shown(options(ctx).settings(), name, limit))
    if json:
        print_json(data)
        return
    _print([data["entity"]])
    print_facts(data["facts"])


@entities.command()
def merge(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Another name, or its id …")],
    of: Annotated[str, typer.Argument(help="… of this one.")],
    *,
    json: Json = False,
) -> None:
    """Say that NAME is another name of OF; facts go on to mention each by its own name."""
    _tell(run(_joined(options(ctx).settings(), name, of)), as_json=json)


@entities.command()
def split(ctx: typer.Context, name: Name, *, json: Json = False) -> None:
    """Undo a merge: NAME stands for itself, and is kept apart from now on."""
    _tell(run(_joined(options(ctx).settings(), name, None)), as_json=json)


async def _all(settings: Settings) -> list[Person]:
    async with opened(without_model(settings)) as desk:
        return await _everybody(desk)


async def _everybody(desk: Desk) -> list[Person]:
    from forethought.memory.entities.people import people

    records, bank = desk.app.records, desk.bank
    holding = {fact.id for fact in await records.facts(bank) if fact.until is None}
    mentions = await records.mentions(bank)
    return people(await records.entities(bank), mentions, holding=holding)


async def _shown(settings: Settings, name: str, limit: int) -> Plain:
    from forethought.memory.entities.people import one_of
    from forethought.memory.plain import to_plain

    async with opened(without_model(settings)) as desk:
        records, bank = desk.app.records, desk.bank
        root = await one_of(records, bank, name)
        (person,) = [one for one in await _everybody(desk) if one.entity.id == root.id]
        now = max(desk.app.clock(), *(one.last for one in (root, *person.others)))
        found = await records.mentioning(bank, [root.id], k=limit, now=now)
        facts = await records.facts(bank, found[root.id])
        return {"entity": _plain(person), "facts": to_plain(facts)}


async def _joined(settings: Settings, name: str, of: str | None) -> tuple[Entity, Entity | None]:
    from forethought.memory.entities.people import named

    async with opened(without_model(settings)) as desk:
        records, bank = desk.app.records, desk.bank
        entity = await named(records, bank, name)
        to = await named(records, bank, of) if of is not None else None
        await records.join(bank, entity.id, to.id if to else None, by="user")
        (entity,) = await records.entities(bank, [entity.id])
        return entity, to


def _tell(done: tuple[Entity, Entity | None], *, as_json: bool) -> None:
    from forethought.memory.plain import to_plain

    entity, to = done
    if as_json:
        print_json({"entity": to_plain(entity)})
    elif to is None:
        out().print(clean(f"{entity.name} stands for itself and is kept apart."))
    else:
        out().print(clean(f"{entity.name} is another name of {to.name}."))


def _plain(person: Person) -> Plain:
    first, last = person.first_and_last
    return {
        "id": person.entity.id, "name": person.entity.name, "kind": person.entity.kind,
        "facts": person.facts, "first": first, "last": last,
        "others": [
            {"id": one.id, "name": one.name, "joined_by": one.joined_by} for one in person.others
        ],
    }  # fmt: skip


def _print(found: list[Plain]) -> None:
    listed = table_of("id", "name", "kind", "facts", "first", "last", "also called")
    for one in found:
        others = ", ".join(dict.fromkeys(other["name"] for other in one["others"]))
        cells = (one["id"], one["name"], one["kind"], str(one["facts"]), one["first"], one["last"])
        listed.add_row(*(clean(cell) for cell in (*cells, others)))
    out().print(listed)
