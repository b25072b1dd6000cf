"""`eval scale`: retaining without a model, recall, and its channels, as a bank grows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from forethought.evals.banks import open_apart, unremembering
from forethought.evals.bench_data import blended, requests
from forethought.evals.bench_life import Life, life
from forethought.evals.bench_terms import GOAL as TERMS_GOAL
from forethought.evals.bench_terms import OPEN, terms_ratios
from forethought.evals.report import table
from forethought.graphs.app import App
from forethought.graphs.settings import Settings
from forethought.memory.errors import InvalidInput
from forethought.memory.index import Entries
from forethought.memory.recall.graph import SEEDS, activated
from forethought.memory.types import fact_ids

if TYPE_CHECKING:
    from rich.table import Table

    from forethought.memory.embedding import Vectors

SIZES = (1_000, 10_000, 100_000)
RETAINED = 500  # facts whose retaining is timed, with embedding: the last ones before each size
RECALLS = 25
_AT_ONCE = 500  # facts of one commit: a long session's; those before are timed without embedding
_TEXTS = 100  # neighbours that recall asks for
_SEED = 7
GOAL = 3.0
"""Recall at 100,000 facts takes at most so many times what it takes at 1,000 (issue 2)."""
RATIO = 0.8
"""Retaining goes at so much of the embedder's own pace at least (issue 2)."""


@dataclass(frozen=True, slots=True)
class Size:
    """One size of the bank: milliseconds (p50), and facts a second.

    `retain` is all of retaining without a model, `embedder` embedding the same texts (each fact's
    and its turn's) and nothing else, `stores` all but embedding, with a cue for each fact (None
    where there was no room to measure it). `terms` is how many times recall's own time `due` and
    recall with all terms take, `several` the same of turns that say three things, `near` of those
    where one of the three comes near a commitment, `pairs` how many of each were asked with terms
    and without: fewer where a store is slow.
    """

    facts: int
    retain: float
    embedder: float
    stores: float | None
    recall: float
    embedding: float
    semantic: float
    graph: float
    words: float
    terms: float
    several: float
    near: float
    pairs: float

    @property
    def ratio(self) -> float:
        """Of the embedder's pace, how much retaining reaches."""
        return round(self.retain / self.embedder, 2)


@dataclass(frozen=True, slots=True)
class ScaleReport:
    """By store, smallest first."""

    sizes: dict[str, list[Size]]

    def plain(self) -> dict[str, Any]:
        """As JSON-able data, with the goal."""
        rows = {store: [_row(size) for size in some] for store, some in self.sizes.items()}
        return {"stores": rows, "growth": self.growth, "goals": _GOALS}

    @property
    def growth(self) -> dict[str, float]:
        """Recall at the largest size as a multiple of that at the smallest, by store."""
        return {name: round(s[-1].recall / s[0].recall, 2) for name, s in self.sizes.items()}

    def table(self) -> Table:
        """One row a store and size."""
        rows = {
            f"{store}, {size.facts}": {**_row(size), "measured": size.facts}
            for store, some in self.sizes.items()
            for size in some
        }
        columns = [name for name in _COLUMNS if name != "facts"]
        growth = ", ".join(f"{store} {times} ×" for store, times in self.growth.items())
        note = (
            f"Recall, largest beside smallest: {growth} (goal: {GOAL:.0f}). Milliseconds, p50 of "
            f"{RECALLS}. Due + terms: {OPEN} open commitments, then recall with all terms, beside "
            f"recall alone in turn (goal: {TERMS_GOAL} at 10,000 facts), by so many pairs. "
            "Retain: facts a second of "
            f"log, commit, index and links for {RETAINED} more; embedder: the same texts, embedded "
            f"and no more (goal: {RATIO} of that); "
            "stores: without embedding. Each fact has a turn of the log and three entities, most "
            "have a cue; most vectors are made up."
        )
        return table("Growth", rows, columns, note=note, head="store, facts")


_COLUMNS = {
    "facts": "facts", "retain facts/s": "retain", "embedder facts/s": "embedder",
    "ratio": "ratio", "stores facts/s": "stores", "recall": "recall",
    "embedding": "embedding", "semantic": "semantic", "graph": "graph", "words": "words",
    "due + terms": "terms", "of 3 things": "several", "one near": "near", "pairs": "pairs",
}  # fmt: skip
_GOALS = {"growth": GOAL, "ratio": RATIO, "due + terms": TERMS_GOAL}


def _row(size: Size) -> dict[str, float]:
    row = {name: getattr(size, field) for name, field in _COLUMNS.items()}
    return {name: value for name, value in row.items() if value is not None}


async def run_scale(
    *, facts: int, settings: Settings, progress: Callable[[str, int, int], None] | None = None
) -> ScaleReport:
    """Grow a bank in each store to `facts`, measuring at every size of SIZES on the way.

    SQLite always; Neo4j too if `settings` name one, in a bank of its own that is forgotten in the
    end. Raises InvalidInput for fewer facts than the smallest size.
    """
    wanted = [size for size in SIZES if size < facts] + [facts]
    if facts < SIZES[0]:
        raise InvalidInput(f"facts: expected at least {SIZES[0]}, found {facts}")
    say = progress or (lambda what, done, of: None)
    found = {}
    for store, uri in {"SQLite": None, "Neo4j": settings.neo4j_uri}.items():
        if store == "SQLite" or uri:
            async with open_apart(settings, neo4j_uri=uri) as kept:
                app = unremembering(kept)
                told = life(facts, bank=f"scale-{perf_counter()}")
                vectors = await _vectors(app, told, facts)
                say("compiling what the store compiles once", 0, facts)
                await _warmed(app, vectors)
                try:
                    found[store] = await _grown(app, told, vectors, wanted, say)
                finally:
                    if uri:  # SQLite's file goes with its folder
                        await app.forgetter.forget(told.bank)
    return ScaleReport(found)


