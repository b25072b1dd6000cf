"""Which opinions, observations and commitments are from which facts: the rows of `evidence`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from forethought.memory.records.sqlite.database import Transaction
from forethought.memory.records.sqlite.rows import LISTED, packed

FROM_FACTS = f"SELECT DISTINCT of FROM evidence WHERE bank = ?1 AND fact IN {LISTED} AND part = ?3"
"""Whatever (opinions, subjects, commitments) is from one of the facts of `?2`; `?3` is the part."""


async def from_facts(tx: Transaction, facts: Sequence[str], part: str) -> list[str]:
    """The ids that `FROM_FACTS` finds."""
    return [row["of"] for row in await tx.rows(FROM_FACTS, packed(facts), part)]


async def insert_evidence(
    tx: Transaction, part: str, pairs: Iterable[tuple[Iterable[str], str]]
) -> None:
    """That each of these is from these facts, which are stored."""
    await tx.many(
        "INSERT OR IGNORE INTO evidence (bank, fact, part, of) VALUES (?1, ?2, ?3, ?4)",
        [(fact, part, of) for facts, of in pairs for fact in facts],
    )


async def drop_evidence(tx: Transaction, part: str, listed: str) -> None:
    """That what is `listed` (as `packed` gives it) is from any fact."""
    sql = f"DELETE FROM evidence WHERE bank = ?1 AND of IN {LISTED} AND part = ?3"
    await tx.run(sql, listed, part)


async def stored(tx: Transaction, table: str, ids: Iterable[str]) -> set[str]:
    """Those of these ids that the table has."""
    sql = f"SELECT id FROM {table} WHERE bank = ?1 AND id IN {LISTED}"
    return {row["id"] for row in await tx.rows(sql, packed(ids))}
