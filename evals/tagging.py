"""Retrieval dimensions by rule, in English, for an evaluation without a model: transparent, crude.

In the product a model tags each fact at extraction and each request at rewriting; these rules only
show what the term does with tags that are right more often than not.
"""

from __future__ import annotations

import re

from forethought.memory.dimensions import Dimensions

_AHEAD = re.compile(
    r"\b(will|won't|going to|plans?|planning|intends?|hopes? to|hoping to|looking forward|upcoming|"
    r"tomorrow|next)\b"
)
_BEHIND = re.compile(
    r"\b(was|were|did|had|went|got|took|made|saw|met|gave|bought|came|felt|found|told|began|became|"
    r"won|lost|left|spent|wrote|read|ran|used to|ago|last|yesterday|recently|has been|have been|"
    r"\w{3,}ed)\b"
)
_FELT = re.compile(
    r"\b(feel(s|ing)?|felt|thinks?|thought|believes?|loves?|loved|likes?|liked|enjoys?|enjoyed|"
    r"favou?rite|prefers?|opinion|finds?|found|important|values?|appreciates?|excited|happy|proud|"
    r"grateful|inspired|hopes?|wants?|interested|passionate|reaction)\b"
)
_UNSURE = re.compile(
    r"\b(may|might|maybe|perhaps|possibly|probably|likely|would|could|considering|plans?|planning|"
    r"hopes?|hoping|thinking (of|about)|wants? to|if|potentially)\b"
)


def tense_of(text: str) -> Dimensions:
    """Its tense alone."""
    said = text.lower()
    if _AHEAD.search(said):
        return Dimensions(tense="future")
    return Dimensions(tense="past" if _BEHIND.search(said) else "present")


def dimensions_of(text: str) -> Dimensions:
    """All three, of a fact or a question."""
    said = text.lower()
    return Dimensions(
        tense_of(text).tense,
        "subjective" if _FELT.search(said) else "objective",
        "speculative" if _UNSURE.search(said) else "certain",
    )
