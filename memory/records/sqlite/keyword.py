"""Keyword search over the facts and over the log: FTS5's BM25, of at most so many matches.

Scoring is what a search takes (2 µs a match; finding them takes .1), and common words match more
the more is remembered. So in a large bank only `MOST` are scored: all that have one of the rarer
words, and of those with common words alone the latest. Each that is scored is scored by all words.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from forethought.memory.function_words import telling
from forethought.memory.records.sqlite.database import bank_word
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.rows import HOLDS, packed, turn_from
from forethought.memory.records.values import at_most, stamp
from forethought.memory.terms import term
from forethought.memory.types import Turn
from forethought.memory.words import words

T = TypeVar("T")

# Of LoCoMo's ten conversations as one bank (5,882 turns, 512 questions) words alone find .646, .709
# and .844 of the evidence among 10, 20 and 100 turns; of at most 420 matches, as large a share of
# them, .646, .710 and .830, of 300 .641, .697 and .803.
MOST = 7_000
"""Matches that one search scores, in 20 ms. A bank of 10,000 facts hardly ever has more."""

_QUERY_WORDS = 200  # of a longer query the first ones; 200 take 35 ms over 10,000 facts, measured
_ALL = -1  # SQLite's word for no limit

# How many texts of the file have each term, and whether the file holds other banks at all.
_KNOWN = """
    SELECT asked.value AS term, ifnull(seen.doc, 0) AS texts,
        EXISTS (SELECT 1 FROM {kept} WHERE bank < ?1)
            OR EXISTS (SELECT 1 FROM {kept} WHERE bank > ?1) AS shared
    FROM json_each(?2) AS asked LEFT JOIN {words}_terms AS seen ON seen.term = asked.value
"""
_MORE = "SELECT 1 AS more FROM {words} WHERE {words} MATCH ?2 LIMIT 1 OFFSET ?3"
_PART = """
    part{place} AS MATERIALIZED (
        SELECT rowid AS n, -bm25({words}, 0.0, 1.0) AS score FROM {words}
        WHERE {words} MATCH ?{match} ORDER BY rowid DESC LIMIT ?{most})
"""
# The best by words are taken first, ?5 of them, for what is looked up beside costs as much again:
# at 100,000 turns 55 ms with all that match, 32 with 500.
_BEST = """
    WITH {parts}, best AS MATERIALIZED (
        SELECT n, score FROM ({union}) ORDER BY score DESC LIMIT ?5)
"""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of `words`, those of the rows of `kept`, and how the best of them are `read`."""

    words: str
    kept: str
    read: str


