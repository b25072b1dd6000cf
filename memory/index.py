"""The Index port and its one adapter: facts, cues and turns as vectors in Chroma (DESIGN §3).

The only file that imports chromadb. A bank is up to three collections, each made when it is first
needed, so that texts, cues and turns are searched apart without a metadata filter (at 10,000
vectors a filter makes a query 3 to 4 times slower).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from forethought.memory.errors import EmbeddingMismatch, StoreUnavailable
from forethought.memory.types import Part

if TYPE_CHECKING:
    from forethought.memory.embedding import Vectors

PARTS: tuple[Part, ...] = ("text", "cue", "turn")
_EF_SEARCH = 400  # the default finds about half of the true neighbours at 100,000 (DESIGN §3)
_BATCH = 1000  # below Chroma's own limit on one upsert
_PATIENCE = 60.0  # seconds until a server that does not answer is given up; chromadb waits for ever


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A vector near a probe: its id and their cosine, in [-1, 1]."""

    id: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Entries:
    """Vectors to keep, row by row: ids, unit vectors, and the dates of their facts or sessions."""

    ids: Sequence[str]
    vectors: Vectors
    dates: Sequence[datetime]


class Index(Protocol):
    """Nearest vectors of one bank, each part of it apart. Everything in it can be rebuilt."""

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
        """Remove vectors of any part by id; return how many were there."""

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
        if not rows:
            return
        collection = await self._begun(bank, part)
        for ids in _chunks(list(rows), _BATCH):
            await self._call(
                collection.upsert,
                ids=ids,
                embeddings=entries.vectors[[rows[item] for item in ids]],
                metadatas=[{"at": entries.dates[rows[item]].timestamp()} for item in ids],
            )

    async def nearest(
        self, bank: str, part: Part, probes: Vectors, *, n: int, until: datetime | None = None
    ) -> list[list[Neighbour]]:
        """See `Index.nearest`."""
        collection = await self._collection(bank, part)
        if collection is None or not len(probes):
            return [[] for _ in probes]
        found = await self._call(
            collection.query,
            query_embeddings=probes,
            n_results=n,
            include=["distances"],
            where={"at": {"$lte": until.timestamp()}} if until else None,
        )
        return [
            [
                Neighbour(item, 1.0 - float(distance))
                for item, distance in zip(ids, row, strict=True)
            ]
            for ids, row in zip(found["ids"], found["distances"], strict=True)
        ]

    async def vectors(self, bank: str, part: Part, ids: Sequence[str]) -> dict[str, Vectors]:
        """See `Index.vectors`."""
        collection = await self._collection(bank, part)
        if collection is None or not ids:
            return {}
        found = await self._call(collection.get, ids=_once(ids), include=["embeddings"])
        return dict(zip(found["ids"], found["embeddings"], strict=True))

    async def sample(self, bank: str, part: Part, *, limit: int) -> Vectors:
        """See `Index.sample`."""
        import numpy as np

        collection = await self._collection(bank, part)
        if collection is None:
            return np.zeros((0, 0), dtype=np.float32)
        ids = (await self._call(collection.get, include=[]))["ids"]
        some = [ids[row] for row in np.linspace(0, len(ids) - 1, min(limit, len(ids)), dtype=int)]
        if not some:
            return np.zeros((0, 0), dtype=np.float32)
        found = await self._call(collection.get, ids=some, include=["embeddings"])
        sampled: Vectors = np.asarray(found["embeddings"], dtype=np.float32)
        return sampled

    async def count(self, bank: str, part: Part) -> int:
        """See `Index.count`."""
        collection = await self._collection(bank, part)
        return 0 if collection is None else int(await self._call(collection.count))

    async def ids(self, bank: str, part: Part) -> set[str]:
        """See `Index.ids`."""
        collection = await self._collection(bank, part)
        if collection is None:
            return set()
        return set((await self._call(collection.get, include=[]))["ids"])

    async def remove(self, bank: str, ids: Sequence[str]) -> int:
        """See `Index.remove`."""
        removed = 0
        for part in PARTS:
            if (collection := await self._collection(bank, part, checked=False)) is None:
                continue
            for some in _chunks(_once(ids), _BATCH):
                there = (await self._call(collection.get, ids=some, include=[]))["ids"]
                if there:
                    await self._call(collection.delete, ids=there)
                removed += len(there)
        return removed

    async def drop(self, bank: str) -> int:
        """See `Index.drop`."""
        dropped = 0
        for part in PARTS:
            if (collection := await self._collection(bank, part, checked=False)) is not None:
                dropped += await self._call(collection.count)
                await self._call(self._client.delete_collection, collection_name(bank, part))
                self._collections.pop((bank, part), None)
        return dropped

    async def close(self) -> None:
        """See `Index.close`."""
        self._collections.clear()
        sessions = _sessions(self._client)
        await asyncio.to_thread(self._client.close)
        for session in sessions:
            await asyncio.to_thread(session.close)

    async def _begun(self, bank: str, part: Part) -> Any:
        """The bank's collection, made if there is none and its others have the same embedder."""
        if (bank, part) not in self._collections:
            for other in PARTS:
                await self._collection(bank, other)
        return await self._collection(bank, part, create=True)

    async def _collection(
        self, bank: str, part: Part, *, create: bool = False, checked: bool = True
    ) -> Any:
        """The bank's collection, or None where there is none and `create` is off.

        Unchecked, it may hold another embedder's vectors: good enough for taking some away.
        """
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
            return await self._call(
                self._client.get_or_create_collection,
                name,
                embedding_function=None,
                metadata={"embedder": self._embedder},
                configuration={"hnsw": {"space": "cosine", "ef_search": _EF_SEARCH}},
            )
        get = self._client.get_collection
        try:
            return await _answered(self._where, lambda: get(name, embedding_function=None))
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

    async def _call(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        from chromadb.errors import NotFoundError

        try:
            return await _answered(self._where, lambda: call(*args, **kwargs))
        except NotFoundError as error:
            self._collections.clear()  # so that the next call opens what is there then
            raise StoreUnavailable(
                f"{self._where}: another process dropped a bank meanwhile: try again"
            ) from error


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
