"""Fusing named channels into one ranking, as pure functions over values (DESIGN §5).

A channel scores members of a bank (turns, or facts) for one query. `fuse` standardises each over
the bank and adds them, `with_neighbours` and `with_speaker` add what the log itself knows, and
`inherited` makes a channel for facts of the scores of the turns that they were made from.
Measured on LoCoMo, standardised scores beat reciprocal ranks (k = 60) at turns@20: .77 to .75.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from forethought.memory.words import words

# LoCoMo, 10 conversations, turns@10/@20: .2 to .5 give .73/.80 or better, 0 gives .72/.78.
NEIGHBOUR_SHARE = 0.4
# In standard deviations of one channel; LoCoMo: 2 gives .729/.797, 4 .739/.807, 0 .703/.770.
SPEAKER_BONUS = 3.0
# LoCoMo, facts@20: .2 to .4 are level, 0 (the facts' own texts alone) gives .05 less.
SOURCE_SHARE = 0.3

AROUND, SPEAKER = "around", "speaker"

_ROUNDING = 1e-9  # of the mean: what is flat, but for the last digits


@dataclass(frozen=True, slots=True)
class Channel:
    """One named channel's scores for one query.

    `mean` and `spread` (a standard deviation) are those of its scores over the whole bank; a member
    without a score has the score `absent`.
    """

    name: str
    scores: Mapping[str, float]
    mean: float
    spread: float
    absent: float = 0.0
    weight: float = 1.0

    def standardised(self, member: str) -> float:
        """Its score times the weight, in standard deviations above the bank's mean; 0 if flat."""
        if not self.spread:
            return 0.0
        score = self.scores.get(member, self.absent)
        return self.weight * (score - self.mean) / self.spread


def channel(name: str, scores: Mapping[str, float], *, population: int) -> Channel:
    """A channel that scores whatever matches, over a bank of `population` where the rest score 0.

    Raises ValueError where more match than there are.
    """
    if len(scores) > population:
        raise ValueError(f"{name}: {len(scores)} scores in a bank of {population}")
    if not population:
        return Channel(name, scores, 0.0, 0.0)
    mean = math.fsum(scores.values()) / population
    squares = math.fsum((score - mean) ** 2 for score in scores.values())
    squares += (population - len(scores)) * mean**2
    spread = math.sqrt(squares / population)
    return Channel(name, scores, mean, spread if spread > _ROUNDING * abs(mean) else 0.0)


def against_best(name: str, scores: Mapping[str, float], *, weight: float) -> Channel:
    """A channel whose best score counts `weight`, the others in proportion, what has none nothing.

    Neither the size of the bank nor the scale of a store's BM25 shifts it, and no more than the
    best few need be known (LoCoMo, turns@20, the best 100 alone: .794; standardised .795).
    """
    return Channel(name, scores, 0.0, max(scores.values(), default=0.0), weight=weight)


@dataclass(frozen=True, slots=True)
class Fused:
    """One member's standing: `score` is the sum of `terms`, each in standard deviations.

    `ranks` holds its place, from 1, in every channel that scored it.
    """

    member: str
    score: float
    terms: Mapping[str, float] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)

    def moved(self, term: str, by: float) -> Fused:
        """The same with one more term."""
        return replace(self, score=self.score + by, terms={**self.terms, term: by})


def fuse(members: Iterable[str], channels: Sequence[Channel]) -> list[Fused]:
    """Each member's standardised scores, added; in the order given."""
    ranks = {one.name: places(one.scores) for one in channels}
    return [_fused(member, channels, ranks) for member in members]


def _fused(
    member: str, channels: Sequence[Channel], ranks: Mapping[str, Mapping[str, int]]
) -> Fused:
    terms = {one.name: one.standardised(member) for one in channels}
    places = {name: of[member] for name, of in ranks.items() if member in of}
    return Fused(member, math.fsum(terms.values()), terms, places)


def places(scores: Mapping[str, float]) -> dict[str, int]:
    """The place of each by its score, from 1 for the highest; equal scores in the order given."""
    ordered = sorted(scores, key=lambda member: -scores[member])
    return {member: place for place, member in enumerate(ordered, start=1)}


def with_neighbours(
    found: Sequence[Fused],
    sessions: Iterable[Sequence[str]],
    *,
    share: float = NEIGHBOUR_SHARE,
) -> list[Fused]:
    """Each turn with a share of the scores of the turns right before and after it.

    `sessions` holds the turns of each session in order. What is asked for is often spread over a
    question and its answer, so that neighbours vouch for each other.
    """
    score = {one.member: one.score for one in found}
    around: dict[str, float] = {}
    for session in sessions:
        for earlier, later in pairwise(session):
            around[later] = around.get(later, 0.0) + score.get(earlier, 0.0)
            around[earlier] = around.get(earlier, 0.0) + score.get(later, 0.0)
    return [one.moved(AROUND, share * around.get(one.member, 0.0)) for one in found]


def with_speaker(
    found: Sequence[Fused],
    speakers: Mapping[str, str | None],
    query: str,
    *,
    bonus: float = SPEAKER_BONUS,
) -> list[Fused]:
    """Raise the turns of the one speaker whom the query names; none if it names several.

    `speakers` has the name of each turn's speaker, where it is known.
    """
    asked = named_in(query, {name for name in speakers.values() if name})
    return [
        one.moved(SPEAKER, bonus)
        if asked is not None and speakers.get(one.member) == asked
        else one
        for one in found
    ]


def named_in(query: str, names: Iterable[str]) -> str | None:
    """The one of `names` all of whose words are in `query`; None for none, or for several."""
    said = set(words(query))
    there = [name for name in names if (parts := set(words(name))) and parts <= said]
    return there[0] if len(there) == 1 else None


def inherited(
    name: str,
    turns: Iterable[Fused],
    sources: Mapping[str, Sequence[str]],
    *,
    share: float = SOURCE_SHARE,
) -> Channel:
    """A channel of facts: each has the score of the best of the turns it was made from.

    `sources` has the turns of each fact; one without a scored turn counts as average (0). Turn
    scores are in standard deviations already, so they are weighed (by `share`), not standardised.
    """
    score = {one.member: one.score for one in turns}
    best = {
        fact: max(score[turn] for turn in said if turn in score)
        for fact, said in sources.items()
        if any(turn in score for turn in said)
    }
    return Channel(name, best, mean=0.0, spread=1.0, weight=share)


def best_first(found: Sequence[Fused]) -> list[Fused]:
    """The highest score first; equal scores in the order given."""
    return sorted(found, key=lambda one: -one.score)
