"""How near a fact is to a request, by its text and by its cues. Pure functions over cosines.

The constants were chosen on six users' plans and look-ups, a LoCoMo conversation and a LongMemEval
pool (`forethought eval foresight` prints the table); ARCHITECTURE, "Foresight", says how flat and
how sure each is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from forethought.memory.embedding import Vectors

POWER = 2.5  # of the mean of text and cues: 2 favours look-ups, 3 plans, between them all hold
GATE = 1.0  # how steeply cues gain weight as the request looks like a cue
BALANCE = 0.9  # likeness at which cue and text weigh the same: plans measure 1.0, look-ups .6
PLAIN = 0.4  # likeness up to which a request is a question for a fact and nothing else
WANING = 5.0  # how steeply words and turns lose weight beyond; 3 to 5 are level, 0 costs plans .1
EXPECTED_BEST_TWO = 0.78
"""The mean of a fact's two best cues lies .78 ± .03 standard deviations above the mean of all cues
(measured over 700 requests): what to expect of a fact whose cues are not there or not known."""


def request_likeness(query: Vectors, centroid: Vectors) -> float:
    """How much of a cue the request is: its least-squares coefficient on the bank's cue centroid.

    1 is a typical cue, that is a request for help with a plan; a question for a fact is about .6.
    """
    length = float(centroid @ centroid)
    return min(max(float(query @ centroid) / length, 0.0), 1.5) if length > 1e-9 else 0.0  # noqa: PLR2004  # bounds of a ratio


def cue_weight(likeness: float) -> float:
    """The weight of cues beside the text: above 1 for requests, below for questions."""
    return math.exp(GATE * (likeness - BALANCE))


def plain_weight(likeness: float) -> float:
    """The weight, in (0, 1], of words and turns: about .4 for questions, .05 for plans.

    What a plan needs resembles it in no word, so that what does is mostly noise.
    """
    return math.exp(min(0.0, WANING * (PLAIN - likeness)))


def best_two(cosines: Sequence[float], expected: float) -> float:
    """Mean of a fact's two best cues; one that is missing counts as the bank's `expected` value."""
    best = sorted(cosines, reverse=True)[:2]
    return (sum(best) + expected * (2 - len(best))) / 2


def joint(text: float, cue: float, weight: float) -> float:
    """Power mean (without its constant factor) of the text's and the weighted cues' similarity.

    Rises with the text alone where `cue` is 0, so a bank without cues is ranked as by plain cosine.
    """
    signed = (1 if text >= 0 else -1) * abs(text) ** POWER + max(0.0, weight * cue) ** POWER
    return float((1 if signed >= 0 else -1) * abs(signed) ** (1 / POWER))
