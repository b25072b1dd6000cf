"""Which facts a user's profile is made from, and when it is made anew."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.beliefs.user import FRESH, MOST, is_due, telling
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.types import Source
from tests.contracts.samples import BANK, day, fact, learn, log_sources, session

OFTEN = tuple(Source(session(key)) for key in ("monday", "tuesday"))
ids = st.sets(st.integers(0, 60).map(str))


@pytest.fixture
async def records(tmp_path: Path) -> AsyncIterator[SqliteRecords]:
    records = await SqliteRecords.open(tmp_path)
    yield records
    await records.close()


async def _telling(records: SqliteRecords) -> list[str]:
    return [fact.text for fact in await telling(records, BANK)]


async def test_lasting_facts_and_recurring_aims_tell_what_somebody_is_like(
    records: SqliteRecords,
) -> None:
    told = [
        fact("Is a nurse", on=3, kind="Identity"),
        fact("Hates coriander", on=1, kind="Preference"),
        fact("Wants to sail", on=2, kind="Goal", sources=OFTEN),
        fact("Reads about bees", on=4, kind="Interest", sources=OFTEN),
    ]
    untold = [
        fact("Wants a boat", kind="Goal"),
        fact("Saw an owl", kind="Event", sources=OFTEN),
        fact("Runs", kind="Activity", sources=OFTEN),
        fact("I recommended tea", kind="Preference", network="experience"),
        old := fact("Lives in Oslo", kind="Identity"),
    ]
    await learn(records, *told, *untold)
    bergen = fact("Lives in Bergen", on=5, kind="Identity")
    await learn(records, bergen, replacing={old.id: bergen})
    assert await _telling(records) == [
        "Hates coriander", "Wants to sail", "Is a nurse", "Reads about bees", "Lives in Bergen",
    ]  # fmt: skip


async def test_half_of_them_are_those_said_most_often_and_half_the_latest(
    records: SqliteRecords,
) -> None:
    old = [fact(f"Old {n}", sources=OFTEN) for n in range(MOST)]
    new = [fact(f"New {n}", on=2 + n % 28) for n in range(MOST)]
    await log_sources(records, *old)
    await records.commit(ChangeSet(BANK, (*old, *new)))
    told = await telling(records, BANK)
    assert (len(told), sum(fact.frequency > 1 for fact in told)) == (MOST, MOST // 2)
    assert min(fact.date for fact in told if fact.frequency == 1) >= day(14)


@given(ids, ids)
def test_what_is_new_waits_until_it_is_enough_and_an_update_does_not(
    before: set[str], now: set[str]
) -> None:
    assert is_due(before, now, updated=True)
    assert is_due((), now, updated=False)
    fresh = len(now - before)
    assert is_due(before, now, updated=False) == (fresh >= FRESH or 5 * fresh >= len(before))


def test_one_fact_more_in_a_large_bank_costs_no_call() -> None:
    made_from = [str(n) for n in range(MOST)]
    assert not is_due(made_from, made_from, updated=False)
    assert not is_due(made_from, [*made_from[1:], "new"], updated=False)
    assert is_due(made_from, [*made_from[FRESH:], *"abcde"], updated=False)
