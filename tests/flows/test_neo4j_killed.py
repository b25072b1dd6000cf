"""Neo4j killed and started again in the middle of a long retain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from forethought.graphs.app import App
from forethought.memory.exchange.carrying import gathered
from forethought.memory.index import ChromaIndex
from forethought.memory.records.neo4j import Neo4jRecords
from forethought.nodes.model import Model
from tests.contracts.neo4j_server import Server
from tests.flows.bench import BANK, NOW, Bench, session, statuses
from tests.flows.scripted import OBEDIENT, Call, ScriptedChat, WordCounts, facts_said

SESSIONS = [
    session(f"I collect the stamp number{n}", *["assistant: Nice"][: n % 2], key=f"chat {n}")
    for n in range(200)
]
FACTS = [given["turns"][0]["text"] for given in SESSIONS]


@pytest.fixture
async def bench(own_neo4j: Server, tmp_path: Path) -> AsyncIterator[Bench]:
    """An App as `open_app` makes it, over that server, with a scripted model."""
    chat, embedder = ScriptedChat(answers=dict(OBEDIENT), calls=[]), WordCounts()
    address = own_neo4j.address
    records = await Neo4jRecords.open(
        address.uri, user=address.user, password=address.password, store=str(tmp_path)
    )
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=embedder.name)
    model = Model(chat, name="scripted", timeout=5)
    yield Bench(App(records, index, embedder, model, clock=lambda: NOW), chat)
    await index.close()
    await records.close()


async def test_a_retain_of_200_sessions_outlasts_a_kill_of_the_server_and_stores_each_once(
    bench: Bench, own_neo4j: Server
) -> None:
    killing: list[asyncio.Future[None]] = []

    def extract(call: Call) -> dict[str, Any]:
        if len(bench.asked("extract")) == 60:
            killing.append(asyncio.ensure_future(asyncio.to_thread(_restart, own_neo4j)))
        return facts_said(call)

    bench.script(extract=extract)
    result = await bench.retain(*SESSIONS, consolidate_after=0)
    await asyncio.gather(*killing)
    assert len(killing) == 1
    assert statuses(result) == ["extracted"] * len(SESSIONS)
    await _stored_once(bench)
    calls = len(bench.asked())
    again = await bench.retain(*SESSIONS, consolidate_after=0)
    assert {entry["outcome"] for entry in again["report"]} == {"known"}
    assert len(bench.asked()) == calls, "nothing is paid for twice"
    await _stored_once(bench)


def _restart(server: Server) -> None:
    with server.down():
        pass


async def _stored_once(bench: Bench) -> None:
    """Each session, turn, fact, cue and vector; and every fact is found by its words."""
    records, index = bench.app.records, bench.app.index
    kept = await gathered(records, BANK)
    assert sorted(one.key for one in kept.sessions) == sorted(one["key"] for one in SESSIONS)
    assert len(kept.turns) == sum(len(one["turns"]) for one in SESSIONS)
    assert sorted(one.text for one in kept.facts) == sorted(FACTS)
    assert {(one.frequency, one.until) for one in kept.facts} == {(1, None)}
    assert len(kept.cues) == 2 * len(FACTS)
    assert await index.ids(BANK, "text") == {one.id for one in kept.facts}
    assert await index.ids(BANK, "cue") == {one.id for one in kept.cues}
    assert (await records.unindexed(BANK, limit=1), await records.unpurged(BANK)) == ([], [])
    assert len(await records.search(BANK, "stamp", k=999, now=NOW)) == len(FACTS)
    assert len(await records.said(BANK, "stamp", k=999, now=NOW)) == len(kept.turns)
