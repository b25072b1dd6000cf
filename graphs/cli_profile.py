"""`profile`: who the assistant is to a bank, how it is disposed, and what the user is like."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.graphs.cli_ask import Json
from forethought.graphs.cli_shell import (
    NoModel,
    clean,
    opened,
    options,
    out,
    print_json,
    run,
    say,
    without_model,
)
from forethought.memory.errors import InvalidInput

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings

profile = typer.Typer(invoke_without_command=True, rich_markup_mode=None)

Plain = dict[str, Any]
_TRAITS = ("skepticism", "literalism", "empathy", "bias")
_NO_USER = (
    "There is no user profile yet: a retain with a model makes one from five lasting facts on (who "
    "the user is, what they like, what they want again and again)"
)
NOBODY_TO_MERGE = (
    "no model is configured, so nothing can be merged: set FORETHOUGHT_MODEL (for instance "
    "openai:gpt-4.1-mini) and, for a server of your own, FORETHOUGHT_BASE_URL; or write the whole "
    "background as it is to read, with `forethought profile set --background TEXT`"
)


@profile.callback()
def shown(ctx: typer.Context, *, json: Json = False) -> None:
    """Show who the assistant is to a bank, or say it; `user` shows the user profile."""
    if ctx.invoked_subcommand is None:
        _tell(run(_changed(options(ctx).settings(), {})), as_json=json)


@profile.command()
def show(ctx: typer.Context, *, json: Json = False) -> None:
    """Show the name, the disposition, the background, and how they read to the model."""
    _tell(run(_changed(options(ctx).settings(), {})), as_json=json)


@profile.command("set")
def set_(  # noqa: PLR0913  # each option of a command is a parameter to typer
    ctx: typer.Context,
    *,
    name: Annotated[str | None, typer.Option(help="What the assistant is called.")] = None,
    skepticism: Annotated[
        int | None, typer.Option(help="1 (trusting) to 5 (skeptical); 3 is neutral.")
    ] = None,
    literalism: Annotated[
        int | None, typer.Option(help="1 (flexible) to 5 (literal); 3 is neutral.")
    ] = None,
    empathy: Annotated[
        int | None, typer.Option(help="1 (detached) to 5 (empathetic); 3 is neutral.")
    ] = None,
    bias: Annotated[
        float | None, typer.Option(help="How far these shape opinions, 0 (facts alone) to 1.")
    ] = None,
    background: Annotated[
        str | None, typer.Option(help="What the assistant says of itself, as it is to read.")
    ] = None,
    json: Json = False,
) -> None:
    """Set what is given and leave the rest as it is."""
    given = {
        "name": name, "background": background, "skepticism": skepticism,
        "literalism": literalism, "empathy": empathy, "bias": bias,
    }  # fmt: skip
    changes = {what: value for what, value in given.items() if value is not None}
    if not changes:
        raise InvalidInput("nothing to set: give --name, --skepticism, …; see --help")
    _tell(run(_changed(options(ctx).settings(), changes)), as_json=json)


@profile.command()
def background(
    ctx: typer.Context,
    snippet: Annotated[str, typer.Argument(help='As in "You were born in Texas".')],
    *,
    json: Json = False,
) -> None:
    """Merge a sentence about the assistant into its background, in the first person."""
    settings = options(ctx).settings()
    if settings.model is None:
        raise NoModel(NOBODY_TO_MERGE)
    _tell(run(_merged(settings, snippet)), as_json=json)


@profile.command()
def user(ctx: typer.Context, *, json: Json = False) -> None:
    """Show the user profile: what the user is like, which retain sums up from their facts."""
    data = run(_of_user(options(ctx).settings()))
    if json:
        print_json(data)
        return
    made: list[Plain] = data["user_profile"]
    for title, statements in groupby(made, lambda one: one["title"]):
        out().print(clean(title.removeprefix("user: ")), style="bold")
        for one in statements:
            out().print(clean(f"  {one['text']} ({one['id']})"), soft_wrap=True)
    last = made[0] if made else None
    say(f"From {len(last['facts'])} facts, {last['made'][:10]}" if last else _NO_USER, style="dim")


async def _of_user(settings: Settings) -> Plain:
    from forethought.memory.beliefs.user import user_profile
    from forethought.memory.plain import to_plain

    async with opened(without_model(settings)) as desk:
        made = await user_profile(desk.app.records, desk.bank, now=desk.app.clock())
        return {"bank": desk.bank, "user_profile": to_plain(made)}


async def _changed(settings: Settings, changes: Plain) -> Plain:
    """The profile, after these changes to it if there are any."""
    from dataclasses import replace

    from forethought.memory.beliefs.profile import keep_profile, profile_of

    async with opened(without_model(settings)) as desk:
        found = await profile_of(desk.app.records, desk.bank)
        if changes:
            traits = {name: changes[name] for name in _TRAITS if name in changes}
            texts = {name: value for name, value in changes.items() if name not in traits}
            disposition = replace(found.disposition, **traits)
            found = replace(found, disposition=disposition, **texts)
            await keep_profile(desk.app.records, desk.bank, found)
        return _plain(desk.bank, found)


async def _merged(settings: Settings, snippet: str) -> Plain:
    from forethought.nodes.background import merge_background

    async with opened(settings) as desk:
        if desk.app.model is None:
            raise NoModel(NOBODY_TO_MERGE)
        app = desk.app
        done = await merge_background(
            desk.bank, snippet, records=app.records, model=desk.app.model, locks=app.locks
        )
        return {**_plain(desk.bank, done.profile), "usage": done.usage}


def _plain(bank: str, found: Any) -> Plain:
    from forethought.memory.plain import to_plain
    from forethought.nodes.who import in_words

    return {"bank": bank, "profile": to_plain(found), "said": in_words(found)}


def _tell(data: Plain, *, as_json: bool) -> None:
    if as_json:
        print_json(data)
        return
    found = data["profile"]
    disposition = found["disposition"]
    traits = ", ".join(f"{name} {disposition[name]:g}" for name in _TRAITS)
    for name, said in (
        ("name", found["name"] or "(none)"),
        ("disposition", traits),
        ("background", found["background"] or "(none)"),
    ):
        out().print(clean(f"{name}: {said}"), soft_wrap=True)
    if data["said"]:
        out().print(clean(f"\nThe model is told:\n{data['said']}"), soft_wrap=True)