_FACTS = _Table(
    "word",
    "fact",
    f"""
    SELECT fact.id, score FROM best JOIN fact USING (n)
    WHERE fact.bank = ?1 AND {HOLDS}
    ORDER BY score DESC, fact.id LIMIT ?4
    """,
)
_TURNS = _Table(
    "said",
    "turn",
    """
    SELECT turn.*, score FROM best JOIN turn USING (n)
    JOIN session ON session.bank = turn.bank AND session.id = turn.session
    WHERE turn.bank = ?1 AND session.date <= ?3
    ORDER BY score DESC, session.date, session.id, turn.position LIMIT ?4
    """,
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A search of one bank: `at` is when, `k` how many are wanted.

    `within` keeps a match within the bank. It is empty in a file of this bank alone, where it would
    cost a look at every row; `_Table.read` asks for the bank's own in any case.
    """

    bank: str
    at: str
    k: int
    within: str = ""

    def match(self, expression: str) -> str:
        """An FTS5 query for an expression of words."""
        return f"{self.within}words : ({expression})"


class Searching(Facet):
    """What is found by its words."""

    async def search(
        self, bank: str, text: str, *, k: int, now: datetime
    ) -> list[tuple[str, float]]:
        """See `Records.search`."""
        return await self._found(
            _scored, _FACTS, _Asked(bank, stamp(now, of="the search"), k), text
        )

    async def said(
        self, bank: str, text: str, *, k: int, now: datetime
    ) -> list[tuple[Turn, float]]:
        """See `Records.said`."""
        return await self._found(
            _uttered, _TURNS, _Asked(bank, stamp(now, of="the search"), k), text
        )

    async def _found(
        self, row: Callable[[sqlite3.Row], T], table: _Table, asked: _Asked, text: str
    ) -> list[T]:
        """The best of what counts by then: of all, where too few of those scored first do."""
        given = telling(list(dict.fromkeys(words(text))))[:_QUERY_WORDS]
        if not given or asked.k <= 0:
            return []
        texts, shared = await self._known(table, asked.bank, given)
        if shared:
            asked = _Asked(asked.bank, asked.at, asked.k, f'bank : "{bank_word(asked.bank)}" AND ')
        every, rarest = asked.match(_any(given)), sorted(given, key=lambda word: texts[word])
        bounded = sum(texts.values()) > MOST and await self._more(table, asked.bank, every, MOST)
        parts = _parts(asked, rarest, texts) if bounded else [(every, _ALL)]
        first = await self._best(row, table, asked, parts, of=at_most(5 * asked.k))
        if len(first) >= asked.k:
            return first
        if not bounded and not await self._more(table, asked.bank, every, at_most(5 * asked.k)):
            return first
        return await self._best(row, table, asked, [(every, _ALL)], of=_ALL)

    async def _known(
        self, table: _Table, bank: str, given: Sequence[str]
    ) -> tuple[dict[str, int], bool]:
        """How many texts of the file have each of these words, and whether it has other banks."""
        terms = {word: term(word) for word in given}
        sql = _KNOWN.format(words=table.words, kept=table.kept)
        rows = await self._db.read(lambda one: one, sql, bank, packed(set(terms.values())))
        texts = {row["term"]: row["texts"] for row in rows}
        return {word: texts[of] for word, of in terms.items()}, bool(rows[0]["shared"])

    async def _more(self, table: _Table, bank: str, match: str, than: int) -> bool:
        sql = _MORE.format(words=table.words)
        return bool(await self._db.read(lambda one: one, sql, bank, match, than))

    async def _best(
        self, row: Callable[[sqlite3.Row], T], table: _Table, asked: _Asked,
        parts: Sequence[tuple[str, int]], *, of: int,
    ) -> list[T]:  # fmt: skip
        """The best `k` that count, out of the best `of` by words among `parts`."""
        numbered = [(place, 6 + 2 * place) for place in range(len(parts))]
        some = [
            _PART.format(place=place, words=table.words, match=first, most=first + 1)
            for place, first in numbered
        ]
        union = " UNION ALL ".join(f"SELECT n, score FROM part{place}" for place, _ in numbered)
        sql = _BEST.format(parts=", ".join(some), union=union) + table.read
        given = [value for part in parts for value in part]
        return await self._db.read(
            row, sql, asked.bank, None, asked.at, at_most(asked.k), of, *given
        )


def _parts(asked: _Asked, rarest: Sequence[str], texts: dict[str, int]) -> list[tuple[str, int]]:
    """Queries, none of which finds what another does, and how many of each's latest are scored."""
    left, rare = MOST, 0
    for word in rarest:
        if texts[word] > left:
            break
        left, rare = left - texts[word], rare + 1
    some, others = _any(rarest[:rare]), _any(rarest[rare:])
    if left == MOST:  # what no text has is not worth three queries
        return [(asked.match(others), MOST)]
    either = f"({some}) AND ({others})", f"({some}) NOT ({others})"
    return [
        *((asked.match(one), _ALL) for one in either),
        (asked.match(f"({others}) NOT ({some})"), left),
    ]


def _any(some: Sequence[str]) -> str:
    """For any of the words; quoted, so that none of them can be syntax."""
    return " OR ".join(f'"{word}"' for word in some)


def _scored(row: sqlite3.Row) -> tuple[str, float]:
    return row["id"], row["score"]


def _uttered(row: sqlite3.Row) -> tuple[Turn, float]:
    return turn_from(row), row["score"]
