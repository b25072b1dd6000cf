"""Reports as tables for people; each report's `plain` is the same as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

Row = Mapping[str, float]

_COUNTS = {"calls", "found", "measured", "against", "cues"}  # columns whose values are no shares


def table(
    title: str,
    rows: Mapping[str, Row],
    columns: Sequence[str],
    *,
    note: str = "",
    head: str = "method",
) -> Table:
    """One row a name, one column a measure, `–` where a row lacks it; `note` stands below."""
    from rich.table import Table

    drawn = Table(title=title, caption=note or None, caption_justify="left", title_justify="left")
    drawn.add_column(head, no_wrap=True)
    for column in columns:
        drawn.add_column(column.replace("@", "\n@"), justify="right")  # narrow
    for name, row in rows.items():
        drawn.add_row(name, *(figure(row.get(column), column) for column in columns))
    return drawn


def figure(value: float | None, column: str) -> str:
    """A share as .868, a count as 40.9."""
    if value is None:
        return "–"
    if column in _COUNTS:
        return f"{value:.1f}"
    return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.3f}"
