"""What only a server can do wrong: be away, be another, be shared, or be asked from two loops."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from uuid import uuid4

import pytest

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.errors import InvalidInput, StoreUnavailable
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.neo4j import Neo4jRecords, database
from forethought.memory.records.port import Records
from forethought.memory.types import Cue, Fact
from tests.contracts.adapters import open_neo4j
from tests.contracts.neo4j_scan import traces
from tests.contracts.neo4j_server import Address, Server
from tests.contracts.samples import (
    BANK,
    NOW,
    fact,
    found,
    learn,
    log_sources,
    session,
    stored,
    talk,
)
from tests.contracts.test_records_beliefs import judgement, observation, opinion
from tests.contracts.test_records_ledger import commitment, cue


async def opened(address: Address, *, store: str = "", patience: float = 0.5) -> Neo4jRecords:
    user, password = address.user, address.password
    return await Neo4jRecords.open(
        address.uri, user=user, password=password, store=store, patience=patience
    )


async def test_a_server_killed_and_restarted_in_the_middle_stores_everything_once(
    own_neo4j: Server, tmp_path: Path
) -> None:
    """Who is patient waits for it; who is not is told at once, and served when it is back."""
    patient = await opened(own_neo4j.address, store=str(tmp_path), patience=60)
    impatient = await opened(own_neo4j.address, store=str(tmp_path))
    said = [fact(f"Collects stamps of year {n}", said_in=f"chat {n}") for n in range(40)]
    retaining = asyncio.create_task(retain(patient, said))
    while len(await impatient.facts(BANK)) < 5:
        pass
    down = own_neo4j.down()
    await asyncio.to_thread(down.__enter__)
    try:
        told = await asyncio.gather(
            impatient.facts(BANK),
            impatient.search(BANK, "stamps", k=1, now=NOW),
            impatient.banks(),
            impatient.log(BANK, [talk("monday", "hello")]),
            return_exceptions=True,
        )
        assert [type(refused) for refused in told] == [StoreUnavailable] * 4
        assert all("start it, or correct FORETHOUGHT_NEO4J_URI" in str(one) for one in told)
    finally:
        await asyncio.to_thread(down.__exit__, None, None, None)
    assert await retaining <= 1  # only a commit that was cut short was the caller's to repeat
    kept = await impatient.facts(BANK)
    assert sorted(one.id for one in kept) == sorted(one.id for one in said)
    assert {one.frequency for one in kept} == {1}
    assert len(await impatient.sessions(BANK)) == len(said)
    assert len(await found(impatient, "stamps")) == 10
    await patient.close()
    await impatient.close()


async def retain(records: Records, said: Sequence[Fact]) -> int:
    """Log and commit one after the other, each until it is done; how often it was repeated."""
    unanswered = 0
    for number, one in enumerate(said):
        while True:
            try:
                await records.log(BANK, [talk(f"chat {number}", one.text)])
                await records.commit(ChangeSet(BANK, (one,)))
                break
            except StoreUnavailable:
                unanswered += 1
    return unanswered


def test_two_event_loops_of_one_process_open_it_one_after_the_other(
    neo4j_address: Address, tmp_path: Path
) -> None:
    async def say(text: str) -> int:
        records = await open_neo4j(tmp_path)
        await learn(records, fact(text))
        facts = await records.facts(BANK)
        await records.close()
        return len(facts)

    assert asyncio.run(say("Lives in Oslo")) == 1
    assert asyncio.run(say("Sings alto")) == 2


def test_another_event_loop_is_told_to_open_its_own(neo4j_address: Address, tmp_path: Path) -> None:
    with asyncio.Runner() as first, asyncio.Runner() as second:
        records = first.run(open_neo4j(tmp_path))
        with pytest.raises(StoreUnavailable, match="another event loop"):
            second.run(records.facts(BANK))
        first.run(records.close())


async def test_two_clients_that_say_the_same_at_once_store_it_once(
    neo4j_address: Address, tmp_path: Path
) -> None:
    one, other = await open_neo4j(tmp_path), await open_neo4j(tmp_path)
    twins = [
        fact(f"Lives in town {n}", said_in=key) for n in range(5) for key in ("monday", "friday")
    ]
    await log_sources(one, *twins)
    await asyncio.gather(
        *(client.commit(ChangeSet(BANK, (twin,))) for twin in twins for client in (one, other))
    )
    assert [(kept.frequency, len(kept.sources)) for kept in await one.facts(BANK)] == [(2, 2)] * 5
    await one.close()
    await other.close()


async def test_a_server_that_is_not_there_is_named_at_once_with_the_remedy() -> None:
    begun = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"bolt://127\.0\.0\.1:1 .*FORETHOUGHT_NEO4J_URI"):
        await opened(Address("bolt://127.0.0.1:1", "neo4j", "secret"))
    assert time.monotonic() - begun < 5


async def test_a_wrong_password_is_named_and_never_shown(
    neo4j_address: Address, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = Address(neo4j_address.uri, neo4j_address.user, "not-the-password")
    with pytest.raises(InvalidInput, match="FORETHOUGHT_NEO4J_PASSWORD") as refused:
        await opened(wrong)
    assert neo4j_address.uri in str(refused.value)
    assert "not-the-password" not in f"{refused.value} {caplog.text}"


@pytest.mark.parametrize("uri", ["127.0.0.1:7687", "http://127.0.0.1", "bolt://ann:pass@127.0.0.1"])
async def test_a_uri_that_is_none_is_refused_without_the_password_in_it(uri: str) -> None:
    with pytest.raises(InvalidInput, match="such as bolt://") as refused:
        await opened(Address(uri, "neo4j", "secret"))
    assert "pass@" not in str(refused.value)


async def test_a_closed_store_says_so(neo4j_address: Address, tmp_path: Path) -> None:
    records = await open_neo4j(tmp_path)
    await records.close()
    await records.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await records.facts(BANK)


async def test_a_database_of_a_newer_version_is_refused(
    neo4j_address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await open_neo4j(tmp_path)).close()
    monkeypatch.setattr(database, "VERSION", 0)
    with pytest.raises(InvalidInput, match="newer Forethought"):
        await open_neo4j(tmp_path)


async def test_a_database_of_version_1_has_its_turns_indexed_by_the_next_catching_up(
    neo4j_address: Address, tmp_path: Path
) -> None:
    records = await open_neo4j(tmp_path)
    assert isinstance(records, Neo4jRecords)
    said = [Utterance(role=role, text=f"from {role}") for role in ("system", "user")]
    await records.log(BANK, [Conversation(date=NOW, turns=tuple(said), key="monday")])
    _, spoken = await records.turns(BANK, session("monday"))
    before = await records.unindexed(BANK, limit=9)
    assert [(mark.id, mark.part) for mark in before] == [(spoken.id, "turn")]
    await records._db.peek(BANK, "MATCH (turn:Turn {bank: $bank}) REMOVE turn.unindexed")
    assert await records.unindexed(BANK, limit=9) == []
    await records._db.peek("", "MATCH (schema:Schema) SET schema.version = 1")
    await records.close()
    again = await open_neo4j(tmp_path)
    assert await again.unindexed(BANK, limit=9) == before
    await again.close()


async def test_a_database_of_version_3_gets_what_opinions_and_observations_need(
    neo4j_address: Address, tmp_path: Path
) -> None:
    records = await open_neo4j(tmp_path)
    assert isinstance(records, Neo4jRecords)
    named = "SHOW CONSTRAINTS YIELD name WHERE name IN $names RETURN name ORDER BY name"
    names = ["forethought_observation", "forethought_opinion"]
    for name in names:
        await records._db.peek("", f"DROP CONSTRAINT {name}")
    assert await records._db.peek("", named, names=names) == []
    await records._db.peek("", "MATCH (schema:Schema) SET schema.version = 3")
    await records.close()
    again = await open_neo4j(tmp_path)
    assert isinstance(again, Neo4jRecords)
    assert [row["name"] for row in await again._db.peek("", named, names=names)] == names
    await again.close()


async def test_what_is_forgotten_is_in_no_node_and_no_index(
    neo4j_address: Address, tmp_path: Path
) -> None:
    records = await open_neo4j(tmp_path)
    assert isinstance(records, Neo4jRecords)
    secret = uuid4().hex
    bank = f"ann {secret}"
    said = fact(f"Keeps a {secret}", bank=bank, said_in="monday", entities=(secret,))
    await records.log(bank, [talk("monday", f"I keep a {secret}")])
    await records.commit(ChangeSet(bank, (said,)))
    await records.foresee(bank, [Cue(said.id, 0, f"where is my {secret}?")], facts=[said.id])
    other = opinion("Much is kept", bank=bank, entities=())
    await records.hold(bank, [opinion(f"A {secret} is heavy", said.id, bank=bank), other])
    await records.judge(bank, [judgement(other, "weaken", said.id, text=f"A {secret} is kept")])
    topic = observation(f"Has a {secret}", said.id, on=said.id, bank=bank, about="topic")
    await records.observe(bank, said.id, [topic])
    await records.learn(bank, [said.id], f"{secret}?", at=NOW, keep=1)
    promised = commitment(f"Dust the {secret}", said.id, bank=bank, condition=f"at the {secret}")
    by_hand = commitment(f"Sell the {secret}", bank=bank)
    await records.undertake(bank, [promised, by_hand])
    await records.use(bank, [said.id], on=date(2031, 5, 6))
    await records.weigh(bank, {said.id: 0.5})
    cues = [cue(promised, f"my {secret} is dusty"), cue(by_hand, f"who buys a {secret}?")]
    await records.remind(bank, cues, commitments=[promised.id])
    found = [one.split()[0] for one in await traces(records, secret)]
    # the bank, the turn, the fact, two cues, two opinions, the observation, two commitments, theirs
    assert sorted(found) == ["index"] * 2 + ["node"] * 12
    assert len(await traces(records, "2031-05-06")) == 1
    await records.forget(bank, fact=said.id)
    assert await traces(records, "2031-05-06") == []
    assert await records.commitments(bank) == [by_hand]
    await records.forget(bank, commitment=by_hand.id)
    (left,) = await records.opinions(bank)
    assert left == other and await records.observations(bank) == []
    await records.forget(bank, session=session("monday", bank=bank))
    await records.forget(bank)
    await records.purged(bank, await records.unpurged(bank))
    assert await traces(records, secret) == []
    assert await records.banks() == []
    await records.close()


async def test_names_of_any_length_are_kept(neo4j_address: Address, tmp_path: Path) -> None:
    """Longer than what an index of Neo4j takes."""
    records = await open_neo4j(tmp_path)
    bank, name = "a" * 100_000, "b" * 100_000
    said = fact("Lives in Oslo", bank=bank)
    await learn(records, said)
    assert await records.setting(bank, name, "1") == "1"
    assert (await stored(records, said)).bank == bank
    assert await records.facts(bank[:-1]) == []
    long = replace(fact("x", bank=bank), id=name)
    with pytest.raises(InvalidInput, match="too long"):
        await learn(records, long)
    assert [one.bank for one in await records.banks()] == [bank]
    await records.close()
