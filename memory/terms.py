"""Words as they are compared: those of memory/words.py, the English ones stemmed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from forethought.memory.function_words import telling
from forethought.memory.ids import content_hash
from forethought.memory.words import words

_LONGEST = 64  # FTS5's stemmer leaves longer ones, too; Lucene would cut a word at 255
_HASH_DIGITS = 40


def terms(text: str, *, alone: bool = False) -> list[str]:
    """The terms of `text` in order; `alone` as in `words.words`, for what is stored."""
    return [term(word) for word in words(text, alone=alone)]


def sought(text: str) -> list[str]:
    """The terms that a query of `text` looks for, each once: those of its telling words."""
    asked = telling(list(dict.fromkeys(words(text))))
    return list(dict.fromkeys(term(word) for word in asked))


@lru_cache(maxsize=16_384)  # a stem takes about 100 µs
def term(word: str) -> str:
    """The term that one of `words.words` is kept as."""
    if len(word) > _LONGEST:
        return content_hash(word, length=_HASH_DIGITS)
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    """Porter's own algorithm, as in SQLite's FTS5, so that both adapters find the same."""
    from snowballstemmer import stemmer

    return stemmer("porter")
