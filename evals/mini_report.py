"""The figures of `eval mini`, as data and as a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from forethought.evals.metrics import exact_at, mean, recall_at
from forethought.evals.reach import MINI, Figures
from forethought.evals.report import table

if TYPE_CHECKING:
    from rich.table import Table

KS = (10, 20, 28, 35)  # facts read; PGR's first phase finds 27 and all of it 35 (Table 7)
LOOKUP_KS = (5, 20)  # a question for a fact wants it among the first few


@dataclass(slots=True)
class Outcome:
    """What one method found, question by question: ranks of references, facts found, calls.

    `ahead` and `lookups_ahead` say of which plans and look-ups it imagined how they may unfold.
    """

    plans: list[list[int | None]] = field(default_factory=list)
    lookups: list[list[int | None]] = field(default_factory=list)
    found: list[float] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)
    ahead: list[bool] = field(default_factory=list)
    lookups_ahead: list[bool] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """Means over the questions, by the names that `--json` prints."""
        figures: dict[str, float] = {}
        for k in KS:
            figures[f"recall@{k}"] = mean([recall_at(k, found) for found in self.plans])
        for k in KS:
            figures[f"exact@{k}"] = mean([exact_at(k, found) for found in self.plans])
        figures |= {"found": mean(self.found), "calls": mean(self.calls), "ahead": mean(self.ahead)}
        for k in LOOKUP_KS if self.lookups else ():
            figures[f"lookups@{k}"] = mean([recall_at(k, found) for found in self.lookups])
        if self.lookups:
            figures["lookups ahead"] = mean(self.lookups_ahead)
        return {name: round(value, 4) for name, value in figures.items()}


@dataclass(frozen=True, slots=True)
class MiniReport:
    """The figures of every method, and how they were come by.

    `trees` and `cues` say who imagined: `recorded`, `model`, or `none`. `skipped` names whatever
    could not be used.
    """

    methods: dict[str, dict[str, float]]
    users: int
    queries: int
    lookups: int
    trees: str
    cues: str
    matching: str
    skipped: tuple[str, ...] = ()

    @property
    def measured(self) -> Figures:
        """See `reach.Reported`."""
        return self.methods

    @property
    def wanted(self) -> Figures:
        """What the mini set must reach; other data sets have no such figures."""
        return MINI

    def plain(self) -> dict[str, Any]:
        """As JSON-able data; `methods` first, figures rounded to four digits."""
        makers = {self.trees, self.cues} - {"none"}
        return {
            "methods": self.methods,
            "users": self.users,
            "queries": self.queries,
            "lookups": self.lookups,
            "replies": "model" if "model" in makers else "recorded" if makers else "none",
            "trees": self.trees,
            "cues": self.cues,
            "matching": self.matching,
            "skipped": list(self.skipped),
        }

    def table(self) -> Table:
        """One row a method."""
        columns = ["calls", "ahead", "found", *(f"recall@{k}" for k in KS), "exact@28"]
        if self.lookups:
            columns += [*(f"lookups@{k}" for k in LOOKUP_KS), "lookups ahead"]
        title = f"MemoryQuest: {self.queries} plans of {self.users} users, {self.lookups} look-ups"
        note = (
            f"Trees: {self.trees}; cues: {self.cues}; references matched: {self.matching}. "
            "Calls are those of imagine and refine, at question time; ahead is the share of plans, "
            "and of look-ups, that were thought about."
        )
        if self.trees == "recorded" and any(name.startswith("cot") for name in self.methods):
            note += " No chain was recorded: cot follows the recorded trees, depth first."
        return table(title, self.methods, columns, note=note)
