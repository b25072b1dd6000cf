"""Leave an endpoint alone for as long as it asked, whoever wants to call it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

MOST = 60.0
"""Seconds: rate limits count by the minute. Who asks for more (a day's quota) is not waited for."""

_HEADERS = (("retry-after-ms", 1000), ("retry-after", 1))  # the first is Azure's and OpenAI's own


class Pause:
    """Until when an endpoint is not to be called; nobody waits before the first that `asked`."""

    def __init__(self) -> None:
        """No pause yet."""
        self._until = 0.0

    def asked(self, seconds: float) -> None:
        """Have calls wait so long from now on, or longer if they were to."""
        self._until = max(self._until, time.monotonic() + seconds)

    async def over(self) -> None:
        """Return once a call may be made."""
        while (left := self._until - time.monotonic()) > 0:
            await asyncio.sleep(left)


def seconds_asked(error: Exception) -> float:
    """How long what answered with `error` asks to be left alone, 0 where it does not say.

    LangGraph's RetryPolicy knows no header, and the client, which does, is told not to retry. As a
    number alone: a date would be one of the server's clock.
    """
    headers: Any = getattr(getattr(error, "response", None), "headers", {})
    for name, a_second in _HEADERS:
        try:
            seconds = float(headers.get(name, "")) / a_second
        except ValueError:
            continue
        return seconds if 0 < seconds <= MOST else 0.0
    return 0.0
