"""SQLite and Neo4j keep real banks alike: the same graph, the same ways through it, the same words.

Each has its own BM25, so that only there the two may differ, and by how much is bounded.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from forethought.evals.metrics import ranks
from forethought.memory.beliefs.types import Judgement, Observation, Opinion
from forethought.memory.ids import observation_id, opinion_id
from forethought.memory.recall.graph import activated
from forethought.memory.recall.temporal import Temporal
from forethought.memory.records.neo4j import Neo4jRecords
from forethought.memory.records.port import Records
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.types import Entity, Fact
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
        for records in (embedded, server):
            for bank in banks:
                await retain(records, bank)
        (found, of), (also, _) = [await recall(records, banks) for records in (embedded, server)]
        assert abs(found - also) <= MOST * of
        assert min(found, also) > 0.35 * of  # and they find something
        for bank in banks:
            for records in (embedded, server):
                await decide(records, bank)
            await agree(embedded, server, bank)
        assert await embedded.banks() == await server.banks()
    finally:
        await embedded.close()
        await server.close()


async def retain(records: Records, bank: Graphed) -> None:
    await records.log(bank.bank, bank.log)
    for changes in bank.changes:
        await records.commit(changes)
    await believe(records, bank.bank)


async def believe(records: Records, bank: str) -> None:
    """An opinion on every other fact, moved by the one after it, and what is seen of each name."""
    facts = await records.facts(bank)
    pairs = list(zip(facts[::2], facts[1::2], strict=False))
    held = [
        Opinion(
            opinion_id(bank, text), bank, text, 0.5, one.date, text, 0.5, one.entities, (one.id,)
        )
        for one, _ in pairs
        for text in [f"It is good that {one.text}"]
    ]
    await records.hold(bank, held)
    moves = [
        Judgement(opinion.id, "weaken", NOW, by.id, text=f"Not so: {by.text}")
        for opinion, (_, by) in zip(held, pairs, strict=True)
    ]
    assert len(await records.judge(bank, moves)) == len(held)
    some = (await records.entities(bank))[:60:5]
    found = await records.mentioning(bank, [about.id for about in some], k=9, now=NOW)
    for about in some:
        seen = [
            Observation(
                observation_id(bank, about.id, text),
                bank,
                about.id,
                "entity",
                about.name,
                text,
                tuple(found[about.id]),
                NOW,
            )
            for text in (f"{about.name} is there", f"{about.name} is spoken of")
        ]
        await records.observe(bank, about.id, seen)


async def decide(records: Records, bank: Graphed) -> None:
    """A user joins two names, keeps one apart, and has another name and a fact forgotten."""
    first, *_, last = [one for one in await records.entities(bank.bank) if one.into is None]
    await records.join(bank.bank, last.id, first.id, by="user")
    await records.join(bank.bank, first.id, None, by="user")
    middle = await records.namesakes(bank.bank, ["Ma"], k=1)
    for one in middle["Ma"]:
        await records.forget(bank.bank, entity=one.id)
    await records.forget(bank.bank, fact=bank.facts[7])


async def agree(one: Records, other: Records, bank: Graphed) -> None:
    """All that is kept is equal, and so is all that a way through the graph leads to."""
    facts, entities = await one.facts(bank.bank), await one.entities(bank.bank)
    links = await one.links(bank.bank)
    assert min(len(entities), len(links)) > 5
    assert {link.kind for link in links} > {"semantic", "temporal", "causes"}
    assert any(entity.into for entity in entities) and any(fact.until for fact in facts)
    for ask in questions(bank.bank, facts, entities):
        found = await ask(one)
        assert found and await ask(other) == found


def questions(bank: str, known: Sequence[Fact], named: Sequence[Entity]) -> list[Ask]:
    """All that is asked of both: what they keep, and what leads from each fact and name."""
    facts, then = [fact.id for fact in known], known[len(known) // 2].date
    entities, names = [one.id for one in named], [one.name for one in named]
    days = timedelta(days=3)
    return [
        lambda records: records.facts(bank),
        lambda records: records.entities(bank),
        lambda records: records.mentions(bank),
        lambda records: records.links(bank),
        lambda records: records.tombstones(bank),
        lambda records: records.opinions(bank),
        lambda records: records.observations(bank),
        lambda records: records.neighbours(bank, facts, now=NOW, fan=5),
        lambda records: records.neighbours(bank, facts, now=then, fan=3),
        lambda records: records.mentioning(bank, entities, k=7, now=NOW),
        lambda records: records.mentioning(bank, entities, k=7, now=then),
        lambda records: records.around(bank, facts, within=days, k=10),
        lambda records: records.namesakes(bank, [*names, "Marian"], k=4),
        lambda records: records.mentions(bank, facts[::2]),
        lambda records: records.links(bank, facts[::9]),
        lambda records: activated(records, bank, dict.fromkeys(facts[::20], 0.6), now=NOW),
        lambda records: Temporal(records).timely(
            bank, f"What was it in {then:%B %Y}?", now=NOW, zone=UTC, k=50
        ),
    ]


async def recall(records: Records, banks: Sequence[Graphed]) -> tuple[int, int]:
    """How many references of all questions are among the first 20 facts by words, and of how many.

    Of those that any fact covers. Over all of them together, as a question has one to five: the
    mean of the questions' own shares moves with the few that have one.
    """
    found = of = 0
    for bank in banks:
        for text, needed in bank.asked:
            hits = await records.search(bank.bank, text, k=20, now=NOW)
            covered = ranks([fact for fact, _ in hits], [facts for facts in needed if facts])
            found += sum(rank is not None for rank in covered)
            of += len(covered)
    return found, of
