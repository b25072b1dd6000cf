"""Opinions and observations: held, judged, made, and without what was forgotten."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from forethought.memory.beliefs.types import Judgement, Observation, Opinion
from forethought.memory.records.held import (
    after_judging,
    check_judgements,
    check_observations,
    check_opinions,
    evidence,
    grounds,
    in_order,
    left_without,
    naming,
    to_hold,
    to_observe,
)
from forethought.memory.records.held_columns import (
    observation_columns,
    observation_of,
    opinion_columns,
    opinion_of,
)
from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.evidence import (
    FROM_FACTS,
    drop_evidence,
    from_facts,
    insert_evidence,
    stored,
)
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.marks import mark_unpurged, strike_unpurged
from forethought.memory.records.sqlite.rows import FACT, LISTED, fact_from, packed
from forethought.memory.records.values import at_most
from forethought.memory.types import Fact, Kind

_INSERT_OPINION = """
    INSERT INTO opinion (bank, id, first, initial, formed, text, confidence, entities, facts, steps)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
"""
# In the order of `opinion_columns`, of which the id finds it. A text that is another has no vector.
_UPDATE_OPINION = """
    UPDATE opinion SET indexed = CASE WHEN text = ?6 THEN indexed ELSE 0 END, first = ?3,
        initial = ?4, formed = ?5, text = ?6, confidence = ?7, entities = ?8, facts = ?9,
        steps = ?10
    WHERE bank = ?1 AND id = ?2
"""
_INSERT_OBSERVATION = """
    INSERT INTO observation (bank, position, indexed, id, subject, about, title, text, facts, made,
        occurred_from, occurred_to)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    ON CONFLICT (bank, id) DO NOTHING
