"""The Index port and its one adapter: facts, cues, turns … as vectors in Chroma (DESIGN §3).

A bank is a collection for each part, made when it is first needed, so that texts, cues and turns
are searched apart without a metadata filter (at 10,000 vectors a filter makes a query 3 to 4 times
slower).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Protocol

from forethought.memory.chroma import MOST_AT_ONCE, Chroma, Dropped
from forethought.memory.errors import EmbeddingMismatch, StoreUnavailable
from forethought.memory.grain import apart
from forethought.memory.types import Part

if TYPE_CHECKING:
    from forethought.memory.embedding import Vectors

PARTS: tuple[Part, ...] = ("text", "cue", "turn", "opinion", "observation", "reminder")

# Chroma searches for the probes of a call one after another, on one core
_SEARCHES = 4  # calls at once, which takes two cores half the time: 4 each suffice, 8 are level
_FEWEST = 8  # probes of a call: it takes about 1 ms by itself, and 1.5 to 2 for each of them
_TRIES = 3  # at what another process drops at the same moment; twice in a row is a coincidence


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
        """Add or replace vectors; an id given twice is kept once. Raises EmbeddingMismatch.

        Equal ones hide neither each other nor others: "Thanks!" may be said hundreds of times.
        """

    async def nearest(
        self, bank: str, part: Part, probes: Vectors, *, n: int, until: datetime | None = None
    ) -> list[list[Neighbour]]:
        """The `n` nearest to each probe, best first, in one call; dated up to `until` if given."""

    async def vectors(self, bank: str, part: Part, ids: Sequence[str]) -> dict[str, Vectors]:
        """The vectors kept under these ids, to `GRAIN`; unknown ids are left out."""

    async def sample(
        self, bank: str, part: Part, *, limit: int, unless: Callable[[str], bool] | None = None
    ) -> Vectors:
        """Up to `limit` of the bank's vectors, spread evenly over it; (0, 0) where it has none.

        Those of whose ids `unless` is true are left out.
        """

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
    """Chroma, embedded or a server, with the vectors of one embedder."""

    def __init__(self, chroma: Chroma, *, embedder: str) -> None:
        """`embedder` is the name of the model whose vectors these are."""
        self._chroma = chroma
        self._embedder = embedder
        self._collections: dict[tuple[str, Part], Any] = {}

    @classmethod
    async def embedded(cls, path: Path, *, embedder: str) -> ChromaIndex:
        """Open the index in the directory `path`, making it if needed. One process at a time."""
        return cls(await Chroma.embedded(path), embedder=embedder)

    @classmethod
    async def server(cls, url: str, *, embedder: str) -> ChromaIndex:
        """Connect to a Chroma server such as http://localhost:8000. Raises StoreUnavailable."""
        return cls(await Chroma.server(url), embedder=embedder)

    async def put(self, bank: str, part: Part, entries: Entries) -> None:
        """See `Index.put`."""
        rows = {item: row for row, item in enumerate(entries.ids)}
        vectors = apart(entries.ids, entries.vectors)
        for ids in _chunks(list(rows)):
            await self._asked(
                bank,
                part,
                "upsert",
                create=True,
                ids=ids,
                embeddings=vectors[[rows[item] for item in ids]],
                metadatas=[{"at": entries.dates[rows[item]].timestamp()} for item in ids],
            )

    async def nearest(
        self, bank: str, part: Part, probes: Vectors, *, n: int, until: datetime | None = None
    ) -> list[list[Neighbour]]:
        """See `Index.nearest`."""
        import numpy as np

        if not len(probes):
            return []
        searches = min(_SEARCHES, max(1, len(probes) // _FEWEST))
        found = await asyncio.gather(
            *(
                self._nearest(bank, part, some, n=n, until=until)
                for some in np.array_split(probes, searches)
            )
        )
        return [near for search in found for near in search]

    async def _nearest(
        self, bank: str, part: Part, probes: Vectors, *, n: int, until: datetime | None
    ) -> list[list[Neighbour]]:
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
        import numpy as np

        if not ids:
            return {}
        found = await self._asked(bank, part, "get", ids=_once(ids), include=["embeddings"])
        if not found:
            return {}
        # Chroma keeps 32 bits of each number and returns 64
        kept = np.asarray(found["embeddings"], dtype=np.float32)
        return dict(zip(found["ids"], kept, strict=True))

    async def sample(
        self, bank: str, part: Part, *, limit: int, unless: Callable[[str], bool] | None = None
    ) -> Vectors:
        """See `Index.sample`."""
        import numpy as np

        ids = (await self._asked(bank, part, "get", include=[]) or {"ids": []})["ids"]
        ids = [id for id in ids if unless is None or not unless(id)]
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
            for some in _chunks(_once(ids)):
                found = await self._asked(bank, part, "get", checked=False, ids=some, include=[])
                if found and found["ids"]:
                    await self._asked(bank, part, "delete", checked=False, ids=found["ids"])
                    removed += len(found["ids"])
        return removed

    async def drop(self, bank: str) -> int:
        """See `Index.drop`."""
        dropped = 0
        for part in PARTS:
            there = await self._asked(bank, part, "count", checked=False)
            if there is not None:
                with suppress(Dropped):  # another process was faster
                    await self._chroma.delete(collection_name(bank, part))
                self._collections.pop((bank, part), None)
                dropped += there
        return dropped

    async def close(self) -> None:
        """See `Index.close`."""
        self._collections.clear()
        await self._chroma.close()

    async def _asked(  # what Chroma's own method takes comes last
        self, bank: str, part: Part, method: str, *, create: bool = False, checked: bool = True,
        **given: Any,
    ) -> Any:  # fmt: skip
        """What the bank's collection answers, or None where there is none and `create` is off.

        One that was opened before may have been dropped since by another process; then the one
        that is there now is asked. Unchecked, it may hold another embedder's vectors: good enough
        for taking some away.
        """
        for _ in range(_TRIES):
            if create:
                collection = await self._begun(bank, part)
            elif (collection := await self._opened(bank, part, checked=checked)) is None:
                return None
            try:
                return await self._chroma.asked(collection, method, **given)
            except Dropped:
                for dropped in PARTS:  # of a bank they go together
                    self._collections.pop((bank, dropped), None)
        raise StoreUnavailable(
            f"{self._chroma.where}: other processes drop bank {bank!r} again and again: try later"
        )

    async def _begun(self, bank: str, part: Part) -> Any:
        """The bank's collection, made if there is none and its others have the same embedder."""
        if (bank, part) in self._collections:
            return self._collections[bank, part]
        for other in PARTS:  # asked for anew: another process may have dropped and begun them since
            if (found := await self._chroma.opened(collection_name(bank, other))) is not None:
                self._checked(bank, other, found)
        made = await self._chroma.made(collection_name(bank, part), embedder=self._embedder)
        return self._checked(bank, part, made)

    async def _opened(self, bank: str, part: Part, *, checked: bool = True) -> Any:
        """The bank's collection, or None where there is none."""
        if (bank, part) in self._collections:
            return self._collections[bank, part]
        found = await self._chroma.opened(collection_name(bank, part))
        return self._checked(bank, part, found) if checked and found is not None else found

    def _checked(self, bank: str, part: Part, collection: Any) -> Any:
        """The collection, kept for the next time, if it holds this embedder's vectors."""
        indexed_with = (collection.metadata or {}).get("embedder")
        if indexed_with != self._embedder:
            raise EmbeddingMismatch(
                f"bank {bank!r} was indexed with {indexed_with!r}, but the embedder now is "
                f"{self._embedder!r}: set FORETHOUGHT_EMBEDDER={indexed_with} to go on as before, "
                f"or run `forethought reindex --bank {quote(bank)}` to index it anew"
            )
        self._collections[bank, part] = collection
        return collection


def collection_name(bank: str, part: Part) -> str:
    """A hash of the bank's id: Chroma takes short ASCII names, banks may be called anything."""
    return f"ft-{hashlib.sha256(bank.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}-{part}"


def _once(ids: Sequence[str]) -> list[str]:
    """Each id once: Chroma refuses doubles."""
    return list(dict.fromkeys(ids))


def _chunks(ids: list[str]) -> list[list[str]]:
    return [ids[start : start + MOST_AT_ONCE] for start in range(0, len(ids), MOST_AT_ONCE)]
