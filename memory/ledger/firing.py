"""Which commitments a turn brings to mind: by their day, or by what is said; no model is called.

A commitment's cues are imagined turns; a turn is like them more or less, and some cues are like all
that a user says (a beekeeper's are about bees). So each cue counts by how much nearer the turn is
than what the user usually says. The constants were chosen on 30 blueprints (`forethought eval
prospective`); ARCHITECTURE, "Commitments", says how flat each is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date as Day
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

from forethought.memory.embedding import unit
from forethought.memory.ledger.types import Commitment
from forethought.memory.terms import sought

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from forethought.memory.embedding import Vectors

    Values: TypeAlias = "NDArray[np.float64]"

LEAD = 2
"""Days before its day on which a commitment comes to mind (issue 6): time to do it in."""

THRESHOLD = 0.41
"""Score from which a turn meets a condition: at most 2 % of the same user's other turns do."""

_HIDDEN = 0.12
"""Clauses count where the whole turn is not farther than this below the threshold. Of 45 triggers
that fire none is farther than .08; of 344 pairs of any turn and condition that fire, 8 are."""

_BEST = 5  # of a dozen cues: the situation must be right, not one sentence; 4 to 6 are level
_WHOLE = 0.4  # weight of the turn as a whole beside its best clause; .3 to .5 are level
_WHOLE_BEST = 3  # cues that count for the whole turn
_WORD = 0.02  # for a word that the user has not said yet, of those in cues; .015 to .025 are level
_MOST_WORDS = 8.0  # that count: in a turn of a page some word of every cue is said
_PRIOR = 5.0  # turns that the expected cosine counts as much as, before much was said; 3 to 8
_EXPECTED = 0.15  # cosine of a cue with a turn of no concern, its best clause counting; .1 to .2

Why = Literal["day", "turn"]

