"""Commit: one identity per text, provenance that grows, versions that are kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime

import pytest

from forethought.memory.errors import InvalidInput
from forethought.memory.records.changes import ChangeSet, Committed, Progress, Repeat
from forethought.memory.records.port import Records
from forethought.memory.types import Fact, Source
from tests.contracts.samples import (
    BANK,
    NOW,
    day,
    fact,
    found,
    learn,
    log_sources,
    merge,
    merged,
    replaced,
    session,
    stored,
    unindexed,
)

OSLO = fact("Lives in Oslo", on=2)
BERGEN = fact("Lives in Bergen", said_in="tuesday", on=6)


async def test_a_new_fact_is_reported_and_neither_indexed_nor_foreseen(records: Records) -> None:
    assert await learn(records, OSLO) == Committed(new=(OSLO.id,))
    assert [one.id for one in await unindexed(records)] == [OSLO.id]
    assert await records.unforeseen(BANK, limit=9) == [OSLO]


async def test_a_change_set_applied_twice_is_applied_once(records: Records) -> None:
    await learn(records, OSLO)
    await log_sources(records, BERGEN)
    changes = ChangeSet(
        BANK,
        facts=(BERGEN, fact("sings", said_in="tuesday", on=6)),
        repeats=(Repeat(OSLO.id, Source(session("tuesday"), ("t1",)), day(3)),),
        replacements=(replaced(OSLO, BERGEN),),
        progress=(Progress(session("tuesday"), 1),),
    )
    first = await records.commit(changes)
    after = await records.facts(BANK), await records.sessions(BANK)
    second = await records.commit(changes)
    assert (await records.facts(BANK), await records.sessions(BANK)) == after
    assert (len(first.new), first.replaced) == (2, (OSLO.id,))
    assert (second.new, second.replaced, set(second.repeated)) == ((), (), {*first.new, OSLO.id})


@pytest.mark.parametrize("again", ["lives in  OSLO.", "Lives in Oslo", "Ｌives in Oslo!"])
async def test_the_same_text_from_another_session_is_a_repeat(records: Records, again: str) -> None:
    await learn(records, OSLO)
    repeat = fact(again, said_in="tuesday", on=8)
    assert await learn(records, repeat) == Committed(repeated=(OSLO.id,))
    (kept,) = await records.facts(BANK)
    assert (kept.text, kept.date, kept.frequency) == (OSLO.text, day(8), 2)
    assert kept.sources == (Source(session("monday")), Source(session("tuesday")))


async def test_the_same_text_twice_in_one_change_set_is_one_fact(records: Records) -> None:
    twin = fact("lives in oslo", said_in="tuesday", on=4)
    assert await learn(records, OSLO, twin) == Committed(new=(OSLO.id,))
    (kept,) = await records.facts(BANK)
    assert (kept.frequency, kept.date) == (2, day(4))


async def test_concurrent_commits_of_one_text_store_it_once(records: Records) -> None:
    twins = [fact("Lives in Oslo", said_in=key) for key in ("monday", "tuesday", "wednesday")]
    await log_sources(records, *twins)
    done = await asyncio.gather(*(records.commit(ChangeSet(BANK, (twin,))) for twin in twins))
    assert sorted(len(one.new) for one in done) == [0, 0, 1]
    (kept,) = await records.facts(BANK)
    assert kept.frequency == 3


async def test_a_repeat_adds_provenance_and_the_later_date(records: Records) -> None:
    await learn(records, OSLO, fact("x", said_in="tuesday"))
    for source, on in (("tuesday", 9), ("monday", 1)):
        repeat = Repeat(OSLO.id, Source(session(source), ("t1",)), day(on))
        done = await records.commit(ChangeSet(BANK, repeats=(repeat, repeat)))
        assert done == Committed(repeated=(OSLO.id,))
    kept = await stored(records, OSLO)
    assert (kept.date, kept.frequency) == (day(9), 2)
    assert kept.sources == (
        Source(session("monday"), ("t1",)),
        Source(session("tuesday"), ("t1",)),
    )


async def test_a_repeat_is_indexed_anew_only_if_its_date_moved(records: Records) -> None:
    await learn(records, OSLO)
    await records.indexed(BANK, [OSLO.id])
    same = Repeat(OSLO.id, Source(session("monday"), ("t2",)), OSLO.date)
    await records.commit(ChangeSet(BANK, repeats=(same,)))
    assert await unindexed(records) == []
    await records.commit(ChangeSet(BANK, repeats=(replace(same, date=day(7)),)))
    (mark,) = await unindexed(records)
    assert (mark.id, mark.date) == (OSLO.id, day(7))


async def test_a_repeat_of_an_unknown_fact_is_ignored(records: Records) -> None:
    await learn(records, OSLO)
    repeat = Repeat("f-unknown", Source(session("monday")), day(5))
    assert await records.commit(ChangeSet(BANK, repeats=(repeat,))) == Committed()


async def test_an_update_keeps_the_old_version_with_its_dates(records: Records) -> None:
    await learn(records, OSLO)
    done = await learn(records, BERGEN, replacing={OSLO.id: BERGEN})
    assert done == Committed(new=(BERGEN.id,), replaced=(OSLO.id,))
    old = await stored(records, OSLO)
    assert (old.until, old.successor, old.succession) == (day(6), BERGEN.id, "update")
    assert await records.earlier(BANK, [BERGEN.id]) == {BERGEN.id: [old]}
    assert (await stored(records, BERGEN)).until is None


async def test_an_older_statement_does_not_retire_a_newer_one(records: Records) -> None:
    await learn(records, BERGEN)
    done = await learn(records, OSLO, replacing={BERGEN.id: OSLO})
    assert done == Committed(new=(OSLO.id,), replaced=(OSLO.id,))
    assert (await stored(records, BERGEN)).until is None
    old = await stored(records, OSLO)
    assert (old.until, old.successor, old.succession) == (day(6), BERGEN.id, "update")
    assert await found(records, "oslo", now=day(3)) == [OSLO.id]
    assert await found(records, "oslo", now=day(6)) == []


async def test_a_replacement_of_what_is_unknown_or_replaced_is_ignored(records: Records) -> None:
    await learn(records, OSLO)
    await learn(records, BERGEN, replacing={OSLO.id: BERGEN})
    third = fact("Lives in Tromsø", said_in="wednesday", on=8)
    done = await learn(records, third, replacing={OSLO.id: third, "f-unknown": third})
    assert done == Committed(new=(third.id,))
    assert (await stored(records, OSLO)).successor == BERGEN.id


async def test_a_fact_does_not_replace_itself_when_it_turns_out_a_repeat(records: Records) -> None:
    await learn(records, OSLO)
    again = fact("lives in OSLO", said_in="tuesday", on=4)
    assert await learn(records, again, replacing={OSLO.id: again}) == Committed(repeated=(OSLO.id,))
    assert (await stored(records, OSLO)).until is None


async def test_a_replacement_by_a_repeat_is_by_the_fact_that_is_repeated(records: Records) -> None:
    await learn(records, OSLO, fact("Lives abroad", on=1))
    again = fact("lives in OSLO", said_in="tuesday", on=4)
    done = await learn(records, again, replacing={fact("Lives abroad").id: again})
    assert done.replaced == (fact("Lives abroad").id,)
    assert (await stored(records, fact("Lives abroad"))).successor == OSLO.id


async def test_what_is_said_again_after_it_was_replaced_holds_as_a_new_fact(
    records: Records,
) -> None:
    back = fact("Lives in Oslo", said_in="wednesday", on=9)
    await learn(records, OSLO)
    await learn(records, BERGEN, replacing={OSLO.id: BERGEN})
    done = await learn(records, back, replacing={BERGEN.id: back})
    assert done == Committed(new=(back.id,), replaced=(BERGEN.id,))
    assert set(await records.holding(BANK, [OSLO.id, BERGEN.id, back.id], now=NOW)) == {back.id}


async def test_what_is_taken_back_within_one_session_holds_again_under_its_id(
    records: Records,
) -> None:
    bergen = fact("Lives in Bergen", on=2)
    await learn(records, OSLO)
    await learn(records, bergen, replacing={OSLO.id: bergen})
    back = ChangeSet(BANK, (OSLO,), replacements=(replaced(bergen, OSLO),))
    for _ in range(2):  # a retry changes nothing
        await records.commit(back)
        assert set(await records.holding(BANK, [OSLO.id, bergen.id], now=NOW)) == {OSLO.id}
        assert (await stored(records, bergen)).successor == OSLO.id


async def test_a_retry_does_not_bring_back_what_has_been_replaced_since(records: Records) -> None:
    await learn(records, OSLO)
    await learn(records, BERGEN, replacing={OSLO.id: BERGEN})
    before = await records.facts(BANK)
    late = Repeat(OSLO.id, OSLO.sources[0], day(30))
    assert await learn(records, OSLO) == Committed(repeated=(OSLO.id,))
    assert (await records.commit(ChangeSet(BANK, repeats=(late,)))).repeated == (OSLO.id,)
    assert await records.facts(BANK) == before


async def test_a_retry_does_not_bring_back_what_it_repeated_and_replaced_at_once(
    records: Records,
) -> None:
    again, moved = (fact(text, said_in="tuesday", on=6) for text in (OSLO.text, BERGEN.text))
    await learn(records, OSLO)
    for _ in range(2):
        await learn(records, again, moved, replacing={OSLO.id: moved})
        assert set(await records.holding(BANK, [OSLO.id, again.id, moved.id], now=NOW)) == {
            moved.id
        }


async def test_two_facts_of_one_text_can_change_places(records: Records) -> None:
    """Both never hold at once, not even for a moment within the transaction."""
    first, other = fact("Lives in Oslo"), fact("Lives in Bergen", said_in="tuesday")
    second = fact("Lives in Oslo", said_in="wednesday")
    await learn(records, first)
    await learn(records, other, replacing={first.id: other})
    await learn(records, second)
    swap = (replaced(second, other), replaced(other, first))
    done = await records.commit(ChangeSet(BANK, (first,), replacements=swap))
    assert set(done.replaced) == {second.id, other.id}
    ids = [first.id, second.id, other.id]
    assert set(await records.holding(BANK, ids, now=NOW)) == {first.id}


async def test_a_replaced_fact_keeps_its_place_in_the_index(records: Records) -> None:
    await learn(records, OSLO)
    await records.indexed(BANK, [OSLO.id])
    await learn(records, BERGEN, replacing={OSLO.id: BERGEN})
    assert [one.id for one in await unindexed(records)] == [BERGEN.id]


async def test_a_merged_fact_has_the_sources_of_its_originals(records: Records) -> None:
    parts = fact("runs on Mondays"), fact("runs on Fridays", said_in="tuesday", on=3)
    whole = merged("runs twice a week", *parts, on=3)
    await learn(records, *parts)
    done = await merge(records, whole, *parts)
    assert done == Committed(new=(whole.id,), replaced=tuple(part.id for part in parts))
    assert (await stored(records, whole)).frequency == 2
    assert {(await stored(records, part)).succession for part in parts} == {"merge"}


async def test_a_fact_without_a_session_counts_once(records: Records) -> None:
    imported = fact("was born in Turku", sources=(), frequency=7)
    await records.commit(ChangeSet(BANK, (imported,)))
    assert (await stored(records, imported)).frequency == 1


async def test_a_blank_fact_is_refused(records: Records) -> None:
    blank = fact(" \n")
    assert await learn(records, blank, OSLO) == Committed(new=(OSLO.id,), refused=(blank.id,))


@pytest.mark.parametrize(
    "wrong",
    [
        replace(OSLO, bank="zoe"),
        replace(OSLO, date=datetime(2024, 1, 1)),
        replace(OSLO, until=datetime(2024, 1, 1)),
    ],
)
async def test_a_change_set_with_a_mistake_is_refused_as_a_whole(
    records: Records, wrong: Fact
) -> None:
    await log_sources(records, OSLO)
    with pytest.raises(InvalidInput):
        await records.commit(ChangeSet(BANK, (BERGEN, wrong)))
    assert await records.facts(BANK) == []


async def test_a_commit_that_fails_halfway_changes_nothing(records: Records) -> None:
    await learn(records, OSLO)
    before = await records.facts(BANK), await unindexed(records)
    stranger = fact("sings", said_in="a session that nobody logged")
    changes = ChangeSet(BANK, (BERGEN, stranger), replacements=(replaced(OSLO, BERGEN),))
    with pytest.raises(InvalidInput, match="log a conversation before"):
        await records.commit(changes)
    assert (await records.facts(BANK), await unindexed(records)) == before


async def test_readers_never_see_half_a_change_set(records: Records) -> None:
    await learn(records, OSLO)
    versions = [fact(f"Lives in town {n}", on=3) for n in range(20)]

    async def move() -> None:
        for old, new in zip([OSLO, *versions], versions, strict=False):
            await learn(records, new, replacing={old.id: new})

    moving = asyncio.create_task(move())
    while not moving.done():
        held = [one for one in await records.facts(BANK) if one.until is None]
        assert len(held) == 1
        assert all(one.sources for one in held)
    await moving
    assert len(await records.facts(BANK)) == 21


async def test_a_commit_that_returned_can_be_read_at_once(records: Records) -> None:
    facts = [fact(f"collects stamps of year {n}") for n in range(30)]
    await log_sources(records, *facts)

    async def commit_and_read(one: Fact) -> bool:
        await records.commit(ChangeSet(BANK, (one,)))
        return [one] == await records.facts(BANK, [one.id])

    assert all(await asyncio.gather(*map(commit_and_read, facts)))
    assert len(await records.facts(BANK)) == 30
