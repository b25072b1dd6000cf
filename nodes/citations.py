"""The ids that an answer cites: those that were given stay, others go. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Collection

_ID = r"(?:f\w*\d\w*|[tobc][0-9a-f]*\d[0-9a-f]*)"
"""Of a fact, turn, opinion, observation or commitment, or what a model takes for one."""
_CITATION = re.compile(rf"\s?\[\s*({_ID}(?:\s*[,;]\s*{_ID})*)\s*\]")


def checked(text: str, given: Collection[str]) -> tuple[str, list[str], list[str]]:
    """`text` without citations of ids not `given`; the ids it cites; the ids it invented."""
    cited: dict[str, None] = {}
    invented: dict[str, None] = {}

    def kept(match: re.Match[str]) -> str:
        names = re.split(r"\s*[,;]\s*", match[1])
        good = [name for name in names if name in given]
        cited.update(dict.fromkeys(good))
        invented.update(dict.fromkeys(name for name in names if name not in given))
        lead = match[0][: match[0].index("[")]
        return f"{lead}[{', '.join(good)}]" if good else ""

    return _CITATION.sub(kept, text), list(cited), list(invented)


def uncited(text: str) -> str:
    """`text` as speech: without any citation, since ids are for looking up and not said."""
    return checked(text, ())[0].strip()
