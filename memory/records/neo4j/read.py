"""Reading facts: by id, by date, by what they updated, by their words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any

from forethought.memory.records.days import FIRST_DAY, Asked, occurrences
from forethought.memory.records.neo4j.database import Transaction, as_one
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.rows import (
    COLUMNS_OF_TURN,
    EVERY_FACT,
    FACT,
    HOLDS,
    SOME_FACTS,
    fact_from,
    listed,
    turn_in,
)
from forethought.memory.records.neo4j.schema import SAID, WORDS
from forethought.memory.records.values import at_most, moment_or_none, stamp
from forethought.memory.terms import sought
from forethought.memory.types import Fact, Occurrence, Turn
from forethought.memory.when import Span

_QUERY_WORDS = 200  # of a longer query the first ones, as for SQLite; Lucene allows 1,024

# The end of the index, where max(fact.date) would read all of it.
_NEWEST = """
    CALL () {
        MATCH (fact:Fact) USING INDEX fact:Fact(bank, date, id)
        WHERE fact.bank = $bank AND fact.date IS NOT NULL AND fact.id IS NOT NULL
        RETURN fact.date AS date ORDER BY fact.bank DESC, fact.date DESC, fact.id DESC LIMIT 1
        UNION ALL
        MATCH (cue:Cue) USING INDEX cue:Cue(bank, learned)
        WHERE cue.bank = $bank AND cue.learned IS NOT NULL
        RETURN cue.learned AS date ORDER BY cue.bank DESC, cue.learned DESC LIMIT 1
    }
    RETURN max(date) AS date
"""
_EARLIER = f"""
    UNWIND $ids AS later
    MATCH (fact:Fact {{bank: $bank, successor: later}}) WHERE fact.succession = 'update'
    RETURN later, {FACT}
"""
# By the index of relations, whatever the planner thinks of the sessions. Where nothing is forgotten
# no turn is looked for among the tombstones.
_SUPPORTED = f"""
    UNWIND $ids AS id
    MATCH (fact:Fact)-[said:FROM {{turn: id}}]->(:Session) USING INDEX said:FROM(turn)
    WHERE fact.bank = $bank AND {HOLDS}
    WITH fact, id ORDER BY fact.date, fact.id
    WITH collect(DISTINCT [id, fact.id]) AS facts
    RETURN facts, COLLECT {{
        WITH $ids AS ids
        WHERE EXISTS {{ MATCH (any:Tombstone {{bank: $bank}}) WHERE any.mark IS NOT NULL }}
        UNWIND ids AS id MATCH (hushed:Tombstone {{bank: $bank, mark: id}}) RETURN id
    }} AS hushed
"""
_SEARCH = f"""
    CALL db.index.fulltext.queryNodes('{WORDS}', $query, {{limit: $most}})
    YIELD node AS fact, score
    RETURN [fact.bank = $bank AND {HOLDS}, score, fact.id] AS row
    ORDER BY score DESC, fact.id
"""
_SAID = f"""
    CALL db.index.fulltext.queryNodes('{SAID}', $query, {{limit: $most}})
    YIELD node AS turn, score
    MATCH (turn)<-[:SAID]-(session:Session)
    RETURN [
        turn.bank = $bank AND session.date <= $now, score, session.id, {COLUMNS_OF_TURN}
    ] AS row ORDER BY score DESC, session.date, session.id, turn.position
