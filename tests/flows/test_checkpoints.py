"""All three machines under a checkpointer, as a server and Studio run them."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph._internal import _serde
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde import _msgpack
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from forethought.graphs.agent import build_agent
from forethought.graphs.prospect import build_prospect
from forethought.graphs.retain import build_retain
from tests.flows.bench import BANK, NOW, Bench, session
from tests.flows.scripted import Call, facts_said, promise, tree

MISO = "My cat is called Miso"
OSLO = "I live in the city of Oslo"


async def _ids(bench: Bench) -> dict[str, str]:
    return {fact.text: fact.id for fact in await bench.facts()}


def _promised(call: Call) -> dict[str, Any]:
    """Each turn is what somebody is like, and the first is to be seen to today."""
    facts = [{**one, "kind": "Identity"} for one in facts_said(call)["facts"]]
    duty = promise("Wax the red kayak", due=f"{NOW:%Y-%m-%d}", facts=["F1"])
    return {"facts": facts, "commitments": [duty], "settled": []}


class TestCheckpoints:
    """Runs can be kept, by a saver that knows none of our types."""

    @pytest.fixture
    def saver(self, monkeypatch: pytest.MonkeyPatch) -> InMemorySaver:
        """As with LANGGRAPH_STRICT_MSGPACK=true, which LangGraph reads when it is imported."""
        monkeypatch.setattr(_msgpack, "STRICT_MSGPACK_ENABLED", True)
        monkeypatch.setattr(_serde, "STRICT_MSGPACK_ENABLED", True)
        return InMemorySaver(serde=JsonPlusSerializer())

    async def _run(self, build: Any, given: Any, bench: Bench, saver: InMemorySaver) -> Any:
        graph = build(bench.app).compile(checkpointer=saver)
        thread = {"configurable": {"thread_id": build.__name__}}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = await graph.ainvoke(given, thread, context=bench.context())
            history = [state async for state in graph.aget_state_history(thread)]
        for state in history:
            json.dumps({k: v for k, v in state.values.items() if k != "messages"})
        return result, history

    async def test_the_three_machines_run_under_strict_msgpack(
        self, bench: Bench, saver: InMemorySaver, caplog: pytest.LogCaptureFixture
    ) -> None:
        bench.script(imagine="no", extract=["no", "no", {"facts": []}])
        await self._run(build_retain, {"sessions": [session(MISO), session(OSLO)]}, bench, saver)
        await self._run(build_prospect, {"query": "My cat"}, bench, saver)
        asked = {"messages": [{"role": "user", "content": "My cat"}]}
        result, history = await self._run(build_agent, asked, bench, saver)
        assert result["answer"] == "This is what is known."
        assert isinstance(history[0].values["messages"][-1], AIMessage)
        assert not [r for r in caplog.records if "msgpack" in r.getMessage().lower()]

    async def test_a_second_question_on_a_thread_starts_afresh(
        self, bench: Bench, saver: InMemorySaver
    ) -> None:
        await bench.retain(session(MISO))
        graph: Any = build_agent(bench.app).compile(checkpointer=saver)
        thread = {"configurable": {"thread_id": "1"}}

        async def ask(text: str, **settings: Any) -> Any:
            said = {"messages": [{"role": "user", "content": text}]}
            return await graph.ainvoke(said, thread, context=bench.context(**settings))

        bench.script(imagine="no")
        first = await ask("My cat", mode="prospect")
        assert first["notes"]
        bench.script(imagine=tree("Feed the cat"))
        second = await ask("My cat", mode="prospect")
        assert second["notes"] == []
        assert second["usage"]["calls"] == 5
        third = await ask("My cat", mode="recall")
        assert third["usage"]["calls"] == 2
        assert (third["steps"], third["summary"], third["rounds"]) == ([], "", 0)
        assert len(third["messages"]) == 6

    async def test_what_was_forgotten_is_not_recalled_by_a_later_question_on_the_thread(
        self, bench: Bench, saver: InMemorySaver
    ) -> None:
        await bench.retain(session(MISO))
        graph: Any = build_agent(bench.app).compile(checkpointer=saver)
        thread = {"configurable": {"thread_id": "1"}}
        said = {"messages": [{"role": "user", "content": "My cat"}]}
        first = await graph.ainvoke(said, thread, context=bench.context())
        assert first["hits"]
        await bench.app.forgetter.forget(bench.context().bank, fact=(await _ids(bench))[MISO])
        second = await graph.ainvoke(said, thread, context=bench.context())
        assert second["hits"] == []
        assert MISO not in bench.asked("answer")[-1].user

    async def test_what_was_forgotten_is_in_no_answer_of_a_run_that_is_taken_up_after_it(
        self, bench: Bench, saver: InMemorySaver
    ) -> None:
        known = [f"I own the red kayak number {n}" for n in range(6)]
        bench.script(
            extract=_promised, user_profile={"attributes": ["Theirs is the red kayak."]},
            observe={"title": "Boats", "statements": ["The red kayak comes up again and again."]},
        )  # fmt: skip
        await bench.retain(session(*known), foresight=0)
        graph: Any = build_agent(bench.app).compile(checkpointer=saver, interrupt_before=["answer"])
        thread: Any = {"configurable": {"thread_id": "1"}}
        context = bench.context(mode="recall")
        said = {"messages": [{"role": "user", "content": "Which kayak is mine?"}]}
        found = await graph.ainvoke(said, thread, context=context)
        channels = ("hits", "commitments", "observations")
        assert all(found[channel] for channel in channels)
        for fact in await bench.facts():
            await bench.app.forgetter.forget(BANK, fact=fact.id)
        after = await graph.ainvoke(None, thread, context=context)
        assert "red kayak" not in bench.asked("answer")[-1].user
        assert not any(after[channel] for channel in (*channels, "turns"))

    async def test_a_run_taken_up_between_two_rounds_ends_as_if_it_had_not_stopped(
        self, bench: Bench, saver: InMemorySaver
    ) -> None:
        wish = {"fact": 1, "cues": ["Who looks after the cat this summer?", "What does it eat?"]}
        bench.script(
            foresee={"facts": [wish, {"fact": 2, "cues": ["Where is the ferry?", "Move house"]}]},
            imagine=tree("Ask who feeds the cat"), refine=tree("See in which city I live"),
        )  # fmt: skip
        await bench.retain(session(MISO, OSLO))
        whole = await bench.prospect("Help me with the summer", delta=1, max_rounds=1)
        assert ["foresight" in hit["terms"] for hit in whole["hits"]] == [True, True]
        thread: Any = {"configurable": {"thread_id": "1"}}
        context = bench.context(delta=1, max_rounds=1)
        graph: Any = build_prospect(bench.app).compile(
            checkpointer=saver, interrupt_before=["refine"]
        )
        given = {"query": "Help me with the summer"}
        assert (await graph.ainvoke(given, thread, context=context))["hits"] == []
        after: Any = build_prospect(replace(bench.app)).compile(checkpointer=saver)
        assert await after.ainvoke(None, thread, context=context) == whole
