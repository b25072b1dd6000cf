"""The Index port and its one adapter: facts and cues as vectors in Chroma (DESIGN §3).

The only file that imports chromadb. A bank is two collections, so that texts and cues are searched
apart without a metadata filter (at 10,000 vectors a filter makes a query 3 to 4 times slower).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from forethought.memory.errors import EmbeddingMismatch, StoreUnavailable
from forethought.memory.types import Part

if TYPE_CHECKING:
    from forethought.memory.embedding import Vectors

PARTS: tuple[Part, ...] = ("text", "cue")
_EF_SEARCH = 400  # the default finds about half of the true neighbours at 100,000 (DESIGN §3)
_BATCH = 1000  # below Chroma's own limit on one upsert
_TRIES = 3  # at what another process drops at the same moment; twice in a row is a coincidence
_PATIENCE = 60.0  # seconds until a server that does not answer is given up; chromadb waits for ever


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A vector near a probe: its id and their cosine, in [-1, 1]."""

    id: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Entries:
    """Vectors to keep, row by row: ids, unit vectors, and the date of each one's fact."""

    ids: Sequence[str]
    vectors: Vectors
    dates: Sequence[datetime]


class Index(Protocol):
    """Nearest vectors of one bank, texts and cues apart. Everything in it can be rebuilt."""

    async def put(self, bank: str, part: Part, entries: Entries) -> None:
        """Add or replace vectors; an id given twice is kept once. Raises EmbeddingMismatch."""

    async def nearest(
        self, bank: str, part: Part, probes: Vectors, *, n: int, until: datetime | None = None
    ) -> list[list[Neighbour]]:
        """The `n` nearest to each probe, best first, in one call; dated up to `until` if given."""

    async def vectors(self, bank: str, part: Part, ids: Sequence[str]) -> dict[str, Vectors]:
        """The vectors kept under these ids; unknown ids are left out."""

    async def sample(self, bank: str, part: Part, *, limit: int) -> Vectors:
        """Up to `limit` of the bank's vectors, spread evenly over it; (0, 0) where it has none."""

    async def count(self, bank: str, part: Part) -> int:
        """How many vectors there are."""

    async def ids(self, bank: str, part: Part) -> set[str]:
        """Every id kept."""

    async def remove(self, bank: str, ids: Sequence[str]) -> int:
        """Remove vectors of either part by id; return how many were there."""

    async def drop(self, bank: str) -> int:
        """Remove the bank's vectors and collections; return how many vectors there were."""

    async def close(self) -> None:
        """Release what is held."""


