"""From an answer that cited a fact to what the fact weighs: uses, and the salience made of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from forethought.graphs.retain import build_retain
from forethought.memory.errors import StoreUnavailable
from forethought.memory.records.uses import Use
from forethought.memory.types import Fact
from tests.contracts.samples import weights
from tests.contracts.test_records_ledger import commitment, settled
from tests.flows.bench import Bench, session
from tests.flows.talk import Talk

pytestmark = pytest.mark.asyncio(loop_scope="module")

MASK = "I sleep with a breathing machine"
OTHERS = ("My cat is called Miso", "I live in the city of Oslo")
FIRST = "Plan a camping weekend beside some lake"
NOON = datetime(2025, 5, 16, 12, tzinfo=UTC)
FRIDAY, SATURDAY = date(2025, 5, 16), date(2025, 5, 17)


@pytest.fixture
def talk(stores: Bench, request: pytest.FixtureRequest) -> Talk:
    """A chat with a bank of its own, which forms no opinions."""
    return Talk(stores, request.node.name, {"mode": "recall", "reflect": False, **at(NOON)})


def at(moment: datetime) -> dict[str, str]:
    return {"now": moment.isoformat()}


async def knowing(talk: Talk) -> Fact:
    """The fact that the answers cite, in a bank that knows others too."""
    await talk.bench.retain(session(MASK, *OTHERS), bank=talk.bank, **at(NOON))
    (mask,) = [fact for fact in await talk.bench.facts(talk.bank) if fact.text == MASK]
    talk.bench.script(answer=f"Mind the machine [{mask.id}], and [f0123456789ab].")
    return mask


async def uses(talk: Talk) -> list[Use]:
    return await talk.bench.app.records.uses(talk.bank)


async def saliences(talk: Talk) -> dict[str, float]:
    ids = [fact.id for fact in await talk.bench.facts(talk.bank)]
    return await weights(talk.bench.app.records, talk.bank, ids)


async def retained(talk: Talk, *said: str, **settings: Any) -> dict[str, Any]:
    """What `weigh` says it did when these are retained."""
    stream = talk.bench.graph(build_retain).astream(
        {"sessions": [session(*said)] if said else []},
        context=talk.context(**settings),
        stream_mode="custom",
    )
    (event,) = [event async for event in stream if event["node"] == "weigh"]
    return dict(event)


async def test_what_answers_cite_weighs_more_from_the_next_day_on(talk: Talk) -> None:
    mask = await knowing(talk)
    before = await saliences(talk)
    assert len(before) == 3 and len(set(before.values())) == 1
    await talk.say(FIRST)
    assert await uses(talk) == [Use(mask.id, FRIDAY)]
    calls = len(talk.bench.asked())
    event = await retained(talk, **at(NOON + timedelta(days=1)))
    assert (event["weighed"], len(talk.bench.asked())) == (3, calls)
    after = await saliences(talk)
    assert max(after, key=after.__getitem__) == mask.id
    assert len({weight for id, weight in after.items() if id != mask.id}) == 1


async def test_a_chat_weighs_what_it_retains(talk: Talk) -> None:
    await knowing(talk)
    await talk.say(FIRST, flush=True)  # which is then a fact of its own
    assert len(await saliences(talk)) == 4


async def test_a_use_is_on_the_users_own_day(talk: Talk) -> None:
    mask = await knowing(talk)
    away = replace(talk.bench.app, zone=ZoneInfo("Pacific/Auckland"))
    late = Talk(Bench(away, talk.bench.chat), talk.bank, talk.settings)
    late.bench.script(answer=f"Mind the machine [{mask.id}].")
    await late.say(FIRST)
    assert await uses(talk) == [Use(mask.id, SATURDAY)]


async def test_the_same_turn_run_again_counts_once(talk: Talk) -> None:
    mask = await knowing(talk)
    await talk.say(FIRST)
    await talk.go_on(None, await talk.before("learn"))
    await talk.go_on(None, await talk.before("learn"), **at(NOON + timedelta(days=1)))
    assert await uses(talk) == [Use(mask.id, FRIDAY)]


@pytest.mark.parametrize(
    ("settings", "used"), [({"remember": False}, False), ({"foresight": 0}, True)]
)
async def test_nothing_is_used_where_nothing_is_remembered(
    talk: Talk, settings: dict[str, Any], used: bool
) -> None:
    mask = await knowing(talk)
    assert mask.id in (await talk.say(FIRST, **settings))["cited"]
    assert [use.fact for use in await uses(talk)] == ([mask.id] if used else [])


async def test_facts_are_weighed_when_enough_are_new_or_the_day_is(talk: Talk) -> None:
    many = [f"I keep the number {n} in drawer {n}" for n in range(30)]
    assert (await retained(talk, *many, foresight=0))["weighed"] == 30
    assert (await retained(talk))["weighed"] == 0
    assert (await retained(talk, "I own one more drawer", foresight=0))["weighed"] == 0
    assert (await retained(talk, "My cat is called Miso", foresight=0))["weighed"] == 32
    assert (await retained(talk))["weighed"] == 0
    assert (await retained(talk, **at(NOON + timedelta(days=1))))["weighed"] == 32
    assert (await retained(talk, **at(NOON + timedelta(days=1))))["weighed"] == 0


async def test_what_was_said_on_one_of_the_users_days_weighs_the_same(talk: Talk) -> None:
    for text, on in zip(OTHERS, ("2025-05-16T23:00:00Z", "2025-05-17T01:00:00Z"), strict=True):
        await talk.bench.retain(session(text, on=on), bank=talk.bank, **at(NOON))
    away = replace(talk.bench.app, zone=ZoneInfo("Pacific/Auckland"))
    await away.weigher.catch_up(talk.bank, now=NOON + timedelta(days=2))
    miso, oslo = (await saliences(talk)).values()
    assert miso == pytest.approx(oslo)


async def test_a_bank_without_facts_has_nothing_to_weigh(talk: Talk) -> None:
    assert (await retained(talk))["weighed"] == 0
    assert await saliences(talk) == {}


async def test_what_a_commitment_concerns_weighs_more_while_it_is_open(talk: Talk) -> None:
    mask = await knowing(talk)
    flat = (await saliences(talk))[mask.id]
    clean = commitment("Clean it", mask.id, bank=talk.bank)
    await talk.bench.app.records.undertake(talk.bank, [clean])
    weigher = talk.bench.app.weigher
    await weigher.catch_up(talk.bank, now=NOON + timedelta(days=1))
    open_ = (await saliences(talk))[mask.id]
    await talk.bench.app.records.settle(talk.bank, [settled(clean)])
    await weigher.catch_up(talk.bank, now=NOON + timedelta(days=2))
    assert open_ - flat == pytest.approx(0.15)
    assert (await saliences(talk))[mask.id] == pytest.approx(flat)


async def test_a_failure_costs_a_retain_nothing(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await knowing(talk)

    async def down(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(type(talk.bench.app.records), "weigh", down)
    later = at(NOON + timedelta(days=1))
    done = await talk.bench.retain(session("I own a drawer"), bank=talk.bank, **later)
    assert [entry["status"] for entry in done["report"]] == ["extracted"]
    assert done["notes"] == ["not weighed: the disk is full"]
    monkeypatch.undo()
    assert (await retained(talk, **later))["weighed"] == 4  # what was left is done by the next


async def test_a_bug_in_it_is_not_hidden(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError

    await knowing(talk)
    monkeypatch.setattr(type(talk.bench.app.records), "weigh", broken)
    with pytest.raises(ZeroDivisionError):
        await retained(talk, **at(NOON + timedelta(days=1)))
