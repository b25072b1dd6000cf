"""The labels by which a model points at what it was shown: `F1`, `[t3]`, or a bare number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def as_label(given: str, letter: str) -> str:
    """`[t3]`, `T3` or `3` as `T3`."""
    return letter + bare(given).removeprefix(letter)


def bare(given: str) -> str:
    """A label without brackets and the like, in capitals."""
    return given.strip(" []().:").upper()


def labelled(given: str, letter: str, shown: Sequence[T]) -> T | None:
    """The one of `shown`, numbered from 1, that a label names; labels beyond the list name none."""
    digits = as_label(given, letter).removeprefix(letter)
    if digits.isascii() and digits.isdigit() and 1 <= int(digits) <= len(shown):
        return shown[int(digits) - 1]
    return None


def fact_named(given: str, facts: Mapping[str, str]) -> str | None:
    """The id of the fact that a label names, `F1` or `K1`; a bare number is a draft's."""
    name = bare(given)
    return facts.get(f"F{name}" if name.isdigit() else name)
