"""retain: opinions that new facts move, once each (Hindsight §5.5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError

from forethought.memory.errors import StoreUnavailable
from forethought.memory.exchange.carrying import brought_in, gathered
from tests.flows.bench import BANK, NOW, OSLO, Bench, opened, session, statuses
from tests.flows.opinions import (
    COFFEE,
    ECOSYSTEM,
    JULIA,
    PYTHON,
    QUALIFIED,
    held,
    opinion,
    python_mentioned,
)
from tests.flows.scripted import Call, verdicts

SETTINGS = {"foresight": 0, "observe": 0}


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path, extract=python_mentioned) as bench:
        bench.defaults.update(SETTINGS)
        await bench.app.records.hold(BANK, [opinion()])
        yield bench


def _agreeing(call: Call) -> dict[str, Any]:
    return verdicts(*["reinforce"] * len(call.fenced("facts")))


async def test_an_opinion_becomes_a_trajectory_up_and_down_with_both_its_wordings(
    bench: Bench,
) -> None:
    """Hindsight §5.7.1, with our α: .70, up by evidence, down and qualified by what contradicts."""
    bench.script(
        reinforce=[
            verdicts("reinforce"),
            verdicts({"verdict": "contradict", "text": QUALIFIED}),
        ]
    )
    await bench.retain(session(ECOSYSTEM))
    assert (await held(bench)).confidence == 0.8
    await bench.retain(session(JULIA))
    found = await held(bench)
    assert [(step.before, step.after, step.text) for step in found.steps] == [
        (0.7, 0.8, PYTHON),
        (0.8, 0.6, QUALIFIED),
    ]
    assert [step.fact for step in found.steps] == [
        (await bench.one(text)).id for text in (ECOSYSTEM, JULIA)
    ]
    assert [step.at for step in found.steps] == [NOW, NOW]
    assert (found.first, found.text) == (PYTHON, QUALIFIED)
    assert await bench.app.index.count(BANK, "opinion") == 1


async def test_an_opinion_is_compared_by_what_it_says_now(bench: Bench) -> None:
    bench.script(
        reinforce=[verdicts({"verdict": "contradict", "text": QUALIFIED}), verdicts("weaken")]
    )
    await bench.retain(session(JULIA))
    await bench.retain(session(ECOSYSTEM))
    assert bench.asked("reinforce")[1].fenced("opinions") == [f"[1] (0.50) {QUALIFIED}"]


async def test_without_opinions_no_model_is_called(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        await bench.retain(session(ECOSYSTEM), **SETTINGS)
        assert not bench.asked("reinforce")


async def test_a_fact_that_shares_no_name_and_no_meaning_is_not_weighed(bench: Bench) -> None:
    await bench.retain(session(COFFEE, OSLO))
    assert not bench.asked("reinforce")


async def test_a_fact_alike_in_meaning_is_weighed_where_no_name_is_shared(bench: Bench) -> None:
    bench.script(
        extract=lambda call: {
            "facts": [{"text": PYTHON + " still", "kind": "Event", "turns": ["T1"]}]
        }
    )
    await bench.retain(session("hm"))
    assert len(bench.asked("reinforce")) == 1


async def test_another_name_of_the_same_is_a_shared_name(bench: Bench) -> None:
    told = {"text": "CPython got faster", "kind": "Event", "turns": ["T1"]}
    named = [{"name": "CPython", "kind": "PRODUCT"}]
    other = {**told, "text": "Python is old", "entities": [{"name": "Python", "kind": "PRODUCT"}]}
    bench.script(
        extract=[
            {"facts": [{**told, "entities": named}, other]},
            {"facts": [{**told, "text": "CPython ships a compiler", "entities": named}]},
        ]
    )
    await bench.retain(session("one"))
    ids = {entity.name: entity.id for entity in await bench.app.records.entities(BANK)}
    await bench.app.records.join(BANK, ids["Python"], ids["CPython"], by="user")
    bench.chat.calls.clear()
    await bench.retain(session("two"))
    assert len(bench.asked("reinforce")) == 1


async def test_up_to_twenty_pairs_go_into_one_call(bench: Bench) -> None:
    bench.script(reinforce=_agreeing)
    facts = [f"Python release {n} is out and good" for n in range(23)]
    await bench.retain(session(*facts))
    assert [len(call.fenced("facts")) for call in bench.asked("reinforce")] == [20, 3]


async def test_what_one_session_says_again_and_again_counts_once(bench: Bench) -> None:
    bench.script(reinforce=_agreeing)
    await bench.retain(session(*(f"Python release {n} is out and good" for n in range(5))))
    assert (await held(bench)).confidence == 0.8


async def test_a_fact_is_weighed_once_however_often_a_retain_runs(bench: Bench) -> None:
    bench.script(reinforce=_agreeing)
    for _ in range(3):
        await bench.retain(session(ECOSYSTEM))
    assert len(bench.asked("reinforce")) == 1
    assert len((await held(bench)).steps) == 1


async def test_a_fact_that_an_opinion_rests_on_is_no_news_to_it(bench: Bench) -> None:
    bench.script(reinforce=_agreeing)
    await bench.retain(session(ECOSYSTEM))
    rests = opinion("Python will stay", facts=((await bench.one(ECOSYSTEM)).id,))
    await bench.app.records.hold(BANK, [rests])
    await bench.retain(session(JULIA))
    (again,) = bench.asked("reinforce")[1:]
    assert len(again.fenced("facts")) == 2
    assert all(JULIA in line for line in again.fenced("facts"))


async def test_verdicts_on_pairs_that_nobody_asked_about_are_dropped(bench: Bench) -> None:
    bench.script(
        reinforce={
            "verdicts": [
                {"pair": 7, "verdict": "contradict"},
                {"pair": "P1", "verdict": "Reinforces"},
                {"pair": 1, "verdict": "contradict"},
                {"pair": 1, "verdict": "certainly"},
            ]
        }
    )
    await bench.retain(session(ECOSYSTEM))
    (step,) = (await held(bench)).steps
    assert step.verdict == "reinforce"


async def test_a_reinforcement_rewords_nothing(bench: Bench) -> None:
    bench.script(reinforce=verdicts({"verdict": "reinforce", "text": "Python is everything"}))
    await bench.retain(session(ECOSYSTEM))
    assert (await held(bench)).text == PYTHON


@pytest.mark.parametrize("reply", ["no", ModelConnectionError("gone"), verdicts()])
async def test_a_failure_costs_nothing_but_time(bench: Bench, reply: Any) -> None:
    bench.script(reinforce=reply)
    result = await bench.retain(session(ECOSYSTEM))
    assert statuses(result) == ["extracted"]
    assert any(note.startswith("opinions wait to be weighed") for note in result["notes"])
    assert (await held(bench)).steps == ()
    bench.script(reinforce=_agreeing)
    again = await bench.run_retain({})
    assert again["notes"] == []
    assert (await held(bench)).confidence == 0.8


async def test_a_reply_that_names_no_pair_that_was_asked_about_is_no_answer(bench: Bench) -> None:
    bench.script(reinforce={"verdicts": [{"pair": 9, "verdict": "reinforce"}]})
    result = await bench.retain(session(ECOSYSTEM))
    assert any("names none of the pairs" in note for note in result["notes"])
    bench.script(reinforce=_agreeing)
    await bench.run_retain({})
    assert (await held(bench)).confidence == 0.8


async def test_a_bad_reply_halves_the_batch_until_only_the_culprit_waits(bench: Bench) -> None:
    bench.script(reinforce=lambda call: "no" if "release 0" in call.user else _agreeing(call))
    days = [f"2025-05-{day:02}T00:00:00Z" for day in range(1, 5)]
    said = [f"Python release {n} is out and good" for n in range(4)]
    await bench.retain(*(session(text, on=day) for text, day in zip(said, days, strict=True)))
    sizes = [len(call.fenced("facts")) for call in bench.asked("reinforce")]
    assert sizes == [4, 4, 2, 2, 1, 1, 3]  # a bad reply is asked for again once
    moved = {step.fact for step in (await held(bench)).steps}
    assert moved == {(await bench.one(text)).id for text in said[1:]}


async def test_a_pair_without_a_usable_reply_is_asked_about_in_two_retains_and_no_more(
    bench: Bench,
) -> None:
    bench.script(reinforce="no")
    await bench.retain(session(ECOSYSTEM))
    for _ in range(3):
        await bench.run_retain({})
    assert len(bench.asked("reinforce")) == 4  # each time twice
    bench.script(reinforce=_agreeing)
    await bench.retain(session(JULIA))
    assert (await held(bench)).confidence == 0.8


async def test_a_run_that_ends_between_judging_and_noting_it_counts_nothing_twice(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = bench.app.records
    judge = type(records).judge

    async def dies(self: Any, bank: str, judgements: Any) -> Any:
        await judge(self, bank, judgements)
        raise RuntimeError("killed")

    bench.script(reinforce=_agreeing)
    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="killed"):
        patch.setattr(type(records), "judge", dies)
        await bench.retain(session(ECOSYSTEM))
    assert (await held(bench)).confidence == 0.8
    await bench.run_retain({})
    assert (await held(bench)).confidence == 0.8
    assert len((await held(bench)).steps) == 1


async def test_a_store_that_is_away_for_a_moment_is_asked_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, failures = type(bench.app.records).judge, [StoreUnavailable("a moment")]

    async def flaky(self: Any, bank: str, judgements: Any) -> Any:
        if failures:
            raise failures.pop()
        return await judge(self, bank, judgements)

    monkeypatch.setattr(type(bench.app.records), "judge", flaky)
    bench.script(reinforce=_agreeing)
    await bench.retain(session(ECOSYSTEM))
    assert (await held(bench)).confidence == 0.8


async def test_retains_at_once_lose_no_reinforcement_and_count_none_twice(bench: Bench) -> None:
    bench.script(reinforce=lambda call: verdicts(*["weaken"] * len(call.fenced("facts"))))
    said = [f"Python drawback {n} was said by somebody" for n in range(6)]
    await asyncio.gather(*(bench.retain(session(text, key=text)) for text in said))
    found = await held(bench)
    assert sorted(step.fact or "" for step in found.steps) == sorted(
        [(await bench.one(text)).id for text in said]
    )
    assert found.confidence == 0.1


async def test_without_a_model_the_facts_wait(modelless: Bench) -> None:
    await modelless.app.records.hold(BANK, [opinion()])
    result = await modelless.retain(session(ECOSYSTEM), **SETTINGS)
    assert statuses(result) == ["pending"]
    assert (await held(modelless)).steps == ()


async def test_what_is_forgotten_while_it_waits_is_not_weighed(bench: Bench) -> None:
    bench.script(reinforce=ModelConnectionError("gone"))
    await bench.retain(session(ECOSYSTEM))
    await bench.app.forgetter.forget(BANK, fact=(await bench.one(ECOSYSTEM)).id)
    bench.chat.calls.clear()
    bench.script(reinforce=_agreeing)
    await bench.run_retain({})
    assert not bench.asked("reinforce")


async def test_an_opinion_is_never_returned_as_evidence_of_what_is_so(bench: Bench) -> None:
    await bench.retain(session(COFFEE))
    assert await bench.by_words("Python language data science") == []
    found = await bench.app.recall.recall(BANK, PYTHON, now=NOW, limit=10)
    assert [hit.fact.text for hit in found.hits] == [COFFEE]
    assert {said.turn.text for said in found.turns} <= {COFFEE}
    assert await bench.app.index.count(BANK, "opinion") == 1


async def test_facts_that_were_imported_are_not_weighed_again(bench: Bench, tmp_path: Path) -> None:
    bench.script(reinforce=_agreeing)
    await bench.retain(session(ECOSYSTEM))
    contents = await gathered(bench.app.records, BANK)
    async with opened(tmp_path / "other", extract=python_mentioned) as other:
        await brought_in(other.app.indexer, contents)
        await other.run_retain({}, **SETTINGS)
        assert not other.asked()
        other.script(reinforce=_agreeing)
        await other.retain(session(JULIA), **SETTINGS)
        assert len(other.asked("reinforce")) == 1
        assert (await held(other)).confidence == 0.9
