"""SQLite and Neo4j keep real banks alike: the same graph, the same ways through it, the same words.

Each has its own BM25, so that only there the two may differ, and by how much is bounded.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from forethought.evals.metrics import mean, ranks, recall_at
from forethought.memory.exchange.carrying import gathered
from forethought.memory.records.neo4j import Neo4jRecords
from forethought.memory.records.port import Records
from forethought.memory.records.sqlite import SqliteRecords
from tests.contracts.adapters import open_neo4j
from tests.contracts.neo4j_server import Address
from tests.contracts.samples import NOW
from tests.flows.graphed import Graphed, locomo, mini

Ask = Callable[[Records], Awaitable[object]]

MOST = 0.01
"""How far apart the two keyword channels' recall may be (issue 4)."""


@pytest.mark.slow
async def test_both_stores_keep_the_same_graph_and_find_the_same(
    shared_data: Path, neo4j_address: Address, tmp_path: Path
) -> None:
    banks = [*mini(shared_data / "memoryquest-mini"), *locomo(shared_data / "locomo", count=2)]
    embedded, server = await SqliteRecords.open(tmp_path), await open_neo4j(tmp_path)
    assert isinstance(server, Neo4jRecords)
    try:
        for bank in banks:
            for records in (embedded, server):
                await keep(records, bank)
            await agree(embedded, server, bank)
        recalls = [await recall(records, banks) for records in (embedded, server)]
        assert abs(recalls[0] - recalls[1]) <= MOST
        assert min(recalls) > 0.5
    finally:
        await embedded.close()
        await server.close()


async def keep(records: Records, bank: Graphed) -> None:
    """Retain the bank; then a user joins two names, and another is forgotten."""
    await records.log(bank.bank, bank.log)
    for changes in bank.changes:
        await records.commit(changes)
    first, *_, last = [one for one in await records.entities(bank.bank) if one.into is None]
    await records.join(bank.bank, last.id, first.id, by="user")
    await records.join(bank.bank, first.id, None, by="user")
    middle = await records.namesakes(bank.bank, ["Ma"], k=1)
    for one in middle["Ma"]:
        await records.forget(bank.bank, entity=one.id)
    await records.forget(bank.bank, fact=bank.facts[7])


async def agree(one: Records, other: Records, bank: Graphed) -> None:
    """All that is kept is equal, and so is all that a way through the graph leads to."""
    kept = await gathered(one, bank.bank)
    assert await gathered(other, bank.bank) == kept
    assert min(len(kept.entities), len(kept.mentions), len(kept.links)) > 5
    assert {link.kind for link in kept.links} > {"semantic", "temporal", "causes"}
    assert any(entity.into for entity in kept.entities) and any(fact.until for fact in kept.facts)
    summary = [found for found in await one.banks() if found.bank == bank.bank]
    assert [found for found in await other.banks() if found.bank == bank.bank] == summary
    facts, entities = [fact.id for fact in kept.facts], [entity.id for entity in kept.entities]
    names = [entity.name for entity in kept.entities]
    for ask in questions(bank.bank, facts, entities, names, kept.facts[len(facts) // 2].date):
        found = await ask(one)
        assert found and await ask(other) == found


def questions(
    bank: str, facts: Sequence[str], entities: Sequence[str], names: Sequence[str], then: datetime
) -> list[Ask]:
    days = timedelta(days=3)
    return [
        lambda records: records.neighbours(bank, facts, now=NOW, fan=5),
        lambda records: records.neighbours(bank, facts, now=then, fan=3),
        lambda records: records.mentioning(bank, entities, k=7, now=NOW),
        lambda records: records.mentioning(bank, entities, k=7, now=then),
        lambda records: records.around(bank, facts, within=days, k=10),
        lambda records: records.namesakes(bank, [*names, "Marian"], k=4),
        lambda records: records.mentions(bank, facts[::2]),
        lambda records: records.links(bank, facts[::2]),
        lambda records: records.holding(bank, facts, now=then),
    ]


async def recall(records: Records, banks: Sequence[Graphed]) -> float:
    """Recall@20 of the keyword channel over all questions that any fact answers."""
    found = []
    for bank in banks:
        for text, needed in bank.asked:
            if all(needed):
                hits = await records.search(bank.bank, text, k=20, now=NOW)
                found.append(recall_at(20, ranks([fact for fact, _ in hits], needed)))
    return mean(found)
