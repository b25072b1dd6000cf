"""`doctor`: what is configured, what can be reached, what is wrong, and what to do about it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from forethought.graphs.cli_ask import Json
from forethought.graphs.cli_shell import (
    FAILED,
    Desk,
    Options,
    clean,
    opened,
    options,
    out,
    print_json,
    run,
    without_model,
)
from forethought.memory.errors import EmbeddingMismatch, ForethoughtError, InvalidInput

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings
    from forethought.memory.embedding import Embedder
    from forethought.memory.types import BankSummary
    from forethought.nodes.model import Model
    from forethought.nodes.usage import Usage

State = Literal["ok", "note", "wrong"]
_STYLES = {"ok": "green", "note": "yellow", "wrong": "bold red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: `note` is worth knowing, `wrong` needs the `fix`."""

    name: str
    state: State
    says: str
    fix: str = ""


def doctor(
    ctx: typer.Context,
    *,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not call the chat model, which may cost money.")
    ] = False,
    json: Json = False,
) -> None:
    """Say what is configured, reachable and wrong; exit with 1 if anything is wrong."""
    findings = run(_findings(options(ctx), offline=offline))
    healthy = all(finding.state != "wrong" for finding in findings)
    if json:
        print_json({"ok": healthy, "checks": [asdict(finding) for finding in findings]})
    else:
        _show(findings)
    if not healthy:
        raise typer.Exit(FAILED)


async def _findings(given: Options, *, offline: bool) -> list[Finding]:
    try:
        settings = given.settings()
    except InvalidInput as error:
        return [Finding("settings", "wrong", str(error), "correct it, or unset it")]
    return [
        _zone(settings),
        *[finding async for finding in _stores(settings)],
        await _embedder(settings),
        *[finding async for finding in _reranker(settings)],
        await _model(settings, offline=offline),
    ]


def _zone(settings: Settings) -> Finding:
    from datetime import UTC, datetime

    there = datetime.now(UTC).astimezone(settings.tzinfo)
    return Finding("zone", "ok", f"{settings.zone}, where it is {there:%Y-%m-%d %H:%M}")


async def _stores(settings: Settings) -> AsyncIterator[Finding]:
    """The data directory and all that is in it, opened as every command opens it."""
    try:
        async with opened(without_model(settings)) as desk:
            yield Finding("data directory", "ok", f"{settings.directory}, ours while this runs")
            banks = await desk.app.records.banks()
            yield _records(settings, banks)
            where = settings.chroma_url or settings.directory / "chroma"
            yield Finding("index", "ok", f"Chroma at {where}")
            for bank in banks:
                yield await _indexed(desk, bank)
                for finding in _waiting(bank):
                    yield finding
            for finding in _runs(desk, banks):
                yield finding
    except ForethoughtError as error:
        says, _, fix = str(error).partition(": ")
        yield Finding("stores", "wrong", says, fix or "mend that, then run `doctor` again")


def _records(settings: Settings, banks: list[BankSummary]) -> Finding:
    from forethought.memory.records.sqlite.schema import VERSION

    kept_in = f"SQLite, version {VERSION} of its tables"
    if settings.neo4j_uri:
        kept_in = f"Neo4j at {settings.neo4j_uri}"
    facts, sessions = sum(b.facts for b in banks), sum(b.sessions for b in banks)
    held = f"{len(banks)} banks, {sessions} sessions, {facts} facts"
    return Finding("records", "ok", f"{kept_in}: {held}")


async def _indexed(desk: Desk, bank: BankSummary) -> Finding:
    """Whether the index holds exactly what the records say it holds."""
    from forethought.memory.index import PARTS

    name, app = f"bank {bank.bank}", desk.app
    facts = [fact.id for fact in await app.records.facts(bank.bank)]
    cues = [cue.id for cue in await app.records.cues(bank.bank, facts)]
    held = [one.id for one in await app.records.opinions(bank.bank)]
    seen = [one.id for one in await app.records.observations(bank.bank)]
    made = [one.id for one in await app.records.commitments(bank.bank)]
    reminders = [cue.id for cue in await app.records.reminders(bank.bank, made)]
    turns = [turn async for turn in _embedded(desk, bank.bank)]
    waiting = {item.id for item in await app.records.unindexed(bank.bank, limit=_ALL)}
    try:
        there = set().union(*[await app.index.ids(bank.bank, part) for part in PARTS])
    except EmbeddingMismatch as error:
        return Finding(name, "wrong", *_split(error))
    lost = {*facts, *cues, *held, *seen, *reminders, *turns} - waiting - there
    if lost:
        fix = f"run `forethought reindex --bank {quote(bank.bank)}`"
        return Finding(name, "wrong", f"the index lacks {len(lost)} of its vectors", fix)
    counts = f"{bank.turns} turns, {bank.facts} facts, {bank.cues} cues, {len(there)} vectors"
    return Finding(name, "ok", counts)


