"""An installation that keeps its records in Neo4j."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from pydantic import SecretStr

from forethought.graphs.app import App, open_app
from forethought.graphs.settings import Settings
from forethought.memory.records.neo4j import Neo4jRecords
from tests.contracts.neo4j_scan import traces
from tests.contracts.neo4j_server import Address
from tests.contracts.samples import fact, learn
from tests.flows.cli.bench import Cli, chats, everything, obedient
from tests.flows.openai_stub import openai_stub
from tests.flows.scripted import WordCounts


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)  # where no .env lies
    for place in ("graphs.app.open_embedder", "graphs.models.open_embedder"):
        monkeypatch.setattr(f"forethought.{place}", lambda settings: WordCounts())
    return Cli(tmp_path / "data")


@asynccontextmanager
async def installed(address: Address, directory: Path) -> AsyncIterator[App]:
    settings = Settings(
        data_dir=directory,
        neo4j_uri=address.uri,
        neo4j_user=address.user,
        neo4j_password=SecretStr(address.password),
    )
    assert address.password not in repr(settings)
    async with open_app(settings) as app:
        yield app


def test_what_is_forgotten_is_in_no_node_no_index_and_no_byte_of_a_run(
    cli: Cli, neo4j_address: Address
) -> None:
    secret = uuid4().hex
    said = chats(f"My password is {secret}", "My cat Mog drinks tea")
    with openai_stub(obedient) as stub:
        cli.stub, cli.env = stub, {**environment(neo4j_address), "FORETHOUGHT_BANK": str(uuid4())}
        cli("retain", "-", input=said)
        cli("ask", secret)
        assert secret.encode() in everything(cli.directory)
        assert len(asyncio.run(traces_in(neo4j_address, secret))) > 2
        (fact,) = [one for one in cli.json("show", "facts")["facts"] if secret in one["text"]]
        cli("forget", "fact", fact["id"], "--yes")
        cli("forget", "session", cli.json("show", "chat1")["session"]["id"], "--yes")
        report = cli.json("retain", "-", input=said)["report"]
        assert [one["outcome"] for one in report] == ["forgotten", "known"]
        assert secret.encode() not in everything(cli.directory)
        assert asyncio.run(traces_in(neo4j_address, secret)) == []
        cli("forget", "bank", str(cli.env["FORETHOUGHT_BANK"]), "--yes")  # for those who share it


async def traces_in(address: Address, text: str) -> list[str]:
    uri, user, password = address.uri, address.user, address.password
    records = await Neo4jRecords.open(uri, user=user, password=password)
    try:
        return await traces(records, text)
    finally:
        await records.close()


def environment(address: Address) -> dict[str, str | None]:
    return {
        "FORETHOUGHT_NEO4J_URI": address.uri,
        "FORETHOUGHT_NEO4J_USER": address.user,
        "FORETHOUGHT_NEO4J_PASSWORD": address.password,
    }


async def test_two_installations_share_what_one_of_them_learned(
    cli: Cli, neo4j_address: Address, tmp_path: Path
) -> None:
    said = fact("Lives in Oslo", bank=f"ann {uuid4()}")
    async with (
        installed(neo4j_address, tmp_path / "one") as one,
        installed(neo4j_address, tmp_path / "other") as other,
    ):
        await learn(one.records, said)
        assert await other.records.facts(said.bank) == [said]
        purge = await other.records.forget(said.bank)
        await other.records.purged(said.bank, purge.facts)
        assert await one.records.facts(said.bank) == []
    assert not list(tmp_path.rglob("forethought.db"))


def test_the_doctor_names_the_server_and_not_the_password(cli: Cli, neo4j_address: Address) -> None:
    cli.env = environment(neo4j_address)
    report = cli.json("doctor", "--offline")
    (records,) = [check for check in report["checks"] if check["name"] == "records"]
    assert (records["state"], neo4j_address.uri in records["says"]) == ("ok", True)
    assert neo4j_address.password not in str(report)


def test_the_doctor_cannot_reach_a_neo4j_that_is_not_there(cli: Cli) -> None:
    cli.env = {"FORETHOUGHT_NEO4J_URI": "bolt://127.0.0.1:1"}
    report = cli.json("doctor", "--offline", code=1)
    (wrong,) = [check for check in report["checks"] if check["state"] == "wrong"]
    assert "127.0.0.1:1" in wrong["says"] and "FORETHOUGHT_NEO4J_URI" in wrong["fix"]