"""


class Believing(Facet):
    """What is not fact: what the assistant believes, and what sums facts up."""

    async def opinions(self, bank: str, ids: Sequence[str] | None = None) -> list[Opinion]:
        """See `Beliefs.opinions`."""
        if ids is None:
            sql = "SELECT * FROM opinion WHERE bank = ?1 ORDER BY formed, id"
            return await self._db.read(_opinion, sql, bank)
        sql = f"SELECT * FROM opinion WHERE bank = ?1 AND id IN {LISTED}"
        return in_order(ids, await self._db.read(_opinion, sql, bank, packed(ids)))

    async def hold(self, bank: str, opinions: Sequence[Opinion]) -> None:
        """See `Beliefs.hold`."""
        check_opinions(bank, opinions)
        async with self._db.transaction(bank) as tx:
            known = await stored(tx, "opinion", (one.id for one in opinions))
            facts = await stored(tx, "fact", set().union(*map(evidence, opinions)))
            await insert_opinions(tx, to_hold(opinions, known=known, facts=facts))

    async def judge(self, bank: str, judgements: Sequence[Judgement]) -> list[Opinion]:
        """See `Beliefs.judge`."""
        check_judgements(bank, judgements)
        async with self._db.transaction(bank) as tx:
            sql = f"SELECT * FROM opinion WHERE bank = ?1 AND id IN {LISTED}"
            rows = await tx.rows(sql, packed(one.opinion for one in judgements))
            facts = await stored(tx, "fact", set().union(*map(grounds, judgements)))
            known = {row["id"]: _opinion(row) for row in rows}
            changed = after_judging(judgements, known=known, facts=facts)
            await _update_opinions(tx, changed)
        return changed

    async def observations(
        self,
        bank: str,
        subjects: Sequence[str] | None = None,
        *,
        ids: Sequence[str] | None = None,
    ) -> list[Observation]:
        """See `Beliefs.observations`."""
        if ids is not None:
            sql = f"SELECT * FROM observation WHERE bank = ?1 AND id IN {LISTED}"
            return in_order(ids, await self._db.read(_observation, sql, bank, packed(ids)))
        every, order = "SELECT * FROM observation WHERE bank = ?1", "ORDER BY subject, position"
        if subjects is None:
            return await self._db.read(_observation, f"{every} {order}", bank)
        sql = f"{every} AND subject IN {LISTED} {order}"
        return await self._db.read(_observation, sql, bank, packed(subjects))

    async def of_kinds(self, bank: str, kinds: Sequence[Kind], *, k: int) -> list[Fact]:
        """See `Beliefs.of_kinds`."""
        sql = f"""
            SELECT {FACT} FROM fact WHERE bank = ?1 AND until IS NULL AND kind IN {LISTED}
            ORDER BY date DESC, id LIMIT ?3
        """
        return await self._db.read(fact_from, sql, bank, packed(kinds), at_most(k))

    async def observe(self, bank: str, subject: str, observations: Sequence[Observation]) -> None:
        """See `Beliefs.observe`."""
        check_observations(bank, subject, observations)
        async with self._db.transaction(bank) as tx:
            facts = await stored(tx, "fact", {fact for one in observations for fact in one.facts})
            entities = await stored(tx, "entity", [subject])
            had = await drop_observations(tx, [subject])
            kept = to_observe(observations, facts=facts, entities=entities)
            await insert_observations(tx, kept, had=had)


async def insert_opinions(tx: Transaction, opinions: Sequence[Opinion]) -> None:
    """New opinions, unindexed, whose facts are stored."""
    await tx.many(_INSERT_OPINION, [tuple(opinion_columns(one).values()) for one in opinions])
    await insert_evidence(tx, "opinion", [(evidence(one), one.id) for one in opinions])
    await strike_unpurged(tx, [one.id for one in opinions])


async def insert_observations(
    tx: Transaction, observations: Sequence[Observation], *, had: Sequence[sqlite3.Row] = ()
) -> None:
    """Observations whose facts are stored; `had` are the rows that they take the place of.

    One of an id that another subject has is left out.
    """
    before = {_observation(row): row["indexed"] for row in had}
    await tx.many(
        _INSERT_OBSERVATION,
        [
            (position, before.get(one, 0), *observation_columns(one).values())
            for position, one in enumerate(observations)
        ],
    )
    made_from = [(one.facts, one.subject) for one in observations]
    await insert_evidence(tx, "observation", made_from)
    await strike_unpurged(tx, [one.id for one in observations])


async def drop_observations(tx: Transaction, subjects: Iterable[str]) -> list[sqlite3.Row]:
    """Remove all observations on these subjects; return their rows."""
    listed = packed(subjects)
    some = f"observation WHERE bank = ?1 AND subject IN {LISTED}"
    gone = await tx.rows(f"SELECT * FROM {some}", listed)
    await tx.run(f"DELETE FROM {some}", listed)
    await drop_evidence(tx, "observation", listed)
    await mark_unpurged(tx, [row["id"] for row in gone])
    return gone


async def drop_opinions(tx: Transaction, opinions: Iterable[str]) -> int:
    """Remove these opinions; return how many were there."""
    listed = packed(opinions)
    some = f"opinion WHERE bank = ?1 AND id IN {LISTED}"
    gone = [row["id"] for row in await tx.rows(f"SELECT id FROM {some}", listed)]
    await tx.run(f"DELETE FROM {some}", listed)
    await drop_evidence(tx, "opinion", listed)
    await mark_unpurged(tx, gone)
    return len(gone)


async def drop_beliefs_from(tx: Transaction, facts: Sequence[str]) -> tuple[int, int]:
    """Take out of opinions and observations what came of these facts, which are still there.

    Returns how many opinions and how many observations went.
    """
    subjects = await from_facts(tx, facts, "observation")
    observations = await drop_observations(tx, subjects)
    sql = f"SELECT * FROM opinion WHERE bank = ?1 AND id IN ({FROM_FACTS})"
    rows = await tx.rows(sql, packed(facts), "opinion")
    left = left_without([_opinion(row) for row in rows], set(facts))
    await _update_opinions(tx, left.changed)
    await mark_unpurged(tx, left.reworded)
    return await drop_opinions(tx, left.gone), len(observations)


async def opinions_naming(tx: Transaction, names: Iterable[str]) -> list[str]:
    """Ids of the opinions that are about somebody of one of these names."""
    rows = await tx.rows("SELECT * FROM opinion WHERE bank = ?1")
    return naming(map(_opinion, rows), names)


async def _update_opinions(tx: Transaction, opinions: Sequence[Opinion]) -> None:
    await tx.many(_UPDATE_OPINION, [tuple(opinion_columns(one).values()) for one in opinions])
    await drop_evidence(tx, "opinion", packed(one.id for one in opinions))
    await insert_evidence(tx, "opinion", [(evidence(one), one.id) for one in opinions])


def _opinion(row: sqlite3.Row) -> Opinion:
    return opinion_of(row, bank=row["bank"])


def _observation(row: sqlite3.Row) -> Observation:
    return observation_of(row, bank=row["bank"])