async def _embedded(desk: Desk, bank: str) -> AsyncIterator[str]:
    """Ids of the turns that are to have a vector."""
    from forethought.memory.conversations import embedded

    hushed = set(await desk.app.records.tombstones(bank))
    for session in await desk.app.records.sessions(bank):
        for turn in await desk.app.records.turns(bank, session.id):
            if embedded(turn.role, turn.text) and turn.id not in hushed:
                yield turn.id


_ALL = 1_000_000_000  # no limit


def _split(error: ForethoughtError) -> tuple[str, str]:
    says, _, fix = str(error).partition(": ")
    return says, fix


def _waiting(bank: BankSummary) -> list[Finding]:
    """What a bank still has to catch up with, and by which command."""
    pending = f"`forethought retain --pending --bank {quote(bank.bank)}`"
    counted = (
        (bank.unindexed, "vectors to index", "the next command on this bank does it"),
        (bank.pending, "sessions to extract", pending),
        (bank.failed, "sessions whose extraction failed", pending),
        (bank.unforeseen, "facts without cues", f"`forethought foresee --bank {quote(bank.bank)}`"),
    )
    name = f"bank {bank.bank}"
    return [Finding(name, "note", f"{count} {what}", fix) for count, what, fix in counted if count]


def _runs(desk: Desk, banks: list[BankSummary]) -> list[Finding]:
    from forethought.graphs.runs import runs

    found = [Finding("runs", "ok", f"{len(runs(desk.settings.directory))} kept")]
    for bank in banks:
        for journal in desk.runs.interrupted(bank.bank):
            says = f"{journal.run.id}, a retain of bank {bank.bank}, was interrupted"
            fix = f"`forethought retain --bank {quote(bank.bank)}` goes on with it"
            found.append(Finding("runs", "note", says, fix))
    return found


async def _embedder(settings: Settings) -> Finding:
    from forethought.graphs.models import in_use, open_embedder

    try:
        embedder: Embedder = open_embedder(settings)
        async with in_use(embedder):
            vectors = await embedder.embed(["Is it there?"])
    except ForethoughtError as error:
        return Finding("embedder", "wrong", *_split(error))
    return Finding("embedder", "ok", f"{embedder.name}, {vectors.shape[1]} dimensions")


async def _reranker(settings: Settings) -> AsyncIterator[Finding]:
    """Whether the reranker reads, where one is configured."""
    import asyncio

    from forethought.graphs.models import open_reranker

    if settings.reranker is None:
        return
    try:
        reranker = await asyncio.to_thread(open_reranker, settings)
        await reranker.scores("Is it there?", ["It is there."])
    except ForethoughtError as error:
        yield Finding("reranker", "wrong", *_split(error))
    else:
        yield Finding("reranker", "ok", f"the cross-encoder in {settings.reranker}")


async def _model(settings: Settings, *, offline: bool) -> Finding:
    from forethought.graphs.models import opened_model

    if settings.model is None:
        fix = "set FORETHOUGHT_MODEL and, for a server of your own, FORETHOUGHT_BASE_URL"
        return Finding("model", "note", "none is configured: nothing is extracted or answered", fix)
    named = settings.model + (f" at {settings.base_url}" if settings.base_url else "")
    try:
        async with opened_model(settings) as model:
            if model is None or offline:
                return Finding("model", "ok", f"{named}, not called")
            usage = await _call(model)
    except ForethoughtError as error:
        fix = "check FORETHOUGHT_MODEL, FORETHOUGHT_BASE_URL and the key, and that it is running"
        return Finding("model", "wrong", f"{named}: {error}", fix)
    return Finding("model", "ok", f"{named} answers in JSON ({usage['calls']} call)")


async def _call(model: Model) -> Usage:
    """One tiny call of the sort that every step makes: a JSON object that fits a schema."""
    from forethought.prompts.prompt import Answer, Prompt

    class Ready(Answer):
        """Whether the model is there."""

        ready: bool

    prompt = Prompt("doctor", "", "You answer in JSON.", 'Answer {"ready": true}.', Ready)
    return (await model.ask(prompt)).usage


def _show(findings: list[Finding]) -> None:
    console = out()
    for finding in findings:
        console.print(f"{finding.state:5}", style=_STYLES[finding.state], end=" ")
        console.print(clean(f"{finding.name}: {finding.says}"), soft_wrap=True)
        if finding.fix:
            console.print(clean(f"      {finding.fix}"), soft_wrap=True, style="dim")
