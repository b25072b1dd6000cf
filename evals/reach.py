"""The figures that must be reached on the shared data sets (issue 1), and what falls short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from forethought.memory.errors import ForethoughtError

Figures = Mapping[str, Mapping[str, float]]
"""Measured or wanted figures by row (method or rule) and column."""

MINI: Figures = {
    "foresight": {
        "recall@20": 0.72, "recall@28": 0.79, "exact@28": 0.38,
        "lookups@5": 0.91, "lookups@20": 0.96,
    },
    "pgr-base+foresight": {"recall@20": 0.86, "recall@28": 0.90, "exact@28": 0.60},
    "pgr-iterative+foresight": {"recall@20": 0.92, "recall@28": 0.95, "exact@28": 0.78},
}  # fmt: skip
"""Of `eval mini` on memoryquest-mini with the bundled embedder and the recorded replies."""

FORESIGHT: Figures = {
    "forethought": {
        "mini plans@20": 0.72, "mini lookups@5": 0.91, "LoCoMo conv-26@20": 0.65,
        "LongMemEval preference@5": 0.68, "LongMemEval lookups@5": 0.75,
    },
}  # fmt: skip
"""Of `eval foresight`: one setting for both kinds of question, on more than the mini set."""


LOCOMO: Figures = {"hybrid": {"turns@10": 0.72, "turns@20": 0.79, "facts@20": 0.72}}
"""Of `eval locomo`, with the bundled embedder and no model."""

_EXTRACTED: Mapping[str, float] = {
    "clean/hard": 0.90, "overloaded/hard": 0.85, "paraphrase/hard": 0.90,
}  # fmt: skip
_EXTRACTED_5: Mapping[str, float] = {
    "clean/hard": 0.95, "overloaded/hard": 0.90, "paraphrase/hard": 0.95,
}  # fmt: skip
PROSPECTIVE: Figures = {
    "W=0.3": {"clean/hard": 0.95, "overloaded/hard": 0.95, "paraphrase/hard": 0.95},
    "floor": {"clean/hard": 1.0, "overloaded/hard": 1.0, "paraphrase/hard": 1.0},
    "extracted floor": _EXTRACTED,
    "extracted floor 5%": _EXTRACTED_5,
    "one ledger": {"clean@3": 0.95, "overloaded@3": 0.85, "paraphrase@3": 0.90},
}
"""Of `eval prospective`, with the bundled embedder and the recorded extractions (issue 6)."""


class NotReached(ForethoughtError):
    """A measured figure is below what must be reached; the message lists each."""


def missed(measured: Figures, wanted: Figures) -> list[str]:
    """What falls short, one line each; a wanted row that was not measured is not held against it.

    A wanted column of a measured row must be there.
    """
    return [
        f"{row}: {column} is {_shown(measured[row].get(column))}, to reach {figure:.2f}"
        for row, columns in wanted.items()
        if row in measured
        for column, figure in columns.items()
        if measured[row].get(column, -1.0) < figure
    ]


class Reported(Protocol):
    """A report whose figures are held against what must be reached."""

    @property
    def measured(self) -> Figures:
        """The figures of the report."""

    @property
    def wanted(self) -> Figures:
        """Those that must be reached."""


def assert_reached(report: Reported) -> None:
    """Raise NotReached that lists what `missed` finds; also where nothing wanted was measured."""
    measured, wanted = report.measured, report.wanted
    if not any(row in measured for row in wanted):
        raise NotReached(f"nothing to compare: none of {', '.join(wanted)} was measured")
    if short := missed(measured, wanted):
        raise NotReached("below what must be reached:\n  " + "\n  ".join(short))


def _shown(figure: float | None) -> str:
    return "missing" if figure is None else f"{figure:.4f}"
