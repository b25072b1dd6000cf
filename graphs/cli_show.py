"""`show`: what is stored, as banks, sessions, facts, or one of them with all that belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.graphs.cli_ask import Json
from forethought.graphs.cli_graph import picture
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
from forethought.graphs.picture import MOST
from forethought.memory.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from rich.table import Table

    from forethought.graphs.settings import Settings
    from forethought.memory.types import Fact, Session

Plain = dict[str, Any]
_BANK_COLUMNS = (
    "bank", "sessions", "turns", "pending", "failed", "facts", "replaced", "cues", "unforeseen",
    "unindexed", "entities", "links", "opinions", "observations", "commitments",
)  # fmt: skip
SHOWN = 50  # facts or sessions of a list, as many as `entities show` has
_LIMITED = ("sessions", "facts")
_ALWAYS = ("bank", "sessions", "turns", "facts")
_DRAWN = "Drew {facts} of {of} facts, {entities} entities and {edges} edges: open {file}"


def show(  # noqa: PLR0913  # each option of a command is a parameter to typer
    ctx: typer.Context,
    what: Annotated[
        str,
        typer.Argument(help="banks, sessions, facts, graph, or the id of a session or fact."),
    ] = "banks",
    *,
    kind: Annotated[str | None, typer.Option(help="Only facts of this kind.")] = None,
    replaced: Annotated[
        bool, typer.Option("--replaced", help="Facts that no longer hold, too.")
    ] = False,
    file: Annotated[
        str | None,
        typer.Option("--out", help="File for `show graph`, a web page.", show_default="graph.html"),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"So many facts or sessions, the latest: {SHOWN} if not given, with --json all. "
            f"With `graph` the best linked facts, {MOST} at most.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show what is stored."""
    if what == "graph":
        drawing = run(picture(options(ctx).settings(), file, limit=limit or MOST))
        print_json(drawing) if json else out().print(clean(_DRAWN.format(**drawing)))
        return
    data = run(_data(options(ctx).settings(), what, kind=kind, replaced=replaced))
    if what in _LIMITED and (limit or not json):
        data = {**data, what: _latest(data[what], limit or SHOWN)}
    if json:
        print_json(data)
    elif what in _LISTS:
        _LISTS[what](data[what])
    elif "fact" in data:
        _fact(data)
    else:
        _session(data)


async def _data(settings: Settings, what: str, *, kind: str | None, replaced: bool) -> Plain:
    from forethought.memory.plain import to_plain

    async with opened(without_model(settings)) as desk:
        if what == "banks":
            return {"banks": to_plain(await desk.app.records.banks())}
        if what == "sessions":
            found = await desk.app.records.sessions(desk.bank)
            return {"bank": desk.bank, "sessions": [_with_status(item) for item in found]}
        if what == "facts":
            facts = _wanted(await desk.app.records.facts(desk.bank), kind, replaced=replaced)
            return {"bank": desk.bank, "facts": to_plain(facts)}
        return await _one(desk, what)


def _latest(found: Sequence[Plain], limit: int) -> Sequence[Plain]:
    """The last of what is sorted by date; of the rest it says how many there are."""
    if len(found) > limit:
        say(f"{len(found) - limit} earlier left out: --limit {len(found)} shows all")
    return found[-limit:]


def _wanted(facts: Sequence[Fact], kind: str | None, *, replaced: bool) -> list[Fact]:
    from forethought.memory.types import KINDS

    if kind is not None and kind.capitalize() not in KINDS:
        raise InvalidInput(f"--kind: {kind!r} is none of {', '.join(KINDS)}")
    return [
        fact
        for fact in facts
        if (replaced or fact.until is None) and (kind is None or fact.kind == kind.capitalize())
    ]


async def _one(desk: Desk, id: str) -> Plain:
    facts = await desk.app.records.facts(desk.bank, [id])
    if facts:
        return await _fact_data(desk, facts[0])
    sessions = await desk.app.records.sessions(desk.bank)
    for session in sessions:
        if id in {session.id, session.key}:
            return await _session_data(desk, session)
    raise NotFound(
        f"bank {desk.bank!r} has no fact and no session {id!r}: `forethought show facts` and "
        "`show sessions` list what there is"
    )


