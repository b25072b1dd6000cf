"""The command line: `forethought`."""

from __future__ import annotations

from typing import Annotated

import typer

from forethought.graphs.cli_ask import ask
from forethought.graphs.cli_beliefs import observations, opinions
from forethought.graphs.cli_chat import chat
from forethought.graphs.cli_data import forget, reindex
from forethought.graphs.cli_demo import demo
from forethought.graphs.cli_doctor import doctor
from forethought.graphs.cli_entities import entities
from forethought.graphs.cli_eval import bench, evaluations
from forethought.graphs.cli_exchange import export, import_
from forethought.graphs.cli_ledger import commitments, due
from forethought.graphs.cli_profile import profile
from forethought.graphs.cli_recall import recall
from forethought.graphs.cli_retain import foresee, retain
from forethought.graphs.cli_runs import trace
from forethought.graphs.cli_shell import Commands, Options, use_utf8
from forethought.graphs.cli_show import show

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="The options above may stand before or after the command.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from forethought import __version__

        typer.echo(f"forethought {__version__}")
        raise typer.Exit


@app.callback()
def main(  # noqa: PLR0913  # each option of a command is a parameter to typer
    ctx: typer.Context,
    *,
    data_dir: Annotated[
        str | None, typer.Option(metavar="PATH", help="Where memory is kept.")
    ] = None,
    bank: Annotated[str | None, typer.Option(help="Whose memory: a bank's name.")] = None,
    model: Annotated[
        str | None, typer.Option(help="Chat model, as openai:gpt-4.1-mini or azure:DEPLOYMENT.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Server that speaks OpenAI's protocol, if not OpenAI's.")
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show an error's traceback.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Long-term memory that looks forward.

    Each option can also be set in the environment, as FORETHOUGHT_DATA_DIR and so on; see
    .env.example for all settings.
    """
    use_utf8()
    ctx.obj = Options(data_dir, bank, model, base_url, debug)


for command in (
    demo, retain, foresee, ask, chat, recall, due, opinions, observations, trace, show, forget,
    export, import_, reindex, doctor,
):  # fmt: skip
    app.command(command.__name__.rstrip("_"))(command)
app.command(hidden=True)(bench)  # it stands under `eval`, and is asked for without it too
app.add_typer(entities, name="entities")
app.add_typer(commitments, name="commitments")
app.add_typer(profile, name="profile")
app.add_typer(evaluations, name="eval", help="Measure retrieval and overhead.")
