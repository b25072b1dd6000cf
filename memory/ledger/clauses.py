"""What a turn is held against the ledger by: itself, and each thing that is said in it.

People ask three things at once; the one that meets a commitment is lost in the vector of the whole.
"""

from __future__ import annotations

import re

from forethought.memory.words import words

_ENDS = re.compile(
    r"(?<=[!?;:…؟؛।॥])\s+"  # Latin, Greek, Cyrillic, Arabic, Devanagari: a space follows
    r"|(?<=\D\.)\s+|(?<=\d{4}\.)\s+"  # but "am 15. März" goes on
    r"|(?<=[。！？；：｡])\s*"  # Chinese and Japanese write none
    r"|\s*\n\s*"
    r"|\s+[–—-]+\s+"
)
_COMMAS = re.compile(r"(?<=[,،])\s+|(?<=[，、､])\s*")
_FEWEST = 3  # words of a clause; "By the way," and "please" say nothing by themselves
MOST = 24
"""Parts that are compared. Each costs an embedding (about 3 ms); what comes later in a longer turn
counts with the whole alone."""


def clauses(text: str) -> list[str]:
    """The clauses of `text` in order, by punctuation; no word of it is lost, none is said twice.

    One that is shorter than three words goes with the clause before it, or else after it.
    """
    return [clause for sentence in sentences(text) for clause in _clauses(sentence)]


def parts(text: str) -> list[str]:
    """`text` itself, then its clauses where it has several, in order; at most `MOST`.

    Never empty, so that the first is always the whole.
    """
    single = clauses(text)
    return [text, *single][:MOST] if len(single) > 1 else [text]


def sentences(text: str) -> list[str]:
    """The sentences of `text` in order, a short one with its neighbour."""
    return _joined([piece.strip() for piece in _ENDS.split(text)])


def _clauses(sentence: str) -> list[str]:
    return _joined([piece.strip() for piece in _COMMAS.split(sentence)])


def _joined(pieces: list[str]) -> list[str]:
    """Short pieces with the one before, a short first one with the one after it."""
    joined: list[str] = []
    for piece in filter(None, pieces):
        if joined and (_short(piece) or _short(joined[-1])):
            joined[-1] = f"{joined[-1]} {piece}"
        else:
            joined.append(piece)
    return joined


def _short(piece: str) -> bool:
    return len(words(piece)) < _FEWEST