"""
# `$first` to `$last` are the days asked for, which begin and end at the moments `$since` and
# `$before`. Each branch has an index. Twice the middle of the days is compared with `$twice`.
_OCCURRING = f"""
    CALL () {{
        MATCH (fact:Fact {{bank: $bank}}) USING INDEX SEEK fact:Fact(bank, occurred_to)
        WHERE fact.occurred_to >= $first
            AND (fact.occurred_from IS NULL OR fact.occurred_from <= $last)
        RETURN fact, coalesce(fact.occurred_from, $first) AS first, fact.occurred_to AS last
        UNION ALL
        MATCH (fact:Fact {{bank: $bank}}) USING INDEX SEEK fact:Fact(bank, occurred_from)
        WHERE fact.occurred_to IS NULL AND fact.occurred_from <= $last
        RETURN fact, fact.occurred_from AS first, $last AS last
        UNION ALL
        MATCH (fact:Fact {{bank: $bank}}) USING INDEX SEEK fact:Fact(bank, date, id)
        WHERE fact.date >= $since AND fact.date < $before AND fact.id IS NOT NULL
        RETURN fact, left(fact.date, 10) AS first, left(fact.date, 10) AS last
    }}
    WITH fact, date('{FIRST_DAY}') AS zero, first, last WHERE {HOLDS}
    WITH fact, min(abs(duration.inDays(zero, date(first)).days
        + duration.inDays(zero, date(last)).days - $twice)) AS apart
    RETURN fact {{.id, .date, .occurred_from, .occurred_to}} AS row
    ORDER BY apart, fact.date DESC, fact.id LIMIT $limit
