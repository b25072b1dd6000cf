"""The SQLite adapter of the Records port: its facets, joined over one file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Self

from forethought.memory.errors import StoreUnavailable
from forethought.memory.records.sqlite.beliefs import Believing
from forethought.memory.records.sqlite.commit import Committing
from forethought.memory.records.sqlite.database import Database
from forethought.memory.records.sqlite.entities import Naming
from forethought.memory.records.sqlite.forget import Forgetting
from forethought.memory.records.sqlite.keyword import Searching
from forethought.memory.records.sqlite.learned import Learning
from forethought.memory.records.sqlite.ledger import Undertaking
from forethought.memory.records.sqlite.links import Linking
from forethought.memory.records.sqlite.log import Logging
from forethought.memory.records.sqlite.marks import Marking
from forethought.memory.records.sqlite.read import Reading
from forethought.memory.records.sqlite.restore import Restoring
from forethought.memory.records.sqlite.uses import Using

FILE = "forethought.db"
"""The one file of a data directory that Records keeps."""


class SqliteRecords(
    Logging,
    Committing,
    Reading,
    Searching,
    Naming,
    Linking,
    Believing,
    Undertaking,
    Learning,
    Using,
    Marking,
    Forgetting,
    Restoring,
):
    """`Records` in one SQLite file. Safe to share between tasks of one event loop.

    Text is kept as it is, but for NUL and lone surrogates, which become U+FFFD (`words.storable`).
    """

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open `forethought.db` in the data directory `path`, making both if needed.

        Raises InvalidInput if that file is not ours to use (another program's, a newer version's,
        no database at all), StoreUnavailable if it cannot be used now. It does not lock the
        directory: see `records.lock`.
        """
        try:
            await asyncio.to_thread(path.mkdir, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(
                f"the data directory {path} cannot be made ({error.strerror or error}): "
                "give one that you may write to"
            ) from error
        return cls(await Database.open(path / FILE))

    async def close(self) -> None:
        """See `Records.close`."""
        await self._db.close()
