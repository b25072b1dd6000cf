"""How near in time a fact is to what a question asks about (Hindsight §4.2.2). Pure functions."""

from __future__ import annotations

from datetime import date as Day

from forethought.memory.when import Span


def overlap(occurred: Span, asked: Span) -> bool:
    """Whether the two share a day, which is what the temporal channel finds."""
    return occurred[0] <= asked[1] and asked[0] <= occurred[1]


def proximity(occurred: Span, asked: Span) -> float:
    """How near the middle of `occurred` is to that of `asked`, in [0, 1]; 0 where none is shared.

    1 where the middles meet, 0 half of the asked days away and beyond. Days count whole, so that
    the paper's quotient is defined where one day is asked for. What has no beginning
    (`date.min`: "before April") has no middle: whatever overlaps it is as near as can be.
    """
    if not overlap(occurred, asked):
        return 0.0
    if asked[0] == Day.min:
        return 1.0
    days = asked[1].toordinal() - asked[0].toordinal() + 1
    apart = abs(_middle(occurred) - _middle(asked))
    return max(0.0, 1 - apart / (days / 2))


def _middle(span: Span) -> float:
    return (span[0].toordinal() + span[1].toordinal()) / 2
