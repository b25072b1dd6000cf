"""An endpoint is left alone for as long as it asks, within reason."""

from __future__ import annotations

from time import monotonic

import httpx
import pytest

from forethought.nodes.pause import MOST, Pause, seconds_asked


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0),
        ({"Retry-After": "20"}, 20),
        ({"Retry-After": "60"}, MOST),
        ({"Retry-After": "61"}, 0),
        ({"Retry-After": "-1"}, 0),
        ({"Retry-After": "nan"}, 0),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, 0),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1),
    ],
)
def test_an_endpoint_is_waited_for_as_long_as_it_asks_but_no_more_than_a_minute(
    headers: dict[str, str], seconds: float
) -> None:
    request = httpx.Request("POST", "http://model/v1")
    response = httpx.Response(429, headers=headers, request=request)
    assert seconds_asked(httpx.HTTPStatusError("", request=request, response=response)) == seconds


def test_an_error_without_an_answer_asks_for_nothing() -> None:
    assert seconds_asked(ConnectionError()) == 0


async def test_the_longest_pause_that_was_asked_for_counts() -> None:
    pause = Pause()
    before = monotonic()
    await pause.over()
    for seconds in (0.05, 0.0, 0.01):
        pause.asked(seconds)
    await pause.over()
    assert monotonic() - before >= 0.05
