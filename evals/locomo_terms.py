"""`eval locomo --terms`: what each ranking term does to the evidence found; no model is called.

What the terms go by is in the data set or made of it by rule, never from a question's answer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forethought.evals.banks import open_apart
from forethought.evals.dialogues import Asked, dialogues
from forethought.evals.locomo_bank import Bank
from forethought.evals.measuring import Progress
from forethought.evals.metrics import mean, ranks, recall_at
from forethought.evals.report import table
from forethought.evals.tagging import dimensions_of, tense_of
from forethought.graphs.settings import Settings
from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.recall.channels import Channels
from forethought.memory.recall.terms import Bearing, Weights
from forethought.memory.salience import WEIGHTS

if TYPE_CHECKING:
    from rich.table import Table

_READ = 20
FACTS, GAIN = "facts@20", "gain"
DENSE = Channels.chosen(hybrid=False, foresight=False)
HYBRID = Channels.chosen(hybrid=True, foresight=False)
OFF = Weights(prospective=0.0)
SHARES = (0.05, 0.1, 0.2)
"""1 - λ of the profile; PPRO has .2."""


@dataclass(frozen=True, slots=True)
class Row:
    """One way to rank: weights, and what they go by where there is a choice.

    `salience` are the components that it is made of, with their weights, and `dimensions` reads
    those of a question. A row by all channels of recall is held against `hybrid`, others `dense`.
    """

    weights: Weights = OFF
    salience: Mapping[str, float] = field(default_factory=dict)
    dimensions: Callable[[str], Dimensions] | None = None
    hybrid: bool = False


def _rows() -> dict[str, Row]:
    boosted = replace(OFF, dimensions=0.05)  # PPRO B.3
    salient = replace(OFF, salience=0.3)  # PT §3.1: the same W
    alone = {f"salience of {name} alone": Row(salient, {name: 1.0}) for name in WEIGHTS}
    profile = {f"profile, λ = {1 - share:.2g}": share for share in SHARES}
    mine = {
        "prospective, W = .3": Row(Weights()),
        "salience, W = .3": Row(salient, WEIGHTS),
        "profile, λ = 0.8": Row(replace(OFF, profile=0.2)),
        "dimensions, + .05: tense": Row(boosted, dimensions=tense_of),
        "dimensions, + .05: all three": Row(boosted, dimensions=dimensions_of),
    }
    more = {name: Row(replace(OFF, profile=share)) for name, share in profile.items()}
    hybrid = {f"hybrid, {name}": replace(row, hybrid=True) for name, row in mine.items()}
    return {
        "dense": Row(), **mine, **alone, **more, "hybrid": Row(hybrid=True), **hybrid,
    }  # fmt: skip


ROWS: Mapping[str, Row] = _rows()


@dataclass(frozen=True, slots=True)
class TermsReport:
    """Recall by row, and what it gains on the row without terms; `counts` of what they went by."""

    rows: dict[str, dict[str, float]]
    counts: dict[str, int]

    def plain(self) -> dict[str, Any]:
        """As JSON-able data, figures rounded to four digits."""
        return {"terms": self.rows, "counts": self.counts}

    def table(self) -> Table:
        """One row a way to rank."""
        known = ", ".join(f"{count} {what}" for what, count in self.counts.items())
        note = (
            f"Share of the evidence among {_READ} facts, the published observations; {known}. "
            "Commitments by rule; profile: the mean of what was observed of the speaker whom the "
            "question names, or of both; dimensions by rule; salience by links, dates and kinds."
        )
        return table("LoCoMo: ranking terms", self.rows, (FACTS, GAIN), note=note, head="rank by")


async def run_terms(
    path: Path, *, settings: Settings, progress: Progress | None = None,
    rows: Mapping[str, Row] = ROWS,
) -> TermsReport:  # fmt: skip
    """Measure each of `rows` on the conversations in `path`, by recall. Raises InvalidInput."""
    talks = dialogues(path)
    recalls: dict[str, list[float]] = {name: [] for name in rows}
    counts = {"conversations": len(talks), "questions": 0, "commitments": 0, "firings": 0}
    async with open_apart(settings) as app:
        for done, talk in enumerate(talks, start=1):
            bank = await Bank.filled(app, talk)
            counts["commitments"] += bank.promised
            counts["questions"] += len(talk.asked)
            for name, row in rows.items():
                async for asked in _prepared(bank, row):
                    bearing = await _bearing(bank, row, asked)
                    counts["firings"] += bool(bearing.firing) and not row.hybrid
                    recalls[name].append(await _recalled(bank, row, asked, bearing))
            if progress:
                progress(talk.bank, done, len(talks))
    return TermsReport(_figures(recalls, rows), counts)


async def _prepared(bank: Bank, row: Row) -> AsyncIterator[Asked]:
    """The questions, once the bank is as this row wants it."""
    if row.salience:
        await bank.weigh(row.salience)
    if not row.weights.profile:
        for asked in bank.talk.asked:
            yield asked
        return
    for speaker in (*bank.speakers, None):
        await bank.profile(speaker)
        for asked in bank.talk.asked:
            if bank.named(asked) == speaker:
                yield asked


async def _bearing(bank: Bank, row: Row, asked: Asked) -> Bearing:
    firing = await bank.firing(asked) if row.weights.prospective else frozenset[str]()
    wanted = row.dimensions(asked.text) if row.dimensions else UNSAID
    return Bearing(row.weights, firing, dimensions=wanted)


async def _recalled(bank: Bank, row: Row, asked: Asked, bearing: Bearing) -> float:
    found = await bank.app.recall.recall(
        bank.talk.bank, asked.text, now=bank.now, limit=_READ,
        channels=HYBRID if row.hybrid else DENSE, bearing=bearing,
    )  # fmt: skip
    place = ranks([hit.fact.id for hit in found.hits], bank.log.facts_of(asked.evidence))
    return recall_at(_READ, place)


def _figures(
    recalls: Mapping[str, Sequence[float]], rows: Mapping[str, Row]
) -> dict[str, dict[str, float]]:
    found = {name: mean(values) for name, values in recalls.items()}
    return {
        name: {
            FACTS: round(recall, 4),
            GAIN: round(recall - found["hybrid" if rows[name].hybrid else "dense"], 4),
        }
        for name, recall in found.items()
    }
