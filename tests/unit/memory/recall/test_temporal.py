"""The temporal channel: facts and sessions near the days that a question names."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from forethought.memory.recall.temporal import SHARED, Temporal, Timely, spelled
from forethought.memory.records.sqlite import SqliteRecords
from tests.contracts.samples import BANK, fact, learn, session, talk

NOW = datetime(2024, 1, 12, 12, tzinfo=UTC)  # a Friday; `on=n` is January's nth, at noon


@pytest.fixture
async def records(tmp_path: Path) -> AsyncIterator[SqliteRecords]:
    opened = await SqliteRecords.open(tmp_path)
    yield opened
    await opened.close()


async def ask(records: SqliteRecords, query: str, *, now: datetime = NOW) -> Timely:
    timely = await Temporal(records).timely(BANK, query, now=now, zone=UTC, k=9)
    assert timely is not None
    return timely


async def test_a_question_that_names_no_time_has_no_channel(records: SqliteRecords) -> None:
    await learn(records, fact("Ann likes tea"))
    temporal = Temporal(records)
    assert await temporal.timely(BANK, "Who likes tea?", now=NOW, zone=UTC, k=9) is None


async def test_days_that_were_given_count_where_the_rules_read_none(records: SqliteRecords) -> None:
    tea = fact("Ann likes tea", on=6)
    await learn(records, tea)
    temporal, given = Temporal(records), (date(2024, 1, 6), date(2024, 1, 6))
    asked = ("Who liked tea when it snowed?", "Who liked tea on 7 January 2024?")
    snow, seventh = [
        await temporal.timely(BANK, query, now=NOW, zone=UTC, k=9, otherwise=given)
        for query in asked
    ]
    assert snow and seventh
    assert (snow.days, set(snow.facts), snow.by_rules) == (given, {tea.id}, False)
    assert (seventh.days[0], seventh.by_rules) == (date(2024, 1, 7), True)


async def test_what_happened_then_and_what_was_said_then_are_found(records: SqliteRecords) -> None:
    concert = date(2024, 1, 6)
    went = fact("Ann heard a concert", on=10, occurred_from=concert, occurred_to=concert)
    told = fact("Ann was born in Rome", said_in="tuesday", on=7)
    other = fact("Ann likes tea", said_in="wednesday", on=11)
    await learn(records, went, told, other)
    timely = await ask(records, "What about last weekend?")
    assert timely.days == (date(2024, 1, 6), date(2024, 1, 7))
    assert timely.facts.keys() == {went.id, told.id}


async def test_a_plan_is_found_by_its_day_before_that_day_has_come(records: SqliteRecords) -> None:
    wedding = date(2024, 1, 19)
    plan = fact("Bo marries", on=3, occurred_from=wedding, occurred_to=wedding)
    await learn(records, plan)
    assert (await ask(records, "What is on next Friday?")).facts == {plan.id: 1}


async def test_nearer_to_the_middle_scores_more_and_what_shares_a_day_scores_half(
    records: SqliteRecords,
) -> None:
    spans = {1: "first", 15: "middle", 16: "also the middle"}
    facts = [
        fact(text, on=11, occurred_from=date(2023, 11, n), occurred_to=date(2023, 11, n))
        for n, text in spans.items()
    ]
    outlasting = fact(
        "long", on=11, occurred_from=date(2023, 11, 30), occurred_to=date(2023, 12, 31)
    )
    await learn(records, *facts, outlasting)
    scores = (await ask(records, "What did I do in November 2023?")).facts
    first, middle, also = (scores[one.id] for one in facts)
    assert SHARED == scores[outlasting.id] < first < middle == also < 1


async def test_the_log_is_scored_by_its_sessions_days_up_to_now(records: SqliteRecords) -> None:
    await records.log(
        BANK, [talk(key, "hello", on=n) for key, n in (("a", 6), ("b", 7), ("c", 12))]
    )
    assert (await ask(records, "last weekend")).sessions.keys() == {session("a"), session("b")}
    today = await ask(records, "What did I say today?")
    assert today.sessions == {session("c"): 1}
    early = datetime(2024, 1, 12, 11, tzinfo=UTC)
    assert (await ask(records, "What did I say today?", now=early)).sessions == {}


async def test_days_are_those_of_the_persons_zone(records: SqliteRecords) -> None:
    await records.log(BANK, [talk("a", "hello", on=11)])  # in Auckland the 12th has begun
    for zone, found in ((ZoneInfo("Pacific/Auckland"), {session("a"): 1}), (UTC, {})):
        late = datetime(2024, 1, 11, 23, tzinfo=UTC) if found else NOW
        timely = await Temporal(records).timely(BANK, "today", now=late, zone=zone, k=9)
        assert timely is not None
        assert timely.sessions == found


def test_days_are_spelled_briefly() -> None:
    saturday, sunday = date(2025, 6, 7), date(2025, 6, 8)
    assert spelled((saturday, saturday)) == "2025-06-07"
    assert spelled((saturday, sunday)) == "2025-06-07…2025-06-08"
    assert spelled((date.min, sunday)) == "…2025-06-08"