async def _warmed(app: App, vectors: Vectors) -> None:
    """Retain and recall in a bank of its own, and forget it.

    A Neo4j that has just started takes 13 s of CPU for its first 500 facts and 2 for its third: it
    plans and compiles each statement when it first comes.
    """
    before = life(2 * RETAINED, bank=f"before-{perf_counter()}")
    try:
        for start in (0, RETAINED):
            part = before.part(start, start + RETAINED)
            await _learn(app, part, vectors[: len(part.facts)])
        await _channels(app, before, len(before.facts))
    finally:
        await app.forgetter.forget(before.bank)


async def _vectors(app: App, told: Life, count: int) -> Vectors:
    real = await app.embedder.embed([fact.text for fact in told.facts[:RETAINED]])
    return blended(real, count, _SEED)


async def _grown(
    app: App, told: Life, vectors: Vectors, wanted: Sequence[int],
    say: Callable[[str, int, int], None],
) -> list[Size]:  # fmt: skip
    sizes = []
    for there, size in pairwise([0, *wanted]):
        last = size - RETAINED
        pace = None
        for start in range(there, last, _AT_ONCE):
            say(f"growing to {size} facts", start, size)
            end = min(start + _AT_ONCE, last)
            seconds = await _timed(_learn(app, told.part(start, end), vectors[start:end]))
            pace = round((end - start) / seconds, 1)
        say(f"retaining to {size} facts", last, size)
        retained, embedded = await _retained(app, told.part(last, size))
        say(f"recalling from {size} facts", size, size)
        retain, embedder = (round(RETAINED / seconds, 1) for seconds in (retained, embedded))
        p50 = await _channels(app, told, size)
        ratios = await terms_ratios(app, told, size)
        sizes.append(Size(size, retain=retain, embedder=embedder, stores=pace, **p50, **ratios))
    return sizes


async def _retained(app: App, told: Life) -> tuple[float, float]:
    """Seconds of retaining with all but the model, and of embedding the same texts alone.

    These are embedded before and after, since a shared machine's pace drifts by a tenth meanwhile.
    """
    texts = [fact.text for fact in told.facts]
    await app.embedder.embed(texts[:1])  # loads the model
    before = await _timed(app.embedder.embed([*texts, *texts]))  # the turns say the same
    began = perf_counter()
    await app.records.log(told.bank, told.conversations)
    await app.records.commit(told.changes)
    await app.indexer.catch_up(told.bank)
    await app.linker.catch_up(told.bank)
    retained = perf_counter() - began
    after = await _timed(app.embedder.embed([*texts, *texts]))
    return retained, (before + after) / 2


async def _learn(app: App, told: Life, vectors: Vectors) -> None:
    """What retain does once the model has answered and the texts are embedded."""
    records, index, bank = app.records, app.index, told.bank
    dates = [fact.date for fact in told.facts]
    await records.log(bank, told.conversations)
    await records.commit(told.changes)
    await index.put(bank, "text", Entries(fact_ids(told.facts), vectors, dates))
    await index.put(bank, "turn", Entries(told.turns, vectors, dates))
    await records.foresee(bank, told.cues, facts=fact_ids(told.facts))
    cues = [cue.id for cue in told.cues]
    await index.put(bank, "cue", Entries(cues, vectors, dates))
    await records.indexed(bank, [*fact_ids(told.facts), *told.turns, *cues])
    await app.linker.catch_up(bank)


async def _channels(app: App, told: Life, size: int) -> dict[str, float]:
    """Milliseconds, p50, of recall and of its channels."""
    now = told.facts[size - 1].date
    channels: dict[str, list[float]] = {}
    for query in requests(RECALLS + 1, Random(5)):
        for name, seconds in (await _asked(app, told.bank, query, now)).items():
            channels.setdefault(name, []).append(seconds)
    # the first request reads the bank's sample
    return {name: round(median(times[1:]) * 1000, 2) for name, times in channels.items()}


async def _asked(app: App, bank: str, query: str, now: datetime) -> dict[str, float]:
    """Seconds of recall as a whole, and of channels by themselves."""
    whole = await _timed(app.recall.recall(bank, query, now=now, limit=20))
    began = perf_counter()
    (vector,) = await app.embedder.embed([query])
    embedded = perf_counter()
    (near,) = await app.index.nearest(bank, "text", vector[None, :], n=_TEXTS)
    searched = perf_counter()
    seeds = {one.id: one.cosine for one in near[:SEEDS]}
    return {
        "recall": whole,
        "embedding": embedded - began,
        "semantic": searched - embedded,
        "graph": await _timed(activated(app.records, bank, seeds, now=now)),
        "words": await _timed(app.records.said(bank, query, k=_TEXTS, now=now)),
    }


async def _timed(work: Awaitable[Any]) -> float:
    began = perf_counter()
    await work
    return perf_counter() - began
