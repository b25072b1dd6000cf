"""PPRO's retrieval dimensions (A.4) as a model is asked for them and as it writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator

DIMENSIONS = """\
- "tense": past, present or future; "subjectivity": objective, or subjective for what is felt, \
liked or thought; "certainty": certain, or speculative for plans, wishes and guesses"""
"""How both prompts name them; each goes on as it needs."""

_Tense = Literal["past", "present", "future"]
_Subjectivity = Literal["objective", "subjective"]
_Certainty = Literal["certain", "speculative"]


def _one_of(*known: str) -> Callable[[Any], str | None]:
    """One of these words in any case; any other, and what is no word, is unsaid."""

    def read(value: Any) -> str | None:
        word = value.strip().casefold() if isinstance(value, str) else ""
        return word if word in known else None

    return read


SaidTense = Annotated[_Tense | None, BeforeValidator(_one_of(*get_args(_Tense)))]
SaidSubjectivity = Annotated[
    _Subjectivity | None, BeforeValidator(_one_of(*get_args(_Subjectivity)))
]
SaidCertainty = Annotated[_Certainty | None, BeforeValidator(_one_of(*get_args(_Certainty)))]
