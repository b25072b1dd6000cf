"""`eval learning`: does an answer that cited facts help a later, similar request, and harm none?

Each plan of the mini set is asked twice: as it stands, and in other words, as another day's user
would put it (`paraphrases.jsonl`, ours). The first is learned from, the second is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forethought.evals.banks import foresee, import_facts, open_apart, recorded_cues
from forethought.evals.learning_data import Plan, Taught, taught_pools
from forethought.evals.measuring import Progress
from forethought.evals.metrics import mean, ranks, recall_at
from forethought.evals.pools import Question
from forethought.evals.report import table
from forethought.graphs.app import App
from forethought.graphs.settings import Settings
from forethought.memory.learning import Use
from forethought.nodes.context import Context

if TYPE_CHECKING:
    from rich.table import Table

READ = 20  # facts read of a plan's, as elsewhere
SECOND, OTHERS = f"second@{READ}", f"others@{READ}"
_LOOKUPS = ("look-ups@5", "look-ups@20")
ASIDE = 3  # facts that an answer cites beside what was needed: a model is not always right

NOTHING = "nothing learned"
FOUND = "cited: what was needed and found"
WRONG = f"… and {ASIDE} facts not needed"
LOOKED_UP = "… and all look-ups learned, too"
ALL = "cited: all that was needed"
_CITING = (FOUND, WRONG, LOOKED_UP, ALL)


@dataclass(slots=True)
class Tally:
    """Recalls of one row, by column."""

    recalls: dict[str, list[float]] = field(default_factory=dict)
    cues: int = 0

    def add(self, column: str, found: Sequence[str], needed: Sequence[frozenset[str]]) -> None:
        """Count what was found of what was needed among as many facts as the column says."""
        k = int(column.rpartition("@")[2])
        self.recalls.setdefault(column, []).append(recall_at(k, ranks(found, needed)))

    def figures(self) -> dict[str, float]:
        """Means, to four digits."""
        means = {column: round(mean(values), 4) for column, values in self.recalls.items()}
        return {**means, "cues": self.cues}


@dataclass(frozen=True, slots=True)
class LearningReport:
    """Recall with and without learning, by what the first answers cited."""

    rows: dict[str, dict[str, float]]
    plans: int
    lookups: int
    skipped: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {
            "learning": self.rows,
            "plans": self.plans,
            "lookups": self.lookups,
            "skipped": list(self.skipped),
        }

    def table(self) -> Table:
        """One row for each thing that answers may have cited."""
        columns = [SECOND, OTHERS, *_LOOKUPS, "cues"]
        note = (
            "second: a plan in other words, after an answer to it was learned from. others: the "
            "same after all other plans of the user were learned from, but not it; look-ups after "
            "all plans were. cues: how many were learned then."
        )
        title = f"Learning from use: {self.plans} plans asked twice, {self.lookups} look-ups"
        return table(title, self.rows, columns, note="\n".join((note, *self.skipped)))


async def run_learning(
    folder: Path, *, settings: Settings, progress: Progress | None = None
) -> LearningReport:
    """Measure on the users of the mini set in `folder`; no model is needed.

    Raises InvalidInput for a damaged folder, and where no plan of it has a paraphrase.
    """
    banks, skipped = taught_pools(folder)
    tallies = {name: Tally() for name in (NOTHING, *_CITING)}
    async with open_apart(settings) as app:
        for done, bank in enumerate(banks, start=1):
            await _measured(app, bank, tallies)
            if progress:
                progress(bank.pool.bank, done, len(banks))
    return LearningReport(
        {name: tally.figures() for name, tally in tallies.items()},
        plans=sum(len(bank.plans) for bank in banks),
        lookups=sum(len(bank.lookups) for bank in banks),
        skipped=skipped,
    )


async def _measured(app: App, bank: Taught, tallies: dict[str, Tally]) -> None:
    pool = bank.pool
    await import_facts(app, pool.bank, pool.facts, pool.conversations)
    await foresee(app, pool.bank, recorded_cues(pool.cues))
    asking = _Asking(app, bank)
    firsts = [await asking.found(plan.first, plan.now) for plan in bank.plans]
    for plan in bank.plans:
        found = await asking.found(plan.second, plan.now)
        for column in (SECOND, OTHERS):
            tallies[NOTHING].add(column, found, plan.needed)
    await asking.look_up(tallies[NOTHING])
    for name in _CITING:
        uses = [_use(name, *one) for one in zip(bank.plans, firsts, strict=True)]
        looked_up = name == LOOKED_UP
        beside = [await asking.looked_up(one) for one in bank.lookups] if looked_up else []
        await asking.measure(uses, beside, tallies[name])
        if not looked_up:  # asked again as they were, they would tell nothing
            await asking.look_up(tallies[name])
    await asking.teach([])


def _use(citing: str, plan: Plan, found: Sequence[str]) -> Use:
    """The first request as an answer would be given that cites so much."""
    needed = [fact for facts in plan.needed for fact in sorted(facts)]
    if citing == ALL:
        return Use(plan.first, needed, plan.now)
    cited = [fact for fact in needed if fact in found]
    aside = [fact for fact in found if fact not in needed]
    return Use(plan.first, [*cited, *aside[: ASIDE if citing == WRONG else 0]], plan.now)


@dataclass(frozen=True, slots=True)
class _Asking:
    """Teaches one bank and asks it."""

    app: App
    bank: Taught

    async def found(self, request: str, now: datetime) -> list[str]:
        """The facts that an answer would be given, best first."""
        limit = Context().limit
        found = await self.app.recall.recall(self.bank.pool.bank, request, now=now, limit=limit)
        return [hit.fact.id for hit in found.hits]

    async def looked_up(self, item: Question) -> Use:
        """A look-up whose answer cited what it asks for."""
        now = item.now or self.bank.latest
        found = await self.found(item.text, now)
        needed = [fact for facts in item.needed for fact in facts if fact in found]
        return Use(item.text, needed, now)

    async def measure(self, uses: Sequence[Use], beside: Sequence[Use], tally: Tally) -> None:
        """Ask with one use learned and with all but one, `beside` always; all are learned then."""
        for number, plan in enumerate(self.bank.plans):
            cases = {SECOND: [uses[number]], OTHERS: [*uses[:number], *uses[number + 1 :]]}
            for column, some in cases.items():
                await self.teach([*beside, *some])
                tally.add(column, await self.found(plan.second, plan.now), plan.needed)
        await self.teach([*beside, *uses])
        tally.cues += len(await self._learned())

    async def look_up(self, tally: Tally) -> None:
        """Ask all look-ups."""
        for item in self.bank.lookups:
            found = await self.found(item.text, item.now or self.bank.latest)
            for column in _LOOKUPS:
                tally.add(column, found, item.needed)

    async def teach(self, uses: Sequence[Use]) -> None:
        """Have learned from these uses and no others."""
        bank = self.bank.pool.bank
        await self.app.records.unlearn(bank, await self._learned())
        await self.app.indexer.purge(bank)
        for use in uses:
            await self.app.learner.learn(bank, use)
        await self.app.indexer.catch_up(bank)

    async def _learned(self) -> list[str]:
        records, bank = self.app.records, self.bank.pool.bank
        cues = await records.cues(bank, [fact.id for fact in self.bank.pool.facts])
        return [cue.id for cue in cues if cue.learned is not None]
