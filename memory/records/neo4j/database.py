"""The server behind the adapter: one driver, bound to the event loop it was opened in.

Neo4j reads what is committed at each moment, and not as of one moment: alone, a statement may see
half of another's transaction. So whoever reads or writes a bank takes the lock of its node first,
within the same transaction. One bank is read or written by one at a time; banks never wait for
each other.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar

from neo4j import (
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncSession,
    Query,
    unit_of_work,
)
from neo4j.exceptions import DriverError, Neo4jError

from forethought.memory.errors import InvalidInput, StoreUnavailable
from forethought.memory.records.neo4j.failures import checked, failures_named, no_room_named
from forethought.memory.records.neo4j.schema import MARK, STATEMENTS, UPGRADES, VERSION
from forethought.memory.records.values import kept_name
from forethought.memory.words import storable

Row = Mapping[str, Any]
T = TypeVar("T")

PATIENCE = 20.0
"""Seconds for which a transaction is tried again: a server that restarts was away for 5 to 15."""

_CONNECTS_WITHIN = 5.0  # seconds; the driver's own 30 would be felt as a hang
_ANSWERS_WITHIN = 10.0  # seconds for the first answer of all
_ENDS_WITHIN = 600.0  # seconds for one transaction: forgetting 100,000 facts takes minutes at most
_ALL_ROWS = -1  # at once; the driver's own 1,000 would ask again and again
_BANK_DIGITS = 32  # an identity, as of `values.content_of`

_LOCK = "OPTIONAL MATCH (locked:Bank {id: $bank}) REMOVE locked.lock"
_CLAIM = """
    MERGE (bank:Bank {id: $bank}) ON CREATE SET bank.n = 0
    SET bank.store = $store, bank.name = $name RETURN bank.n AS given
