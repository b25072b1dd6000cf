"""retain: opinions wait, and lose nothing, where the model or the process fails."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError

from forethought.memory.errors import StoreUnavailable
from tests.flows.bench import Bench, session, statuses
from tests.flows.opinions import ECOSYSTEM, JULIA, agreeing, believing, held
from tests.flows.scripted import verdicts


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with believing(tmp_path) as bench:
        yield bench


@pytest.mark.parametrize("reply", ["no", ModelConnectionError("gone"), verdicts()])
async def test_a_failure_costs_nothing_but_time(bench: Bench, reply: Any) -> None:
    bench.script(reinforce=reply)
    result = await bench.retain(session(ECOSYSTEM))
    assert statuses(result) == ["extracted"]
    assert any(note.startswith("opinions wait to be weighed") for note in result["notes"])
    assert (await held(bench)).steps == ()
    bench.script(reinforce=agreeing)
    again = await bench.run_retain({})
    assert again["notes"] == []
    assert (await held(bench)).confidence == 0.8


async def test_a_reply_that_names_no_pair_that_was_asked_about_is_no_answer(bench: Bench) -> None:
    bench.script(reinforce={"verdicts": [{"pair": 9, "verdict": "reinforce"}]})
    result = await bench.retain(session(ECOSYSTEM))
    assert any("names none of the pairs" in note for note in result["notes"])
    bench.script(reinforce=agreeing)
    await bench.run_retain({})
    assert (await held(bench)).confidence == 0.8


async def test_a_bad_reply_halves_the_batch_until_only_the_culprit_waits(bench: Bench) -> None:
    bench.script(reinforce=lambda call: "no" if "release 0" in call.user else agreeing(call))
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
    bench.script(reinforce=agreeing)
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

    bench.script(reinforce=agreeing)
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
    bench.script(reinforce=agreeing)
    await bench.retain(session(ECOSYSTEM))
    assert (await held(bench)).confidence == 0.8
