"""A bank that is larger than one transaction may be: forgotten part by part, with one outcome."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from forethought.memory.errors import ForethoughtError, NotFound
from forethought.memory.records.changes import Purge
from forethought.memory.records.neo4j import Neo4jRecords, forget_bank
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.removal import Linked, remove
from tests.contracts.adapters import open_neo4j
from tests.contracts.neo4j_server import Address
from tests.contracts.samples import fact, learn
from tests.contracts.two_banks import BANKS, READS, WRITES, Place

ANN, BOB = BANKS


async def _filled(folder: Path) -> Neo4jRecords:
    """Two banks with something of every sort, and a tombstone."""
    records = await open_neo4j(folder)
    assert isinstance(records, Neo4jRecords)
    writes = {name: write for name, write in WRITES.items() if not name.startswith("forget")}
    for bank, other in (BANKS, BANKS[::-1]):
        for write in writes.values():
            with suppress(ForethoughtError):  # some name what is the other bank's
                await write(Place(records, bank, other))
        await learn(records, whistles := fact("Whistles", bank=bank))
        await records.forget(bank, fact=whistles.id)
    return records


async def _left(records: Neo4jRecords, bank: str, other: str) -> dict[str, object]:
    return {name: await read(Place(records, bank, other)) for name, read in READS.items()}


def _sorted(purge: Purge) -> Purge:
    return replace(purge, facts=tuple(sorted(purge.facts)), cues=tuple(sorted(purge.cues)))


@pytest.mark.parametrize("at_once", [1, 3])
async def test_a_bank_forgotten_in_parts_is_forgotten_as_in_one(
    neo4j_address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    whole, parted = await _filled(tmp_path / "whole"), await _filled(tmp_path / "parted")
    bob = await _left(parted, BOB, ANN)
    one = await whole.forget(ANN)
    assert len(one.facts) > 3 and one.cues and one.entities and one.opinions and one.commitments
    monkeypatch.setattr(forget_bank, "AT_ONCE", at_once)
    assert _sorted(await parted.forget(ANN)) == _sorted(one)
    assert await _left(parted, ANN, BOB) == await _left(whole, ANN, BOB)
    assert await _left(parted, BOB, ANN) == bob
    await parted.purged(ANN, await parted.unpurged(ANN))
    with pytest.raises(NotFound):
        await parted.forget(ANN)
    await whole.close()
    await parted.close()


async def test_a_forget_that_is_cut_off_between_parts_is_finished_by_the_next(
    neo4j_address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = await _filled(tmp_path)
    facts = [fact.id for fact in await records.facts(ANN)]
    monkeypatch.setattr(forget_bank, "AT_ONCE", 2)
    parts = 0

    async def cut_off(tx: Transaction, gone: dict[str, Linked]) -> Purge:
        nonlocal parts
        parts += 1
        if parts == 2:
            raise asyncio.CancelledError
        return await remove(tx, gone)

    with monkeypatch.context() as patch, pytest.raises(asyncio.CancelledError):
        patch.setattr("forethought.memory.records.neo4j.forget_bank.remove", cut_off)
        await records.forget(ANN)
    left = [fact.id for fact in await records.facts(ANN)]
    assert 0 < len(left) < len(facts)
    assert set((await records.forget(ANN)).facts) == set(left)
    assert set(facts) <= set(await records.unpurged(ANN))  # of both: no vector stays
    await records.purged(ANN, await records.unpurged(ANN))
    assert [one.bank for one in await records.banks()] == [BOB]
    await records.close()
