"""Forgetting: what goes, what stays, what holds again, and that nothing brings it back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.records.changes import ChangeSet, Committed, Purge, Repeat
from forethought.memory.records.port import Records
from forethought.memory.types import Cue, Source
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
    talk,
    unindexed,
)

OSLO = fact("Lives in Oslo", on=1)
BERGEN = fact("Lives in Bergen", said_in="tuesday", on=2)
SINGS = fact("Sings alto", on=1)


async def test_a_forgotten_fact_is_gone_with_its_cues_and_its_words(records: Records) -> None:
    await learn(records, OSLO, SINGS)
    await records.foresee(BANK, [Cue(OSLO.id, 0, "where to ski?")], facts=[OSLO.id])
    purge = await records.forget(BANK, fact=OSLO.id)
    assert purge == Purge(facts=(OSLO.id,), cues=(f"{OSLO.id}:0",))
    assert await records.facts(BANK) == [SINGS]
    assert await records.cues(BANK, [OSLO.id]) == []
    assert await found(records, "oslo") == []
    assert [one.id for one in await unindexed(records)] == [SINGS.id]


async def test_a_forgotten_fact_is_refused_from_any_session(records: Records) -> None:
    await learn(records, OSLO)
    await records.forget(BANK, fact=OSLO.id)
    again = fact("lives in  oslo", said_in="tuesday", on=5)
    assert await learn(records, OSLO, again) == Committed(refused=(OSLO.id, again.id))
    assert await records.facts(BANK) == []


async def test_what_would_update_or_repeat_a_forgotten_fact_leaves_it_forgotten(
    records: Records,
) -> None:
    await learn(records, OSLO, SINGS)
    await records.forget(BANK, fact=OSLO.id)
    repeat = Repeat(OSLO.id, Source(session("monday")), day(5))
    done = await records.commit(
        ChangeSet(BANK, (OSLO,), (repeat,), (replaced(SINGS, OSLO), replaced(OSLO, SINGS)))
    )
    assert done == Committed(refused=(OSLO.id,))
    assert (await stored(records, SINGS)).until is None


@pytest.mark.parametrize("which", [0, 1, 2])
async def test_forgetting_one_version_forgets_them_all(records: Records, which: int) -> None:
    homes = [fact(f"lives in {town}", on=on) for on, town in enumerate(("A", "B", "C"), start=1)]
    await learn(records, SINGS, homes[0])
    await learn(records, homes[1], replacing={homes[0].id: homes[1]})
    await learn(records, homes[2], replacing={homes[1].id: homes[2]})
    purge = await records.forget(BANK, fact=homes[which].id)
    assert set(purge.facts) == {home.id for home in homes}
    assert await records.facts(BANK) == [SINGS]
    assert (await learn(records, *homes)).refused == tuple(home.id for home in homes)


async def test_what_was_merged_from_a_forgotten_fact_goes_and_the_others_hold_again(
    records: Records,
) -> None:
    parts = fact("runs on Mondays"), fact("runs on Fridays"), fact("runs on Sundays")
    whole = merged("runs three times a week", *parts)
    wider = merged("is often outdoors", whole, SINGS)
    await learn(records, *parts, SINGS)
    await merge(records, whole, *parts)
    await merge(records, wider, whole, SINGS)
    await records.indexed(BANK, [one.id for one in (*parts, whole, wider, SINGS)])
    purge = await records.forget(BANK, fact=parts[1].id)
    assert set(purge.facts) == {parts[1].id, whole.id, wider.id}
    survivors = {parts[0].id, parts[2].id, SINGS.id}
    assert set(purge.revived) == survivors
    assert {one.id for one in await records.facts(BANK)} == survivors
    assert all(one.until is None for one in await records.facts(BANK))
    assert {one.id for one in await unindexed(records)} == survivors


async def test_a_merge_that_arrives_after_an_original_was_forgotten_is_refused(
    records: Records,
) -> None:
    parts = fact("runs on Mondays"), fact("runs on Fridays")
    whole = merged("runs twice a week", *parts)
    await learn(records, *parts)
    await records.forget(BANK, fact=parts[0].id)
    assert await merge(records, whole, *parts) == Committed(refused=(whole.id,))
    assert [one.id for one in await records.facts(BANK)] == [parts[1].id]


async def test_two_who_merge_the_same_facts_at_once_merge_them_once(records: Records) -> None:
    parts = fact("runs on Mondays"), fact("runs on Fridays"), fact("runs on Sundays")
    first, second = merged("runs a lot", *parts), merged("often runs", *parts[1:])
    await learn(records, *parts)
    assert (await merge(records, first, *parts)).new == (first.id,)
    assert await merge(records, second, *parts[1:]) == Committed(refused=(second.id,))
    assert (await merge(records, first, *parts)).refused == ()
    holding = [one.id for one in await records.facts(BANK) if one.until is None]
    assert holding == [first.id]


async def test_an_original_said_again_since_is_an_earlier_version_of_that(records: Records) -> None:
    parts = fact("runs on Mondays"), fact("runs on Fridays")
    again = fact("runs on Fridays", said_in="tuesday", on=7)
    await learn(records, *parts)
    await merge(records, merged("runs twice a week", *parts), *parts)
    await learn(records, again)
    purge = await records.forget(BANK, fact=parts[0].id)
    assert purge.revived == ()
    assert set(await records.holding(BANK, [parts[1].id, again.id], now=NOW)) == {again.id}
    assert (await stored(records, parts[1])).successor == again.id


async def test_a_forgotten_session_takes_its_turns_and_what_it_alone_supports(
    records: Records,
) -> None:
    shared = fact("Likes rye bread", on=1)
    await learn(records, OSLO, shared, replace(shared, sources=(Source(session("tuesday")),)))
    purge = await records.forget(BANK, session=session("monday"))
    assert (purge.facts, purge.sessions, purge.turns) == ((OSLO.id,), 1, 1)
    assert [one.key for one in await records.sessions(BANK)] == ["tuesday"]
    assert await records.turns(BANK, session("monday")) == []
    (kept,) = await records.facts(BANK)
    assert (kept.id, kept.frequency) == (shared.id, 1)
    assert kept.sources == (Source(session("tuesday")),)


async def test_a_forgotten_session_is_refused_and_so_is_what_only_it_said(
    records: Records,
) -> None:
    both = replace(SINGS, sources=(Source(session("monday")), Source(session("tuesday"))))
    await learn(records, OSLO, BERGEN)
    await records.forget(BANK, session=session("monday"))
    (logged,) = await records.log(BANK, [talk("monday", "This was said on monday.", "More.")])
    assert (logged.outcome, logged.session) == ("forgotten", None)
    repeat = Repeat(BERGEN.id, Source(session("monday")), day(9))
    done = await records.commit(ChangeSet(BANK, (OSLO, both), (repeat,)))
    assert done == Committed(new=(both.id,), refused=(OSLO.id,))
    assert (await stored(records, both)).sources == (Source(session("tuesday")),)
    assert (await stored(records, BERGEN)).date == BERGEN.date


async def test_what_a_forgotten_session_said_may_be_learned_from_another(records: Records) -> None:
    await learn(records, OSLO)
    await records.forget(BANK, session=session("monday"))
    again = fact("Lives in Oslo", said_in="tuesday")
    assert (await learn(records, again)).new == (again.id,)


async def test_a_version_holds_again_when_the_session_that_updated_it_is_forgotten(
    records: Records,
) -> None:
    await learn(records, OSLO)
    await learn(records, BERGEN, replacing={OSLO.id: BERGEN})
    purge = await records.forget(BANK, session=session("tuesday"))
    assert (purge.facts, purge.revived) == ((BERGEN.id,), (OSLO.id,))
    assert await records.facts(BANK) == [OSLO]


async def test_a_version_between_two_others_leaves_them_tied(records: Records) -> None:
    tromso = fact("Lives in Tromsø", said_in="wednesday", on=3)
    await learn(records, OSLO)
    await learn(records, BERGEN, replacing={OSLO.id: BERGEN})
    await learn(records, tromso, replacing={BERGEN.id: tromso})
    purge = await records.forget(BANK, session=session("tuesday"))
    assert (purge.facts, purge.revived) == ((BERGEN.id,), ())
    old = await stored(records, OSLO)
    assert (old.successor, old.until, old.succession) == (tromso.id, day(3), "update")


async def test_forgetting_the_session_of_an_original_dissolves_the_merge(records: Records) -> None:
    parts = fact("runs on Mondays"), fact("runs on Fridays", said_in="tuesday")
    whole = merged("runs twice a week", *parts)
    await learn(records, *parts)
    await merge(records, whole, *parts)
    purge = await records.forget(BANK, session=session("monday"))
    assert set(purge.facts) == {parts[0].id, whole.id}
    assert purge.revived == (parts[1].id,)
    assert await records.facts(BANK) == [parts[1]]


async def test_a_whole_bank_can_be_forgotten_and_then_given_anew(records: Records) -> None:
    await learn(records, OSLO, BERGEN, SINGS)
    await records.forget(BANK, fact=SINGS.id)
    await records.foresee(BANK, [Cue(OSLO.id, 0, "where to ski?")], facts=[OSLO.id])
    await records.setting(BANK, "mark", "3")
    purge = await records.forget(BANK)
    assert (set(purge.facts), purge.cues) == ({OSLO.id, BERGEN.id}, (f"{OSLO.id}:0",))
    assert (purge.sessions, purge.turns) == (2, 2)
    assert await records.facts(BANK) == []
    assert await records.sessions(BANK) == []
    assert await records.setting(BANK, "mark") is None
    assert (await learn(records, OSLO, SINGS)).new == (OSLO.id, SINGS.id)


async def test_ids_stay_unpurged_until_their_vectors_are_gone(records: Records) -> None:
    await learn(records, OSLO, SINGS)
    await records.foresee(BANK, [Cue(OSLO.id, 0, "where to ski?")], facts=[OSLO.id])
    await records.forget(BANK, fact=OSLO.id)
    assert await records.unpurged(BANK) == [OSLO.id, f"{OSLO.id}:0"]
    await records.purged(BANK, [OSLO.id, "f-unknown"])
    assert await records.unpurged(BANK) == [f"{OSLO.id}:0"]


async def test_a_forgotten_bank_is_listed_until_its_vectors_are_gone(records: Records) -> None:
    await learn(records, OSLO)
    await records.forget(BANK)
    assert [(bank.bank, bank.facts, bank.sessions) for bank in await records.banks()] == [
        (BANK, 0, 0)
    ]
    await records.purged(BANK, await records.unpurged(BANK))
    assert await records.banks() == []


async def test_what_is_learned_anew_before_the_purge_keeps_its_vector(records: Records) -> None:
    await learn(records, OSLO)
    purge = await records.forget(BANK)
    await learn(records, OSLO)
    assert await records.unpurged(BANK) == []
    await records.indexed(BANK, [OSLO.id])
    await records.purged(BANK, purge.facts)  # by one who read the list before: the vector is gone
    assert [one.id for one in await unindexed(records)] == [OSLO.id]


@pytest.mark.parametrize("which", [{"fact": "f1"}, {"session": "s1"}, {}])
async def test_what_is_not_there_cannot_be_forgotten(
    records: Records, which: dict[str, str]
) -> None:
    await learn(records, fact("x", bank="zoe"))
    with pytest.raises(NotFound, match=r"'ann'") as refusal:
        await records.forget(BANK, **which)
    assert all(repr(one) in str(refusal.value) for one in which.values())
    assert await records.unpurged(BANK) == []


async def test_a_forgotten_fact_cannot_be_forgotten_again(records: Records) -> None:
    await learn(records, OSLO)
    await records.forget(BANK, fact=OSLO.id)
    with pytest.raises(NotFound):
        await records.forget(BANK, fact=OSLO.id)


async def test_the_settings_of_the_whole_store_are_no_bank_to_forget(records: Records) -> None:
    await records.setting("", "mark", "1")
    with pytest.raises(InvalidInput, match="name the bank"):
        await records.forget("")
    assert await records.setting("", "mark") == "1"


async def test_one_thing_is_forgotten_at_a_time(records: Records) -> None:
    await log_sources(records, OSLO)
    with pytest.raises(InvalidInput):
        await records.forget(BANK, fact="f1", session="s1")
