"""Read lines as they are typed, with a history and the arrow keys; or those of a script."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_KEPT = 1000  # lines of history
_PROMPT = "> "

NextLine = Callable[[], str | None]
"""The next line without its end, None when there is none any more."""


@contextmanager
def typed(history: Path) -> Iterator[NextLine]:
    """Lines of standard input; those typed at a terminal are kept in `history`."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if not sys.stdin.isatty():
        yield _scripted
        return
    editor = _editor()
    if editor is not None and history.exists():
        editor.read_history_file(history)
    try:
        yield _at_the_prompt
    finally:
        if editor is not None and editor.get_current_history_length():
            editor.set_history_length(_KEPT)
            editor.write_history_file(history)
            history.chmod(0o600)  # as the log: it is for nobody else


def forget_typed() -> None:
    """Leave nothing in the history that is in memory."""
    if editor := _editor():
        editor.clear_history()


def _editor() -> Any:
    """Python's readline, which `input` uses once it is imported; None where there is none."""
    try:
        import readline
    except ImportError:
        return None
    return readline


def _at_the_prompt() -> str | None:
    try:
        return input(_PROMPT)
    except EOFError:
        print()
        return None


def _scripted() -> str | None:
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None
