"""The event loop stays free: whatever takes long or blocks runs in a thread."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from blockbuster import blockbuster_ctx

from forethought.memory.embedding import MiniLM
from tests.flows.bench import Bench, opened, session
from tests.flows.scripted import fact, tree

FACTS = 200
LONGEST = 0.25  # seconds of work between two turns of the loop, whatever else the machine does


@pytest.fixture
def longest(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The most CPU time, so far, that one turn of the loop took without letting others run."""
    longest = [0.0]
    run = asyncio.Handle._run  # each callback, and each step of a task

    def timed(handle: asyncio.Handle) -> None:
        start = time.thread_time()
        run(handle)
        longest[0] = max(longest[0], time.thread_time() - start)

    monkeypatch.setattr(asyncio.Handle, "_run", timed)
    gc.collect()
    gc.freeze()  # what earlier tests left would be gone through in the middle of this one
    yield longest
    gc.unfreeze()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path, embedder=MiniLM()) as bench:
        yield bench


def _said() -> list[str]:
    places = ["harbour", "old library", "tram stop", "bakery", "allotment", "ice rink"]
    return [f"On day {n} I met somebody at the {places[n % 6]}" for n in range(FACTS)]


async def test_retaining_and_asking_with_hundreds_of_facts_leave_the_loop_free(
    bench: Bench, longest: list[float]
) -> None:
    await bench.retain(session("A first one, so that all is loaded"))
    await bench.ask("Where did I go?")
    said = _said()
    sessions = [session(*said[n : n + 50], key=str(n)) for n in range(0, FACTS, 50)]
    bench.script(imagine=tree(*(f"Go to place {n}" for n in range(12))))
    longest[0] = 0.0
    await bench.retain(*sessions, foresight=2)
    await bench.ask("Where did I go?", delta=1)
    await bench.ask("Where did I go?", mode="recall")
    assert len(await bench.facts()) == FACTS + 1
    assert 0 < longest[0] < LONGEST


async def test_no_step_makes_a_blocking_call_in_the_loop(bench: Bench) -> None:
    dated = {"facts": [fact("I saw a heron", when="last Monday")]}
    bench.script(extract=dated)
    await bench.retain(session("A first one, so that all is loaded"))
    await bench.ask("Where did I go?")
    with blockbuster_ctx(scanned_modules=["forethought"]):
        await bench.retain(session("A second one", "and a third"), consolidate_after=1)
        await bench.prospect("Where did I go?", delta=1)
        await bench.ask("Where did I go?", mode="recall")
        (first, *_) = await bench.facts()
        await bench.app.forgetter.forget(bench.context().bank, fact=first.id)
