"""`usage` counts every call that was made, also those of a step's attempts that were run again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError, ModelRateLimitError
from langgraph.checkpoint.memory import InMemorySaver

from forethought.graphs.prospect import build_prospect
from forethought.memory.errors import StoreUnavailable
from tests.flows.bench import QUICK, Bench, session
from tests.flows.scripted import tree, two_cues_each

PET = "My tortoise hibernates in the fridge"
STEP = "See whether my tortoise hibernates in the fridge"
AWAY = ModelRateLimitError("429")


async def test_an_attempt_that_the_model_failed_is_counted(bench: Bench) -> None:
    await bench.know(PET)
    bench.script(imagine=[AWAY, AWAY, tree(STEP)])
    result = await bench.prospect(PET, max_rounds=0)
    assert len(bench.asked("imagine")) == 3
    assert result["usage"]["calls"] == len(bench.asked())


async def test_what_was_paid_before_it_failed_is_counted_too(bench: Bench) -> None:
    await bench.know(PET)
    bench.script(imagine=["no tree", AWAY, tree(STEP)])
    result = await bench.prospect(PET, max_rounds=0)
    paid = len(bench.asked()) - 1  # what was refused cost no tokens
    assert result["usage"] == {
        "calls": paid + 1, "input_tokens": 10 * paid, "output_tokens": 5 * paid,
    }  # fmt: skip


async def test_so_is_an_answer_that_was_streamed_at_the_second_attempt(bench: Bench) -> None:
    await bench.know(PET)
    bench.script(answer=[AWAY, "In the fridge."])
    result = await bench.ask(PET, mode="recall")
    assert result["usage"] == {"calls": 2, "input_tokens": 10, "output_tokens": 5}


async def test_a_model_that_stays_away_was_called_at_each_attempt(bench: Bench) -> None:
    bench.script(extract=ModelConnectionError("gone"))
    result = await bench.retain(session(PET))
    assert result["usage"]["calls"] == len(bench.asked()) == QUICK.max_attempts


async def test_a_reply_that_a_store_failed_to_keep_is_counted(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    foresee, failures = type(bench.app.records).foresee, [StoreUnavailable("a moment")]

    async def flaky(self: Any, bank: str, cues: Any, *, facts: Any) -> None:
        if failures:
            raise failures.pop()
        await foresee(self, bank, cues, facts=facts)

    monkeypatch.setattr(type(bench.app.records), "foresee", flaky)
    bench.script(foresee=two_cues_each)
    result = await bench.retain(session(PET))
    assert len(bench.asked("foresee")) == 2
    assert result["usage"]["calls"] == len(bench.asked())
    assert result["usage"]["input_tokens"] == 10 * len(bench.asked())


async def test_runs_at_once_pay_each_their_own(bench: Bench) -> None:
    await bench.know(PET)
    bench.script(imagine=[AWAY, AWAY, AWAY, tree(STEP), tree(STEP), tree(STEP)])
    each = await asyncio.gather(*(bench.prospect(PET, max_rounds=0) for _ in range(3)))
    assert sum(one["usage"]["calls"] for one in each) == len(bench.asked())


async def test_a_step_taken_up_again_from_its_checkpoint_owes_nothing(bench: Bench) -> None:
    await bench.know(PET)
    graph: Any = build_prospect(bench.app).compile(checkpointer=InMemorySaver())
    place: Any = {"configurable": {"thread_id": "1"}}
    context = bench.context(max_rounds=0)
    bench.script(imagine=[AWAY, tree(STEP)])
    once = await graph.ainvoke({"query": PET}, place, context=context)
    async for state in graph.aget_state_history(place):
        if state.next == ("imagine",):
            bench.script(imagine=tree(STEP))
            again = await graph.ainvoke(None, state.config, context=context)
    assert again["usage"]["calls"] == once["usage"]["calls"] - 1
