"""Two processes at once over one Chroma server and one Neo4j, as the README says to set them up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest

from forethought.memory.exchange.carrying import gathered
from forethought.memory.index import ChromaIndex
from forethought.memory.records.neo4j import Neo4jRecords
from tests.contracts.chroma_server import chroma_server
from tests.contracts.neo4j_scan import traces
from tests.contracts.neo4j_server import Address
from tests.flows.bench import session
from tests.flows.cli.bench import everything, obedient
from tests.flows.client import Client
from tests.flows.openai_stub import openai_stub, user_text
from tests.flows.scripted import WordCounts

CLIENTS = ("Anna", "Ben")
BOTH = "We all like Sundays"


class Together:
    """An obedient model that holds each client's first request until the other's is there, too."""

    def __init__(self) -> None:
        self._waiting = set(CLIENTS)
        self._met = Barrier(len(CLIENTS), timeout=60)

    def __call__(self, schema: str, request: dict[str, Any]) -> str:
        for client in [name for name in self._waiting if name in user_text(request)]:
            self._waiting.discard(client)
            self._met.wait()
        return obedient(schema, request)


@pytest.fixture
def servers(tmp_path: Path, neo4j_address: Address) -> Iterator[dict[str, str]]:
    """Both servers and a model, as the environment names them."""
    with chroma_server(tmp_path / "chroma") as chroma, openai_stub(Together()) as stub:
        yield {
            "FORETHOUGHT_CHROMA_URL": chroma,
            "FORETHOUGHT_NEO4J_URI": neo4j_address.uri,
            "FORETHOUGHT_NEO4J_USER": neo4j_address.user,
            "FORETHOUGHT_NEO4J_PASSWORD": neo4j_address.password,
            "FORETHOUGHT_MODEL": "openai:stub",
            "FORETHOUGHT_BASE_URL": stub.url,
        }


@pytest.fixture
def clients(servers: dict[str, str], tmp_path: Path) -> Iterator[list[Client]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                Client({**servers, "FORETHOUGHT_DATA_DIR": str(tmp_path / "clients" / name)})
            )
            for name in CLIENTS
        ]


@pytest.fixture
async def records(neo4j_address: Address) -> AsyncIterator[Neo4jRecords]:
    address = neo4j_address
    opened = await Neo4jRecords.open(address.uri, user=address.user, password=address.password)
    yield opened
    await opened.close()


@pytest.fixture
async def index(servers: dict[str, str]) -> AsyncIterator[ChromaIndex]:
    opened = await ChromaIndex.server(servers["FORETHOUGHT_CHROMA_URL"], embedder=WordCounts.name)
    yield opened
    await opened.close()


async def test_two_processes_at_once_store_everything_once_and_see_what_the_other_does(
    clients: list[Client], records: Neo4jRecords, index: ChromaIndex, tmp_path: Path
) -> None:
    mark = uuid4().hex
    home, own = f"home {mark}", [f"{name} {mark}" for name in CLIENTS]
    told = {name: [f"{name} {mark} counts to number{n}" for n in range(6)] for name in CLIENTS}
    anna, ben = clients

    for client, name, bank in zip(clients, CLIENTS, own, strict=True):
        shared = [*sessions(told[name]), session(BOTH, key="both")]
        client.tell("retain", banks={home: shared, bank: sessions(told[name][:2])})
    for client in clients:
        for report in client.answer().values():
            assert {entry["status"] for entry in report} == {"extracted"}

    everything_said = [*told["Anna"], *told["Ben"], BOTH]
    await stored_once(records, index, home, everything_said)
    for name, bank in zip(CLIENTS, own, strict=True):
        await stored_once(records, index, bank, told[name][:2])
    for client, other in ((anna, told["Ben"]), (ben, told["Anna"])):
        found = client("find", bank=home, query=other[3])
        assert found["meaning"][0] == found["words"][0] == found["said"][0] == other[3]
    assert (
        anna("find", bank=own[1], query="counts")["words"]
        == ben("find", bank=own[1], query="counts")["words"]
    )

    (fact,) = [one for one in await records.facts(home) if one.text == told["Ben"][0]]
    (said,) = [one for one in await records.sessions(home) if one.key == "Anna 1"]
    # text, cue and turn, and what the other process had replaced and not purged yet
    assert anna("forget", bank=home, fact=fact.id)["vectors"] >= 3
    assert ben("forget", bank=home, session=said.id)["vectors"] >= 3
    for client in clients:
        for gone in (told["Ben"][0], told["Anna"][1]):
            found = client("find", bank=home, query=gone)
            assert not any(gone in texts for texts in found.values())
    again = {home: [*sessions(told["Ben"][:1]), *sessions(told["Anna"][1:2])]}
    assert [one["outcome"] for one in ben("retain", banks=again)[home]] == ["known", "forgotten"]
    left = [text for text in everything_said if text not in (told["Ben"][0], told["Anna"][1])]
    assert sorted(one.text for one in await records.facts(home)) == sorted(left)

    assert anna("forget", bank=home)["facts"] == len(left)
    assert ben("find", bank=home, query="counts") == {"meaning": [], "words": [], "said": []}
    ben("retain", banks={home: sessions(told["Ben"][:2])})
    assert (
        anna("find", bank=home, query="counts")["meaning"][:2]
        == ben("find", bank=home, query="counts")["meaning"]
    )
    await stored_once(records, index, home, told["Ben"][:2])

    ben("forget", bank=home)
    for client, bank in zip(clients, reversed(own), strict=True):
        client("forget", bank=bank)
    assert await traces(records, mark) == []
    assert mark.encode() not in everything(tmp_path)


def sessions(texts: Sequence[str]) -> list[dict[str, Any]]:
    """One for each text, under a key made of its first and last words."""
    keys = [f"{text.split()[0]} {text.rpartition('number')[2]}" for text in texts]
    return [session(text, key=key) for text, key in zip(texts, keys, strict=True)]


async def stored_once(
    records: Neo4jRecords, index: ChromaIndex, bank: str, texts: Sequence[str]
) -> None:
    """A session, a turn, a fact, a cue and three vectors for each text, and nothing else."""
    kept = await gathered(records, bank)
    for what in (kept.turns, kept.facts):
        assert sorted(one.text for one in what) == sorted(texts)
    assert len(kept.sessions) == len(kept.cues) == len(texts)
    assert {one.frequency for one in kept.facts} == {1}
    assert await index.ids(bank, "text") == {one.id for one in kept.facts}
    assert await index.ids(bank, "cue") == {one.id for one in kept.cues}
    assert await index.ids(bank, "turn") == {one.id for one in kept.turns}
    assert not await records.unindexed(bank, limit=1)
    assert not await records.unpurged(bank)
