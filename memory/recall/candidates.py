"""What probes found so far, and how it ranks, as plain values (PGR §3.3, R and Δ)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Candidate(NamedTuple):
    """One fact's standing: `probe` is its best score over all probes so far, `by` that step.

    Scores are in standard deviations over the bank. `foresight` is the score of its cues for the
    request itself, `cue` the position of the best one; None where foresight is not used, where the
    fact stands too far down, or until its cues are fetched. A tuple, since a round makes hundreds.
    """

    probe: float
    by: str
    round: int
    foresight: float | None = None
    cue: int | None = None

    @property
    def score(self) -> float:
        """Query part and probe part, added (both standardised: DESIGN §5)."""
        return self.probe + (self.foresight or 0.0)


def merged(before: Mapping[str, Candidate], found: Mapping[str, Candidate]) -> dict[str, Candidate]:
    """Each fact at its best: over probes and rounds the best score counts, never a sum of ranks.

    A sum buries what a single imagined step found (measured: recall@20 .52 against .72).
    """
    result = dict(before)
    for fact, new in found.items():
        old = result.get(fact)
        if old is None:
            result[fact] = new
        elif new.probe > old.probe or new.foresight is not None:
            best = new if new.probe > old.probe else old
            known = old if old.foresight is not None else new
            result[fact] = Candidate(best.probe, best.by, best.round, known.foresight, known.cue)
    return result


def to_rows(candidates: Mapping[str, Candidate]) -> dict[str, list[Any]]:
    """Candidates as plain data, a short row each: checkpoints hold hundreds of them."""
    return {fact: list(at) for fact, at in candidates.items()}


def from_rows(rows: Mapping[str, Any]) -> dict[str, Candidate]:
    """What `to_rows` was given; rows with names are an earlier version's."""
    return {
        fact: Candidate(*row) if isinstance(row, list) else Candidate(**row)
        for fact, row in rows.items()
    }


@dataclass(frozen=True, slots=True)
class Placed:
    """A candidate as its terms place it: they raise its score `by`, in standard deviations too.

    `terms` has what each of them says, by name.
    """

    at: Candidate
    by: float = 0.0
    terms: Mapping[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """What it ranks by in the end."""
        return self.at.score + self.by


def ranked(candidates: Mapping[str, Candidate]) -> list[str]:
    """Fact ids, best first; equal scores by id, so that a run repeats itself exactly."""
    return [fact for _, fact in sorted((-at.score, fact) for fact, at in candidates.items())]


@dataclass(frozen=True, slots=True)
class Probed:
    """What one probe recalled: up to K facts with a cosine of at least τ, best first."""

    step: str
    facts: tuple[str, ...]
    cosines: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """One round of probing: each probe's own recall, and every candidate at its best so far.

    `texts` are those of the facts it found that hold.
    """

    probed: tuple[Probed, ...]
    candidates: dict[str, Candidate]
    texts: Mapping[str, str]


def grown(recalled: Sequence[str], probed: Sequence[Probed]) -> tuple[list[str], int]:
    """R with what is new appended in the order found, and |Δ|, how much that is."""
    result = dict.fromkeys(recalled)
    result.update(dict.fromkeys(fact for probe in probed for fact in probe.facts))
    return list(result), len(result) - len(set(recalled))
