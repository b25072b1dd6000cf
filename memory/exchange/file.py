"""An exported file on disk: there whole or not there at all."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import IO, NoReturn

from forethought.memory.errors import InvalidInput

STANDARD = "-"
"""Names standard output, or input."""

_TERMINATED = 128 + signal.SIGTERM  # as shells have it
_SUFFIX = ".forethought"  # of a temporary file, so that no other program's is taken for one
_NAMED = 50  # characters of the file's name in it: 200 bytes at most, of the 255 of any name


def write_whole(name: str, lines: Iterable[bytes]) -> None:
    """Write the lines to the file called `name`, readable by its owner only, or to standard output.

    They go into a temporary file beside it that takes its place in the end, and is removed if
    anything fails, or the user, or SIGTERM, stops it; what SIGKILL leaves of it, the next call for
    that file removes. For the main thread only, which is where signals come. Raises InvalidInput if
    the place cannot be written to.
    """
    if name == STANDARD:
        _write(sys.stdout.buffer, lines)
        return
    path = Path(name).resolve()  # through a link, which stays
    try:
        if path.exists() and not path.is_file():  # a pipe or a device is no file to be replaced
            with path.open("wb") as target:
                _write(target, lines)
            return
        with _ends_on_sigterm(), _replaced(path) as target:
            _write(target, lines)
            os.fsync(target.fileno())
    except OSError as error:
        raise InvalidInput(
            f"{name or repr(name)} cannot be written ({error.strerror or error}): give a file in a "
            "folder that you may write to, on a disk with space left"
        ) from error


def read_lines(name: str) -> Iterator[bytes]:
    """The lines of the file called `name`, or of standard input. Raises InvalidInput."""
    if name == STANDARD:
        yield from sys.stdin.buffer
        return
    try:
        with Path(name).open("rb") as source:
            yield from source
    except OSError as error:
        raise InvalidInput(
            f"{name or repr(name)} cannot be read ({error.strerror or error}): give a file that "
            "`forethought export` wrote"
        ) from error


def _write(target: IO[bytes], lines: Iterable[bytes]) -> None:
    for line in lines:
        target.write(line)
    target.flush()


@contextmanager
def _replaced(path: Path) -> Iterator[IO[bytes]]:
    with suppress(OSError):  # a folder that may be written to, but not read
        _clear(path)
    descriptor, temporary = _beside(path)
    try:
        with os.fdopen(descriptor, "wb") as target:
            yield target
        os.replace(temporary, path)
    except BaseException:  # whatever stopped it, nothing that was said may be left lying about
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _beside(path: Path) -> tuple[int, str]:
    """A new file beside `path`, open and locked: so it is in use until it is closed."""
    while True:
        descriptor, temporary = tempfile.mkstemp(_SUFFIX, _prefix(path), path.parent)
        with suppress(OSError):  # a file system without locks, on which `_clear` removes nothing
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.path.lexists(temporary):  # none removed it before it was locked
            return descriptor, temporary
        os.close(descriptor)


def _clear(path: Path) -> None:
    """Remove the temporary files of `path` that nobody has open, as SIGKILL leaves them."""
    name = re.compile(re.escape(_prefix(path)) + r"\w{8}" + re.escape(_SUFFIX))
    for left in path.parent.iterdir():
        if name.fullmatch(left.name):
            with suppress(OSError):  # in use, or another user's
                _remove_unused(left)


def _remove_unused(left: Path) -> None:
    descriptor = os.open(left, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        left.unlink()
    finally:
        os.close(descriptor)


def _prefix(path: Path) -> str:
    return f".{path.name[:_NAMED]}."


@contextmanager
def _ends_on_sigterm() -> Iterator[None]:
    """Have SIGTERM unwind the stack, as Ctrl-C does, where by itself it ends the process."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(_TERMINATED)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
