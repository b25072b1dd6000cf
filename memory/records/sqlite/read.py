"""Reading facts: by id, by date, by what they updated; and counting banks."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, tzinfo

from forethought.memory.records.columns import cue_of
from forethought.memory.records.days import Asked, occurrences
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.hush import unmarked
from forethought.memory.records.sqlite.rows import (
    FACT,
    HOLDS,
    LISTED,
    fact_from,
    packed,
)
from forethought.memory.records.values import at_most, moment_or_none, stamp
from forethought.memory.types import BankSummary, Cue, Fact, Occurrence
from forethought.memory.when import Span

_EARLIER = f"""
    WITH RECURSIVE past (head, id) AS (
        SELECT value, value FROM json_each(?2)
        UNION SELECT past.head, fact.id FROM fact JOIN past ON fact.successor = past.id
        WHERE fact.bank = ?1 AND fact.succession = 'update'
    )
    SELECT past.head, {FACT} FROM past JOIN fact USING (id)
    WHERE fact.bank = ?1 AND past.head != past.id ORDER BY fact.date DESC, fact.id
"""
# CROSS JOIN keeps SQLite from going through all facts by date, as it would rather do.
_SUPPORTED = f"""
    SELECT DISTINCT source.turn, fact.id, fact.date
    FROM source CROSS JOIN fact ON fact.bank = source.bank AND fact.id = source.fact
    WHERE source.bank = ?1 AND source.turn != '' AND source.turn IN {LISTED} AND {HOLDS}
        AND {unmarked("source.turn")}
    ORDER BY fact.date, fact.id
"""
# ?2 to ?4 are the days asked for, which begin and end at the moments ?5 and ?6. Each branch has an
# index. Twice the middle of the days (1721425.5 is the first of all) is compared with ?7.
_OCCURRING = f"""
    WITH near AS (
        SELECT n, date, until, ifnull(occurred_from, ?2) AS first, occurred_to AS last FROM fact
        WHERE bank = ?1 AND occurred_to >= ?2 AND (occurred_from IS NULL OR occurred_from <= ?4)
        UNION ALL SELECT n, date, until, occurred_from, ?4 FROM fact
        WHERE bank = ?1 AND occurred_to IS NULL AND occurred_from <= ?4
        UNION ALL SELECT n, date, until, date(date), date(date) FROM fact
        WHERE bank = ?1 AND date >= ?5 AND date < ?6
    ),
    apart AS (
        SELECT n, min(abs(julianday(first) + julianday(last) - 2 * 1721425.5 - ?7)) AS days
        FROM near AS fact WHERE {HOLDS} GROUP BY n
    )
    SELECT id, date, occurred_from, occurred_to FROM apart JOIN fact USING (n)
    ORDER BY days, date DESC, id LIMIT ?8
"""
_BANKS = """
    WITH bank (bank) AS (
        SELECT bank FROM session UNION SELECT bank FROM fact UNION SELECT bank FROM opinion
        UNION SELECT bank FROM observation UNION SELECT bank FROM commitment
        UNION SELECT bank FROM unpurged
    ),
    log AS (
        SELECT bank, count(*) AS sessions, sum(turns) AS turns,
            sum(extracted < turns AND error IS NULL) AS pending,
            sum(extracted < turns AND error IS NOT NULL) AS failed
        FROM session GROUP BY bank
    ),
    said AS (
        SELECT bank, sum(until IS NULL) AS facts, sum(until IS NOT NULL) AS replaced,
            sum(until IS NULL AND NOT foreseen) AS unforeseen, sum(NOT indexed) AS unindexed
        FROM fact GROUP BY bank
    ),
    foreseen AS (
        SELECT bank, count(*) AS cues, sum(NOT indexed) AS unindexed FROM cue GROUP BY bank
    ),
    spoken AS (SELECT bank, count(*) AS unindexed FROM turn WHERE indexed = 0 GROUP BY bank),
    named AS (SELECT bank, sum(joined_to IS NULL) AS entities FROM entity GROUP BY bank),
    linked AS (SELECT bank, count(*) AS links FROM link GROUP BY bank),
    held AS (
        SELECT bank, count(*) AS opinions, sum(NOT indexed) AS unindexed FROM opinion GROUP BY bank
    ),
    observed AS (
        SELECT bank, count(*) AS observations, sum(NOT indexed) AS unindexed
        FROM observation GROUP BY bank
    ),
    promised AS (SELECT bank, count(*) AS commitments FROM commitment GROUP BY bank),
    reminded AS (SELECT bank, count(*) AS unindexed FROM reminder WHERE indexed = 0 GROUP BY bank)
    SELECT bank.bank, sessions, turns, pending, failed, facts, replaced, cues, unforeseen,
        ifnull(said.unindexed, 0) + ifnull(foreseen.unindexed, 0) + ifnull(spoken.unindexed, 0)
            + ifnull(held.unindexed, 0) + ifnull(observed.unindexed, 0)
            + ifnull(reminded.unindexed, 0) AS unindexed,
        entities, links, opinions, observations, commitments
    FROM bank LEFT JOIN log USING (bank) LEFT JOIN said USING (bank) LEFT JOIN foreseen USING (bank)
        LEFT JOIN spoken USING (bank) LEFT JOIN named USING (bank) LEFT JOIN linked USING (bank)
        LEFT JOIN held USING (bank) LEFT JOIN observed USING (bank) LEFT JOIN promised USING (bank)
        LEFT JOIN reminded USING (bank)
    WHERE ?1 = '' ORDER BY bank.bank
