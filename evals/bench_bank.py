"""Banks for benchmarks: what is timed is really retained, the rest gets made-up vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from forethought.evals.bench_data import CUES_PER_FACT, blended, cue_vectors, cues, facts
from forethought.graphs.app import App
from forethought.memory.index import Entries
from forethought.memory.records.changes import ChangeSet
from forethought.memory.types import Fact, Part, fact_ids

if TYPE_CHECKING:
    from forethought.memory.embedding import Vectors

_SEED = 7
_AT_ONCE = 500  # facts of one commit
_PARTS = 2  # turns in which the two sides of `retain_rates` alternate, of several batches each


def made_up(bank: str, count: int) -> list[Fact]:
    """The same `count` facts each time, for `bank`."""
    return facts(bank, count, Random(_SEED))


async def retain_rates(app: App, bank: str, some: Sequence[Fact]) -> tuple[float, float]:
    """Facts a second of commit and index, and of the embedder alone on the same texts, by turns."""
    await app.embedder.embed(["loads the model"])
    retaining = embedding = 0.0
    size = -(-len(some) // _PARTS)
    for start in range(0, len(some), size):
        part = some[start : start + size]
        began = perf_counter()
        await app.records.commit(ChangeSet(bank, facts=tuple(part)))
        await app.indexer.catch_up(bank)
        middle = perf_counter()
        await app.embedder.embed([fact.text for fact in part])
        retaining, embedding = retaining + middle - began, embedding + perf_counter() - middle
    return len(some) / retaining, len(some) / embedding


async def fill(app: App, bank: str, some: Sequence[Fact], vectors: Vectors) -> None:
    """Store facts as if they had been retained, with these vectors and made-up cues."""
    new = [replace(fact, bank=bank) for fact in some]
    await _put(app, bank, "text", new, vectors)
    for start in range(0, len(new), _AT_ONCE):
        part = tuple(new[start : start + _AT_ONCE])
        await app.records.commit(ChangeSet(bank, facts=part))
        await app.records.indexed(bank, fact_ids(part))
    await foresee_all(app, bank, new, vectors)


async def foresee_all(app: App, bank: str, some: Sequence[Fact], vectors: Vectors) -> None:
    """Give stored facts cues that are made up."""
    await _put(app, bank, "cue", some, cue_vectors(vectors, _SEED))
    for start in range(0, len(some), _AT_ONCE):
        part = list(some[start : start + _AT_ONCE])
        imagined = cues(part)
        await app.records.foresee(bank, imagined, facts=fact_ids(part))
        await app.records.indexed(bank, [cue.id for cue in imagined])


async def _put(app: App, bank: str, part: Part, some: Sequence[Fact], vectors: Vectors) -> None:
    if part == "text":
        ids, dates = fact_ids(some), [fact.date for fact in some]
    else:
        ids = [cue.id for cue in cues(list(some))]
        dates = [fact.date for fact in some for _ in range(CUES_PER_FACT)]
    await app.index.put(bank, part, Entries(ids, vectors, dates))


async def grow(app: App, bank: str, there: Sequence[Fact], count: int) -> None:
    """Grow a bank of `there` to `count` facts, all with cues; new vectors lie between theirs."""
    vectors = await stored_vectors(app, bank, there)
    await foresee_all(app, bank, there, vectors)
    new = made_up(bank, count)[len(there) :]
    if new:
        await fill(app, bank, new, blended(vectors, len(new), _SEED))


async def stored_vectors(app: App, bank: str, some: Sequence[Fact]) -> Vectors:
    """The indexed vectors of these facts' texts, in order."""
    import numpy as np

    found = await app.index.vectors(bank, "text", fact_ids(some))
    return np.stack([found[fact.id] for fact in some])


def after(some: Sequence[Fact]) -> datetime:
    """A moment at which all of these facts had been said."""
    return max(fact.date for fact in some)
