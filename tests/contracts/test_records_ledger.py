"""Commitments are undertaken once and settled, never deleted; their cues are indexed as others."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest

from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.ids import commitment_id
from forethought.memory.ledger.types import Commitment, CommitmentCue, Outcome, Settlement
from forethought.memory.records.changes import ChangeSet, Unindexed
from forethought.memory.records.port import Records
from forethought.memory.types import Source
from tests.contracts.samples import BANK, day, fact, learn, session, talk, unindexed

PACKET, CAT = fact("Applies for a grant"), fact("Has a cat", said_in="tuesday", on=2)
SAID = Source(session("monday"), ("t1", "t2"))


def commitment(action: str = "Send the packet", *facts: str, **fields: Any) -> Commitment:
    id = commitment_id(BANK, action)
    return replace(Commitment(id, BANK, action, day(3), facts=facts), **fields)


def cue(of: Commitment, text: str, position: int = 0) -> CommitmentCue:
    return CommitmentCue(of.id, position, text)


def settled(of: Commitment, outcome: Outcome = "kept", *, on: int = 5) -> Settlement:
    return Settlement(of.id, outcome, day(on), "t9")


SEND = commitment(due=date(2024, 1, 15), facts=(PACKET.id,), source=SAID)
VET = commitment("Ask about the cat", condition="at the vet's", made=day(1))


@pytest.fixture
async def known(records: Records) -> Records:
    """Two facts, a commitment that concerns one of them, and one that was made by hand."""
    await learn(records, PACKET, CAT)
    await records.undertake(BANK, [SEND, VET])
    return records


async def test_a_commitment_is_read_as_it_was_made(known: Records) -> None:
    assert await known.commitments(BANK) == [VET, SEND]
    assert await known.commitments(BANK, [SEND.id, "c0", VET.id]) == [SEND, VET]
    assert (await known.commitments("bob"), await known.commitments(BANK, [])) == ([], [])
    done = commitment("日本 \u2028", status="kept", closed=day(9), closed_by="t3", told=date.max)
    assert await known.undertake(BANK, [replace(done, foreseen=True)]) == [done.id]
    assert await known.commitments(BANK, status="kept") == [done]
    assert await known.commitments(BANK, [done.id, VET.id], status="open") == [VET]


async def test_it_is_made_once_and_not_from_what_is_not_there(known: Records) -> None:
    await known.forget(BANK, session=session("tuesday"))
    blank, other = commitment(" \n"), commitment("Call", PACKET.id, CAT.id, "f0", PACKET.id)
    there, gone = Source(session("monday")), (Source(session("tuesday")), Source("s0"))
    left_out = [commitment(f"Go {n}", source=one) for n, one in enumerate(gone)]
    again = [replace(SEND, action="Send no packet"), replace(other, action="Call twice")]
    assert await known.undertake(BANK, [blank, *left_out, other, *again]) == [other.id]
    assert await known.undertake(BANK, [commitment("Go 2", source=there)]) != []
    kept = {one.id: one for one in await known.commitments(BANK)}
    assert (kept[other.id].facts, kept[SEND.id]) == ((PACKET.id,), SEND)


async def test_it_is_settled_once_and_the_ledger_says_when_and_by_what(known: Records) -> None:
    late = [settled(SEND, "dropped", on=6), settled(VET, on=6), Settlement("c0", "kept", day(9))]
    (kept,) = await known.settle(BANK, [settled(VET, on=1), *[settled(SEND, on=2)]])
    assert kept == replace(VET, status="kept", closed=day(1), closed_by="t9")
    assert [one.id for one in await known.settle(BANK, late)] == [SEND.id]
    assert await known.settle(BANK, late) == []
    dropped = replace(SEND, status="dropped", closed=day(6), closed_by="t9")
    assert await known.commitments(BANK) == [kept, dropped]
    assert await known.commitments(BANK, status="open") == []


async def test_one_that_was_closed_by_mistake_is_opened_again(known: Records) -> None:
    await known.settle(BANK, [settled(SEND)])
    await known.tell(BANK, [SEND.id, "c0"], on=date(2024, 1, 13))
    opened = replace(SEND, told=date(2024, 1, 13))
    assert await known.reopen(BANK, SEND.id) == opened
    assert await known.reopen(BANK, VET.id) == VET
    assert await known.commitments(BANK, status="open") == [VET, opened]
    with pytest.raises(NotFound, match="'c0' in bank 'ann'"):
        await known.reopen(BANK, "c0")
    with pytest.raises(NotFound):
        await known.reopen("bob", SEND.id)


async def test_cues_wait_for_their_vectors_and_replace_those_before(known: Records) -> None:
    first = [cue(SEND, "Post office", 3), cue(SEND, "Envelope", 1), cue(VET, " ")]
    await known.remind(BANK, [*first, cue(commitment("No"), "Never")], commitments=[SEND.id])
    assert await known.reminders(BANK, [VET.id, SEND.id]) == [first[1], first[0]]
    assert [one.foreseen for one in await known.commitments(BANK)] == [False, True]
    waiting = [one for one in await unindexed(known) if one.part == "reminder"]
    assert waiting == [
        Unindexed(f"{SEND.id}:1", "reminder", "Envelope", day(3)),
        Unindexed(f"{SEND.id}:3", "reminder", "Post office", day(3)),
    ]
    assert (await known.banks())[0].commitments == 2
    await known.indexed(BANK, [one.id for one in await unindexed(known)])
    new = [cue(SEND, "Stamps", 1), cue(SEND, "Post office", 3), cue(VET, "The vet")]
    await known.remind(BANK, new, commitments=[SEND.id])
    assert await known.reminders(BANK, [SEND.id]) == new[:2]
    assert {one.id for one in await unindexed(known)} == {f"{SEND.id}:1", f"{VET.id}:0"}
    assert await known.outdated(BANK, waiting) == [f"{SEND.id}:1"]
    await known.remind(BANK, [], commitments=[SEND.id])
    assert await known.unpurged(BANK) == [f"{SEND.id}:1", f"{SEND.id}:3"]
    before = (await known.banks())[0].unindexed
    await known.indexed(BANK, [f"{VET.id}:0"])
    assert (await known.banks())[0].unindexed == before - 1
    await known.purged(BANK, [f"{VET.id}:0"])
    assert {one.id for one in await unindexed(known)} == {f"{VET.id}:0"}
    assert (await known.reindex(BANK), len(await unindexed(known))) == (5, 3)


async def test_reminders_wait_after_what_is_believed_and_before_the_log(known: Records) -> None:
    await known.remind(BANK, [cue(SEND, "Post office")], commitments=[])
    parts = [one.part for one in await known.unindexed(BANK, limit=99)]
    assert parts == ["text", "text", "reminder", "turn", "turn"]
    assert [one.part for one in await known.unindexed(BANK, limit=3)] == parts[:3]
    assert [one.foreseen for one in await known.commitments(BANK)] == [False, False]


async def test_a_commit_undertakes_and_settles_after_its_facts(known: Records) -> None:
    rye, again = fact("Likes rye", on=4), fact("applies for  a grant.", said_in="friday", on=4)
    new = commitment("Buy rye", rye.id, again.id, CAT.id, source=SAID)
    await known.log(BANK, [talk("friday", "x", on=4)])
    changes = ChangeSet(
        BANK,
        (rye, again),
        commitments=(new, replace(SEND, action="x"), commitment("Go", source=Source("s0"))),
        settlements=(settled(new, "dropped"), settled(VET), settled(commitment("Unknown"))),
    )
    for _ in range(2):
        await known.commit(changes)
        vet, made, send = await known.commitments(BANK, [VET.id, new.id, SEND.id])
        assert (vet.status, vet.closed_by, send) == ("kept", "t9", SEND)
        assert made == replace(
            new,
            facts=(rye.id, PACKET.id, CAT.id),
            status="dropped",
            closed=day(5),
            closed_by="t9",
        )
        assert len(await known.commitments(BANK)) == 3


async def test_a_commitment_that_concerns_a_refused_fact_is_not_made(known: Records) -> None:
    """It says the same as what was forgotten."""
    await known.forget(BANK, fact=CAT.id)
    again = replace(CAT, id="f1", sources=(Source(session("monday")),))
    new = commitment("Feed the cat", "f1", PACKET.id)
    await known.commit(ChangeSet(BANK, (again,), commitments=(new, commitment("Go", CAT.id))))
    made = {one.action for one in await known.commitments(BANK)}
    assert made == {SEND.action, VET.action, "Go"}


async def test_what_a_caller_gets_wrong_is_refused(known: Records) -> None:
    naive = datetime(2024, 1, 5)
    for wrong in (
        known.undertake(BANK, [commitment(made=naive)]),
        known.undertake(BANK, [commitment(closed=naive)]),
        known.undertake(BANK, [commitment("New", bank="bob")]),
        known.undertake(" ", []),
        known.settle(BANK, [Settlement(SEND.id, "kept", naive)]),
        known.settle("", []),
        known.commit(ChangeSet(BANK, commitments=(commitment("New", bank="bob"),))),
        known.commit(ChangeSet(BANK, settlements=(Settlement(SEND.id, "kept", naive),))),
    ):
        with pytest.raises(InvalidInput):
            await wrong
    assert await known.commitments(BANK) == [VET, SEND]