async def _fact_data(desk: Desk, fact: Fact) -> Plain:
    from forethought.memory.plain import to_plain

    records = desk.app.records
    cues = await records.cues(desk.bank, [fact.id])
    earlier = await records.earlier(desk.bank, [fact.id])
    sessions = await records.sessions(desk.bank, ids=[source.session for source in fact.sources])
    said = []
    for session in sessions:
        ids = {
            turn for source in fact.sources if source.session == session.id for turn in source.turns
        }
        turns = await records.turns(desk.bank, session.id)
        said.append(
            {
                "session": session.id, "key": session.key, "date": to_plain(session)["date"],
                "turns": to_plain([turn for turn in turns if turn.id in ids]),
            }
        )  # fmt: skip
    traits = (await records.traits(desk.bank, [fact.id])).get(fact.id)
    salience = traits.salience if traits else None
    return {
        "fact": to_plain(fact),
        "uses": [str(use.on) for use in await records.uses(desk.bank, [fact.id])],
        "salience": None if salience is None else round(salience, 3),
        "cues": [cue.text for cue in cues],
        "cue_ids": [cue.id for cue in cues],
        "learned": [cue.id for cue in cues if cue.learned],
        "sources": said,
        "earlier": to_plain(earlier[fact.id]),
    }


async def _session_data(desk: Desk, session: Session) -> Plain:
    from forethought.memory.plain import to_plain

    facts = await desk.app.records.facts(desk.bank)
    own = [f for f in facts if any(source.session == session.id for source in f.sources)]
    turns = await desk.app.records.turns(desk.bank, session.id)
    return {"session": _with_status(session), "turns": to_plain(turns), "facts": to_plain(own)}


def _with_status(session: Session) -> Plain:
    from forethought.memory.plain import to_plain

    return {**to_plain(session), "status": session.status}


def _banks(banks: Sequence[Plain]) -> None:
    """As a table, without the columns that say 0 of every bank: all of them take 130 characters."""
    columns = [one for one in _BANK_COLUMNS if one in _ALWAYS or any(bank[one] for bank in banks)]
    table = table_of(*columns)
    for bank in banks:
        table.add_row(*(clean(str(bank[column])) for column in columns))
    out().print(table) if banks else say("Nothing is stored yet: `forethought retain` begins.")


def _sessions(sessions: Sequence[Plain]) -> None:
    table = table_of("id", "date", "key", "status", "turns")
    for item in sessions:
        cells = (item["id"], item["date"][:10], item["key"], item["status"], str(item["turns"]))
        table.add_row(*(clean(cell) for cell in cells))
    out().print(table) if sessions else say("There are no sessions.")


def print_facts(facts: Sequence[Plain]) -> None:
    """Facts as a table: ids, dates, kinds, how often said, texts."""
    table = table_of("id", "date", "kind", "said", "text")
    for fact in facts:
        gone = f" (until {fact['until'][:10]})" if fact["until"] else ""
        text = clean(fact["text"]) + gone
        table.add_row(fact["id"], fact["date"][:10], fact["kind"], f"{fact['frequency']}×", text)
    out().print(table) if facts else say("There are no facts.")


_LISTS = {"banks": _banks, "sessions": _sessions, "facts": print_facts}


def _fact(data: Plain) -> None:
    fact, console = data["fact"], out()
    console.print(clean(fact["text"]), style="bold")
    happened = {fact["occurred_from"], fact["occurred_to"]} - {None}
    lines = [
        f"{fact['id']}  {fact['kind']}, {fact['network']}  said {fact['date'][:10]}, "
        f"in {fact['frequency']} session(s)",
        f"when: {' to '.join(sorted(happened))}" if happened else "",
        f"about: {', '.join(fact['entities'])}" if fact["entities"] else "",
        ", ".join(filter(None, fact["dimensions"].values())),
        f"held until {fact['until'][:10]}: {fact['succession']} {fact['successor']}"
        if fact["until"]
        else "",
        f"of use on {len(data['uses'])} day(s), last {data['uses'][-1]}" if data["uses"] else "",
        "" if data["salience"] is None else f"salience {data['salience']:.2f}",
    ]
    for line in filter(None, lines):
        console.print(clean(line))
    for older in data["earlier"]:
        console.print(clean(f"before {older['until'][:10]}: {older['text']} ({older['id']})"))
    for id, cue in zip(data["cue_ids"], data["cues"], strict=True):
        asked = "you asked before" if id in data["learned"] else "you may one day ask"
        console.print(clean(f"{asked}: {cue} ({id})"), style="cyan")
    for source in data["sources"]:
        console.print(clean(f"\n{source['key']}, {source['date'][:10]} ({source['session']})"))
        _turns(source["turns"])


def _session(data: Plain) -> None:
    session, console = data["session"], out()
    console.print(clean(f"{session['key']}, {session['date'][:10]}: {session['status']}"))
    if session["error"]:
        console.print(clean(session["error"]), style="yellow")
    _turns(data["turns"])
    console.print()
    print_facts(data["facts"])


def _turns(turns: Sequence[Plain]) -> None:
    for turn in turns:
        out().print(clean(f"  {turn['name'] or turn['role']}: {turn['text']}"))


def table_of(*columns: str) -> Table:
    """An empty table with these columns; ids and dates stay on one line."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, no_wrap=column in {"id", "date"})
    return table
