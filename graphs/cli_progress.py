"""A progress bar over the sessions of a retain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from forethought.graphs.cli_shell import clean, err

if TYPE_CHECKING:
    from forethought.graphs.journal import Happened


class Bar:
    """A progress bar over sessions, fed with the events of the graph."""

    def __init__(self, bar: Any) -> None:
        """`bar` is a rich Progress."""
        self._bar = bar
        self._task: Any = None
        self.cues = 0

    def __call__(self, happened: Happened) -> None:
        """Move on by one event."""
        event = happened.event
        match event.get("node"):
            case "log":
                self._task = self._bar.add_task("extracting", total=event["queued"])
            case "commit" if event.get("status") in {"extracted", "failed"}:
                self._advance(event["session"])
            case "foresee" | "remind":
                self.cues += event.get("cues", 0)
                self._name(f"imagining: {self.cues} cues")
            case "reinforce":
                self._name("weighing opinions")
            case "maintain":
                self._name("consolidating")
            case "weigh":
                self._name("weighing facts")
            case "observe":
                self._name("summing up")

    def _advance(self, session: str) -> None:
        if self._task is None:  # a run that is gone on with began its count before
            self._task = self._bar.add_task("extracting", total=None)
        self._bar.update(self._task, advance=1, description=clean(session))

    def _name(self, description: str) -> None:
        if self._task is not None:
            self._bar.update(self._task, description=description)


@contextmanager
def progress() -> Iterator[Bar]:
    """A progress bar over a retain."""
    with _shown() as shown:
        yield Bar(shown)


@contextmanager
def counting(description: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar that is told how many of how many are done."""
    with telling(description) as tell:
        yield lambda done, total: tell(description, done, total)


@contextmanager
def telling(description: str = "") -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar that is told what is being done, and how many of how many (0: unknown)."""
    with _shown() as shown:
        task = shown.add_task(description, total=None)
        yield lambda what, done, of: shown.update(
            task, description=what, completed=done, total=of or None
        )


@contextmanager
def _shown() -> Iterator[Any]:
    """A rich Progress on standard error; nothing is drawn where that is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = err()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    shown = Progress(*columns, TimeElapsedColumn(), console=console, transient=True,
                     disable=not console.is_terminal)  # fmt: skip
    with shown:
        yield shown