"""  # the one query about all banks, which is asked of the bank without a name


class Reading(Facet):
    """What is known, unchanged by asking."""

    async def facts(self, bank: str, ids: Sequence[str] | None = None) -> list[Fact]:
        """See `Records.facts`."""
        if ids is None:
            sql = f"SELECT {FACT} FROM fact WHERE bank = ?1 ORDER BY date, id"
            return await self._db.read(fact_from, sql, bank)
        sql = f"SELECT {FACT} FROM fact WHERE bank = ?1 AND id IN {LISTED}"
        found = {fact.id: fact for fact in await self._db.read(fact_from, sql, bank, packed(ids))}
        return [found[fact] for fact in ids if fact in found]

    async def earlier(self, bank: str, ids: Sequence[str]) -> dict[str, list[Fact]]:
        """See `Records.earlier`."""
        versions: dict[str, list[Fact]] = {fact: [] for fact in ids}
        for head, fact in await self._db.read(_headed, _EARLIER, bank, packed(ids)):
            versions[head].append(fact)
        return versions

    async def holding(self, bank: str, ids: Sequence[str], *, now: datetime) -> dict[str, str]:
        """See `Records.holding`."""
        sql = f"SELECT id, text FROM fact WHERE bank = ?1 AND {HOLDS} AND id IN {LISTED}"
        at = stamp(now, of="the look-up")
        return dict(await self._db.read(_texted, sql, bank, packed(ids), at))

    async def supported(
        self, bank: str, turns: Sequence[str], *, now: datetime
    ) -> dict[str, list[str]]:
        """See `Records.supported`."""
        at, facts = stamp(now, of="the look-up"), dict[str, list[str]]()
        for turn, fact in await self._db.read(_support, _SUPPORTED, bank, packed(turns), at):
            facts.setdefault(turn, []).append(fact)
        return {turn: facts[turn] for turn in turns if turn in facts}

    async def added(
        self, bank: str, *, since: int, limit: int | None = None
    ) -> tuple[list[Fact], int]:
        """See `Records.added`."""
        sql = f"""
            SELECT {FACT} FROM fact WHERE bank = ?1 AND n > ?2 AND until IS NULL
            ORDER BY n LIMIT ?3
        """
        most = -1 if limit is None else at_most(limit)  # SQLite's word for no limit
        numbered = await self._db.read(_numbered, sql, bank, since, most)
        return [fact for _, fact in numbered], max((n for n, _ in numbered), default=since)

    async def newest(self, bank: str) -> datetime | None:
        """See `Records.newest`."""
        sql = """
            SELECT max(date) AS date FROM (
                SELECT max(date) AS date FROM fact WHERE bank = ?1 UNION ALL
                SELECT max(learned) FROM cue WHERE bank = ?1 AND learned IS NOT NULL)
        """
        return (await self._db.read(lambda row: moment_or_none(row["date"]), sql, bank))[0]

    async def occurring(
        self, bank: str, days: Span, *, zone: tzinfo, k: int, now: datetime
    ) -> list[Occurrence]:
        """See `Records.occurring`."""
        of, at = Asked.of(days, zone), stamp(now, of="the search")
        if k <= 0 or days[0] > days[1]:
            return []
        given = (of.first, at, of.last, of.since, of.before, of.twice_middle, at_most(k))
        rows = await self._db.read(lambda row: row, _OCCURRING, bank, *given)
        return occurrences(rows, days, zone)

    async def cues(self, bank: str, facts: Sequence[str]) -> list[Cue]:
        """See `Records.cues`."""
        sql = f"SELECT * FROM cue WHERE bank = ?1 AND fact IN {LISTED} ORDER BY fact, position"
        return await self._db.read(cue_of, sql, bank, packed(facts))

    async def unforeseen(self, bank: str, *, limit: int) -> list[Fact]:
        """See `Records.unforeseen`."""
        some = "until IS NULL AND foreseen = 0"
        sql = f"SELECT {FACT} FROM fact WHERE bank = ?1 AND {some} ORDER BY date, id LIMIT ?2"
        return await self._db.read(fact_from, sql, bank, at_most(limit))

    async def banks(self) -> list[BankSummary]:
        """See `Records.banks`."""
        return await self._db.read(_summary, _BANKS, "")


def _headed(row: sqlite3.Row) -> tuple[str, Fact]:
    return row["head"], fact_from(row)


def _support(row: sqlite3.Row) -> tuple[str, str]:
    return row["turn"], row["id"]


def _numbered(row: sqlite3.Row) -> tuple[int, Fact]:
    return row["n"], fact_from(row)


def _texted(row: sqlite3.Row) -> tuple[str, str]:
    return row["id"], row["text"]


def _summary(row: sqlite3.Row) -> BankSummary:
    counts = dict(row)
    return BankSummary(bank=counts.pop("bank"), **{name: n or 0 for name, n in counts.items()})