Scores: TypeAlias = "list[tuple[float, str | None]]"
"""How well a turn meets each entry, and the cue that is nearest to it (None without cues)."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A commitment with what a turn is held against.

    `cues` are its cues' texts; where none were imagined, its condition and its action. `vectors`
    are theirs, in order, shape (cues, dimension).
    """

    commitment: Commitment
    cues: tuple[str, ...]
    vectors: Vectors
    terms: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Stem the words of the cues once."""
        said = {term for cue in self.cues for term in sought(cue)}
        object.__setattr__(self, "terms", frozenset(said))


@dataclass(frozen=True, slots=True)
class Heard:
    """The user's current turn: its text, and the vectors of its `parts`, the whole first.

    `said` has those, then one for each two clauses on end: what lies between theirs, which fires
    as their text embedded once more does (ARCHITECTURE) and takes no time.
    """

    text: str
    vectors: Vectors
    said: Vectors = field(init=False)

    def __post_init__(self) -> None:
        """Put neighbouring clauses together once."""
        import numpy as np

        clauses = self.vectors[1:]
        paired = unit(clauses[:-1] + clauses[1:])
        object.__setattr__(self, "said", np.concatenate([self.vectors, paired]))


@dataclass(frozen=True, slots=True)
class Usual:
    """What the user usually says, of so many `turns` (the current one not among them).

    `total` is the sum of their vectors, `words` in how many of them each stemmed word is. Take the
    latest few dozen: measured with up to 14, and more turns of other matters make more fire
    wrongly (ARCHITECTURE). Without any, what is expected of anybody counts.
    """

    turns: int = 0
    total: Vectors | None = None
    words: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class At:
    """A moment (aware UTC), and the day that it is for the user."""

    now: datetime
    on: Day


@dataclass(frozen=True, slots=True)
class Rule:
    """When a commitment fires: `lead` days before its day, and at which score of a turn."""

    lead: int = LEAD
    threshold: float = THRESHOLD


DEFAULT = Rule()


@dataclass(frozen=True, slots=True)
class Firing:
    """A commitment that comes to mind, and why: its day, or the turn.

    `score` is comparable among the entries of one turn: what `THRESHOLD` is held against; `cue`
    the cue (or condition) that is nearest to the turn. On its day, without a turn, the score is 0.
    """

    commitment: Commitment
    why: Why
    score: float = 0.0
    cue: str | None = None


def spelled(commitment: Commitment) -> tuple[str, ...]:
    """What stands for cues where none were imagined: the condition and the action."""
    return tuple(filter(None, (commitment.condition, commitment.action)))


def usual(texts: Sequence[str], vectors: Vectors) -> Usual:
    """What turns with these texts and vectors, shape (texts, dimension), have in common."""
    if not texts:
        return Usual()
    counted = Counter(term for text in texts for term in set(sought(text)))
    return Usual(len(texts), vectors.sum(axis=0), dict(counted))


def dated(commitment: Commitment, on: Day, *, lead: int = LEAD) -> bool:
    """Whether its day has come, or is at most `lead` days ahead; it stays so until it is closed."""
    due = commitment.due
    return due is not None and (due - on) <= timedelta(days=lead)


def firing(
    watched: Iterable[Watched], heard: Heard | None, known: Usual, at: At, rule: Rule = DEFAULT
) -> list[Firing]:
    """The open commitments that fire: those of the turn, best first, then those of a day, by day.

    One with a day and a condition fires by either; without a turn (None) only days count. Those
    not made yet at `at`, or closed by then, never fire.
    """
    there = standing(watched, at)
    return fired(there, scored(there, heard, known, rule) if heard else None, at, rule)


def standing(watched: Iterable[Watched], at: At) -> list[Watched]:
    """Those that are made and not closed at that moment."""
    return [entry for entry in watched if entry.commitment.stood(at.now)]


def fired(
    there: Sequence[Watched], scores: Scores | None, at: At, rule: Rule = DEFAULT
) -> list[Firing]:
    """Those that fire, as `firing` orders them, of entries that a turn has these scores with."""
    found = []
    for entry, (score, cue) in zip(there, scores or [(0.0, None)] * len(there), strict=True):
        if scores and entry.commitment.condition and score >= rule.threshold:
            found.append(Firing(entry.commitment, "turn", score, cue))
        elif dated(entry.commitment, at.on, lead=rule.lead):
            found.append(Firing(entry.commitment, "day", score))
    return sorted(found, key=_first)


def _first(fired: Firing) -> tuple[bool, Day, float, str]:
    """Those of the turn first; those of a day by it; equals by score, then by id."""
    of_turn = fired.why == "turn"
    day = Day.min if of_turn else fired.commitment.due or Day.max
    return (not of_turn, day, -fired.score, fired.commitment.id)


def untold(fired: Sequence[Firing], on: Day) -> list[Firing]:
    """Those that have not been brought up on this day."""
    return [one for one in fired if one.commitment.told != on]


def scored(watched: Sequence[Watched], heard: Heard, known: Usual, rule: Rule = DEFAULT) -> Scores:
    """How well the turn meets each entry.

    Its clauses count where one of them may meet a condition that the whole does not (`hiding`);
    else the scores are those of the whole, whether or not the clauses' vectors are there.
    """
    whole = measured(watched, Heard(heard.text, heard.vectors[:1]), known)
    parted = len(heard.vectors) > 1 and hiding(watched, whole, rule)
    return measured(watched, heard, known) if parted else whole


def measured(watched: Sequence[Watched], heard: Heard, known: Usual) -> Scores:
    """The scores by all the parts whose vectors are there: of all entries at once, by entry."""
    import numpy as np

    if not watched:
        return []
    weights = {term: _news(term, known) for term in sought(heard.text)}
    cues = np.concatenate([entry.vectors for entry in watched])
    # einsum, not @: a product as large as this has BLAS start threads, which took 90 ms where a
    # busy machine kept them waiting
    cosines = np.einsum("pd,cd->pc", heard.said, cues)
    news = _by_entry(watched, cosines.max(axis=0) - _usually(cues, known))
    whole = _by_entry(watched, cosines[0])
    scores = _mean(news, _BEST) + _WHOLE * _mean(whole, _WHOLE_BEST)
    words = [sum(by for term, by in weights.items() if term in entry.terms) for entry in watched]
    scores += _WORD * np.minimum(words, _MOST_WORDS)
    best = zip(watched, scores.tolist(), news.argmax(axis=1).tolist(), strict=True)
    return [(score, entry.cues[at] if entry.cues else None) for entry, score, at in best]


def hiding(watched: Sequence[Watched], scores: Scores, rule: Rule = DEFAULT) -> bool:
    """Whether a turn whose whole has these scores may have a clause that meets a condition."""
    least = rule.threshold - _HIDDEN
    return any(
        entry.commitment.condition and score >= least
        for entry, (score, _) in zip(watched, scores, strict=True)
    )


def _usually(cues: Vectors, known: Usual) -> Vectors:
    """Cosine of each cue with what the user usually says, drawn to what is expected."""
    import numpy as np

    said = np.zeros(len(cues), dtype=np.float32)
    if known.total is not None:
        np.einsum("cd,d->c", cues, known.total, out=said)
    expected: Vectors = (said + _PRIOR * _EXPECTED) / (known.turns + _PRIOR)
    return expected


def _by_entry(watched: Sequence[Watched], values: Vectors) -> Values:
    """Values of all cues as rows, one an entry; beyond the cues of one they are -inf."""
    import numpy as np

    counts = np.array([len(entry.cues) for entry in watched])
    rows = np.full((len(counts), counts.max(initial=1)), -np.inf)
    rows[np.arange(rows.shape[1]) < counts[:, None]] = values
    return rows


def _mean(rows: Values, best: int) -> Values:
    """The mean of the best few of each row, or of all where it has fewer; 0 where it has none."""
    import numpy as np

    chosen = np.sort(rows, axis=1)[:, -best:]
    there = np.isfinite(chosen)
    mean: Values = np.where(there, chosen, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
    return mean


def _news(term: str, known: Usual) -> float:
    """1 for a word that the user has not said yet, towards 0 for one that they always say."""
    turns = known.turns + _PRIOR
    return max(0.0, math.log(turns / (known.words.get(term, 0) + 1)) / math.log(turns))
