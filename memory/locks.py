"""One thing at a time per bank, within this process."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class BankLocks:
    """A lock for each bank that is in use; banks do not wait for each other."""

    def __init__(self) -> None:
        """No lock is made before its bank is named."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, bank: str) -> asyncio.Lock:
        """The lock of `bank`, to be held with `async with`."""
        lock = self._locks.get(bank)
        if lock is None:
            lock = self._locks[bank] = asyncio.Lock()
        return lock
