"""Commit: a ChangeSet looked up, planned (`plan.py`) and written, in one transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from forethought.memory.records.changes import ChangeSet, Committed
from forethought.memory.records.columns import version_columns, version_of
from forethought.memory.records.plan import Known, Plan, planned
from forethought.memory.records.sqlite.database import Transaction, bank_word
from forethought.memory.records.sqlite.entities import (
    entities_and_roots,
    insert_entities,
    insert_mentions,
    mentioned_by,
    update_entities,
)
from forethought.memory.records.sqlite.facet import Facet
from forethought.memory.records.sqlite.hush import hush
from forethought.memory.records.sqlite.ledger import write_ledger
from forethought.memory.records.sqlite.links import write_links
from forethought.memory.records.sqlite.marks import mark_unindexed, strike_unpurged
from forethought.memory.records.sqlite.rows import LISTED, fact_row, packed
from forethought.memory.records.values import (
    check_changes,
    check_logged,
    content_of,
)
from forethought.memory.types import Fact, Source
from forethought.memory.words import words

_NAMED_AND_LATER = """
    WITH RECURSIVE named (id) AS (
        SELECT value FROM json_each(?2)
        UNION SELECT fact.successor FROM fact JOIN named USING (id)
        WHERE fact.bank = ?1 AND fact.successor IS NOT NULL
    )
    SELECT fact.* FROM fact JOIN named USING (id) WHERE bank = ?1
"""
_HOLDING = f"""
    SELECT * FROM fact
    WHERE bank = ?1 AND until IS NULL AND content IN {LISTED}
"""
_PAST = f"""
    SELECT id, content, (
        SELECT json_group_array(source.session)
        FROM source WHERE source.bank = fact.bank AND source.fact = fact.id
    ) AS sessions
    FROM fact WHERE bank = ?1 AND until IS NOT NULL AND content IN {LISTED}
"""
_INSERT_FACT = """
    INSERT INTO fact (bank, id, text, content, kind, network, date, occurred_from, occurred_to,
        entities, until, successor, succession, tense, subjectivity, certainty)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
"""
_INSERT_WORDS = """
    INSERT INTO word (rowid, bank, words)
    SELECT n, ?2, ?3 FROM fact WHERE bank = ?1 AND id = ?4
"""
_UPDATE_VERSION = """
    UPDATE fact SET date = ?3, until = ?4, successor = ?5, succession = ?6
    WHERE bank = ?1 AND id = ?2
"""
_UPDATE_PROGRESS = """
    UPDATE session SET extracted = max(extracted, min(?3, turns)),
        error = CASE WHEN ?3 >= extracted THEN ?4 ELSE error END
    WHERE bank = ?1 AND id = ?2
"""


class Committing(Facet):
    """Facts, repeats and replacements, and what ties facts together."""

    async def commit(self, changes: ChangeSet) -> Committed:
        """See `Records.commit`."""
        check_changes(changes)
        async with self._db.transaction(changes.bank) as tx:
            plan = planned(changes, await _known(tx, changes))
            await _write(tx, plan)
            await write_ledger(tx, changes, plan)
            await tx.many(
                _UPDATE_PROGRESS,
                [(step.session, step.extracted, step.error) for step in changes.progress],
            )
            return plan.committed


async def _known(tx: Transaction, changes: ChangeSet) -> Known:
    """Look up what the changes name, in a handful of queries whatever their number."""
    named = changes.named
    contents = {content_of(fact.text) for fact in changes.facts}
    past = await tx.rows(_PAST, packed(contents))
    named |= {row["id"] for row in past}
    found = await tx.rows(_NAMED_AND_LATER, packed(named))
    contents |= {row["content"] for row in found}
    holding = await tx.rows(_HOLDING, packed(contents))
    sessions = await _forgotten_sessions(tx, changes)
    versions = {row["id"]: version_of(row) for row in (*found, *holding)}
    mentions = await mentioned_by(tx, versions)
    return Known(
        versions,
        {row["content"]: row["id"] for row in holding},
        _by_content(past),
        frozenset(await _tombstones(tx, contents) | sessions),
        mentions,
        await entities_and_roots(tx, changes.named_entities.union(*mentions.values())),
    )


def _by_content(past: Iterable[sqlite3.Row]) -> dict[str, dict[str, frozenset[str]]]:
    """For each content the facts that no longer hold, with the sessions that said them."""
    said_in: dict[str, dict[str, frozenset[str]]] = {}
    for row in past:
        said_in.setdefault(row["content"], {})[row["id"]] = frozenset(json.loads(row["sessions"]))
    return said_in


async def _forgotten_sessions(tx: Transaction, changes: ChangeSet) -> set[str]:
    """The forgotten ones among the sessions that support the facts; all others must be logged."""
    named = changes.supporting
    sql = f"SELECT id FROM session WHERE bank = ?1 AND id IN {LISTED}"
    logged = {row["id"] for row in await tx.rows(sql, packed(named))}
    forgotten = await _tombstones(tx, named - logged)
    check_logged(named - logged - forgotten, bank=tx.bank)
    return forgotten


async def _tombstones(tx: Transaction, marks: Iterable[str]) -> set[str]:
    sql = f"SELECT mark FROM tombstone WHERE bank = ?1 AND mark IN {LISTED}"
    return {row["mark"] for row in await tx.rows(sql, packed(marks))}


async def _write(tx: Transaction, plan: Plan) -> None:
    """Retire before reviving and inserting: one fact that holds for each content, at any moment."""
    stored = (plan.redated | plan.revived | set(plan.replaced)) - set(plan.inserted)
    retired_first = sorted(stored, key=lambda fact: plan.versions[fact].until is None)
    rows = [(fact, *version_columns(fact, plan.versions[fact]).values()) for fact in retired_first]
    await tx.many(_UPDATE_VERSION, rows)
    await insert_facts(tx, [plan.as_stored(fact) for fact in plan.inserted.values()])
    await insert_sources(tx, plan.sources)
    # The index stores dates, a cue's being its fact's. It knows of no end, so that a replacement
    # changes nothing there.
    await mark_unindexed(tx, plan.redated - set(plan.inserted))
    await insert_entities(tx, plan.ties.new)
    await update_entities(tx, plan.ties.changed)
    await insert_mentions(tx, plan.ties.mentions)
    await write_links(tx, plan.ties.links)
    await hush(tx, plan.hushed)


async def insert_facts(tx: Transaction, facts: Sequence[Fact]) -> None:
    """New facts, unindexed and unforeseen, with the words that find them."""
    await tx.many(_INSERT_FACT, [fact_row(fact) for fact in facts])
    bank = bank_word(tx.bank)
    await tx.many(
        _INSERT_WORDS, [(bank, " ".join(words(fact.text, alone=True)), fact.id) for fact in facts]
    )
    # One whose bank was forgotten and given again: its vector is wanted after all.
    await strike_unpurged(tx, [fact.id for fact in facts])


async def insert_sources(tx: Transaction, sources: Iterable[tuple[str, Source]]) -> None:
    """What supports which fact; known support is known already."""
    await tx.many(
        "INSERT OR IGNORE INTO source (bank, fact, session, turn) VALUES (?1, ?2, ?3, ?4)",
        [
            (fact, source.session, turn)
            for fact, source in sources
            for turn in source.turns or ("",)
        ],
    )
