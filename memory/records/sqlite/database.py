"""The file behind the adapter: opened several times, so that a read never sees half a transaction.

One connection writes, one transaction at a time; the others read, a statement each, and in WAL mode
see what was committed when it began. Each statement about a bank is given the bank as `?1`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

import aiosqlite

from forethought.memory.errors import InvalidInput, StoreUnavailable
from forethought.memory.ids import content_hash
from forethought.memory.records.sqlite.schema import INDEXES, TABLES, UPGRADES, VERSION
from forethought.memory.records.values import kept_name
from forethought.memory.words import storable, words

Value = str | int | float | None
T = TypeVar("T")

_BUSY_SECONDS = 5.0  # how long SQLite waits for a lock: a backup or a shell, never another writer
_CACHE_KIB = 16_000  # with SQLite's own 2,000 writing at 56,000 facts takes 1.15 times the CPU
_READERS = 3  # words of facts, of turns, and the graph are read at once, without Python's lock
_MANY_ROWS = 500  # from here on rows become values off the event loop (about 10 µs each)
_ERASE = "sqlite: bytes to erase"  # a setting of the store while a forget is not yet erased
_ADVICE = {
    sqlite3.SQLITE_BUSY: "another program is using it: close that one, or try again",
    sqlite3.SQLITE_FULL: "free some disk space and try again",
    sqlite3.SQLITE_IOERR: "make sure that its disk has space left and works, and try again",
    sqlite3.SQLITE_CORRUPT: "restore it from a backup, or move it away to begin anew",
    sqlite3.SQLITE_NOTADB: "restore it from a backup, or move it away to begin anew",
    sqlite3.SQLITE_READONLY: "make it, and its directory, writable",
    sqlite3.SQLITE_CANTOPEN: "check that its directory exists and is writable",
}


class Transaction:
    """The statements of one transaction about one bank."""

    def __init__(self, connection: aiosqlite.Connection, bank: str) -> None:
        """Use `Database.transaction`."""
        self.bank = bank
        self._connection = connection

    async def rows(self, sql: str, *args: Value) -> list[sqlite3.Row]:
        """What the statement selects; `args` are `?2` onwards."""
        return list(await self._connection.execute_fetchall(sql, _bound(self.bank, *args)))

    async def run(self, sql: str, *args: Value) -> None:
        """Run a statement that selects nothing."""
        await self.rows(sql, *args)

    async def many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement once for each row of `?2` onwards."""
        cursor = await self._connection.executemany(sql, [_bound(self.bank, *row) for row in rows])
        await cursor.close()


class Database:
    """The connections to one file."""

    def __init__(
        self, file: Path, *, writer: aiosqlite.Connection, readers: Sequence[aiosqlite.Connection]
    ) -> None:
        """Use `open`."""
        self._file = file
        self._writer = writer
        self._readers = readers
        self._idle = asyncio.LifoQueue[aiosqlite.Connection]()
        for reader in readers:
            self._idle.put_nowait(reader)
        self._writing = asyncio.Lock()
        self._open = True

    @classmethod
    async def open(cls, file: Path) -> Database:
        """Open the file, or make it. Raises InvalidInput if it is not ours, StoreUnavailable."""
        async with AsyncExitStack() as opened:
            with _failures_named(file):
                writer = await _connected(file)
                opened.push_async_callback(writer.close)
                await _prepared(writer, file)
                readers = []
                for _ in range(_READERS):
                    readers.append(await _connected(file))
                    opened.push_async_callback(readers[-1].close)
                    await _prepared_to_read(readers[-1])
            database = cls(file, writer=writer, readers=readers)
            await database._erase_if_asked()
            opened.pop_all()  # all went well: they stay open
        return database

    async def close(self) -> None:
        """Close all, the writer after what it is writing. Closing twice is harmless."""
        async with self._writing:
            if self._open:
                self._open = False
                with _failures_named(self._file):
                    for reader in self._readers:
                        await reader.close()
                    await self._writer.close()

    async def read(
        self, into: Callable[[sqlite3.Row], T], sql: str, bank: str, *args: Value
    ) -> list[T]:
        """What the statement selects about `bank` (`?1`), each row made into a value."""
        reader = await self._idle.get()
        try:
            self._check_open()
            with _failures_named(self._file):
                found = await reader.execute_fetchall(sql, _bound(kept_name(bank), *args))
        finally:
            self._idle.put_nowait(reader)
        rows = list(found)
        if len(rows) < _MANY_ROWS:
            return [into(row) for row in rows]
        return await asyncio.to_thread(lambda: [into(row) for row in rows])

    @asynccontextmanager
    async def transaction(self, bank: str) -> AsyncIterator[Transaction]:
        """Statements about `bank` that are all applied, durably, or not at all."""
        name = kept_name(bank)
        async with self._writing:
            self._check_open()
            with _failures_named(self._file):
                try:
                    await self._writer.execute_fetchall("BEGIN IMMEDIATE")
                    yield Transaction(self._writer, name)
                    await self._writer.execute_fetchall("COMMIT")
                except BaseException:  # a cancelled task, too, must leave nothing half-written
                    await self._writer.rollback()
                    raise

    @asynccontextmanager
    async def erasure(self, bank: str) -> AsyncIterator[Transaction]:
        """A transaction after which no byte of what it deleted is left in the files.

        The deletion is committed first; if the erasing then fails it is done on the next opening.
        """
        async with self.transaction(bank) as tx:
            yield tx
            # Deleted words stay in FTS5's older segments until these are merged.
            for table in ("word", "said"):
                await self._writer.execute_fetchall(
                    f"INSERT INTO {table} ({table}) VALUES ('optimize')"
                )
            await self._writer.execute_fetchall(
                "INSERT OR IGNORE INTO setting VALUES ('', ?, '')", (_ERASE,)
            )
        await self._erase_if_asked()

    async def _erase_if_asked(self) -> None:
        """Rewrite the file without its free space, and empty the write-ahead log.

        `secure_delete` alone is not enough: measured, about one deleted row in 200 stayed readable
        where SQLite had moved it between pages before.
        """
        async with self._writing:
            with _failures_named(self._file):
                sql = "SELECT 1 FROM setting WHERE bank = '' AND name = ?"
                if not await self._writer.execute_fetchall(sql, (_ERASE,)):
                    return
                await self._writer.execute_fetchall("VACUUM")
                log = await self._writer.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
                if list(log)[0][0]:
                    raise StoreUnavailable(
                        f"{self._file}: forgotten, but another program reads the file, so its "
                        "bytes are not erased yet: close that program, then open Forethought again"
                    )
                sql = "DELETE FROM setting WHERE bank = '' AND name = ?"
                await self._writer.execute_fetchall(sql, (_ERASE,))

    def _check_open(self) -> None:
        if not self._open:
            raise StoreUnavailable(f"{self._file} was closed: open the records again")


