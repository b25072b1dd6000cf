"""What every command shares: its options, its two outputs, and how an error ends it."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperGroup

from forethought.memory.errors import ForethoughtError, InvalidInput

if TYPE_CHECKING:
    from rich.console import Console
    from typer import Context

    from forethought.graphs.app import App
    from forethought.graphs.runs import RunStore
    from forethought.graphs.settings import Settings
    from forethought.nodes.model import Model

T = TypeVar("T")

FAILED = 1
USAGE = 2  # what typer itself gives for a wrong option
STOPPED = 130  # 128 + SIGINT, as shells have it
_VALUED = ("--data-dir", "--bank", "--model", "--base-url")
_FLAGS = ("--debug",)
_PLAIN_WIDTH = 120  # columns where the output is no terminal
_TURNING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))  # what turns the reading order round
_CONTROLS = {code: "�" for code in (*range(9), *range(11, 32), *range(127, 160), *_TURNING)} | {
    13: None
}


@dataclass(frozen=True, slots=True)
class Options:
    """The options that every command takes; None is what the environment says."""

    data_dir: str | None = None
    bank: str | None = None
    model: str | None = None
    base_url: str | None = None
    debug: bool = False

    def settings(self, **more: object) -> Settings:
        """The environment's settings with these options, and `more`, on top."""
        from forethought.graphs.settings import load_settings

        names = ("data_dir", "bank", "model", "base_url")
        return load_settings(**{**{name: getattr(self, name) for name in names}, **more})


@dataclass(frozen=True, slots=True)
class Desk:
    """What a command works with once the data directory is open."""

    settings: Settings
    app: App
    runs: RunStore

    @property
    def bank(self) -> str:
        """Whose memory the command is about."""
        return self.settings.bank


@asynccontextmanager
async def opened(settings: Settings, *, model: Model | None = None) -> AsyncIterator[Desk]:
    """The stores of `settings`, open and locked; `model` takes the place of the configured one."""
    from forethought.graphs.app import open_app
    from forethought.graphs.runs import RunStore

    async with (
        open_app(settings, model=model) as app,
        RunStore.open(settings.directory) as runs,
    ):
        yield Desk(settings, app, runs)


def without_model(settings: Settings) -> Settings:
    """`settings` for a command that calls no chat model: it need not wait for one to be set up."""
    return settings.model_copy(update={"model": None})


class Commands(TyperGroup):
    """A group whose own options may stand anywhere, and whose errors are one line each."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move the common options to the front, so that `forethought show --bank ann` works too."""
        return super().parse_args(ctx, _common_first(args))

    def invoke(self, ctx: Any) -> Any:
        """Run the command; end with 1, for wrong input 2, after Ctrl-C 130."""
        try:
            return super().invoke(ctx)
        except ForethoughtError as error:
            if ctx.params.get("debug"):
                traceback.print_exc()
            say(told(error), style="bold red")
            code = USAGE if isinstance(error, InvalidInput) else FAILED
            raise typer.Exit(code) from error
        except KeyboardInterrupt as stop:
            say(str(stop) or "Stopped. What was stored is safe: run the command again to go on.")
            raise typer.Exit(STOPPED) from stop


def told(error: ForethoughtError) -> str:
    """What `error` says, and below it what the calls of the model had cost by then."""
    paid = f"\nPaid by then: {cost(error.usage)}" if error.usage.get("calls") else ""
    return f"{str(error) or type(error).__name__}{paid}"


def cost(usage: Mapping[str, int]) -> str:
    """The calls of a model, and the tokens that it read and wrote, where it says how many."""
    calls = usage.get("calls", 0)
    tokens = [usage.get(f"{way}put_tokens", 0) for way in ("in", "out")]
    counted = f"{calls} call{'' if calls == 1 else 's'}"
    return f"{counted}, {tokens[0]:,} + {tokens[1]:,} tokens" if any(tokens) else counted


class Stopped(KeyboardInterrupt):
    """Ctrl-C, with what it means for the command that it stopped."""


class NoModel(ForethoughtError):
    """A command that cannot do without a model was given none."""


def options(ctx: Context) -> Options:
    """The options common to all commands."""
    found = ctx.find_object(Options)
    return found if found is not None else Options()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine to its end, in an event loop of its own."""
    return asyncio.run(work)


def out() -> Console:
    """Where results go. Text is shown as it is: no markup, since facts may hold brackets."""
    return _console(stderr=False)


def err() -> Console:
    """Where everything else goes, so that `--json` leaves nothing but JSON on standard output."""
    return _console(stderr=True)


def say(text: str, *, style: str = "") -> None:
    """One message to the user, on standard error."""
    err().print(clean(text), style=style, soft_wrap=True)


def print_json(data: Any) -> None:
    """`data` as JSON in UTF-8, whatever the locale, nothing escaped that need not be."""
    text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    typer.echo(text.encode("utf-8", "replace"), nl=False)


def clean(text: str) -> str:
    """`text` without control characters: what somebody said must not steer the terminal."""
    return text.translate(_CONTROLS)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = _PLAIN_WIDTH
    return console


def _common_first(args: Sequence[str]) -> list[str]:
    front: list[str] = []
    rest = list(args)
    place = 0
    while place < len(rest) and rest[place] != "--":
        word = rest[place]
        if word in _VALUED and place + 1 < len(rest):
            front += rest[place : place + 2]
            del rest[place : place + 2]
        elif word in _FLAGS or word.startswith(tuple(f"{name}=" for name in _VALUED)):
            front.append(rest.pop(place))
        else:
            place += 1
    return [*front, *rest]


def use_utf8() -> None:
    """Let a terminal in another encoding show a question mark instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
