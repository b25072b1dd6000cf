"""`forget` and `reindex`: take something out of every store, or make the index anew."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forethought.graphs.cli_ask import Json
from forethought.graphs.cli_shell import (
    FAILED,
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
from forethought.memory.errors import NotFound

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings
    from forethought.memory.types import Forgotten

What = Literal["bank", "session", "fact", "entity", "opinion", "commitment", "cue"]


def forget(
    ctx: typer.Context,
    what: Annotated[What, typer.Argument(help="What sort of thing.")],
    id: Annotated[
        str,
        typer.Argument(
            help="The bank's or entity's name, or the id of a session, fact, opinion, commitment "
            "or cue."
        ),
    ],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Remove a fact, say, a session, an entity or a whole bank from every store, for good.

    An entity goes under all its names, with every fact that mentions it by one of them. With facts
    go the opinions that rest on them, the observations made from them and the commitments that
    concern them; an opinion that goes by itself may be formed anew by a later answer.
    What was asked of that bank before (its runs, see `trace`) goes as well, since it holds facts.
    A forgotten fact or session does not come back when its file is retained again.
    """
    settings = options(ctx).settings(bank=id) if what == "bank" else options(ctx).settings()
    gone = run(_forget(settings, what, id, yes=yes))
    if gone is None:
        say("Nothing was forgotten.")
        raise typer.Exit(FAILED)
    counts = asdict(gone)
    if json:
        print_json({"bank": settings.bank, "forgotten": counts})
    else:
        what_went = ", ".join(f"{n} {name}" for name, n in counts.items())
        out().print(f"Forgotten: {what_went}", soft_wrap=True)


def reindex(
    ctx: typer.Context,
    every: Annotated[bool, typer.Option("--all", help="Every bank, not only this one.")] = False,
    json: Json = False,
) -> None:
    """Make the index anew from the records: after a change of embedder, or if it is damaged."""
    done = run(_reindex(options(ctx).settings(), every=every))
    if json:
        print_json({"vectors": done})
    else:
        for bank, vectors in done.items():
            out().print(clean(f"{bank}: {vectors} vectors"))


async def _forget(settings: Settings, what: What, id: str, *, yes: bool) -> Forgotten | None:
    async with opened(without_model(settings)) as desk:
        return await forgotten(desk, what, id, yes=yes)


async def forgotten(desk: Desk, what: What, id: str, *, yes: bool) -> Forgotten | None:
    """What went, None if the user thought better of it.

    The runs go first: should the process die after that, the same command still finds what it is to
    forget and finishes.
    """
    from forethought.memory.entities.people import one_of

    if what == "entity":
        id = (await one_of(desk.app.records, desk.bank, id)).id
    named: dict[str, Any] = {} if what == "bank" else {what: id}
    described = await _described(desk, what, id)
    if not yes and not typer.confirm(f"Forget {described}?", err=True):
        return None
    if desk.runs.interrupted(desk.bank):
        say("An interrupted retain of this bank is dropped: `retain --pending` takes it up.")
    runs = await desk.runs.purge(desk.bank)
    forgetter = desk.app.forgetter
    gone = (
        await forgetter.unlearn(desk.bank, id)
        if what == "cue"
        else await forgetter.forget(desk.bank, **named)
    )
    return replace(gone, runs=runs)


async def _described(desk: Desk, what: What, id: str) -> str:
    """What would go, in words. Raises NotFound."""
    from forethought.memory.records.values import not_found

    if what == "bank":
        return await _described_bank(desk, id)
    if what in {"opinion", "commitment", "cue"}:
        return await _described_view(desk, what, id)
    records = desk.app.records
    if what == "fact" and (facts := await records.facts(desk.bank, [id])):
        return clean(f"the fact {facts[0].text!r}")
    if what == "session" and (sessions := await records.sessions(desk.bank, ids=[id])):
        session = sessions[0]
        return clean(f"the session {session.key} of {session.date:%Y-%m-%d} and what it alone says")
    if what == "entity" and (entities := await records.entities(desk.bank, [id])):
        return clean(f"{entities[0].name}, under all its names, and every fact that mentions it")
    raise not_found(desk.bank, **{what: id})


async def _described_view(desk: Desk, what: What, id: str) -> str:
    """The same of what is no fact, but from facts or about them."""
    from forethought.memory.records.values import not_found

    records = desk.app.records
    if what == "opinion" and (opinions := await records.opinions(desk.bank, [id])):
        return clean(f"the opinion {opinions[0].text!r}, with its trajectory")
    if what == "commitment" and (found := await records.commitments(desk.bank, [id])):
        return clean(f"the commitment {found[0].action!r}, which is {found[0].status}")
    if what == "cue":
        for cue in await records.cues(desk.bank, [id.rpartition(":")[0]]):
            if cue.id == id:
                return clean(f"that a fact comes to mind with {cue.text!r}")
    raise not_found(desk.bank, **{what: id})


async def _described_bank(desk: Desk, id: str) -> str:
    for bank in await desk.app.records.banks():
        if bank.bank == id:
            return clean(f"bank {id}: {bank.sessions} sessions, {bank.facts} facts, all of it")
    if await desk.app.records.tombstones(id):
        return clean(f"bank {id}: that something was forgotten, for nothing else is left of it")
    raise NotFound(f"there is no bank {id!r}: `forethought show banks` lists them")


async def _reindex(settings: Settings, *, every: bool) -> dict[str, int]:
    async with opened(without_model(settings)) as desk:
        known = [bank.bank for bank in await desk.app.records.banks()]
        if not every and desk.bank not in known:
            raise NotFound(f"there is no bank {desk.bank!r}: `forethought show banks` lists them")
        banks = known if every else [desk.bank]
        return {bank: await desk.app.indexer.rebuild(bank) for bank in banks}
