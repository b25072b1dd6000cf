"""The run store: checkpoints to go on from (LangGraph's SQLite saver) and a journal of each run."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from forethought.graphs.journal import (
    Journal,
    JournalFile,
    Machine,
    Run,
    read_header,
    read_journal,
)
from forethought.memory.errors import InvalidInput, StoreUnavailable
from forethought.memory.ids import content_hash

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

FILE = "runs.db"
FOLDER = "runs"
KEPT = 50  # runs of one bank and machine: an ask leaves about 0.5 MB of checkpoints
ATTEMPTS = 3  # failures after which an interrupted retain is given up; its sessions are logged
_RESUMABLE = 2  # checkpoints of a retain: the last one, and the one whose writes may be pending


def new_run_id(now: datetime, token: str) -> str:
    """`r20261130-7f3a2c`: the day of `now`, and six hex digits of the random `token`."""
    return f"r{now:%Y%m%d}-{token[:6]}"


@dataclass(frozen=True, slots=True)
class RunStore:
    """The runs of one data directory, whose writer lock the caller holds."""

    directory: Path
    saver: AsyncSqliteSaver

    @classmethod
    @asynccontextmanager
    async def open(cls, directory: Path) -> AsyncIterator[RunStore]:
        """Open or make it. Raises StoreUnavailable if its file cannot be used."""
        import aiosqlite
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        (directory / FOLDER).mkdir(parents=True, exist_ok=True)
        connection = aiosqlite.connect(directory / FILE)
        connection._thread.daemon = True  # must not keep a process alive that forgot to close
        try:
            with failures_named(directory / FILE):
                await connection
                saver = AsyncSqliteSaver(connection)
                await saver.setup()
                # a power cut may cost the last step, never the file; a killed process costs nothing
                await connection.execute_fetchall("PRAGMA synchronous = NORMAL")
                await connection.execute_fetchall("PRAGMA secure_delete = ON")
            try:
                yield cls(directory, saver)
            finally:
                # A cancelled run leaves a write behind that goes on, or its transaction. SQLite
                # closes no connection while something holds a cursor of it, a traceback perhaps,
                # so that the file would stay locked.
                async with saver.lock:
                    await connection.rollback()
                    await connection.close()
        finally:
            await connection.close()

    def file(self, run: str) -> JournalFile:
        """The journal of a run, to be written."""
        return JournalFile(_path(self.directory, run))

    async def trim(self, thread: str) -> None:
        """Keep of a thread only what going on from its end needs."""
        for table in ("checkpoints", "writes"):
            await self._run(
                f"DELETE FROM {table} WHERE thread_id = ?1 AND checkpoint_id NOT IN (SELECT "
                "checkpoint_id FROM checkpoints WHERE thread_id = ?1 ORDER BY checkpoint_id DESC "
                "LIMIT ?2)",
                thread,
                _RESUMABLE,
            )

    async def forget_checkpoints(self, thread: str) -> None:
        """Delete a thread: it will not be gone on with."""
        with failures_named(self.directory / FILE):
            await self.saver.adelete_thread(thread)

    async def make_room(self, bank: str, machine: Machine) -> None:
        """Delete the oldest runs of a bank, so that with one more there are `KEPT`.

        Of each chat the last turn stays beside them, for the chat to go on from.
        """
        same = [run for run in runs(self.directory, bank) if run.machine == machine]
        kept = {run.thread for run in same[: KEPT - 1]}
        await self._delete([run for run in same[KEPT - 1 :] if not _carries(run, kept)])

    async def purge(self, bank: str) -> int:
        """Delete every run of `bank` without leaving a byte; return how many there were."""
        found = runs(self.directory, bank)
        await self._delete(found)
        typed_file(self.directory, bank).unlink(missing_ok=True)
        for path in _paths(self.directory):
            if read_header(path) is None:  # a crash tore its first line: whose it was is not known
                path.unlink(missing_ok=True)
        await self._run("VACUUM")  # as in Records: secure_delete alone leaves some rows readable
        await self._run("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(found)

    def interrupted(self, bank: str) -> list[Journal]:
        """The retains of `bank` that did not end, oldest first."""
        retains = [run for run in reversed(runs(self.directory, bank)) if run.machine == "retain"]
        read = [journal(self.directory, run.id) for run in retains]
        return [item for item in read if item.result is None]

    async def _delete(self, gone: Sequence[Run]) -> None:
        """The checkpoints first: a crash in between leaves a journal that names them."""
        ids = {run.id for run in gone}
        kept = {run.thread for run in runs(self.directory) if run.id not in ids}
        for run in gone:
            if run.thread not in kept:
                await self.forget_checkpoints(run.thread)
            _path(self.directory, run.id).unlink(missing_ok=True)

    async def _run(self, sql: str, *args: str | int) -> None:
        with failures_named(self.directory / FILE):
            async with self.saver.lock:
                await self.saver.conn.execute_fetchall(sql, args)
                await self.saver.conn.commit()


def runs(directory: Path, bank: str | None = None) -> list[Run]:
    """The runs in a data directory, newest first: of one bank, or of all. Needs no lock."""
    found = [run for path in _paths(directory) if (run := read_header(path)) is not None]
    wanted = [run for run in found if bank is None or run.bank == bank]
    return sorted(wanted, key=lambda run: (run.started, run.id), reverse=True)


def journal(directory: Path, run: str) -> Journal:
    """One run. Raises NotFound."""
    return read_journal(_path(directory, run))


def chat_thread(directory: Path, bank: str, name: str) -> str | None:
    """The thread of the bank's chat of that name, None where there is none to go on with."""
    for run in runs(directory, bank):
        if run.machine == "chat" and run.thread.rpartition("@")[0] == name:
            return run.thread
    return None


def typed_file(directory: Path, bank: str) -> Path:
    """Where a terminal chat keeps the lines that were typed; it goes when the runs go."""
    return directory / FOLDER / f"typed-{content_hash(bank)}"


def _carries(run: Run, kept: set[str]) -> bool:
    """Whether it is the newest turn of a chat none of whose turns is in `kept`; then it is now."""
    if run.machine != "chat" or run.thread in kept:
        return False
    kept.add(run.thread)
    return True


def _paths(directory: Path) -> list[Path]:
    return list((directory / FOLDER).glob("r*.jsonl"))


def _path(directory: Path, run: str) -> Path:
    if not run.replace("-", "").isalnum():  # never a path out of the folder
        raise InvalidInput(f"{run!r} is no run: expected one such as r20261130-7f3a2c")
    return directory / FOLDER / f"{run}.jsonl"


@contextmanager
def failures_named(file: Path) -> Iterator[None]:
    """SQLite's failures as one error that names the file and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnavailable(
            f"{file}: {error}: free some disk space or, if it is damaged, move it away; it holds "
            "past runs and those to go on with, no memory"
        ) from error
