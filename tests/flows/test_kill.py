"""SIGKILL at every step of retain: nothing acknowledged is lost or doubled, a rerun ends well."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forethought.memory.types import Fact
from tests.flows.bench import BANK, NOW, Bench
from tests.flows.killed import ACKNOWLEDGED, SESSIONS, SETTINGS, STEPS, Case, as_line, bench_in

ROOT = Path(__file__).parents[2]
RANDOM_WRITES = 6
KILLED = -9

Run = Callable[..., "Ended"]


class Ended(NamedTuple):
    """How a child ended, and after how many writes if by itself."""

    code: int
    writes: int | None


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run a retain in a child process that dies where it is told to."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.flows.killed"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin
    assert server.stdout

    def retain(directory: Path, **where: Any) -> Ended:
        assert server.stdin
        assert server.stdout
        server.stdin.write(as_line(Case(str(directory), **where)))
        server.stdin.flush()
        return Ended(**json.loads(server.stdout.readline()))

    yield retain
    server.stdin.close()
    server.stdout.close()
    assert server.wait(10) == 0


class Memory(NamedTuple):
    """All that a bank came to hold, in a form that two runs can be compared by."""

    facts: list[tuple[Any, ...]]
    cues: list[tuple[str, str]]
    mentions: list[tuple[str, str, str]]
    links: list[tuple[list[str], str, float]]


async def _memory(bench: Bench) -> Memory:
    facts = await bench.app.records.facts(BANK)
    texts = {fact.id: fact.text for fact in facts}
    cues = await bench.app.records.cues(BANK, list(texts))
    entities = {one.id: one for one in await bench.app.records.entities(BANK)}
    mentions = await bench.app.records.mentions(BANK)
    links = await bench.app.records.links(BANK)
    return Memory(
        sorted(
            (f.text, f.date, f.until, texts.get(f.successor or ""), f.frequency, f.sources)
            for f in facts
        ),
        sorted((texts[cue.fact], cue.text) for cue in cues),
        sorted(
            (texts[one.fact], entities[one.entity].name, entities[one.entity].into or "")
            for one in mentions
        ),
        sorted(
            (sorted([texts[link.source], texts[link.target]]), link.kind, link.weight)
            for link in links
        ),
    )


@pytest.fixture(scope="module")
def undisturbed(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A directory where the retain came to its end, and how many writes that took."""
    directory = tmp_path_factory.mktemp("undisturbed")
    ended = run(directory)
    assert ended.code == 0
    assert ended.writes
    return directory, ended.writes


@pytest.fixture(scope="module")
def whole(undisturbed: tuple[Path, int]) -> Memory:
    return asyncio.run(_left_in(undisturbed[0]))


async def _left_in(directory: Path) -> Memory:
    async with bench_in(directory, bundled=False) as bench:
        return await _memory(bench)


async def test_the_undisturbed_run_is_worth_comparing_with(whole: Memory) -> None:
    """It learned, updated, repeated, merged, named, linked and foresaw."""
    assert len(whole.facts) == 7
    assert sum(fact[2] is not None for fact in whole.facts) == 4
    assert max(fact[4] for fact in whole.facts) == 2
    assert len(whole.cues) == 12
    assert {name for _, name, _ in whole.mentions} == {"Oslo", "Bergen", "Miso", "harbour of Oslo"}
    assert {kind for _, kind, _ in whole.links} == {"temporal", "semantic", "prevents"}


STEPS_AND_RUNS = [
    (step, nth)
    for step in STEPS
    for nth in ((1, 2) if step in {"commit", "link", "foresee", "maintain"} else (1,))
]


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("at", STEPS_AND_RUNS, ids=str)
async def test_dying_around_a_step(
    run: Run, whole: Memory, tmp_path: Path, at: tuple[str, int], place: str
) -> None:
    step, nth = at
    assert run(tmp_path, place=place, step=step, nth=nth).code == KILLED
    await _nothing_is_lost_or_doubled(tmp_path, whole)


WRITES = [("log", 0)]
WRITES += [(name, nth) for name in ("commit", "put", "indexed", "foresee") for nth in (0, 1)]
WRITES += [("put", 3), ("indexed", 3), ("setting", 0), ("setting", 1), ("setting", 2)]
WRITES += [("link", 0), ("link", 1)]


