"""The machines with a model behind real HTTP: what the endpoint does wrong, the run makes good."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest

from forethought.graphs.agent import build_agent
from forethought.graphs.models import opened_model
from forethought.graphs.settings import Settings
from forethought.memory.errors import ModelUnavailable
from tests.flows.bench import QUICK, Bench, opened, session
from tests.flows.openai_stub import OpenAIStub, Said, openai_stub, schema_name, user_text

MISO = "My cat is called Miso"
OSLO = "I live in the city of Oslo"


def obedient(schema: str, request: dict[str, Any]) -> str:
    """What a good model says to each of the prompts."""
    said = str(request["messages"][1]["content"])  # the prompt, also where it is asked again
    if schema == "Extraction":
        turns = re.findall(r"\[(T\d+)\] user: (.+)", said)
        facts = [{"text": text, "kind": "Event", "turns": [label]} for label, text in turns]
        return json.dumps({"facts": facts})
    if schema == "Foresight":
        numbers = re.findall(r"^\[(\d+)\]", said, re.MULTILINE)
        return json.dumps({"facts": [{"fact": int(n), "cues": [f"Wish {n}"]} for n in numbers]})
    if schema == "Tree":
        return json.dumps({"steps": [{"action_id": "A1", "action": "Feed my cat Miso"}]})
    if schema == "Summary":
        return json.dumps({"summary": "The cat matters."})
    return "A cat called Miso."


@pytest.fixture
def stub() -> Iterator[OpenAIStub]:
    with openai_stub(obedient) as stub:
        yield stub


@pytest.fixture
async def bench(stub: OpenAIStub, tmp_path: Path) -> AsyncIterator[Bench]:
    given = {"model": "openai:stub", "base_url": stub.url, "timeout": 5}
    async with (
        opened_model(Settings.model_validate(given)) as model,
        opened(tmp_path, model=model or False) as bench,
    ):
        yield bench


def _first(stub: OpenAIStub, *bad: Said, of: str = "") -> None:
    """Answer the first requests, or those for the schema `of`, badly and then well."""
    left = list(bad)

    def script(schema: str, request: dict[str, Any]) -> Said | str:
        return left.pop(0) if left and of in ("", schema) else obedient(schema, request)

    stub.script = script


def _asked(stub: OpenAIStub) -> list[str]:
    return [schema_name(request) for request in stub.requests]


async def test_every_prompt_but_the_answer_asks_for_its_schema(
    stub: OpenAIStub, bench: Bench
) -> None:
    await bench.retain(session(MISO))
    result = await bench.ask("Tell me about my cat", mode="prospect")
    assert _asked(stub) == ["Extraction", "Foresight", "Tree", "Tree", "Summary", ""]
    assert result["answer"] == "A cat called Miso."
    tokens = result["usage"]
    assert tokens["calls"] == 4
    assert tokens["input_tokens"] == 40
    assert tokens["output_tokens"] > 10


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_passing_failure_is_waited_out(stub: OpenAIStub, bench: Bench, status: int) -> None:
    _first(stub, Said("busy", status=status), Said("busy", status=status))
    result = await bench.retain(session(MISO))
    assert result["report"][0]["status"] == "extracted"
    assert await bench.texts() == [MISO]
    assert _asked(stub)[:3] == ["Extraction"] * 3
    assert not result["notes"]


async def test_nothing_is_asked_again_sooner_than_the_endpoint_says(
    stub: OpenAIStub, bench: Bench
) -> None:
    _first(stub, Said("slow down", status=429, headers={"Retry-After": "0.3"}))
    times: list[float] = []
    answered = stub.script

    def timed(schema: str, request: dict[str, Any]) -> Said | str:
        times.append(monotonic())
        return answered(schema, request)

    stub.script = timed
    result = await bench.retain(session(MISO))
    assert result["report"][0]["status"] == "extracted"
    assert _asked(stub)[:2] == ["Extraction"] * 2
    assert times[1] - times[0] >= 0.3


async def test_a_lasting_failure_leaves_the_session_pending_and_the_log_whole(
    stub: OpenAIStub, bench: Bench
) -> None:
    stub.script = lambda schema, request: Said("busy", status=503)
    result = await bench.retain(session(MISO))
    assert result["report"][0]["status"] == "pending"
    assert len(stub.requests) == QUICK.max_attempts * 1
    stub.script = obedient
    await bench.run_retain({"pending": True})
    assert await bench.texts() == [MISO]


async def test_a_bad_key_is_tried_once(stub: OpenAIStub, bench: Bench) -> None:
    stub.script = lambda schema, request: Said("no such key", status=401)
    result = await bench.retain(session(MISO), session(OSLO))
    assert [entry["status"] for entry in result["report"]] == ["pending", "pending"]
    assert len(stub.requests) == 1
    assert any("no such key" in note for note in result["notes"])


async def test_a_prompt_that_does_not_fit_is_cut_in_two(stub: OpenAIStub, bench: Bench) -> None:
    def small(schema: str, request: dict[str, Any]) -> Said | str:
        if schema == "Extraction" and len(re.findall(r"\[T\d+\]", user_text(request))) > 2:
            return Said("the request exceeds the available context size", status=400)
        return obedient(schema, request)

    stub.script = small
    said = [f"Fact number {n} " + "x" * 400 for n in range(6)]
    result = await bench.retain(session(*said), extract_chars=2600, foresight=0)
    assert result["report"][0]["status"] == "extracted"
    assert await bench.texts() == said


async def test_thinking_aloud_is_heard_by_nobody(stub: OpenAIStub, bench: Bench) -> None:
    stub.script = lambda s, r: f"<think>{{}} [1] hm.</think>\n\n{obedient(s, r)}"
    await bench.retain(session(MISO))
    result = await bench.ask("Tell me about my cat", mode="prospect")
    assert await bench.texts() == [MISO]
    assert result["answer"] == "A cat called Miso."
    assert result["summary"] == "The cat matters."


async def test_half_a_character_in_a_reply_does_not_break_the_next_request(
    stub: OpenAIStub, bench: Bench
) -> None:
    _first(stub, Said("no JSON \ud83d here"), of="Extraction")
    await bench.retain(session(MISO))
    assert await bench.texts() == [MISO]
    assert _asked(stub).count("Extraction") == 2


async def test_half_a_character_in_a_request_or_an_answer_is_replaced(
    stub: OpenAIStub, bench: Bench
) -> None:
    await bench.retain(session(MISO))
    stub.script = lambda s, r: obedient(s, r) if s else "Miso \ud83d!"
    result = await bench.ask("Tell me about my cat \ud83d", mode="prospect")
    assert result["answer"] == "Miso \ufffd!"
    assert [hit["fact"]["text"] for hit in result["hits"]] == [MISO]


async def test_other_scripts_arrive_as_they_were_said(stub: OpenAIStub, bench: Bench) -> None:
    said = ["Mi gato se llama Miso", "我的猫叫米索", "قطتي اسمها ميسو", "Kissani on Äiti 🐈"]
    await bench.retain(session(*said))
    assert await bench.texts() == sorted(said)


async def test_tokens_reach_the_watcher_while_the_model_still_writes(
    stub: OpenAIStub, bench: Bench
) -> None:
    seen = Event()

    class Slow(Said):
        @property
        def pieces(self) -> list[str]:
            return _waiting(["A ", "cat."], seen)

    stub.script = lambda s, r: obedient(s, r) if s else Slow("A cat.")
    parts = []
    async with asyncio.timeout(10):
        async for message, about in bench.graph(build_agent).astream(
            {"messages": [{"role": "user", "content": "my cat"}]},
            context=bench.context(mode="recall"),
            stream_mode="messages",
        ):
            parts.append(message)
            assert about["langgraph_node"] == "answer"
            seen.set()  # only now may the model go on
    assert "".join(str(message.content) for message in parts) == "A cat."
    assert len({message.id for message in parts}) == 1


def _waiting(pieces: list[str], seen: Event) -> list[str]:
    """The pieces, the second one not before the first was seen."""

    class Pieces(list[str]):
        def __iter__(self) -> Iterator[str]:
            yield pieces[0]
            assert seen.wait(5)
            yield pieces[1]

    return Pieces(pieces)


async def test_an_answer_that_breaks_off_is_asked_for_again_and_then_an_error(
    stub: OpenAIStub, bench: Bench
) -> None:
    _first(stub, Said("A cat called", breaks=True), of="")
    assert (await bench.ask("my cat", mode="recall"))["answer"] == "A cat called Miso."
    stub.script = lambda s, r: Said("A cat called", breaks=True)
    with pytest.raises(ModelUnavailable):
        await bench.ask("my cat", mode="recall")


async def test_a_question_survives_an_endpoint_that_only_answers_text(
    stub: OpenAIStub, bench: Bench
) -> None:
    await bench.retain(session(MISO))
    stub.script = lambda s, r: Said("try again", status=500) if s else obedient(s, r)
    result = await bench.ask("Tell me about my cat", mode="prospect")
    assert result["answer"] == "A cat called Miso."
    assert any(note.startswith("imagine: fell back") for note in result["notes"])
