"""One writer per embedded data directory (DESIGN §3): a Chroma sees only the vectors it wrote."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from forethought.memory.errors import BankBusy, StoreUnavailable

if TYPE_CHECKING:
    from filelock import BaseFileLock

_LOCK_FILE = "forethought.lock"
_PID_FILE = "forethought.pid"  # not in the lock file: a waiting process may open that one anew


class WriterLock:
    """Held from `acquire` until `release`, the end of a `with` block, or the end of the process.

    The operating system lets go of it when the process dies, by SIGKILL too.
    """

    def __init__(self, directory: Path, held: BaseFileLock) -> None:
        """Use `acquire`."""
        self.directory = directory
        self._held = held

    @classmethod
    def acquire(cls, directory: Path, *, wait: float = 0.0) -> Self:
        """Lock `directory`, making it if needed; try for `wait` seconds.

        Raises BankBusy if another holder (this process counts too) keeps it, StoreUnavailable if
        the directory cannot be used.
        """
        from filelock import FileLock, Timeout

        try:
            directory.mkdir(parents=True, exist_ok=True)
            held = FileLock(directory / _LOCK_FILE, thread_local=False)
            held.acquire(timeout=wait)
        except Timeout as timeout:
            raise BankBusy(_busy(directory)) from timeout
        except OSError as error:
            raise StoreUnavailable(
                f"the data directory {directory} cannot be used ({error.strerror or error}): "
                "give a directory that you may write to, on a disk with space left"
            ) from error
        with suppress(OSError):  # it only makes another's message better
            (directory / _PID_FILE).write_text(str(os.getpid()), encoding="ascii")
        return cls(directory, held)

    def release(self) -> None:
        """Let another process in; releasing twice is harmless."""
        self._held.release()

    def __enter__(self) -> Self:
        """It is held already."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release it."""
        self.release()

    async def __aenter__(self) -> Self:
        """It is held already."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release it."""
        self.release()


def _busy(directory: Path) -> str:
    return (
        f"the data directory {directory} is in use by {_holder(directory)}. Two ways out: share "
        "the data between processes with a Chroma server (FORETHOUGHT_CHROMA_URL) and Neo4j "
        "(FORETHOUGHT_NEO4J_URI); or talk to the process that has it, as `langgraph dev` and its "
        "API let you do. Or close that process"
    )


def _holder(directory: Path) -> str:
    try:
        pid = int((directory / _PID_FILE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return "another process"
    return "this very process" if pid == os.getpid() else f"process {pid}"