async def _connected(file: Path) -> aiosqlite.Connection:
    connection = aiosqlite.connect(file, isolation_level=None, timeout=_BUSY_SECONDS)
    # aiosqlite's thread would keep a process that forgot to close from ever ending. A transaction
    # that it cuts short is rolled back on the next opening.
    connection._thread.daemon = True
    await connection
    connection.row_factory = sqlite3.Row
    await connection.execute_fetchall(f"PRAGMA cache_size = -{_CACHE_KIB}")
    return connection


async def _prepared(connection: aiosqlite.Connection, file: Path) -> None:
    """Set the connection up and make the tables, once, in a file that is ours or empty."""
    await _check_ours(connection, file)
    mode = list(await connection.execute_fetchall("PRAGMA journal_mode = WAL"))[0][0]
    if mode != "wal":
        raise StoreUnavailable(f"{file}: its file system has no WAL; put it on a local disk")
    for pragma in ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"):
        await connection.execute_fetchall(f"PRAGMA {pragma}")
    await connection.create_function("words_of", 2, _words_of, deterministic=True)
    await connection.create_function("bank_word", 1, bank_word, deterministic=True)
    version = await _version(connection)
    if version < VERSION:
        await connection.execute_fetchall("BEGIN IMMEDIATE")
        for statement in _statements(since=version):
            await connection.execute_fetchall(statement)
        await connection.execute_fetchall(f"PRAGMA user_version = {VERSION}")
        await connection.execute_fetchall("COMMIT")
    for index in INDEXES:
        await connection.execute_fetchall(index)


async def _prepared_to_read(connection: aiosqlite.Connection) -> None:
    """Give it the counts of texts by term that keyword search goes by, and nothing to change."""
    for table in ("word", "said"):
        await connection.execute_fetchall(
            f"CREATE VIRTUAL TABLE temp.{table}_terms USING fts5vocab (main, {table}, row)"
        )
    await connection.execute_fetchall("PRAGMA query_only = ON")


def _statements(*, since: int) -> Iterable[str]:
    """What makes a new file (0), or brings one of an earlier version up to this one."""
    if not since:
        return TABLES
    return [sql for version in range(since, VERSION) for sql in UPGRADES[version]]


def _words_of(name: str | None, text: str) -> str:
    """The words that find a turn: its speaker's and what was said."""
    return " ".join(words(f"{name or ''} {text}", alone=True))


def bank_word(bank: str) -> str:
    """The word that keeps a keyword search within one bank."""
    return content_hash(bank)


async def _check_ours(connection: aiosqlite.Connection, file: Path) -> None:
    version = await _version(connection)
    if version > VERSION:
        raise InvalidInput(
            f"{file} was written by a newer Forethought (version {version} of the file, this one "
            f"reads up to {VERSION}): upgrade Forethought, or use another data directory"
        )
    tables = await connection.execute_fetchall("SELECT 1 FROM sqlite_master LIMIT 1")
    if not version and tables:
        raise InvalidInput(
            f"{file} is another program's SQLite database: use another data directory"
        )


async def _version(connection: aiosqlite.Connection) -> int:
    return int(list(await connection.execute_fetchall("PRAGMA user_version"))[0][0])


def _bound(*args: Value) -> tuple[Value, ...]:
    return tuple(storable(arg) if isinstance(arg, str) else arg for arg in args)


@contextmanager
def _failures_named(file: Path) -> Iterator[None]:
    """SQLite's failures as errors that name the file and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the primary code, without its detail
        if code == sqlite3.SQLITE_NOTADB:
            raise InvalidInput(f"{file} is not a database: {_ADVICE[code]}") from error
        advice = _ADVICE.get(code, "if trying again does not help, please report it")
        raise StoreUnavailable(f"{file}: {error}: {advice}") from error
