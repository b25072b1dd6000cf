"""Commitments: undertaken, settled, told of, and with the cues that should bring them up.

A node has all that is kept of one; `CONCERNS` leads to the facts with which it goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date as Day

from forethought.memory.ledger.types import Commitment, CommitmentCue, Settlement, State, reopen
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.held import in_order
from forethought.memory.records.neo4j.cues import COMMITMENTS, replace_cues
from forethought.memory.records.neo4j.database import Row, Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.marks import mark_unpurged, unname_if_empty
from forethought.memory.records.neo4j.rows import batches, listed
from forethought.memory.records.plan import Plan
from forethought.memory.records.ties import Kept
from forethought.memory.records.undertaken import (
    Ground,
    after_settling,
    facts_of,
    sessions_of,
    to_undertake,
)
from forethought.memory.records.undertaken_columns import (
    commitment_columns,
    commitment_of,
    reminder_columns,
    reminder_of,
)
from forethought.memory.records.values import (
    check_commitments,
    check_settlements,
    day_text,
    not_found,
)

_COMMITMENT = "one {.*, .condition, .due, .session, .closed, .closed_by, .told} AS one"
_SOME = "UNWIND $ids AS id MATCH (one:Commitment {bank: $bank, id: id})"
_EVERY = "MATCH (one:Commitment {bank: $bank}) WHERE one.id IS NOT NULL"
_OF_STATUS = "MATCH (one:Commitment {bank: $bank, status: $status})"
# Which commitments go: by id, with facts, with a session, with the bank.
_ON_FACTS = """
    UNWIND $facts AS fact MATCH (one:Commitment)-[:CONCERNS]->(:Fact {bank: $bank, id: fact})
    WITH DISTINCT one
"""
_MADE_IN = "UNWIND $sessions AS id MATCH (one:Commitment {bank: $bank, session: id})"

_THERE = f"""
    RETURN COLLECT {{ {_SOME} RETURN {_COMMITMENT} }} AS commitments,
        COLLECT {{ UNWIND $facts AS id MATCH (:Fact {{bank: $bank, id: id}}) RETURN id }} AS facts,
        COLLECT {{
            UNWIND $sessions AS id MATCH (:Session {{bank: $bank, id: id}}) RETURN id
        }} AS sessions
"""
_INSERT = """
    UNWIND $rows AS row CREATE (one:Commitment {bank: $bank}) SET one += row.node
    WITH one, row UNWIND row.facts AS id MATCH (fact:Fact {bank: $bank, id: id})
    CREATE (one)-[:CONCERNS]->(fact)
"""
_UPDATE = """
    UNWIND $nodes AS node MATCH (one:Commitment {bank: $bank, id: node.id}) SET one += node
"""
_DROP = """
    WITH one, one.id AS id, COLLECT { MATCH (one)-[:CUED]->(cue:Reminder) RETURN cue } AS cues
    WITH one, id, cues, [cue IN cues | cue.id] AS reminders
    FOREACH (cue IN cues | DETACH DELETE cue)
    DETACH DELETE one
    RETURN id, reminders
