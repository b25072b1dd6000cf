"""Other ways to join a fact's text and cues, which recall is held against: pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Scores: TypeAlias = "NDArray[np.float32]"
"""One score for each fact of a bank, shape (facts,)."""

Rule = Callable[[Scores, Scores], Scores]
"""From the texts' cosines and the means of each fact's two best cues to the facts' scores."""


def two_best(cues: Scores) -> Scores:
    """Mean of the two best of each fact's cues, or the only one; (facts, cues) to (facts,).

    -inf stands for a cue that is not there.
    """
    import numpy as np

    best: Scores = np.sort(cues, axis=1)[:, -2:]
    first, second = best[:, -1], best[:, 0]
    both = (first + np.where(np.isneginf(second), first, second)) / 2
    return np.asarray(both, dtype=cues.dtype)


def dense(text: Scores, cue: Scores) -> Scores:
    """The text alone."""
    return text


def cues_alone(text: Scores, cue: Scores) -> Scores:
    """The cues alone."""
    return cue


def larger(text: Scores, cue: Scores) -> Scores:
    """The larger of the two."""
    import numpy as np

    return np.maximum(text, cue)


def power_mean(power: float) -> Rule:
    """The power mean, without its constant factor and root, which change no order."""

    def rule(text: Scores, cue: Scores) -> Scores:
        import numpy as np

        joined: Scores = np.power(text.clip(min=0), power) + np.power(cue.clip(min=0), power)
        return joined

    return rule


def sum_of_standardised(text: Scores, cue: Scores) -> Scores:
    """Both in standard deviations over the bank, added."""
    return standardised(text) + standardised(cue)


def standardised(scores: Scores) -> Scores:
    """Mean 0 and standard deviation 1; all 0 where they are all the same."""
    import numpy as np

    spread = float(scores.std())
    centred = scores - scores.mean()
    scaled = centred / spread if spread > 0 else centred
    return np.asarray(scaled, dtype=scores.dtype)


def best_first(scores: Scores) -> list[int]:
    """Positions by score, best first; equal scores in order of position."""
    import numpy as np

    return [int(row) for row in np.argsort(-scores, kind="stable")]


RULES: Mapping[str, Rule] = {
    "dense": dense,
    "cues alone": cues_alone,
    "larger of the two": larger,
    "power mean p=3": power_mean(3),
    "power mean p=2": power_mean(2),
    "sum of both standardised": sum_of_standardised,
}
