"""What `eval prospective` prints, as data and as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from forethought.evals.prospective_rows import Row
from forethought.evals.reach import PROSPECTIVE, Figures
from forethought.evals.report import table

if TYPE_CHECKING:
    from rich.table import Table

LEDGER = "one ledger"


@dataclass(frozen=True, slots=True)
class ProspectiveReport:
    """Recall@5 by method and kind of trigger; `ledger` is how often the right entry comes first.

    `counts` says of how many blueprints, hard ones, pairs of another turn and an open trigger,
    and entries.
    """

    methods: dict[str, Row]
    ledger: Row
    counts: dict[str, int]

    @property
    def measured(self) -> Figures:
        """See `reach.Reported`."""
        return {**self.methods, LEDGER: self.ledger}

    @property
    def wanted(self) -> Figures:
        """What must be reached (issue 6)."""
        return PROSPECTIVE

    def plain(self) -> dict[str, Any]:
        """As JSON-able data; figures rounded to four digits."""
        return {
            "methods": {name: _rounded(row) for name, row in self.methods.items()},
            LEDGER: _rounded(self.ledger),
            "counts": self.counts,
        }

    def table(self) -> Table:
        """One row a method; what the one ledger shows stands below."""
        columns = list(next(iter(self.methods.values())))
        first = ", ".join(f"{name} {share:.2f}" for name, share in self.ledger.items())
        counts = ", ".join(f"{number} {name}" for name, number in self.counts.items())
        note = f"One ledger of all, the right entry among the first: {first}.\nCounts: {counts}."
        return table("Commitments: recall@5", self.methods, columns, note=note)


def _rounded(row: Row) -> Row:
    return {column: round(value, 4) for column, value in row.items()}