"""


class Undertaking(Facet):
    """What was promised or planned, until it is kept or dropped, and after."""

    async def commitments(
        self, bank: str, ids: Sequence[str] | None = None, *, status: State | None = None
    ) -> list[Commitment]:
        """See `Ledger.commitments`."""
        every = _EVERY if status is None else _OF_STATUS
        cypher = f"""
            {every if ids is None else _SOME}
            WITH one WHERE $status IS NULL OR one.status = $status
            RETURN {_COMMITMENT} ORDER BY one.made, one.id
        """
        rows = await self._db.read(bank, cypher, ids=listed(ids or ()), status=status)
        found = [commitment_of(row["one"], bank=bank) for row in rows]
        return found if ids is None else in_order(ids, found)

    async def undertake(self, bank: str, commitments: Sequence[Commitment]) -> list[str]:
        """See `Ledger.undertake`."""
        check_commitments(bank, commitments)

        async def work(tx: Transaction) -> list[str]:
            there = await _there(tx, commitments)
            facts = set(there["facts"])
            ground = _ground(there, lambda id: id if id in facts else None)
            new = to_undertake(commitments, ground)
            await insert_commitments(tx, new)
            if not new:  # and so the bank may be one that there was not
                await unname_if_empty(tx)
            return [one.id for one in new]

        return await self._db.transaction(bank, work, new=True)

    async def settle(self, bank: str, settlements: Sequence[Settlement]) -> list[Commitment]:
        """See `Ledger.settle`."""
        check_settlements(bank, settlements)

        async def work(tx: Transaction) -> list[Commitment]:
            there = await _there(tx, (), settlements)
            changed = after_settling(settlements, _known(tx, there))
            await _close(tx, changed)
            return changed

        return await self._db.transaction(bank, work)

    async def reopen(self, bank: str, commitment: str) -> Commitment:
        """See `Ledger.reopen`."""

        async def work(tx: Transaction) -> Commitment:
            for row in await tx.rows(f"{_SOME} RETURN {_COMMITMENT}", ids=[commitment]):
                opened = reopen(commitment_of(row["one"], bank=tx.bank))
                await _close(tx, [opened])
                return opened
            raise not_found(bank, commitment=commitment)

        return await self._db.transaction(bank, work)

    async def tell(self, bank: str, commitments: Sequence[str], *, on: Day) -> None:
        """See `Ledger.tell`."""

        async def work(tx: Transaction) -> None:
            await tx.rows(f"{_SOME} SET one.told = $on", ids=listed(commitments), on=day_text(on))

        await self._db.transaction(bank, work)

    async def reminders(self, bank: str, commitments: Sequence[str]) -> list[CommitmentCue]:
        """See `Ledger.reminders`."""
        cypher = f"""
            {_SOME} MATCH (one)-[:CUED]->(cue:Reminder)
            RETURN properties(cue) AS cue ORDER BY cue.commitment, cue.position
        """
        rows = await self._db.read(bank, cypher, ids=listed(commitments))
        return [reminder_of(row["cue"]) for row in rows]

    async def remind(
        self, bank: str, cues: Sequence[CommitmentCue], *, commitments: Sequence[str]
    ) -> None:
        """See `Ledger.remind`."""

        async def work(tx: Transaction) -> None:
            await replace_reminders(tx, cues, of={*commitments, *(cue.commitment for cue in cues)})
            await tx.rows(f"{_SOME} SET one.foreseen = 1", ids=listed(commitments))

        await self._db.transaction(bank, work)


async def write_ledger(tx: Transaction, changes: ChangeSet, plan: Plan) -> None:
    """What a ChangeSet says of commitments, once its facts are stored."""
    if not (changes.commitments or changes.settlements):
        return
    there = await _there(tx, changes.commitments, changes.settlements)
    new = to_undertake(changes.commitments, _ground(there, plan.kept, refused=plan.refused))
    await insert_commitments(tx, new)
    known = _known(tx, there) | {one.id: one for one in new}
    await _close(tx, after_settling(changes.settlements, known))


async def insert_commitments(tx: Transaction, commitments: Sequence[Commitment]) -> None:
    """New commitments, as they are, whose facts and sessions are stored."""
    rows = [{"node": commitment_columns(one), "facts": listed(one.facts)} for one in commitments]
    for some in batches(rows):
        await tx.rows(_INSERT, rows=some)


async def replace_reminders(
    tx: Transaction, cues: Sequence[CommitmentCue], *, of: Iterable[str]
) -> None:
    """Keep `cues` in place of those that these commitments had."""
    await replace_cues(tx, [reminder_columns(cue) for cue in cues], of=of, cued=COMMITMENTS)


async def drop_commitments(tx: Transaction, commitments: Sequence[str]) -> int:
    """Remove these commitments with their cues; return how many were there."""
    return await _drop(tx, _SOME, ids=commitments)


async def drop_commitments_to(tx: Transaction, facts: Sequence[str]) -> int:
    """Remove those that concern one of these facts, which are still there; return how many."""
    return await _drop(tx, _ON_FACTS, facts=facts) if facts else 0


async def drop_commitments_made_in(tx: Transaction, sessions: Sequence[str]) -> int:
    """Remove those that were made in these sessions; return how many."""
    return await _drop(tx, _MADE_IN, sessions=sessions)


async def drop_all_commitments(tx: Transaction) -> int:
    """Remove all of the bank; return how many."""
    return await _drop(tx, _EVERY)


async def _drop(tx: Transaction, some: str, **which: object) -> int:
    gone = await tx.rows(f"{some} {_DROP}", **which)
    await mark_unpurged(tx, [reminder for row in gone for reminder in row["reminders"]])
    return len(gone)


async def _there(
    tx: Transaction, commitments: Sequence[Commitment], settlements: Sequence[Settlement] = ()
) -> Row:
    """What is stored of what these name, in one journey."""
    ids = [one.id for one in commitments] + [one.commitment for one in settlements]
    (row,) = await tx.rows(
        _THERE,
        ids=listed(ids),
        facts=listed(facts_of(commitments)),
        sessions=listed(sessions_of(commitments)),
    )
    return row


def _ground(there: Row, kept: Kept, *, refused: Collection[str] = ()) -> Ground:
    known = {node["id"] for node in there["commitments"]}
    return Ground(known, set(there["sessions"]), kept, refused)


def _known(tx: Transaction, there: Row) -> dict[str, Commitment]:
    found = [commitment_of(node, bank=tx.bank) for node in there["commitments"]]
    return {one.id: one for one in found}


async def _close(tx: Transaction, commitments: Sequence[Commitment]) -> None:
    names = ("id", "status", "closed", "closed_by")
    columns = [commitment_columns(one) for one in commitments]
    if columns:
        await tx.rows(_UPDATE, nodes=[{name: row[name] for name in names} for row in columns])