"""
_MORE = 4  # times as many hits are asked for where too many of them held at another time only
_SPARE = 50  # facts that no longer hold are few, so that this many more suffice almost always
_MOST = 2**31 - 1  # hits; Lucene counts in 32 bits
_ALL = 2**63 - 1  # more than there are


class Reading(Facet):
    """What is known, unchanged by asking."""

    async def facts(self, bank: str, ids: Sequence[str] | None = None) -> list[Fact]:
        """See `Records.facts`."""
        if ids is None:
            rows = await self._db.read(
                bank, f"{EVERY_FACT} RETURN {FACT} ORDER BY fact.date, fact.id"
            )
            return [fact_from(row, bank) for row in rows]
        some = f"{SOME_FACTS} WITH {FACT} RETURN {{fact: fact}} AS row"
        rows = await self._db.read_as_one(bank, some, ids=listed(ids))
        found = {fact.id: fact for fact in (fact_from(row, bank) for row in rows)}
        return [found[fact] for fact in ids if fact in found]

    async def earlier(self, bank: str, ids: Sequence[str]) -> dict[str, list[Fact]]:
        """See `Records.earlier`."""

        async def work(tx: Transaction) -> dict[str, list[Fact]]:
            updated: dict[str, list[Fact]] = {}
            step = listed(ids)
            while step:
                rows = await tx.rows(_EARLIER, ids=step)
                for row in rows:
                    updated.setdefault(row["later"], []).append(fact_from(row, bank))
                found = listed(row["fact"]["id"] for row in rows)
                step = [fact for fact in found if fact not in updated]
            return updated

        updated = await self._db.transaction(bank, work)
        return {fact: _all_before(fact, updated) for fact in ids}

    async def holding(self, bank: str, ids: Sequence[str], *, now: datetime) -> dict[str, str]:
        """See `Records.holding`."""
        at = stamp(now, of="the look-up")
        cypher = f"{SOME_FACTS} WITH fact WHERE {HOLDS} RETURN [fact.id, fact.text] AS row"
        return dict(await self._db.read_as_one(bank, cypher, ids=listed(ids), now=at))

    async def supported(
        self, bank: str, turns: Sequence[str], *, now: datetime
    ) -> dict[str, list[str]]:
        """See `Records.supported`."""
        at, facts = stamp(now, of="the look-up"), dict[str, list[str]]()
        ids = [turn for turn in listed(turns) if turn]
        (row,) = await self._db.read(bank, _SUPPORTED, ids=ids, now=at)
        for turn, fact in row["facts"]:
            facts.setdefault(turn, []).append(fact)
        for turn in row["hushed"]:
            facts.pop(turn, None)
        return {turn: facts[turn] for turn in turns if turn in facts}

    async def added(
        self, bank: str, *, since: int, limit: int | None = None
    ) -> tuple[list[Fact], int]:
        """See `Records.added`."""
        most = at_most(_ALL if limit is None else limit)
        cypher = f"""
            MATCH (fact:Fact {{bank: $bank}}) USING INDEX SEEK fact:Fact(bank, n)
            WHERE fact.n > $since AND fact.until IS NULL
            WITH fact ORDER BY fact.bank, fact.n LIMIT $most
            WITH {FACT}, fact.n AS n RETURN {{fact: fact, n: n}} AS row ORDER BY n
        """
        if limit is None:
            streamed = await self._db.read(bank, cypher, since=since, most=most)
            rows = [row["row"] for row in streamed]
        else:
            rows = await self._db.read_as_one(bank, cypher, since=since, most=most)
        return [fact_from(row, bank) for row in rows], max(
            (row["n"] for row in rows), default=since
        )

    async def newest(self, bank: str) -> datetime | None:
        """See `Records.newest`."""
        rows = await self._db.peek(bank, _NEWEST)
        return moment_or_none(rows[0]["date"])

    async def search(
        self, bank: str, text: str, *, k: int, now: datetime
    ) -> list[tuple[str, float]]:
        """See `Records.search`.

        Only facts of this bank are matched. The database has one index for all banks, though, so
        that a word weighs by how many facts of every bank have it: what others hold may swap two
        hits that are nearly equal, and never adds or removes one.
        """
        rows = await self._found(_SEARCH, bank, text, k=k, at=stamp(now, of="the search"))
        return [(fact, score) for score, fact in rows]

    async def said(
        self, bank: str, text: str, *, k: int, now: datetime
    ) -> list[tuple[Turn, float]]:
        """See `Records.said`; as for `search`, a word weighs by the turns of every bank."""
        rows = await self._found(_SAID, bank, text, k=k, at=stamp(now, of="the search"))
        return [(turn_in(columns, session=session), score) for score, session, *columns in rows]

    async def _found(
        self, search: str, bank: str, text: str, *, k: int, at: str
    ) -> list[list[Any]]:
        """The k best rows that hold; as many hits are asked for as that takes."""
        asked = sought(text)[:_QUERY_WORDS]
        if not asked or k <= 0:
            return []
        query, most = _any_of(asked, self._db.key(bank)), k + _SPARE
        while True:
            limit = min(most, _MOST)
            (found,) = await self._db.peek(bank, as_one(search), query=query, most=limit, now=at)
            rows: list[list[Any]] = found["rows"]
            held = [columns for holds, *columns in rows if holds]
            if len(held) >= k or len(rows) < limit:
                return held[:k]
            most *= _MORE

    async def occurring(
        self, bank: str, days: Span, *, zone: tzinfo, k: int, now: datetime
    ) -> list[Occurrence]:
        """See `Records.occurring`."""
        of, at = Asked.of(days, zone), stamp(now, of="the search")
        if k <= 0 or days[0] > days[1]:
            return []
        given = {"first": of.first, "last": of.last, "since": of.since, "before": of.before}
        rows = await self._db.read_as_one(
            bank, _OCCURRING, **given, twice=of.twice_middle, limit=at_most(k), now=at
        )
        return occurrences(rows, days, zone)


def _any_of(asked: Sequence[str], bank: str) -> str:
    """A Lucene query for any of the words; quoted, so that none of them can be syntax.

    The bank is a condition that adds nothing to the score.
    """
    any_word = " ".join(f'"{word}"' for word in asked)
    return f'+bank:"{bank}"^0 +words:({any_word})'


def _all_before(fact: str, updated: dict[str, list[Fact]]) -> list[Fact]:
    """All that led to `fact`, newest first, given what each fact updated directly."""
    before: dict[str, Fact] = {}
    step = [fact]
    while step:
        found = [one for later in step for one in updated.get(later, []) if one.id not in before]
        before |= {one.id: one for one in found}
        step = [one.id for one in found]
    before.pop(fact, None)
    by_id = sorted(before.values(), key=lambda one: one.id)
    return sorted(by_id, key=lambda one: one.date, reverse=True)
