"""`eval`: measure retrieval on data sets, and our overhead beside the embedder and Chroma."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from forethought.graphs.cli_ask import Json
from forethought.graphs.cli_progress import telling
from forethought.graphs.cli_shell import options, out, print_json, run
from forethought.memory.errors import InvalidInput

if TYPE_CHECKING:
    from rich.table import Table

SHARED = Path("../shared/data")  # where the data sets lie beside a checkout
evaluations = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Data = Annotated[Path | None, typer.Option(help="Folder of the data set.")]
Check = Annotated[
    bool, typer.Option("--check", help="Fail if a figure that must be reached is not.")
]
Progress = Callable[[str, int, int], None]


class Report(Protocol):
    """What an evaluation gives: the same figures as data and as a table."""

    def plain(self) -> dict[str, Any]:
        """JSON-able data."""

    def table(self) -> Table:
        """For people."""


@evaluations.command()
def mini(
    ctx: typer.Context,
    *,
    data: Data = None,
    methods: Annotated[
        str | None, typer.Option(help="Which to measure, as dense,foresight; all by default.")
    ] = None,
    json: Json = False,
    check: Check = False,
) -> None:
    """What each method finds on a folder of MemoryQuest users (the shipped sample by default)."""
    from forethought.evals.mini import run_mini
    from forethought.graphs.models import opened_model

    settings = options(ctx).settings()
    folder = data or _mini()
    chosen = [name.strip() for name in methods.split(",")] if methods else None

    async def measured(progress: Progress) -> Report:
        async with opened_model(settings) as model:
            return await run_mini(
                folder, methods=chosen, settings=settings, model=model, progress=progress
            )

    _report(measured, as_json=json, check=check)


@evaluations.command()
def foresight(
    ctx: typer.Context, *, data: Data = None, json: Json = False, check: Check = False
) -> None:
    """Whether one way to join texts and cues holds on plans and on look-ups."""
    from forethought.evals.foresight import run_foresight

    settings = options(ctx).settings()

    async def measured(progress: Progress) -> Report:
        return await run_foresight(data or SHARED, settings=settings, progress=progress)

    _report(measured, as_json=json, check=check)


@evaluations.command()
def locomo(
    ctx: typer.Context,
    *,
    data: Annotated[Path | None, typer.Option(help="LoCoMo's file, or its folder.")] = None,
    terms: Annotated[
        bool, typer.Option("--terms", help="What each ranking term does to the facts found.")
    ] = False,
    json: Json = False,
    check: Check = False,
) -> None:
    """Which share of the evidence each way to search the log finds, and facts with it."""
    from forethought.evals.locomo import run_locomo
    from forethought.evals.locomo_terms import run_terms

    settings, folder = options(ctx).settings(), data or SHARED / "locomo"
    if terms and check:
        raise InvalidInput("--check: there is no figure to reach by terms; leave it out")

    async def measured(progress: Progress) -> Report:
        if terms:
            return await run_terms(folder, settings=settings, progress=progress)
        return await run_locomo(folder, settings=settings, progress=progress)

    _report(measured, as_json=json, check=check)


@evaluations.command()
def prospective(
    ctx: typer.Context,
    *,
    data: Annotated[Path | None, typer.Option(help="The blueprints' file, or its folder.")] = None,
    json: Json = False,
    check: Check = False,
) -> None:
    """Whether commitments come to mind when they should, and what they concern with them."""
    from forethought.evals.prospective import run_prospective

    settings = options(ctx).settings()

    async def measured(progress: Progress) -> Report:
        folder = data or SHARED / "prospective"
        return await run_prospective(folder, settings=settings, progress=progress)

    _report(measured, as_json=json, check=check)


@evaluations.command()
def learning(ctx: typer.Context, *, data: Data = None, json: Json = False) -> None:
    """What a request finds after a similar one was answered, with and without learning from it."""
    from forethought.evals.learning import run_learning

    settings = options(ctx).settings()

    async def measured(progress: Progress) -> Report:
        return await run_learning(data or _mini(), settings=settings, progress=progress)

    _report(measured, as_json=json, check=False)


@evaluations.command()
def bench(
    ctx: typer.Context,
    *,
    facts: Annotated[int, typer.Option(min=1, help="Facts in the bank.")] = 10_000,
    json: Json = False,
) -> None:
    """The overhead of a question and of a retain, beside the embedder's and Chroma's own time."""
    from forethought.evals.bench import run_bench

    settings = options(ctx).settings()

    async def measured(progress: Progress) -> Report:
        return await run_bench(
            facts=facts, settings=settings, progress=lambda what: progress(what, 0, 0)
        )

    _report(measured, as_json=json, check=False)


@evaluations.command()
def scale(
    ctx: typer.Context,
    *,
    facts: Annotated[int, typer.Option(min=1, help="Facts to grow to.")] = 10_000,
    neo4j: Annotated[
        bool, typer.Option("--neo4j", help="In the Neo4j of FORETHOUGHT_NEO4J_URI, too.")
    ] = False,
    json: Json = False,
) -> None:
    """Recall, its channels and retaining without a model as a bank grows; 100000 takes a while."""
    from forethought.evals.bench_scale import run_scale

    settings = options(ctx).settings()
    if neo4j and not settings.neo4j_uri:
        raise InvalidInput("--neo4j: set FORETHOUGHT_NEO4J_URI first; `make neo4j` starts one")
    if not neo4j:
        settings = settings.model_copy(update={"neo4j_uri": None})

    async def measured(progress: Progress) -> Report:
        return await run_scale(facts=facts, settings=settings, progress=progress)

    _report(measured, as_json=json, check=False)


def _mini() -> Path:
    from forethought.evals.demo import sample_folder

    shared = SHARED / "memoryquest-mini"
    return shared if shared.is_dir() else sample_folder()


def _report(measured: Callable[[Progress], Awaitable[Any]], *, as_json: bool, check: bool) -> None:
    from forethought.evals.reach import assert_reached

    async def work() -> Any:
        with telling() as progress:
            return await measured(progress)

    report = run(work())
    if as_json:
        print_json(report.plain())
    else:
        out().print(report.table())
    if check:
        assert_reached(report)
