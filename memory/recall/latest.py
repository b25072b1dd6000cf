"""The vectors that were used last, to be used again."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from forethought.memory.embedding import Vectors

K = TypeVar("K", bound=Hashable)


class Latest(Generic[K]):
    """Remembers the last `size` vectors that it was given, by key."""

    def __init__(self, size: int) -> None:
        """Remember nothing yet."""
        self._size = size
        self._vectors: dict[K, Vectors] = {}

    def of(self, keys: Iterable[K]) -> dict[K, Vectors]:
        """Those of these that are remembered."""
        return {key: self._vectors[key] for key in keys if key in self._vectors}

    def keep(self, vectors: Mapping[K, Vectors]) -> None:
        """Keep these as the latest, in place of the oldest."""
        for key, vector in vectors.items():
            self._vectors.pop(key, None)
            self._vectors[key] = vector
        while len(self._vectors) > self._size:
            del self._vectors[next(iter(self._vectors))]
