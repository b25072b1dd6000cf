"""agent: a streamed answer that cites what it rests on, or a clear error."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.exceptions import ModelAuthenticationError, ModelConnectionError
from langchain_core.messages import AIMessageChunk

from forethought.evals.recorded import RecordedChatModel
from forethought.graphs.agent import build_agent
from forethought.memory.errors import InvalidInput, MalformedAnswer, ModelRefused, ModelUnavailable
from forethought.nodes.model import Model
from tests.flows.bench import QUICK, Bench, session

MISO = "My cat is called Miso"
OSLO = "I live in the city of Oslo"


async def _ids(bench: Bench) -> dict[str, str]:
    return {fact.text: fact.id for fact in await bench.facts()}


class TestAnswer:
    """What is said, and what it cites."""

    @pytest.mark.parametrize("mode", ["recall", "prospect"])
    async def test_the_answer_is_the_last_message_and_says_what_it_cites(
        self, bench: Bench, mode: str
    ) -> None:
        await bench.retain(session(MISO, OSLO))
        ids = await _ids(bench)
        said = f"Miso [{ids[MISO]}] lives in Oslo [{ids[OSLO]}], doesn't she [{ids[MISO]}]?"
        bench.script(answer=said)
        result = await bench.ask("Tell me about my cat", mode=mode)
        assert result["answer"] == result["messages"][-1].content == said
        assert result["cited"] == [ids[MISO], ids[OSLO]]
        assert not result["notes"]

    async def test_recall_costs_one_call_and_prospection_the_loop_as_well(
        self, bench: Bench
    ) -> None:
        await bench.retain(session(MISO))
        bench.chat.calls.clear()
        assert (await bench.ask("My cat", mode="recall"))["usage"]["calls"] == 1
        assert [call.prompt for call in bench.asked()] == ["answer"]
        assert (await bench.ask("My cat", mode="prospect", max_rounds=0))["usage"]["calls"] == 3

    async def test_facts_beyond_the_budget_are_kept_from_the_answer_and_counted(
        self, bench: Bench
    ) -> None:
        await bench.retain(session(MISO, OSLO))
        result = await bench.ask("My cat is called Miso", mode="recall", budget=40)
        (answer,) = bench.asked("answer")
        (line,) = answer.fenced("facts")
        assert line.endswith(MISO)
        assert result["notes"] == [
            "answer: the first 1 of 2 facts fill 40 tokens, the others were left out"
        ]

    async def test_what_the_answer_was_not_given_it_cannot_cite(self, bench: Bench) -> None:
        await bench.retain(session(MISO, OSLO))
        bench.script(answer=f"Oslo [{(await _ids(bench))[OSLO]}].")
        result = await bench.ask("My cat is called Miso", mode="recall", budget=40)
        assert (result["answer"], result["cited"]) == ("Oslo.", [])

    async def test_the_answer_is_given_the_facts_the_summary_and_the_day(
        self, bench: Bench
    ) -> None:
        await bench.retain(session(MISO))
        await bench.ask("My cat", mode="prospect", now="2025-06-01")
        (answer,) = bench.asked("answer")
        ids = await _ids(bench)
        assert answer.fenced("facts") == [f"[{ids[MISO]}] (2025-05-16) {MISO}"]
        assert answer.fenced("thoughts") == ["What was imagined led to what was found."]
        assert "Today is 2025-06-01 (Sunday)." in answer.user

    async def test_an_updated_fact_comes_with_what_it_was_before(self, bench: Bench) -> None:
        await bench.retain(session(OSLO, on="2025-01-01T00:00:00Z"))
        new = {"text": "I live in the city of Bergen", "kind": "Identity", "turns": ["T1"]}
        bench.script(extract={"facts": [{**new, "action": "update", "of": "K1"}]})
        await bench.retain(session("I moved", on="2025-03-01T00:00:00Z"))
        await bench.ask("Where do I live?", mode="recall")
        (answer,) = bench.asked("answer")
        (line,) = answer.fenced("facts")
        assert line.endswith(f"{new['text']} [until 2025-03-01: {OSLO}]")

    async def test_an_invented_citation_is_removed_and_named(self, bench: Bench) -> None:
        await bench.retain(session(MISO))
        good = (await _ids(bench))[MISO]
        bench.script(answer=f"Miso [{good}, f0123456789ab] is a cat [fdeadbeef0000].")
        result = await bench.ask("My cat", mode="recall")
        assert result["answer"] == f"Miso [{good}] is a cat."
        assert result["messages"][-1].content == result["answer"]
        assert result["cited"] == [good]
        assert [note.split(",")[0] for note in result["notes"]] == [
            "answer: removed a citation of f0123456789ab",
            "answer: removed a citation of fdeadbeef0000",
        ]

    async def test_a_fact_of_another_bank_cannot_be_cited(self, bench: Bench) -> None:
        await bench.retain(session(MISO), bank="bob")
        (other,) = await bench.facts("bob")
        bench.script(answer=f"Bob's cat is Miso [{other.id}].")
        result = await bench.ask("My cat", mode="prospect")
        assert other.id not in result["answer"]
        assert result["cited"] == []

    @pytest.mark.parametrize(
        "said",
        [
            "Nothing is known.",
            "See [1], [a], [], [the link](https://example.org/f1) and `x[f]`.",
            "A  list:\n\n- [ ] todo\n- [x] done\n\n```c\nint a[fmax];\n```",
            "猫 🐈 [注] العربية",
            "[f",
        ],
    )
    async def test_an_answer_without_citations_is_left_as_it_is(
        self, bench: Bench, said: str
    ) -> None:
        bench.script(answer=said)
        result = await bench.ask("My cat", mode="recall")
        assert result["answer"] == said

    async def test_thinking_aloud_is_no_part_of_the_answer(self, bench: Bench) -> None:
        bench.script(answer="<think>Let me see.</think>\n\nA cat.")
        assert (await bench.ask("My cat", mode="recall"))["answer"] == "A cat."

    async def test_the_whole_conversation_is_kept_and_its_last_message_is_the_request(
        self, bench: Bench
    ) -> None:
        said = [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello!"},
            {"role": "user", "content": [{"type": "text", "text": "My cat"}]},
        ]
        graph = bench.graph(build_agent)
        result = await graph.ainvoke({"messages": said}, context=bench.context())
        assert bench.asked("answer")[0].subject == "My cat"
        assert [message.type for message in result["messages"]] == ["human", "ai", "human", "ai"]

    @pytest.mark.parametrize(
        "messages",
        [
            [],
            [{"role": "user", "content": "  "}],
            [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hi"}],
        ],
    )
    async def test_no_request_is_refused_before_any_call(
        self, bench: Bench, messages: list[Any]
    ) -> None:
        with pytest.raises(InvalidInput, match="human message"):
            await bench.graph(build_agent).ainvoke({"messages": messages}, context=bench.context())
        assert not bench.asked()


class TestFailing:
    """An answer is given or a clear error is raised; never an error's text as the answer."""

    async def test_a_model_that_is_away_is_retried_and_then_an_error(self, bench: Bench) -> None:
        bench.script(answer=ModelConnectionError("no route to host"))
        with pytest.raises(ModelUnavailable, match="answer: scripted: no route to host"):
            await bench.ask("My cat", mode="recall")
        assert len(bench.asked("answer")) == QUICK.max_attempts

    async def test_a_refusal_is_an_error_at_once(self, bench: Bench) -> None:
        bench.script(answer=ModelAuthenticationError("bad key"))
        with pytest.raises(ModelRefused, match="bad key"):
            await bench.ask("My cat", mode="recall")
        assert len(bench.asked("answer")) == 1

    @pytest.mark.parametrize("said", ["", "  \n", "<think>Hm.", "<think>Hm.</think> "])
    async def test_an_empty_answer_is_an_error(self, bench: Bench, said: str) -> None:
        bench.script(answer=said)
        with pytest.raises(MalformedAnswer, match="empty answer"):
            await bench.ask("My cat", mode="recall")

    async def test_without_a_model_the_error_names_both_settings_and_the_demo(
        self, modelless: Bench
    ) -> None:
        with pytest.raises(InvalidInput) as raised:
            await modelless.ask("My cat")
        for name in ("FORETHOUGHT_MODEL", "FORETHOUGHT_BASE_URL", "demo"):
            assert name in str(raised.value)

    async def test_without_a_model_prospection_is_recall_and_says_so(
        self, modelless: Bench
    ) -> None:
        result = await modelless.prospect("My cat")
        assert result["notes"] == [
            "imagine: no model is configured; the request alone is the probe"
        ]


