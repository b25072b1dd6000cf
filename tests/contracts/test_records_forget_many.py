"""Forgetting several of a sort in one act: all of them, or none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.records.changes import Purge
from forethought.memory.records.port import Records
from tests.contracts.samples import (
    BANK,
    entity,
    fact,
    learn,
    merge,
    merged,
    session,
    stored,
    talk,
    tie,
)
from tests.contracts.test_records_beliefs import opinion
from tests.contracts.test_records_ledger import commitment

OSLO = fact("Lives in Oslo", said_in="wednesday", on=1)
BERGEN = fact("Lives in Bergen", said_in="tuesday", on=2)
SKIS, HUMS = fact("Skis"), fact("Hums", said_in="tuesday")
SINGS = replace(fact("Sings"), sources=(*SKIS.sources, *HUMS.sources))
RUNS = replace(fact("Runs"), sources=(*SKIS.sources, *OSLO.sources))
TWO = [session("monday"), session("tuesday")]
ANN, BOB = entity("Ann"), entity("Bob")
LIKES = [opinion("Song is joy", SINGS.id), opinion("Snow is cold", SKIS.id)]
TO_DO = [commitment("Send the score"), commitment("Wax the skis")]


@pytest.fixture
async def known(records: Records) -> Records:
    """Ann sings in two sessions and runs in two; a version of where she lives is of another."""
    await tie(records, {SINGS: (ANN,), RUNS: (ANN,), SKIS: (BOB,), HUMS: (), OSLO: ()})
    await learn(records, BERGEN, replacing={OSLO.id: BERGEN})
    await records.hold(BANK, LIKES)
    await records.undertake(BANK, TO_DO)
    return records


async def everything(records: Records) -> list[object]:
    return [
        await records.facts(BANK),
        await records.sessions(BANK),
        await records.entities(BANK),
        await records.opinions(BANK),
        await records.commitments(BANK),
        await records.tombstones(BANK),
        await records.unpurged(BANK),
    ]


async def test_sessions_go_together_with_what_only_they_say(known: Records) -> None:
    purge = await known.forget(BANK, session=TWO)
    assert (purge.sessions, purge.turns, purge.opinions, purge.entities) == (2, 2, 2, 1)
    assert set(purge.facts) == {SINGS.id, SKIS.id, HUMS.id, BERGEN.id}
    assert purge.revived == (OSLO.id,)
    kept = [(one.text, one.until) for one in await known.facts(BANK)]
    assert sorted(kept) == [(OSLO.text, None), (RUNS.text, None)]
    assert len((await stored(known, RUNS)).sources) == 1
    again = await known.log(BANK, [talk(key, "It is said again") for key in ("monday", "tuesday")])
    assert [one.outcome for one in again] == ["forgotten", "forgotten"]


async def test_facts_go_together_and_a_version_of_one_that_is_named_is_no_more_than_it(
    known: Records,
) -> None:
    purge = await known.forget(BANK, fact=(OSLO.id, SKIS.id, BERGEN.id, SKIS.id))
    assert sorted(purge.facts) == sorted([OSLO.id, SKIS.id, BERGEN.id])
    assert (purge.entities, purge.opinions, purge.revived) == (1, 1, ())
    assert {one.id for one in await known.facts(BANK)} == {SINGS.id, RUNS.id, HUMS.id}
    refused = (await learn(known, SKIS, BERGEN)).refused
    assert set(refused) == {SKIS.id, BERGEN.id}


async def test_an_original_and_what_it_was_merged_into_go_together(known: Records) -> None:
    both = merged("Sings and hums", SINGS, HUMS, on=3)
    await merge(known, both, SINGS, HUMS)
    purge = await known.forget(BANK, fact=[both.id, HUMS.id])
    assert (set(purge.facts), purge.revived) == ({both.id, HUMS.id}, (SINGS.id,))
    assert (await stored(known, SINGS)).until is None


async def test_entities_opinions_and_commitments_go_together_too(known: Records) -> None:
    assert await known.forget(BANK, opinion=[one.id for one in LIKES]) == Purge(opinions=2)
    assert await known.forget(BANK, commitment=[one.id for one in TO_DO]) == Purge(commitments=2)
    purge = await known.forget(BANK, entity=[ANN.id, BOB.id])
    assert (set(purge.facts), purge.entities) == ({SINGS.id, RUNS.id, SKIS.id}, 2)
    assert await known.entities(BANK) == []


@pytest.mark.parametrize("sort", ["fact", "session", "entity", "opinion", "commitment"])
async def test_where_one_is_not_there_none_is_forgotten_and_all_that_are_not_are_named(
    known: Records, sort: str
) -> None:
    there = {
        "fact": SKIS.id,
        "session": TWO[0],
        "entity": ANN.id,
        "opinion": LIKES[0].id,
        "commitment": TO_DO[0].id,
    }[sort]
    before = await everything(known)
    with pytest.raises(NotFound, match=f"there is no {sort} 'x1' or 'x2' in bank 'ann'") as refusal:
        await known.forget(BANK, **{sort: ["x1", there, "x2"]})
    assert there not in str(refusal.value)
    assert await everything(known) == before


@pytest.mark.parametrize("sort", ["fact", "session", "entity", "opinion", "commitment"])
async def test_an_empty_list_is_not_the_whole_bank(known: Records, sort: str) -> None:
    before = await everything(known)
    with pytest.raises(InvalidInput, match=f"names no {sort}"):
        await known.forget(BANK, **{sort: []})
    assert await everything(known) == before
