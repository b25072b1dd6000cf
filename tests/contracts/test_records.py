"""Facts, versions, counts and settings of the Records port: what is kept, and in which order."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest

from forethought.memory.errors import InvalidInput
from forethought.memory.records.changes import ChangeSet, Progress
from forethought.memory.records.port import Records
from forethought.memory.types import BankSummary, Cue, Source
from tests.contracts.adapters import OpenRecords
from tests.contracts.samples import (
    BANK,
    NOW,
    day,
    fact,
    learn,
    merge,
    merged,
    session,
    stored,
    talk,
)


async def test_a_fact_comes_back_as_it_was_given(records: Records) -> None:
    await records.log(BANK, [talk("monday", "a", "b"), talk("tuesday", "c")])
    given = fact(
        "Ann plays the cello in a quartet",
        network="experience",
        occurred_from=date(2023, 12, 1),
        occurred_to=date(2024, 1, 1),
        entities=("Ann", "cello"),
        sources=(Source(session("tuesday"), ("t1", "t2")), Source(session("monday"))),
        frequency=2,
    )
    await records.commit(ChangeSet(BANK, (given,)))
    assert await records.facts(BANK) == [given]


async def test_facts_are_ordered_by_date_or_as_asked(records: Records) -> None:
    late, early, middle = fact("late", on=9), fact("early", on=1), fact("middle", on=5)
    await learn(records, late, early, middle)
    assert await records.facts(BANK) == [early, middle, late]
    assert await records.facts(BANK, [late.id, "f-unknown", early.id]) == [late, early]
    assert await records.facts(BANK, []) == []
    assert await records.newest(BANK) == day(9)


async def test_lists_of_any_length_may_be_asked_for(records: Records) -> None:
    kept = fact("kept")
    await learn(records, kept)
    many = [f"f{number}" for number in range(40_000)]
    assert await records.facts(BANK, [*many, kept.id]) == [kept]
    assert await records.holding(BANK, [*many, kept.id], now=NOW) == {kept.id: kept.text}


async def test_what_holds_had_been_said_and_not_yet_been_replaced(records: Records) -> None:
    old, new = fact("lives in Oslo", on=2), fact("lives in Bergen", said_in="tuesday", on=6)
    await learn(records, old)
    await learn(records, new, replacing={old.id: new})
    both = [old.id, new.id, "f-unknown"]
    assert await records.holding(BANK, both, now=day(1)) == {}
    assert await records.holding(BANK, both, now=day(2)) == {old.id: old.text}
    assert await records.holding(BANK, both, now=day(5)) == {old.id: old.text}
    assert await records.holding(BANK, both, now=day(6)) == {new.id: new.text}
    with pytest.raises(InvalidInput):
        await records.holding(BANK, both, now=datetime(2024, 1, 1))


async def test_earlier_versions_come_newest_first(records: Records) -> None:
    homes = [fact(f"lives in {town}", on=on) for on, town in enumerate(("A", "B", "C"), start=1)]
    await learn(records, homes[0])
    await learn(records, homes[1], replacing={homes[0].id: homes[1]})
    await learn(records, homes[2], replacing={homes[1].id: homes[2]})
    earlier = await records.earlier(BANK, [homes[2].id, homes[0].id, "f-unknown"])
    assert [version.id for version in earlier[homes[2].id]] == [homes[1].id, homes[0].id]
    assert (earlier[homes[0].id], earlier["f-unknown"]) == ([], [])


async def test_what_a_fact_was_merged_from_is_no_earlier_version_of_it(records: Records) -> None:
    parts = fact("runs on Mondays"), fact("runs on Fridays")
    whole = merged("runs twice a week", *parts)
    await learn(records, *parts)
    await merge(records, whole, *parts)
    assert await records.earlier(BANK, [whole.id]) == {whole.id: []}


async def test_added_gives_what_was_stored_since_the_mark_and_still_holds(records: Records) -> None:
    first, second, third = fact("first", on=9), fact("second", on=1), fact("third", on=5)
    assert await records.added(BANK, since=0) == ([], 0)
    await learn(records, first)
    facts, mark = await records.added(BANK, since=0)
    assert facts == [first]
    await learn(records, second)
    await learn(records, third, replacing={second.id: third})
    await records.forget(BANK, fact=first.id)
    facts, later = await records.added(BANK, since=mark)
    assert [one.id for one in facts] == [third.id]
    assert await records.added(BANK, since=later) == ([], later)


async def test_a_number_once_marked_is_not_given_to_a_later_fact(records: Records) -> None:
    await learn(records, fact("first"))
    _, mark = await records.added(BANK, since=0)
    await records.forget(BANK, fact=fact("first").id)
    await learn(records, fact("second"))
    facts, _ = await records.added(BANK, since=mark)
    assert [one.text for one in facts] == ["second"]


async def test_banks_are_counted_by_name(records: Records) -> None:
    await records.log("zoe", [talk("x", "hello", "there")])
    old, new = fact("lives in Oslo", on=1), fact("lives in Bergen", on=2)
    await learn(records, old, new, fact("sings"), replacing={old.id: new})
    await records.commit(ChangeSet("zoe", progress=(Progress(session("x", bank="zoe"), 0, "no"),)))
    await records.foresee(BANK, [Cue(new.id, 0, "where to ski?")], facts=[new.id])
    await records.indexed(BANK, [new.id])
    assert await records.banks() == [
        BankSummary(
            bank=BANK,
            sessions=1,
            turns=1,
            pending=1,
            failed=0,
            facts=2,
            replaced=1,
            cues=1,
            unforeseen=1,
            unindexed=4,
        ),
        BankSummary("zoe", 1, 2, 0, 1, 0, 0, 0, 0, 2),
    ]


async def test_a_setting_is_read_back_per_bank_and_for_the_whole_store(records: Records) -> None:
    assert await records.setting(BANK, "mark") is None
    assert await records.setting(BANK, "mark", "17") == "17"
    assert await records.setting("", "mark", "all") == "all"
    assert await records.setting(BANK, "mark", "18") == "18"
    assert await records.setting(BANK, "mark") == "18"
    assert await records.setting("", "mark") == "all"
    assert await records.setting("zoe", "mark") is None


async def test_an_unknown_bank_is_empty(records: Records) -> None:
    nobody = "nobody"
    assert await records.sessions(nobody) == []
    assert await records.turns(nobody, "s1") == []
    assert await records.placed(nobody, ["t1"]) == []
    assert await records.supported(nobody, ["t1"], now=NOW) == {}
    assert await records.facts(nobody) == []
    assert await records.newest(nobody) is None
    assert await records.search(nobody, "anything", k=5, now=NOW) == []
    assert await records.cues(nobody, ["f1"]) == []
    assert await records.unforeseen(nobody, limit=5) == []
    assert await records.unindexed(nobody, limit=5) == []
    assert await records.unpurged(nobody) == []
    assert await records.reindex(nobody) == 0
    assert await records.banks() == []


async def test_a_bank_needs_a_name_to_remember(records: Records) -> None:
    with pytest.raises(InvalidInput, match="bank"):
        await records.log(" ", [talk("chat", "hello")])
    with pytest.raises(InvalidInput, match="bank"):
        await records.commit(ChangeSet(""))


async def test_what_was_written_is_there_when_opened_again(
    records: Records, open_records: OpenRecords, tmp_path: Path
) -> None:
    kept = fact("likes early trains")
    await learn(records, kept)
    await records.close()
    await records.close()
    again = await open_records(tmp_path)
    assert await stored(again, kept) == kept
    await again.close()