class TestStreaming:
    """Tokens arrive while the answer is being written."""

    async def _parts(self, bench: Bench, **settings: Any) -> list[tuple[str, Any]]:
        stream = bench.graph(build_agent).astream(
            {"messages": [{"role": "user", "content": "My cat"}]},
            context=bench.context(**settings),
            stream_mode=["messages", "updates"],
        )
        return [part async for part in stream]

    async def test_tokens_arrive_before_the_node_is_done(self, bench: Bench) -> None:
        bench.script(answer="A cat sat on a mat.")
        parts = await self._parts(bench, mode="recall")
        kinds = [mode for mode, _ in parts]
        finished = next(
            at for at, (mode, what) in enumerate(parts) if mode == "updates" and "answer" in what
        )
        assert kinds[:finished].count("messages") >= 6
        assert "messages" not in kinds[finished:]

    async def test_the_tokens_of_the_answer_are_the_answer_once(self, bench: Bench) -> None:
        bench.script(answer="A cat sat on a mat.")
        parts = await self._parts(bench)
        answers = [
            message
            for mode, (message, about) in ((m, w) for m, w in parts if m == "messages")
            if about["langgraph_node"] == "answer"
        ]
        assert "".join(str(message.content) for message in answers) == "A cat sat on a mat."
        assert all(isinstance(message, AIMessageChunk) for message in answers)
        (update,) = [w["answer"] for m, w in parts if m == "updates" and "answer" in w]
        assert {message.id for message in answers} == {update["messages"][0].id}

    async def test_a_recorded_answer_is_streamed_too(self, bench: Bench) -> None:
        replies = {"answer": lambda subject: f"About {subject}:\nA cat."}
        chat = RecordedChatModel(replies=replies)
        recorded = Bench(
            type(bench.app)(
                bench.app.records,
                bench.app.index,
                bench.app.embedder,
                Model(chat, name="recorded", timeout=5),
            ),
            bench.chat,
        )
        result = await recorded.ask("my cat", mode="recall")
        assert result["answer"] == "About my cat:\nA cat."
