"""`eval foresight`: does one way to join texts and cues hold on plans and on look-ups (issue 1)?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forethought.evals.banks import foresee, import_facts, open_apart, recorded_cues
from forethought.evals.measuring import Progress
from forethought.evals.metrics import mean, ranks, recall_at
from forethought.evals.pools import (
    COLUMNS,
    Pool,
    Question,
    locomo_pool,
    longmemeval_pool,
    mini_pools,
)
from forethought.evals.reach import FORESIGHT, Figures
from forethought.evals.report import table
from forethought.evals.rules import RULES, Scores, best_first, two_best
from forethought.graphs.app import App
from forethought.graphs.settings import Settings
from forethought.memory.embedding import Embedder, Vectors
from forethought.memory.errors import InvalidInput
from forethought.memory.ids import same_text

if TYPE_CHECKING:
    from rich.table import Table

SHIPPED = "forethought"
"""The row of the rule that recall uses, measured through it over real stores."""
AHEAD = "share thought about (auto)"
"""The row that says how many of the questions mode `auto` would think ahead about."""

SETS: dict[str, Callable[[Path], Iterator[Pool]]] = {
    "memoryquest-mini": mini_pools,
    "locomo": lambda folder: iter([locomo_pool(folder)]),
    "longmemeval": lambda folder: iter([longmemeval_pool(folder)]),
}


@dataclass(frozen=True, slots=True)
class ForesightReport:
    """Recall by rule and column; `skipped` names the data sets that are not there."""

    rules: dict[str, dict[str, float]]
    questions: dict[str, int]
    skipped: tuple[str, ...] = ()

    @property
    def measured(self) -> Figures:
        """See `reach.Reported`."""
        return self.rules

    @property
    def wanted(self) -> Figures:
        """What the shipped rule must reach."""
        return FORESIGHT

    def plain(self) -> dict[str, Any]:
        """As JSON-able data; figures rounded to four digits."""
        return {"rules": self.rules, "questions": self.questions, "skipped": list(self.skipped)}

    def table(self) -> Table:
        """One row a rule, and what is to be reached."""
        columns = [column for column in COLUMNS if column in self.questions]
        rows = {**self.rules, "reach": FORESIGHT[SHIPPED]}
        counts = ", ".join(f"{self.questions[column]} {column}" for column in columns)
        notes = [f"Questions: {counts}.", *self.skipped]
        return table("Recall with foresight", rows, columns, note="\n".join(notes))


async def run_foresight(
    data: Path, *, settings: Settings, progress: Progress | None = None
) -> ForesightReport:
    """Measure the shipped rule and the others on the data sets in the folder `data`.

    A set that is not there is skipped. Raises InvalidInput for a damaged one and for none at all.
    """
    there = [name for name in SETS if (data / name).is_dir()]
    if not there:
        raise InvalidInput(f"{data}: expected a folder with {', '.join(SETS)} in it, found none")
    pools = [pool for name in there for pool in SETS[name](data / name)]
    tally = _Tally()
    async with open_apart(settings) as app:
        for done, pool in enumerate(pools, start=1):
            await _baselines(pool, app.embedder, tally)
            await _shipped(pool, app, tally)
            if progress:
                progress(pool.bank, done, len(pools))
    missing = tuple(
        f"{data / name} is not there: its columns are left out"
        for name in SETS
        if name not in there
    )
    return tally.report(missing)


@dataclass(frozen=True, slots=True)
class _Tally:
    """Recalls so far by rule and column."""

    recalls: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def add(self, rule: str, question: Question, found: Sequence[str]) -> None:
        """Count what `rule` found for `question`, ids best first."""
        self._note(rule, question, recall_at(question.k, ranks(found, question.needed)))

    def read(self, question: Question, *, ahead: bool) -> None:
        """Count whether mode `auto` thinks ahead about `question`."""
        self._note(AHEAD, question, float(ahead))

    def _note(self, row: str, question: Question, value: float) -> None:
        self.recalls.setdefault(row, {}).setdefault(question.column, []).append(value)

    def report(self, skipped: tuple[str, ...]) -> ForesightReport:
        """The means."""
        rules = {
            rule: {column: round(mean(values), 4) for column, values in columns.items()}
            for rule, columns in self.recalls.items()
        }
        counts = {column: len(values) for column, values in self.recalls[SHIPPED].items()}
        return ForesightReport(rules, counts, skipped)


async def _baselines(pool: Pool, embedder: Embedder, tally: _Tally) -> None:
    """Every other rule over the exact vectors of all facts that had been said."""
    import numpy as np

    texts = await embedder.embed([fact.text for fact in pool.facts])
    cues = [await embedder.embed(pool.cues[fact.text]) for fact in pool.facts]
    for question in pool.questions:
        (query,) = await embedder.embed([question.text])
        said = np.array([question.now is None or f.date <= question.now for f in pool.facts])
        text, cue = texts @ query, two_best(_cosines(cues, query))
        for name, rule in RULES.items():
            order = best_first(np.where(said, rule(text, cue), -np.inf))
            tally.add(name, question, [pool.facts[row].id for row in order])


def _cosines(cues: Sequence[Vectors], query: Vectors) -> Scores:
    """Cosines of each fact's cues with the query, shape (facts, most cues), -inf for none."""
    import numpy as np

    cosines = np.full((len(cues), max(map(len, cues))), -np.inf, dtype=np.float32)
    flat = np.concatenate(list(cues)) @ query
    cosines[np.arange(cosines.shape[1]) < np.array([len(some) for some in cues])[:, None]] = flat
    return cosines


async def _shipped(pool: Pool, app: App, tally: _Tally) -> None:
    """Recall itself, over a bank that was imported and foreseen like any other."""
    await import_facts(app, pool.bank, pool.facts, pool.conversations)
    await foresee(app, pool.bank, recorded_cues(pool.cues))
    # what was said twice is one fact in a bank, under the id of the first
    stored = {same_text(fact.text): fact.id for fact in await app.records.facts(pool.bank)}
    kept = {fact.id: stored[same_text(fact.text)] for fact in pool.facts}
    latest = max(fact.date for fact in pool.facts)
    for question in pool.questions:
        now = question.now or latest
        found = await app.recall.recall(pool.bank, question.text, now=now, limit=question.k)
        reading = await app.recall.reading(pool.bank, question.text)
        tally.read(question, ahead=reading.thinks_ahead)
        needed = tuple(frozenset(kept[fact] for fact in facts) for facts in question.needed)
        tally.add(SHIPPED, replace(question, needed=needed), [hit.fact.id for hit in found.hits])
