"""Neo4j killed and started again in the middle of a long retain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from forethought.graphs.app import App
from forethought.memory.errors import StoreUnavailable
from forethought.memory.exchange.carrying import gathered
from forethought.memory.index import ChromaIndex
from forethought.memory.records.neo4j import Neo4jRecords
from forethought.nodes.model import Model
from tests.contracts.neo4j_server import Server
from tests.flows.bench import NOW, Bench, session, statuses
from tests.flows.scripted import OBEDIENT, Call, ScriptedChat, WordCounts, facts_said

SESSIONS = {
    bank: [
        session(f"I collect the stamp number{n}", *["assistant: Nice"][: n % 2], key=f"chat {n}")
        for n in range(50)
    ]
    for bank in ("ann", "bob", "zoe", "max")
}
"""200 of them: each bank's are retained one after the other, and the banks all at once."""


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
    for result in await _retained(bench):
        assert set(statuses(result)) == {"extracted"}
    (killed,) = killing
    await killed
    await _stored_once(bench)
    calls = len(bench.asked())
    for result in await _retained(bench):
        assert {entry["outcome"] for entry in result["report"]} == {"known"}
    assert len(bench.asked()) == calls, "nothing is paid for twice"
    await _stored_once(bench)


def _restart(server: Server) -> None:
    with server.down():
        pass


async def _retained(bench: Bench) -> list[dict[str, Any]]:
    return await asyncio.gather(*(_retain(bench, bank) for bank in SESSIONS))


async def _retain(bench: Bench, bank: str) -> dict[str, Any]:
    """As whoever runs it would: again, if the server is away for longer than it is waited for."""
    for _ in range(3):
        with suppress(StoreUnavailable):
            return await bench.retain(*SESSIONS[bank], bank=bank, consolidate_after=0)
    raise AssertionError("the server does not come back")


async def _stored_once(bench: Bench) -> None:
    """Each session, turn, fact, cue and vector; and every fact is found by its words."""
    records, index = bench.app.records, bench.app.index
    for bank, given in SESSIONS.items():
        kept = await gathered(records, bank)
        assert sorted(one.key for one in kept.sessions) == sorted(one["key"] for one in given)
        assert len(kept.turns) == sum(len(one["turns"]) for one in given)
        said = [one["turns"][0]["text"] for one in given]
        assert sorted(one.text for one in kept.facts) == sorted(said)
        assert {(one.frequency, one.until) for one in kept.facts} == {(1, None)}
        assert len(kept.cues) == 2 * len(said)
        assert await index.ids(bank, "text") == {one.id for one in kept.facts}
        assert await index.ids(bank, "cue") == {one.id for one in kept.cues}
        assert await index.ids(bank, "turn") == {one.id for one in kept.turns}
        assert not await records.unindexed(bank, limit=1)
        assert not await records.unpurged(bank)
        assert len(await records.search(bank, "stamp", k=999, now=NOW)) == len(said)
        assert len(await records.said(bank, "stamp", k=999, now=NOW)) == len(kept.turns)
