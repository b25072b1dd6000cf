"""`chat`: talk with an assistant that remembers, in the terminal or from a script of lines."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from forethought.graphs.cli_ask import NO_MODEL, Augment, Mode, state_of
from forethought.graphs.cli_shell import FAILED, Desk, NoModel, clean, opened, options, say, told
from forethought.graphs.cli_slash import Slash
from forethought.graphs.cli_stream import View
from forethought.graphs.cli_typed import NextLine, typed
from forethought.memory.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.graphs.chatting import Chat
    from forethought.graphs.settings import Settings
    from forethought.nodes.context import Context

_QUITS = ("/quit", "/exit")
_AT_THE_PROMPT = "/quit or Ctrl-D leaves, /help lists the commands"
_BROKEN_OFF = "Nothing is lost: /again goes on from the step in hand, or say something else"


def chat(
    ctx: typer.Context,
    *,
    thread: Annotated[
        str, typer.Option(help="Name of the conversation to go on with, or to begin.")
    ] = "main",
    mode: Mode = "auto",
    augment: Augment = "facts",
) -> None:
    """Chat with an assistant that remembers: answers stream, /help lists what else can be typed.

    What is said is logged at once and retained every few turns, by /flush, and on leaving. Lines
    may also come from a file or a pipe; the exit code is then 1 if one of them failed.
    """
    from forethought.nodes.context import Context

    settings = options(ctx).settings()
    if settings.model is None:
        raise NoModel(NO_MODEL)
    context = Context(bank=settings.bank, mode=mode, augment=augment)
    if _talked(settings, context, thread) and not _attended():
        raise typer.Exit(FAILED)


def _talked(settings: Settings, context: Context, thread: str) -> bool:
    """Talk until the lines end; whether anything failed on the way."""
    from forethought.graphs.chatting import Chat
    from forethought.graphs.runs import typed_file

    with asyncio.Runner() as runner:  # the prompt waits outside the loop, where Ctrl-C is heard
        stack = AsyncExitStack()
        desk = runner.run(stack.enter_async_context(opened(settings)))
        try:
            talk = _Talk(runner, desk, Chat(desk.app, desk.runs, context, thread))
            runner.run(talk.greet())
            with typed(typed_file(settings.directory, desk.bank)) as next_line:
                talk.go_on(next_line)
            talk.leave()
            return talk.failed
        finally:
            runner.run(stack.aclose())


@dataclass(slots=True)
class _Talk:
    """The loop of a chat: one line after the other, each brought to its end or to a message."""

    runner: asyncio.Runner
    desk: Desk
    chat: Chat
    failed: bool = False
    slash: Slash = field(init=False)

    def __post_init__(self) -> None:
        self.slash = Slash(self.desk, self.chat, asks=_attended())

    async def greet(self) -> None:
        """Say whose memory this is, and how far the conversation has come."""
        said = await self.chat.said()
        so_far = f", {len(said)} messages so far" if said else ""
        bank, name = clean(self.desk.bank), clean(self.chat.name)
        say(f"Bank {bank}, conversation {name}{so_far}. {_AT_THE_PROMPT}.", style="dim")
        if note := await state_of(self.desk):
            say(note, style="yellow")
        if self.chat.broken():
            say("The last answer was broken off: /again goes on with it", style="yellow")

    def go_on(self, next_line: NextLine) -> None:
        """Take lines until there are none, or one says to quit."""
        while (line := self._line(next_line)) is not None and line not in _QUITS:
            self._take(line)

    def leave(self) -> None:
        """Retain what waits; where that is broken off or fails, say what is pending."""
        try:
            self.runner.run(self.slash.flush())
        except KeyboardInterrupt:
            say(self._pending())
        except ForethoughtError as error:
            self._failed(error)
            say(self._pending())

    def _line(self, next_line: NextLine) -> str | None:
        while True:
            try:
                line = next_line()
            except KeyboardInterrupt:
                if not _attended():
                    raise
                say(f"\n{_AT_THE_PROMPT}", style="dim")
                continue
            if line is None or line.strip():
                return line and line.strip()

    def _take(self, line: str) -> None:
        try:
            self.runner.run(self.slash(line) if line.startswith("/") else self._answer(line))
        except KeyboardInterrupt:
            say("\nStopped.", style="yellow")
        except ForethoughtError as error:
            self._failed(error)
        else:
            return
        if self.chat.broken():
            say(_BROKEN_OFF, style="yellow")

    async def _answer(self, line: str) -> None:
        view = View()
        view.show(await self.chat.ask(line, view.watcher()))

    def _failed(self, error: ForethoughtError) -> None:
        self.failed = True
        say(told(error), style="bold red")

    def _pending(self) -> str:
        waiting = self.runner.run(self.chat.waiting())
        return f"{len(waiting)} sessions are logged and wait for `forethought retain --pending`"


def _attended() -> bool:
    """Whether somebody types, rather than a script."""
    return sys.stdin.isatty()