"""


class Transaction:
    """The statements of one transaction about one bank, whose lock it has."""

    def __init__(self, transaction: AsyncManagedTransaction, bank: str, key: str) -> None:
        """Use `Database.transaction`."""
        self.bank = bank
        self.key = key
        self._transaction = transaction
        self._given = self._given_before = 0

    async def rows(self, cypher: str, **parameters: object) -> list[Row]:
        """What the statement returns; `$bank` is the key of the bank."""
        bound = _bound(parameters) | {"bank": self.key}
        result = await self._transaction.run(cypher, bound)
        return [record async for record in result]

    def numbers(self, count: int) -> Iterable[int]:
        """The next `count` numbers of the bank, which are never given again."""
        first, self._given = self._given + 1, self._given + count
        return range(first, self._given + 1)

    async def begin(self, lock: str, *, store: str) -> None:
        """Take the lock of the bank."""
        (row,) = await self.rows(lock, store=store, name=self.bank)
        self._given = self._given_before = row["given"]

    async def end(self) -> None:
        """Note which numbers were given."""
        if self._given != self._given_before:
            count = "MATCH (bank:Bank {id: $bank}) SET bank.n = $given"
            await self.rows(count, given=self._given)


class Database:
    """One driver, and the part of the database that is ours: that of `store`."""

    def __init__(self, driver: AsyncDriver, *, uri: str, store: str) -> None:
        """Use `open`."""
        self.store = store
        self._driver = driver
        self._uri = uri
        self._loop = asyncio.get_running_loop()
        self._open = True

    @classmethod
    async def open(
        cls, uri: str, *, user: str, password: str, store: str = "", patience: float = PATIENCE
    ) -> Database:
        """Connect and make what is missing. Raises InvalidInput or StoreUnavailable, in seconds."""
        with failures_named(checked(uri)):
            driver = AsyncGraphDatabase.driver(
                uri,
                auth=(user, password),
                connection_timeout=_CONNECTS_WITHIN,
                connection_acquisition_timeout=_CONNECTS_WITHIN + patience,
                max_transaction_retry_time=patience,
                notifications_min_severity="OFF",  # hints about labels that are not used yet
            )
        database = cls(driver, uri=uri, store=store)
        try:
            with failures_named(uri):
                async with asyncio.timeout(_ANSWERS_WITHIN):
                    await driver.verify_connectivity()
            await database._prepare()
        except BaseException:
            await database.close()
            raise
        return database

    async def close(self) -> None:
        """Close the connections. Closing twice is harmless."""
        self._open = False
        with failures_named(self._uri):
            await self._driver.close()

    async def read(self, bank: str, cypher: str, **parameters: object) -> list[Row]:
        """What one statement returns about `bank` (`$bank` is its key), as of one moment."""
        statement = f"{_LOCK} WITH count(*) AS locks {cypher}"
        return await self._rows(statement, parameters | {"bank": self.key(bank)})

    async def read_as_one(self, bank: str, cypher: str, **parameters: object) -> list[Any]:
        """As `read`, what a statement of one column returns; see `as_one`."""
        (row,) = await self.read(bank, as_one(cypher), **parameters)
        found: list[Any] = row["rows"]
        return found

    async def peek(self, bank: str, cypher: str, **parameters: object) -> list[Row]:
        """As `read`, without waiting for a writer: for what one node answers by itself."""
        return await self._rows(cypher, parameters | {"bank": self.key(bank)})

    async def all_banks(self, cypher: str) -> list[Row]:
        """What one statement returns about every bank of this store (`$store`)."""
        return await self._rows(cypher, {"store": self.store})

    async def transaction(
        self, bank: str, work: Callable[[Transaction], Awaitable[T]], *, new: bool = False
    ) -> T:
        """Do `work`, all of it durably or nothing; the bank is made if it is to be `new`.

        `work` is done again where the server asks for it or went away, so it must depend on
        nothing but what it reads.
        """
        key = self.key(bank)

        async def locked(transaction: AsyncManagedTransaction) -> T:
            tx = Transaction(transaction, bank, key)
            await tx.begin(_CLAIM if new else f"{_LOCK} RETURN 0 AS given", store=self.store)
            done = await work(tx)
            await tx.end()
            return done

        return await self._managed(locked)

    def key(self, bank: str) -> str:
        """What stands for a bank in this store. Raises InvalidInput if it has no such name."""
        name = json.dumps([self.store, kept_name(bank)])
        return hashlib.sha256(name.encode()).hexdigest()[:_BANK_DIGITS]

    async def _rows(self, cypher: str, parameters: dict[str, object]) -> list[Row]:
        """What one statement returns that may be run again: one that reads, or makes what is not.

        It goes by itself, in one journey where a transaction about it takes three; where that fails
        and may not fail again, it is tried again as one.
        """
        bound = _bound(parameters)

        async def run(transaction: AsyncManagedTransaction) -> list[Row]:
            result = await transaction.run(cypher, bound)
            return [record async for record in result]

        self._check_open()
        with failures_named(self._uri):
            async with self._session() as session:
                try:
                    result = await session.run(Query(cypher, timeout=_ENDS_WITHIN), bound)
                    return [record async for record in result]
                except (DriverError, Neo4jError) as error:
                    if not error.is_retryable():
                        raise
        return await self._managed(run)

    async def _managed(self, work: Callable[[AsyncManagedTransaction], Awaitable[T]]) -> T:
        @unit_of_work(timeout=_ENDS_WITHIN)
        async def once(transaction: AsyncManagedTransaction) -> T:
            with no_room_named(self._uri):
                return await work(transaction)

        self._check_open()
        with failures_named(self._uri):
            async with self._session() as session:
                return await session.execute_write(once)

    def _session(self) -> AsyncSession:
        """One for one transaction. All rows are wanted, so that they come in one journey."""
        return self._driver.session(fetch_size=_ALL_ROWS)

    async def _prepare(self) -> None:
        """Make constraints and indexes, once; each statement does nothing where they are there."""
        version = await self._version()
        if version > VERSION:
            raise InvalidInput(
                f"the Neo4j at {self._uri} was written by a newer Forethought (version {version}, "
                f"this one reads up to {VERSION}): upgrade Forethought, or use another database"
            )
        if version < VERSION:
            for statement in STATEMENTS:
                await self._rows(statement, {})
            await self._rows("CALL db.awaitIndexes(60)", {})
            for earlier in range(version or VERSION, VERSION):
                while (await self._rows(UPGRADES[earlier], {}))[0]["changed"]:
                    continue
            await self._rows(MARK, {"version": VERSION})  # last, so that it says all is there

    async def _version(self) -> int:
        found = await self._rows("MATCH (schema:Schema) RETURN schema.version AS version", {})
        return max((row["version"] for row in found), default=0)

    def _check_open(self) -> None:
        if not self._open:
            raise StoreUnavailable(f"Neo4j at {self._uri} was closed: open the records again")
        if asyncio.get_running_loop() is not self._loop:
            raise StoreUnavailable(
                f"Neo4j at {self._uri} was opened in another event loop: open it in this one"
            )


def as_one(cypher: str) -> str:
    """A statement that only reads one column, with its values as `rows` in a single record.

    Each record is a message, for which the driver goes round its event loop some four times, .2 ms:
    most of what a recall took. The server has all of them in its heap at once, though, so this is
    for what is bounded by what was asked for, not for all of a bank.
    """
    return f"RETURN COLLECT {{ {cypher} }} AS rows"


def _bound(value: Any) -> Any:
    """A parameter as the server takes it: see `words.storable`."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {name: _bound(one) for name, one in value.items()}
    if isinstance(value, Iterable):
        return [_bound(one) for one in value]
    return value
