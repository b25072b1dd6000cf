"""`export` and `import`: one bank as a file, and back, into any store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from forethought.graphs.cli_ask import Json
from forethought.graphs.cli_progress import counting
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
from forethought.memory.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings
    from forethought.memory.exchange.carrying import Imported
    from forethought.memory.records.contents import Contents


def export(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(help="File to write; - is standard output.", show_default=True)
    ] = "-",
    *,
    json: Json = False,
) -> None:
    """Write one bank, whole, as JSON Lines that `import` reads.

    Sessions with their turns, facts with their versions, sources and cues, and what was forgotten,
    as marks without text. The index is left out: `import` makes it anew. The file is replaced only
    once all is written, and readable by you alone. docs/EXPORT.md describes the format.
    """
    from forethought.memory.exchange.file import STANDARD, write_whole
    from forethought.memory.exchange.writing import lines_of

    if json and file == STANDARD:
        raise InvalidInput("--json: standard output holds the export itself; give a FILE for that")
    contents = run(_gathered(options(ctx).settings()))
    write_whole(file, lines_of(contents))
    if json:
        print_json({"bank": contents.bank, "file": file, "exported": contents.counts})
    elif file == STANDARD:
        say(_summary("Exported", contents))
    else:
        out().print(clean(_summary("Exported", contents)), soft_wrap=True)


def import_(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(help="File that `export` wrote; - reads standard input.")],
    *,
    json: Json = False,
) -> None:
    """Read a bank that `export` wrote, into the bank it came from, or into the one of --bank.

    The whole file is checked before anything is written, and then all of it is written, or nothing.
    The bank must be empty, or hold just this already: then nothing changes. Under another name
    every id changes with it. FORETHOUGHT_BANK is not looked at: the file names its bank.
    """
    from forethought.memory.exchange.file import STANDARD, read_lines
    from forethought.memory.exchange.reading import contents_of
    from forethought.memory.exchange.renaming import renamed

    given = options(ctx)
    name = "standard input" if file == STANDARD else file
    read = contents_of(read_lines(file), name=name)
    settings = given.settings(bank=given.bank if given.bank is not None else read.bank)
    contents = renamed(read, settings.bank)
    done = run(_imported(settings, contents))
    if json:
        counts = {"imported": contents.counts, "new": done.new, "vectors": done.vectors}
        print_json({"bank": contents.bank, "from": read.bank, **counts})
    else:
        done_what = "Imported" if done.new else "Nothing to do for"
        out().print(clean(_summary(done_what, contents)), soft_wrap=True)


async def _gathered(settings: Settings) -> Contents:
    from forethought.memory.exchange.carrying import gathered

    async with opened(without_model(settings)) as desk:
        with counting("reading sessions") as report:
            contents = await gathered(desk.app.records, desk.bank, report)
    if contents.empty:
        raise NotFound(f"there is no bank {settings.bank!r}: `forethought show banks` lists them")
    return contents


async def _imported(settings: Settings, contents: Contents) -> Imported:
    from forethought.memory.exchange.carrying import brought_in

    async with opened(without_model(settings)) as desk:
        with counting("writing and indexing") as report:
            done = await brought_in(desk.app.indexer, contents, report)
        # like the index it is made from the rest, so that a crash leaves it to the next call
        await desk.app.weigher.catch_up(contents.bank, now=desk.app.clock())
    return done


def _summary(done: str, contents: Contents) -> str:
    return f"{done} bank {contents.bank}: {contents.described}"
