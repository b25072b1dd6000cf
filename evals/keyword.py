"""BM25 over a few texts held in memory: the baselines that the stores do not offer."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

from forethought.memory.words import words


class Keyword:
    """FTS5 over `texts`, stemmed or not; `closing` drops it in the end."""

    def __init__(self, texts: Sequence[str], *, stemmed: bool) -> None:
        """Index the texts; they are named by their positions."""
        self._file = sqlite3.connect(":memory:")
        tokenize = "porter ascii" if stemmed else "ascii"
        self._file.execute(f"CREATE VIRTUAL TABLE word USING fts5 (words, tokenize = '{tokenize}')")
        rows = [(n, " ".join(words(text, alone=True))) for n, text in enumerate(texts)]
        self._file.executemany("INSERT INTO word (rowid, words) VALUES (?, ?)", rows)

    def scores(self, query: str) -> dict[int, float]:
        """BM25 of each text that has a word of `query`, higher is better."""
        asked = list(dict.fromkeys(words(query)))
        if not asked:
            return {}
        match = " OR ".join(f'"{word}"' for word in asked)
        sql = "SELECT rowid, -bm25(word) FROM word WHERE word MATCH ?"
        with closing(self._file.execute(sql, (match,))) as found:
            return dict(found.fetchall())

    def close(self) -> None:
        """Drop the index."""
        self._file.close()
