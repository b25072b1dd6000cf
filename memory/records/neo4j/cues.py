"""Cues of facts and of commitments, as nodes that `CUED` leads to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from forethought.memory.records.neo4j.database import Row, Transaction, as_one
from forethought.memory.records.neo4j.marks import WANTED_AGAIN, mark_unpurged
from forethought.memory.records.neo4j.rows import batches, listed
from forethought.memory.words import storable

CUE = "cue {.*, .learned}"
"""What `columns.cue_of` needs of a `cue`, when it was learned or null."""


@dataclass(frozen=True, slots=True)
class Cued:
    """The label of what has cues, that of its cues, their property that names it, and which."""

    label: str
    cue: str
    of: str
    which: str = "true"


FACTS, COMMITMENTS = Cued("Fact", "Cue", "fact"), Cued("Commitment", "Reminder", "commitment")
IMAGINED = Cued("Fact", "Cue", "fact", "cue.learned IS NULL")


async def replace_cues(
    tx: Transaction, cues: Sequence[dict[str, Any]], *, of: Iterable[str], cued: Cued
) -> None:
    """Keep `cues`, as columns, in place of those that these had; an unchanged one stays indexed."""
    had_of = f"""
        UNWIND $ids AS id MATCH (one:{cued.label} {{bank: $bank, id: id}}) RETURN [id, COLLECT {{
            MATCH (one)-[:CUED]->(cue:{cued.cue}) WHERE {cued.which} RETURN properties(cue)
        }}] AS row
    """
    owners: dict[str, list[Row]] = {}
    for some in batches(listed(of)):
        (found,) = await tx.rows(as_one(had_of), ids=some)
        owners |= dict(found["rows"])
    had = {cue["id"]: cue for cues_of_one in owners.values() for cue in cues_of_one}
    wanted = {cue["id"]: cue for cue in cues if cue[cued.of] in owners and cue["text"].strip()}
    await drop_cues(tx, had, cued=cued)
    await put_cues(tx, list(wanted.values()), cued=cued, had=had)
    await mark_unpurged(tx, had.keys() - wanted.keys())


async def drop_asked_in(tx: Transaction, turns: Iterable[str]) -> None:
    """Drop the learned cues that these turns asked: each is a copy of what is to be gone."""
    said = """
        UNWIND $ids AS id MATCH (turn:Turn {bank: $bank, id: id})
        WITH collect(DISTINCT turn.text) AS texts
        MATCH (cue:Cue {bank: $bank}) WHERE cue.learned IS NOT NULL AND cue.text IN texts
        RETURN cue.id AS id
    """
    ids = [row["id"] for row in await tx.rows(said, ids=listed(turns))]
    await mark_unpurged(tx, await drop_cues(tx, ids, cued=FACTS))


async def drop_cues(tx: Transaction, cues: Iterable[str], *, cued: Cued) -> list[str]:
    """Delete the cues of these ids; return those that there were. See `mark_unpurged`."""
    drop = f"""
        UNWIND $ids AS id MATCH (cue:{cued.cue} {{bank: $bank, id: id}})
        DETACH DELETE cue RETURN id
    """
    gone: list[str] = []
    for some in batches(listed(cues)):
        gone += [row["id"] for row in await tx.rows(drop, ids=some)]
    return gone


async def put_cues(
    tx: Transaction,
    cues: Sequence[dict[str, Any]],
    *,
    cued: Cued,
    had: Mapping[str, Row] | None = None,
) -> None:
    """New cues, as columns; those that are as one of `had` was keep its mark."""
    put = f"""
        UNWIND $cues AS row MATCH (one:{cued.label} {{bank: $bank, id: row.{cued.of}}})
        CREATE (one)-[:CUED]->(cue) SET cue = row, cue.bank = $bank SET cue:{cued.cue}
        {WANTED_AGAIN}
    """
    before = had or {}
    nodes = [cue | {"unindexed": _unindexed(cue, before)} for cue in cues]
    for some in batches(nodes):
        await tx.rows(put, cues=some, made=[cue["id"] for cue in some])


def _unindexed(cue: dict[str, Any], before: Mapping[str, Row]) -> bool | None:
    was = before.get(cue["id"])
    if was is None or was["text"] != storable(cue["text"]):
        return True
    return was.get("unindexed")
