"""Chroma's client, embedded or of a server: the only file that imports chromadb.

It blocks, so each call of it runs in a thread. What does not answer raises StoreUnavailable.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from forethought.memory.errors import StoreUnavailable

MOST_AT_ONCE: Final = 1000
"""How many vectors or ids to give in one call: below Chroma's own limit on one upsert."""

_EF_SEARCH = 400  # the default finds about half of the true neighbours at 100,000 (DESIGN §3)
_PATIENCE = 60.0  # seconds until a server that does not answer is given up; chromadb waits for ever


class Dropped(Exception):
    """That a collection which was opened is no longer there: another process dropped it."""


class Chroma:
    """A client, and the name of what it is connected to, for messages."""

    def __init__(self, client: Any, where: str) -> None:
        """See `embedded` and `server`."""
        self.where = where
        self._client = client

    @classmethod
    async def embedded(cls, path: Path) -> Chroma:
        """Open the directory `path`, made if needed. One process at a time."""

        def connect() -> Any:
            import chromadb

            return chromadb.PersistentClient(str(path), settings=_settings())

        where = f"the index in {path}"
        return cls(await _answered(where, connect), where)

    @classmethod
    async def server(cls, url: str) -> Chroma:
        """Connect to a server such as http://localhost:8000. Raises StoreUnavailable."""
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
        return cls(await _answered(where, connect), where)

    async def made(self, name: str, *, embedder: str) -> Any:
        """The collection of that name, made if there is none; of cosines of `embedder`'s."""
        make = partial(
            self._client.get_or_create_collection,
            name,
            embedding_function=None,
            metadata={"embedder": embedder},
            configuration={"hnsw": {"space": "cosine", "ef_search": _EF_SEARCH}},
        )
        return await _answered(self.where, make)

    async def opened(self, name: str) -> Any:
        """The collection of that name, or None where there is none."""
        get = partial(self._client.get_collection, name, embedding_function=None)
        try:
            return await _answered(self.where, get)
        except Dropped:
            return None

    async def asked(self, collection: Any, method: str, **given: Any) -> Any:
        """What a method of an open collection answers. Raises Dropped."""
        return await _answered(self.where, partial(getattr(collection, method), **given))

    async def delete(self, name: str) -> None:
        """Delete the collection of that name, with all that is in it. Raises Dropped."""
        await _answered(self.where, partial(self._client.delete_collection, name))

    async def close(self) -> None:
        """Release files and connections."""
        sessions = _sessions(self._client)
        await asyncio.to_thread(self._client.close)
        for session in sessions:
            await asyncio.to_thread(session.close)


async def _answered(where: str, call: Callable[[], Any]) -> Any:
    """`call` in a worker thread, its failures as Dropped or StoreUnavailable."""
    import httpx
    from chromadb.errors import ChromaError, NotFoundError

    try:
        return await asyncio.to_thread(call)
    except NotFoundError as error:
        raise Dropped(str(error)) from error
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
