"""What a forgotten fact, session, entity or bank leaves of commitments and of their cues."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.records.changes import Purge
from forethought.memory.records.port import Records
from forethought.memory.types import Source
from tests.contracts.samples import BANK, entity, fact, learn, log_sources, session, tie, unindexed
from tests.contracts.test_records_ledger import CAT, PACKET, commitment, cue, settled

CATHY = entity("Cathy")
MADE_IN = Source(session("wednesday"))
SEND = commitment("Send the packet", PACKET.id, CAT.id, due=date(2024, 1, 15))
FEED = commitment("Feed the cat", CAT.id, condition="on Sundays", source=MADE_IN)
CALL = commitment("Call", source=Source(session("monday")))
HAND = commitment("Pay the rent")
EACH = (SEND, FEED, CALL, HAND)


@pytest.fixture
async def known(records: Records) -> Records:
    """Two concern that there is a cat, of which Cathy is mentioned; two were made in a session."""
    await tie(records, {PACKET: (), CAT: (CATHY,)})
    await log_sources(records, fact("x", said_in="wednesday"))
    await records.undertake(BANK, EACH)
    await records.remind(BANK, [cue(one, one.action) for one in EACH], commitments=[])
    await records.indexed(BANK, [one.id for one in await unindexed(records)])
    return records


def reminders(*commitments: str) -> set[str]:
    return {f"{one}:0" for one in commitments}


async def left(records: Records) -> set[str]:
    ids = {one.id for one in await records.commitments(BANK)}
    assert {one.commitment for one in await records.reminders(BANK, [e.id for e in EACH])} <= ids
    return ids


async def test_a_forgotten_fact_takes_the_commitments_that_concern_it(known: Records) -> None:
    purge = await known.forget(BANK, fact=CAT.id)
    assert purge == Purge(facts=(CAT.id,), entities=1, commitments=2)
    assert await left(known) == {CALL.id, HAND.id}
    assert set(await known.unpurged(BANK)) == {CAT.id, *reminders(SEND.id, FEED.id)}
    assert await known.undertake(BANK, [FEED]) == [FEED.id]
    assert (await known.commitments(BANK, [FEED.id]))[0].facts == ()


async def test_a_forgotten_version_takes_those_of_the_others(known: Records) -> None:
    two = fact("Has two cats", said_in="friday", on=5)
    await learn(known, two, replacing={CAT.id: two})
    assert await left(known) == {one.id for one in EACH}
    assert (await known.forget(BANK, fact=two.id)).commitments == 2


async def test_a_forgotten_session_takes_those_made_in_it_and_those_of_its_facts(
    known: Records,
) -> None:
    purge = await known.forget(BANK, session=session("wednesday"))
    assert (purge.sessions, purge.facts, purge.commitments) == (1, (), 1)
    assert await left(known) == {SEND.id, CALL.id, HAND.id}
    assert await known.unpurged(BANK) == [*reminders(FEED.id)] + await _turns(known)
    assert (await known.forget(BANK, session=session("monday"))).commitments == 2
    assert await left(known) == {HAND.id}
    assert await known.undertake(BANK, [FEED, CALL]) == []


async def test_a_forgotten_entity_takes_those_of_its_facts(known: Records) -> None:
    assert (await known.forget(BANK, entity=CATHY.id)).commitments == 2
    assert await left(known) == {CALL.id, HAND.id}


async def test_what_a_forgotten_turn_settled_stays_settled(known: Records) -> None:
    (turn,) = await known.turns(BANK, session("wednesday"))
    await known.settle(BANK, [replace(settled(HAND), turn=turn.id)])
    before = await known.commitments(BANK, [HAND.id])
    await known.forget(BANK, session=session("wednesday"))
    assert await known.commitments(BANK, [HAND.id]) == before
    assert before[0].closed_by == turn.id


async def test_a_forgotten_commitment_goes_alone_and_may_be_made_anew(known: Records) -> None:
    facts, marks = await known.facts(BANK), await known.tombstones(BANK)
    assert await known.forget(BANK, commitment=SEND.id) == Purge(commitments=1)
    assert await left(known) == {FEED.id, CALL.id, HAND.id}
    assert set(await known.unpurged(BANK)) == reminders(SEND.id)
    assert (await known.facts(BANK), await known.tombstones(BANK)) == (facts, marks)
    assert await known.settle(BANK, [settled(SEND)]) == []
    assert await known.undertake(BANK, [SEND]) == [SEND.id]
    assert await known.reminders(BANK, [SEND.id]) == []
    await known.remind(BANK, [cue(SEND, "Post")], commitments=[SEND.id])
    assert await known.unpurged(BANK) == []
    assert [one.text for one in await unindexed(known)] == ["Post"]


async def test_one_that_is_not_there_or_beside_another_thing_is_not_forgotten(
    known: Records,
) -> None:
    with pytest.raises(NotFound, match="'c0' in bank 'ann'"):
        await known.forget(BANK, commitment="c0")
    with pytest.raises(NotFound):
        await known.forget("bob", commitment=SEND.id)
    with pytest.raises(InvalidInput, match="one thing"):
        await known.forget(BANK, commitment=SEND.id, fact=CAT.id)
    assert await left(known) == {one.id for one in EACH}


async def test_a_forgotten_bank_leaves_none(known: Records) -> None:
    assert (await known.forget(BANK)).commitments == len(EACH)
    assert await left(known) == set()
    assert reminders(*(one.id for one in EACH)) <= set(await known.unpurged(BANK))
    assert await known.undertake(BANK, [HAND]) == [HAND.id]
    (bank,) = await known.banks()
    assert (bank.bank, bank.facts, bank.commitments) == (BANK, 0, 1)
    assert (await known.forget(BANK)).commitments == 1


async def _turns(records: Records) -> list[str]:
    """The vectors of turns that are to go."""
    return [id for id in await records.unpurged(BANK) if id.startswith("t")]
