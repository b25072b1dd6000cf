"""Forgetting what is drawn from facts, alone or with them: beliefs and commitments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from forethought.memory.beliefs.types import Opinion
from forethought.memory.records.changes import Purge
from forethought.memory.records.held import left_without, naming
from forethought.memory.records.held_columns import opinion_of
from forethought.memory.records.neo4j.beliefs import (
    drop_observations,
    drop_opinions,
    put_opinions,
)
from forethought.memory.records.neo4j.database import Row, Transaction
from forethought.memory.records.neo4j.ledger import (
    drop_all_commitments,
    drop_commitments,
    drop_commitments_to,
)
from forethought.memory.records.neo4j.marks import mark_unpurged

_FROM = """
    RETURN COLLECT {
        UNWIND $ids AS id
        MATCH (one:Opinion)-[:RESTS_ON|MOVED_BY]->(:Fact {bank: $bank, id: id})
        WITH DISTINCT one RETURN properties(one)
    } AS opinions, COLLECT {
        UNWIND $ids AS id MATCH (one:Observation)-[:SUMS_UP]->(:Fact {bank: $bank, id: id})
        RETURN DISTINCT one.subject
    } AS subjects
"""
_ALL = """
    RETURN COLLECT {
        MATCH (one:Opinion {bank: $bank}) WHERE one.id IS NOT NULL RETURN properties(one)
    } AS opinions, COLLECT {
        MATCH (one:Observation {bank: $bank}) WHERE one.subject IS NOT NULL
        RETURN DISTINCT one.subject
    } AS subjects
"""


async def forget_opinions(tx: Transaction, opinions: Sequence[str]) -> Purge:
    """Opinions with their trajectories."""
    return Purge(opinions=await drop_opinions(tx, opinions))


async def forget_commitments(tx: Transaction, commitments: Sequence[str]) -> Purge:
    """Commitments with their cues."""
    return Purge(commitments=await drop_commitments(tx, commitments))


async def forget_drawn_from(tx: Transaction, facts: Sequence[str]) -> Purge:
    """What comes from these facts, which are there still; opinions that they only moved stay."""
    (row,) = await tx.rows(_FROM, ids=facts)
    left = left_without(_opinions(tx, row), set(facts))
    await put_opinions(tx, left.changed, unindexed=left.reworded)
    await mark_unpurged(tx, left.reworded)
    return Purge(
        opinions=await drop_opinions(tx, left.gone),
        observations=await drop_observations(tx, row["subjects"]),
        commitments=await drop_commitments_to(tx, facts),
    )


async def forget_opinions_naming(tx: Transaction, names: Iterable[str]) -> int:
    """How many opinions were about somebody of these names: they go with them."""
    (row,) = await tx.rows(_ALL)
    return await drop_opinions(tx, naming(_opinions(tx, row), names))


async def forget_all_drawn(tx: Transaction) -> Purge:
    """All of the bank."""
    (row,) = await tx.rows(_ALL)
    return Purge(
        opinions=await drop_opinions(tx, [node["id"] for node in row["opinions"]]),
        observations=await drop_observations(tx, row["subjects"]),
        commitments=await drop_all_commitments(tx),
    )


def _opinions(tx: Transaction, row: Row) -> list[Opinion]:
    return [opinion_of(node, bank=tx.bank) for node in row["opinions"]]