class ChromaIndex:
    """Chroma, embedded or a server: its client blocks, so each call of it runs in a thread."""

    def __init__(self, client: Any, *, embedder: str, where: str) -> None:
        """`embedder` is the name of the model whose vectors these are; `where` is for messages."""
        self._client = client
        self._embedder = embedder
        self._where = where
        self._collections: dict[tuple[str, Part], Any] = {}

    @classmethod
    async def embedded(cls, path: Path, *, embedder: str) -> ChromaIndex:
        """Open the index in the directory `path`, making it if needed. One process at a time."""

        def connect() -> Any:
            import chromadb

            return chromadb.PersistentClient(str(path), settings=_settings())

        where = f"the index in {path}"
        return cls(await _answered(where, connect), embedder=embedder, where=where)

    @classmethod
    async def server(cls, url: str, *, embedder: str) -> ChromaIndex:
        """Connect to a Chroma server such as http://localhost:8000. Raises StoreUnavailable."""
        from urllib.parse import urlsplit

        parts = urlsplit(url)
        secure = parts.scheme == "https"

        def connect() -> Any:
            import chromadb

            port = parts.port or (443 if secure else 8000)
            host = parts.hostname or "localhost"
            client = chromadb.HttpClient(host, port, ssl=secure, settings=_settings())
            for session in _sessions(client):
                session.timeout = _PATIENCE
            return client

        where = f"the Chroma server at {url}"
        return cls(await _answered(where, connect), embedder=embedder, where=where)

    async def put(self, bank: str, part: Part, entries: Entries) -> None:
        """See `Index.put`."""
        rows = {item: row for row, item in enumerate(entries.ids)}
        for ids in _chunks(list(rows), _BATCH):
            await self._asked(
                bank,
                part,
                "upsert",
                create=True,
                ids=ids,
                embeddings=entries.vectors[[rows[item] for item in ids]],
                metadatas=[{"at": entries.dates[rows[item]].timestamp()} for item in ids],
            )

    async def nearest(
        self, bank: str, part: Part, probes: Vectors, *, n: int, until: datetime | None = None
    ) -> list[list[Neighbour]]:
        """See `Index.nearest`."""
        if not len(probes):
            return []
        found = await self._asked(
            bank,
            part,
            "query",
            query_embeddings=probes,
            n_results=n,
            include=["distances"],
            where={"at": {"$lte": until.timestamp()}} if until else None,
        )
        if found is None:
            return [[] for _ in probes]
        return [
            [
                Neighbour(item, 1.0 - float(distance))
                for item, distance in zip(ids, row, strict=True)
            ]
            for ids, row in zip(found["ids"], found["distances"], strict=True)
        ]

    async def vectors(self, bank: str, part: Part, ids: Sequence[str]) -> dict[str, Vectors]:
        """See `Index.vectors`."""
        if not ids:
            return {}
        found = await self._asked(bank, part, "get", ids=_once(ids), include=["embeddings"])
        return dict(zip(found["ids"], found["embeddings"], strict=True)) if found else {}

    async def sample(self, bank: str, part: Part, *, limit: int) -> Vectors:
        """See `Index.sample`."""
        import numpy as np

        ids = (await self._asked(bank, part, "get", include=[]) or {"ids": []})["ids"]
        some = [ids[row] for row in np.linspace(0, len(ids) - 1, min(limit, len(ids)), dtype=int)]
        found = list((await self.vectors(bank, part, some)).values())
        if not found:
            return np.zeros((0, 0), dtype=np.float32)
        sampled: Vectors = np.asarray(found, dtype=np.float32)
        return sampled

    async def count(self, bank: str, part: Part) -> int:
        """See `Index.count`."""
        return int(await self._asked(bank, part, "count") or 0)

    async def ids(self, bank: str, part: Part) -> set[str]:
        """See `Index.ids`."""
        found = await self._asked(bank, part, "get", include=[])
        return set(found["ids"]) if found else set()

    async def remove(self, bank: str, ids: Sequence[str]) -> int:
        """See `Index.remove`."""
        removed = 0
        for part in PARTS:
            for some in _chunks(_once(ids), _BATCH):
                found = await self._asked(bank, part, "get", checked=False, ids=some, include=[])
                if found and found["ids"]:
                    await self._asked(bank, part, "delete", checked=False, ids=found["ids"])
                    removed += len(found["ids"])
        return removed

    async def drop(self, bank: str) -> int:
        """See `Index.drop`."""
        from chromadb.errors import NotFoundError

        dropped = 0
        for part in PARTS:
            there = await self._asked(bank, part, "count", checked=False)
            if there is not None:
                delete = partial(self._client.delete_collection, collection_name(bank, part))
                with suppress(NotFoundError):  # another process was faster
                    await _answered(self._where, delete)
                self._collections.pop((bank, part), None)
                dropped += there
        return dropped

    async def close(self) -> None:
        """See `Index.close`."""
        self._collections.clear()
        sessions = _sessions(self._client)
        await asyncio.to_thread(self._client.close)
        for session in sessions:
            await asyncio.to_thread(session.close)

    async def _asked(  # what Chroma's own method takes comes last
        self, bank: str, part: Part, method: str, *, create: bool = False, checked: bool = True,
        **given: Any,
    ) -> Any:  # fmt: skip
        """What the bank's collection answers, or None where there is none and `create` is off.

        One that was opened before may have been dropped since by another process; then the one
        that is there now is asked. Unchecked, it may hold another embedder's vectors: good enough
        for taking some away.
        """
        from chromadb.errors import NotFoundError

        for _ in range(_TRIES):
            collection = await self._collection(bank, part, create=create, checked=checked)
            if collection is None:
                return None
            try:
                return await _answered(self._where, partial(getattr(collection, method), **given))
            except NotFoundError:
                self._collections.pop((bank, part), None)
        raise StoreUnavailable(
            f"{self._where}: other processes drop bank {bank!r} again and again: try later"
        )

    async def _collection(
        self, bank: str, part: Part, *, create: bool = False, checked: bool = True
    ) -> Any:
        if (bank, part) in self._collections:
            return self._collections[bank, part]
        found = await self._open(collection_name(bank, part), create=create)
        if found is not None and checked:
            self._check(bank, found.metadata or {})
            self._collections[bank, part] = found
        return found

    async def _open(self, name: str, *, create: bool) -> Any:
        from chromadb.errors import NotFoundError

        if create:
            make = partial(
                self._client.get_or_create_collection,
                name,
                embedding_function=None,
                metadata={"embedder": self._embedder},
                configuration={"hnsw": {"space": "cosine", "ef_search": _EF_SEARCH}},
            )
            return await _answered(self._where, make)
        get = partial(self._client.get_collection, name, embedding_function=None)
        try:
            return await _answered(self._where, get)
        except NotFoundError:
            return None

    def _check(self, bank: str, metadata: dict[str, Any]) -> None:
        indexed_with = metadata.get("embedder")
        if indexed_with != self._embedder:
            raise EmbeddingMismatch(
                f"bank {bank!r} was indexed with {indexed_with!r}, but the embedder now is "
                f"{self._embedder!r}: set FORETHOUGHT_EMBEDDER={indexed_with} to go on as before, "
                f"or run `forethought reindex --bank {bank}` to index it anew"
            )


async def _answered(where: str, call: Callable[[], Any]) -> Any:
    """`call` in a worker thread (Chroma blocks), its failures as StoreUnavailable."""
    import httpx
    from chromadb.errors import ChromaError, NotFoundError

    try:
        return await asyncio.to_thread(call)
    except NotFoundError:
        raise
    except (ChromaError, httpx.HTTPError, OSError, ValueError) as error:
        raise StoreUnavailable(f"{where} did not answer: {error}") from error


def _sessions(client: Any) -> list[Any]:
    """The HTTP clients within a server's client, which chromadb neither bounds nor closes."""
    parts = (client, getattr(client, "_admin_client", None))
    found = [getattr(getattr(part, "_server", None), "_session", None) for part in parts]
    return [session for session in found if session is not None]


def _settings() -> Any:
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


def collection_name(bank: str, part: Part) -> str:
    """A hash of the bank's id: Chroma takes short ASCII names, banks may be called anything."""
    return f"ft-{hashlib.sha256(bank.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}-{part}"


def _once(ids: Sequence[str]) -> list[str]:
    """Each id once: Chroma refuses doubles."""
    return list(dict.fromkeys(ids))


def _chunks(items: list[str], size: int) -> list[list[str]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
