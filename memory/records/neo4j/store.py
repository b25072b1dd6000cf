"""The Neo4j adapter of the Records port: its facets, joined over one database."""

from __future__ import annotations

from typing import Self

from forethought.memory.records.neo4j.banks import Counting
from forethought.memory.records.neo4j.beliefs import Believing
from forethought.memory.records.neo4j.commit import Committing
from forethought.memory.records.neo4j.database import PATIENCE, Database
from forethought.memory.records.neo4j.entities import Naming
from forethought.memory.records.neo4j.foresight import Foreseeing
from forethought.memory.records.neo4j.forget import Forgetting
from forethought.memory.records.neo4j.ledger import Undertaking
from forethought.memory.records.neo4j.links import Linking
from forethought.memory.records.neo4j.log import Logging
from forethought.memory.records.neo4j.marks import Marking
from forethought.memory.records.neo4j.read import Reading
from forethought.memory.records.neo4j.restore import Restoring
from forethought.memory.records.neo4j.uses import Using


class Neo4jRecords(
    Logging,
    Committing,
    Reading,
    Counting,
    Foreseeing,
    Marking,
    Naming,
    Linking,
    Believing,
    Undertaking,
    Using,
    Forgetting,
    Restoring,
):
    """`Records` in a Neo4j 5.26 or later. Safe to share between tasks of the loop that opened it.

    Several processes may use one database: a bank is locked on the server. Text is kept as it is,
    but for NUL and lone surrogates, which become U+FFFD (`words.storable`).
    """

    @classmethod
    async def open(
        cls, uri: str, *, user: str, password: str, store: str = "", patience: float = PATIENCE
    ) -> Self:
        """Connect to the server at `uri` and make the constraints and indexes that are missing.

        `store` keeps several stores apart within one database. A transaction is tried again for
        `patience` seconds where the server is away. Raises StoreUnavailable if the server does not
        answer, InvalidInput if the URI or the password is wrong, or a newer version wrote it.
        """
        return cls(
            await Database.open(uri, user=user, password=password, store=store, patience=patience)
        )

    async def close(self) -> None:
        """See `Records.close`."""
        await self._db.close()
