"""Prospection without its model, against embedding its probes and Chroma's own queries."""

from __future__ import annotations

import asyncio
import gc
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from forethought.evals.banks import recorded
from forethought.evals.bench_data import requests, trees
from forethought.graphs.app import App
from forethought.graphs.prospect import build_prospect
from forethought.graphs.runs import RunStore
from forethought.memory.index import ChromaIndex
from forethought.memory.recall.foresight import CUES
from forethought.memory.recall.probing import DEPTH
from forethought.memory.types import Part
from forethought.nodes.context import Context

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    from forethought.memory.embedding import Vectors

PROBES = 10  # imagined steps a round
ROUNDS = 3
VARIANTS = {
    "without foresight": (False, False),
    "without foresight, with checkpoints": (False, True),
    "with foresight": (True, False),
    "with foresight, with checkpoints": (True, True),
}
_SUMMARY = json.dumps({"summary": "What was imagined led to what was found."})


@dataclass(slots=True)
class Overhead:
    """Seconds of whole runs, and of their embedding and Chroma queries alone.

    What runs need at least is the same with checkpoints and without, so those share `alone`.
    """

    whole: list[float] = field(default_factory=list)
    alone: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """Medians in milliseconds, and their ratio.

        The two sides alternate, so a machine that slows down slows both. The median of the pairs'
        ratios is worse: what disturbs either side of a pair is in it (three runs with foresight on
        a quiet machine: 1.20 to 1.29, and 1.21 to 1.24 for the ratio of the medians).
        """
        whole, alone = median(self.whole), median(self.alone)
        return {
            "prospect ms": round(whole * 1000, 1),
            "embedding + Chroma ms": round(alone * 1000, 1),
            "ratio": round(whole / alone, 3),
        }


@dataclass(frozen=True, slots=True)
class Course:
    """What one run asks and imagines: as many trees as rounds."""

    request: str
    rounds: tuple[list[dict[str, Any]], ...]

    @property
    def replies(self) -> list[str]:
        """What the model says, one reply a call."""
        return [*(json.dumps({"steps": tree}) for tree in self.rounds), _SUMMARY]

    @property
    def probes(self) -> list[list[str]]:
        """The texts of each round's steps."""
        return [
            [f"{step['action']}: {step['constraints']}" for step in tree] for tree in self.rounds
        ]


def courses(count: int, seed: int) -> Iterator[Course]:
    """`count` different courses."""
    random = Random(seed)
    endless = trees(PROBES, random)
    for request in requests(count, random):
        yield Course(request, tuple(next(endless) for _ in range(ROUNDS)))


async def overheads(
    app: App, bank: str, now: datetime, *, repetitions: int, folder: Path
) -> dict[str, Overhead]:
    """Time runs with and without foresight and checkpoints (in `folder`), and what they need."""
    alone_of: dict[bool, list[float]] = {False: [], True: []}
    timings = {
        name: Overhead(alone=alone_of[foresight]) for name, (foresight, _) in VARIANTS.items()
    }
    said: deque[str] = deque()
    replies = dict.fromkeys(("imagine", "refine", "summarise"), lambda _: said.popleft())
    told = replace(app, model=recorded(replies))
    new = courses((repetitions + 1) * len(VARIANTS), seed=11)
    async with RunStore.open(folder) as store:
        for number in range(repetitions + 1):
            for name, (foresight, checkpoints) in VARIANTS.items():
                course = next(new)  # each time others: recall remembers the vectors of texts
                said.extend(course.replies)
                run = _Run(told, bank, now, course, foresight, store.saver if checkpoints else None)
                whole, alone = await run.both(whole_first=number % 2 == 0)
                if number:  # the first repetition warms everything up
                    timings[name].whole.append(whole)
                    timings[name].alone.append(alone)
    return timings


@dataclass(frozen=True, slots=True)
class _Run:
    app: App
    bank: str
    now: datetime
    course: Course
    foresight: bool
    saver: AsyncSqliteSaver | None = None

    async def both(self, *, whole_first: bool) -> tuple[float, float]:
        """Seconds of the whole run and of what it needs at least."""
        gc.collect()  # all garbage: that takes up to 80 ms, and would fall to one of the two
        if whole_first:
            return await self.whole(), await self.alone()
        alone = await self.alone()
        return await self.whole(), alone

    async def whole(self) -> float:
        """Seconds of the compiled graph from start to end; its model answers from memory."""
        graph = build_prospect(self.app).compile(checkpointer=self.saver)
        context = Context(
            bank=self.bank, now=self.now.isoformat(), delta=1, max_rounds=ROUNDS - 1,
            foresight=5 if self.foresight else 0,
        )  # fmt: skip
        config: Any = {"configurable": {"thread_id": self.course.request}}
        durability: Any = {"durability": "sync"} if self.saver else {}
        began = perf_counter()
        result = await graph.ainvoke(
            {"query": self.course.request}, config, context=context, **durability
        )
        seconds = perf_counter() - began
        assert result["rounds"] == ROUNDS - 1 and result["hits"], "the run ended early"
        return seconds

    async def alone(self) -> float:
        """Seconds to embed the same probes and have Chroma find as many neighbours of them.

        The request is one of them (PGR's φ(q)): it is searched once to ground it and once beside
        the first round's steps, as `prospect` does.
        """
        began = perf_counter()
        query = await self.app.embedder.embed([self.course.request])
        await self._chroma("text", query, 2 * Context().probe_k)
        for number, texts in enumerate(self.course.probes):
            vectors = await self.app.embedder.embed(texts)
            await self._chroma("text", vectors if number else np.vstack([query, vectors]), DEPTH)
        if self.foresight:
            await self._chroma("cue", query, CUES)
        return perf_counter() - began

    async def _chroma(self, part: Part, vectors: Vectors, n: int) -> None:
        index = self.app.index
        assert isinstance(index, ChromaIndex)
        collection = await index._opened(self.bank, part)  # Chroma's own, without our adapter
        await asyncio.to_thread(
            collection.query, query_embeddings=vectors, n_results=n, include=["distances"]
        )
