"""`forget` and `reindex`: take something out of every store, or make the index anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forethought.graphs.cli_ask import Json
from forethought.graphs.cli_progress import counting
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
from forethought.memory.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings
    from forethought.memory.types import Forgotten

What = Literal["bank", "session", "fact", "entity", "opinion", "commitment", "cue"]

_NAMED = 5  # of several that would go, so many are named: more would not be read
_GOES = {
    "fact": ("the fact {}", "facts"),
    "session": ("the session {} and what it alone says", "sessions and what they alone say"),
    "entity": (
        "{}, under all its names, and every fact that mentions it",
        "entities, under all their names, and every fact that mentions one",
    ),
    "opinion": ("the opinion {}, with its trajectory", "opinions, with their trajectories"),
    "commitment": ("the commitment {}", "commitments"),
    "cue": ("that a fact comes to mind with {}", "cues that facts come to mind with"),
}
"""What goes with one of a sort, and with several."""


def forget(
    ctx: typer.Context,
    what: Annotated[What, typer.Argument(help="What sort of thing.")],
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID...",
            help="The bank's or entity's name, or the id of a session, fact, opinion, commitment "
            "or cue; of all but banks as many as you like.",
        ),
    ],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Remove facts, say, sessions, entities or a whole bank from every store, for good.

    Several at once go together, all or none, and take little longer than one.

    An entity goes under all its names, with every fact that mentions it by one of them. With facts
    go the opinions that rest on them, the observations made from them and the commitments that
    concern them; an opinion that goes by itself may be formed anew by a later answer.
    What was asked of that bank before (its runs, see `trace`) goes as well, since it holds facts.
    A forgotten fact or session does not come back when its file is retained again.
    """
    settings = options(ctx).settings(bank=_one(ids)) if what == "bank" else options(ctx).settings()
    gone = run(_forget(settings, what, ids, yes=yes))
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


def _one(banks: Sequence[str]) -> str:
    if len(banks) > 1:
        raise InvalidInput("a whole bank is forgotten by itself: name one")
    return banks[0]


async def _forget(
    settings: Settings, what: What, ids: Sequence[str], *, yes: bool
) -> Forgotten | None:
    async with opened(without_model(settings)) as desk:
        return await forgotten(desk, what, ids, yes=yes)


async def forgotten(desk: Desk, what: What, ids: Sequence[str], *, yes: bool) -> Forgotten | None:
    """What went, None if the user thought better of it.

    The runs go first: should the process die after that, the same command still finds what it is to
    forget and finishes.
    """
    from forethought.memory.entities.people import one_of

    if what == "entity":
        ids = [(await one_of(desk.app.records, desk.bank, id)).id for id in ids]
    named: dict[str, Any] = {} if what == "bank" else {what: ids}
    described = await _described(desk, what, ids)
    if not yes and not typer.confirm(f"Forget {described}?", err=True):
        return None
    if desk.runs.interrupted(desk.bank):
        say("An interrupted retain of this bank is dropped: `retain --pending` takes it up.")
    runs = await desk.runs.purge(desk.bank)
    forgetter = desk.app.forgetter
    gone = (
        await forgetter.unlearn(desk.bank, ids)
        if what == "cue"
        else await forgetter.forget(desk.bank, **named)
    )
    return replace(gone, runs=runs)


async def _described(desk: Desk, what: What, ids: Sequence[str]) -> str:
    """What would go, in words, and how many of several. Raises NotFound."""
    from forethought.memory.records.values import check_found, each_once

    if what == "bank":
        return await _described_bank(desk, ids[0])
    wanted = each_once(ids)
    names = await _names(desk, what, wanted)
    check_found(desk.bank, what, wanted, found=names)
    one, several = _GOES[what]
    if len(names) == 1:
        return clean(one.format(*names.values()))
    more = len(names) - _NAMED
    listed = [*list(names.values())[:_NAMED], *([f"{more} more"] if more > 0 else [])]
    return clean(f"{len(names)} {several}: {', '.join(listed)}")


async def _names(desk: Desk, what: What, ids: Sequence[str]) -> dict[str, str]:
    """What to call those of these that there are, by id."""
    records, bank = desk.app.records, desk.bank
    if what == "fact":
        return {one.id: repr(one.text) for one in await records.facts(bank, ids)}
    if what == "session":
        sessions = await records.sessions(bank, ids=ids)
        return {one.id: f"{one.key} of {one.date:%Y-%m-%d}" for one in sessions}
    if what == "entity":
        return {one.id: one.name for one in await records.entities(bank, ids)}
    if what == "opinion":
        return {one.id: repr(one.text) for one in await records.opinions(bank, ids)}
    if what == "commitment":
        found = await records.commitments(bank, ids)
        return {one.id: f"{one.action!r}, which is {one.status}" for one in found}
    cues = await records.cues(bank, [id.rpartition(":")[0] for id in ids])
    return {one.id: repr(one.text) for one in cues if one.id in ids}


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
        done = {}
        for bank in banks:
            with counting(clean(f"indexing {bank}")) as report:
                done[bank] = await desk.app.indexer.rebuild(bank, report)
        return done