@pytest.mark.parametrize("at", WRITES, ids=str)
async def test_dying_before_a_write_to_a_store(
    run: Run, whole: Memory, tmp_path: Path, at: tuple[str, int]
) -> None:
    method, nth = at
    assert run(tmp_path, place="write", step=method, nth=nth).code == KILLED
    await _nothing_is_lost_or_doubled(tmp_path, whole)


@pytest.mark.parametrize("seed", range(RANDOM_WRITES))
async def test_dying_between_two_writes(
    run: Run, undisturbed: tuple[Path, int], whole: Memory, tmp_path: Path, seed: int
) -> None:
    share = undisturbed[1] / RANDOM_WRITES  # one in each stretch of the run
    nth = int(share * (seed + random.Random(seed).random()))
    assert run(tmp_path, place="write", nth=nth).code == KILLED
    await _nothing_is_lost_or_doubled(tmp_path, whole)


async def test_dying_again_and_again_on_one_directory(
    run: Run, undisturbed: tuple[Path, int], whole: Memory, tmp_path: Path
) -> None:
    for seed in range(3):
        nth = random.Random(seed).randrange(undisturbed[1] // 3)
        assert run(tmp_path, place="write", nth=nth).code == KILLED
    await _nothing_is_lost_or_doubled(tmp_path, whole)


async def test_dying_with_the_bundled_embedder_before_the_facts_are_indexed(
    run: Run, tmp_path: Path
) -> None:
    where = {"place": "before", "step": "index", "nth": 2, "bundled": True}
    assert run(tmp_path, **where).code == KILLED
    async with bench_in(tmp_path, bundled=True) as bench:
        assert await bench.app.indexer.catch_up(BANK) == 2
        await _all_found(bench, _acknowledged(tmp_path))
        await bench.retain(*SESSIONS, **SETTINGS)
        assert "My cat is called Miso" in await bench.texts()
        await _all_found(bench, await bench.app.records.facts(BANK))


async def _nothing_is_lost_or_doubled(directory: Path, whole: Memory) -> None:
    async with bench_in(directory, bundled=False) as bench:
        acknowledged = _acknowledged(directory)
        await bench.app.indexer.catch_up(BANK)
        await _all_found(bench, acknowledged)
        pending = await bench.app.records.sessions(BANK, unfinished=True)
        logged = await bench.app.records.sessions(BANK)
        await bench.retain(*SESSIONS, **SETTINGS)
        assert await _memory(bench) == whole
        await _all_found(bench, await bench.app.records.facts(BANK))
        # what had been extracted is not paid for again
        assert len(bench.asked("extract")) == len(pending) + len(SESSIONS) - len(logged)


def _acknowledged(directory: Path) -> list[str]:
    """Ids of the facts whose commit had returned."""
    file = directory / ACKNOWLEDGED
    lines = file.read_text().splitlines() if file.exists() else []
    return [fact for line in lines for fact in json.loads(line)["new"]]


async def _all_found(bench: Bench, facts: list[str] | list[Fact]) -> None:
    """They are in Records, each once, and found by their words and by their vectors."""
    records, index = bench.app.records, bench.app.index
    wanted = [fact.id if isinstance(fact, Fact) else fact for fact in facts]
    stored = await records.facts(BANK)
    assert set(wanted) <= {fact.id for fact in stored}
    holding = [fact for fact in stored if fact.until is None]
    assert len({fact.text.casefold().rstrip(".") for fact in holding}) == len(holding)
    assert await index.ids(BANK, "text") == {fact.id for fact in stored}
    cues = await records.cues(BANK, [fact.id for fact in stored])
    assert await index.ids(BANK, "cue") == {cue.id for cue in cues}
    logged = [await records.turns(BANK, one.id) for one in await records.sessions(BANK)]
    assert await index.ids(BANK, "turn") == {turn.id for turns in logged for turn in turns}
    for fact in holding:
        assert fact.id in [
            found for found, _ in await records.search(BANK, fact.text, k=9, now=NOW)
        ]
    vectors = await bench.app.embedder.embed([fact.text for fact in stored])
    for fact, near in zip(
        stored, await index.nearest(BANK, "text", vectors, n=50) if len(stored) else [], strict=True
    ):
        assert near[0].cosine == pytest.approx(1, abs=1e-3)
        assert [one.id for one in near].count(fact.id) == 1
