"""The model boundary through the real client and a real socket, as endpoints treat it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from threading import Event

import pytest

from forethought.graphs.models import opened_model
from forethought.graphs.settings import Settings
from forethought.memory.errors import (
    MalformedAnswer,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    TruncatedAnswer,
)
from forethought.nodes.model import Model
from forethought.prompts.answer import Remembered, answer
from forethought.prompts.imagine import imagine_tree
from tests.flows.openai_stub import OpenAIStub, Said, openai_stub

TREE = imagine_tree(query="a picnic", today="2025-03-01 (Saturday)", context=())
TEXT = answer(query="a picnic", today="2025-03-01 (Saturday)", remembered=Remembered())
GOOD = json.dumps({"steps": [{"action_id": "A1", "action": "buy bread"}]})
Opened = Callable[..., Awaitable[Model]]


@pytest.fixture
def stub() -> Iterator[OpenAIStub]:
    with openai_stub(lambda schema, request: GOOD) as stub:
        yield stub


@pytest.fixture
async def opened(stub: OpenAIStub) -> AsyncIterator[Opened]:
    async with AsyncExitStack() as stack:

        async def open_it(**settings: object) -> Model:
            given = {"model": "openai:stub", "base_url": stub.url, **settings}
            model = opened_model(Settings.model_validate(given))
            found = await stack.enter_async_context(model)
            assert found is not None
            return found

        yield open_it


def _says(stub: OpenAIStub, said: Said) -> None:
    stub.script = lambda schema, request: said


async def test_the_schema_goes_with_the_request(stub: OpenAIStub, opened: Opened) -> None:
    reply = await (await opened()).ask(TREE)
    assert [step.action for step in reply.value.steps] == ["buy bread"]
    (request,) = stub.requests
    wanted = request["response_format"]
    assert (wanted["type"], wanted["json_schema"]["name"]) == ("json_schema", "Tree")
    assert wanted["json_schema"]["schema"]["properties"]["steps"]["maxItems"] == 24
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert "tools" not in request


async def test_a_reply_is_bounded_by_the_name_that_servers_of_ones_own_know(
    stub: OpenAIStub, opened: Opened
) -> None:
    await (await opened(max_tokens=321)).ask(TREE)
    await (await opened(max_tokens=321)).stream(TEXT)
    await (await opened()).ask(TREE)
    assert [request.get("max_tokens") for request in stub.requests] == [321, 321, None]
    assert not any("max_completion_tokens" in request for request in stub.requests)


async def test_what_a_stream_says_and_costs_is_whole(stub: OpenAIStub, opened: Opened) -> None:
    _says(stub, Said("Bring bread, not nuts."))
    said = await (await opened()).stream(TEXT)
    assert (said.text, said.cut) == ("Bring bread, not nuts.", False)
    assert said.usage == {"calls": 1, "input_tokens": 10, "output_tokens": 4}


async def test_an_answer_that_ends_at_the_output_limit_says_so(
    stub: OpenAIStub, opened: Opened
) -> None:
    _says(stub, Said("Bring bread, not", finish="length"))
    assert (await (await opened()).stream(TEXT)).cut


async def test_the_tokens_of_a_cut_reply_are_counted(stub: OpenAIStub, opened: Opened) -> None:
    _says(stub, Said('{"steps": [{"action_id"', finish="length"))
    with pytest.raises(TruncatedAnswer, match="hit its output limit") as failed:
        await (await opened()).ask(TREE)
    assert failed.value.usage == {"calls": 1, "input_tokens": 10, "output_tokens": 2}


async def test_both_calls_of_a_reply_that_never_fits_are_counted(
    stub: OpenAIStub, opened: Opened
) -> None:
    _says(stub, Said("I cannot do that."))
    with pytest.raises(MalformedAnswer) as failed:
        await (await opened()).ask(TREE)
    assert failed.value.usage == {"calls": 2, "input_tokens": 20, "output_tokens": 8}
    assert [message["role"] for message in stub.requests[1]["messages"]] == [
        "system", "user", "assistant", "user",
    ]  # fmt: skip


def _error(status: int, message: str) -> Said:
    return Said(message, status=status)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (_error(400, "this model cannot see"), MalformedAnswer),
        (_error(400, "the request exceeds the available context size"), TruncatedAnswer),
        (_error(400, "This model's maximum context length is 4096 tokens"), TruncatedAnswer),
        (_error(400, "Failed to initialize samplers: failed to parse grammar"), ModelRefused),
        (_error(400, "response_format is not supported"), ModelRefused),
        (_error(401, "no such key"), ModelRefused),
        (_error(403, "not from here"), ModelRefused),
        (_error(404, "no such model"), ModelRefused),
        (_error(409, "try again"), ModelUnavailable),
        (_error(413, "that is too much"), TruncatedAnswer),
        (_error(418, "I am a teapot"), ModelRefused),
        (_error(422, "what is this?"), MalformedAnswer),
        (_error(429, "slower"), ModelUnavailable),
        (_error(429, "insufficient_quota"), ModelRefused),
        (_error(500, "oh no"), ModelUnavailable),
        (_error(503, "Loading model"), ModelUnavailable),
        (Said(GOOD, breaks=True), ModelUnavailable),
        (Said(raw=""), ModelRefused),
        (Said(raw="<html>Welcome to the hotel</html>"), ModelRefused),
        (Said(raw="{}"), ModelRefused),
        (Said(raw="[]"), ModelRefused),
        (Said(raw='{"choices": []}'), ModelRefused),
        (Said(raw='{"error": {"message": "oh no"}}'), ModelRefused),
    ],
    ids=lambda value: value.text or value.raw if isinstance(value, Said) else value.__name__,
)
@pytest.mark.parametrize("streamed", [False, True], ids=["asked", "streamed"])
async def test_each_way_to_fail_says_what_a_caller_can_do_about_it(
    stub: OpenAIStub, opened: Opened, said: Said, kind: type[ModelError], streamed: bool
) -> None:
    _says(stub, said)
    with pytest.raises(ModelError) as failed:
        model = await opened()
        await (model.stream(TEXT) if streamed else model.ask(TREE))
    assert type(failed.value) is kind
    assert failed.value.usage["calls"] == len(stub.requests) == 1
    assert "openai:stub" in str(failed.value)


async def test_a_filtered_reply_costs_this_request_only(stub: OpenAIStub, opened: Opened) -> None:
    _says(stub, Said('{"steps"', finish="content_filter"))
    with pytest.raises(MalformedAnswer, match="content filter"):
        await (await opened()).ask(TREE)


async def test_a_model_that_is_not_there_may_be_later(opened: Opened) -> None:
    with pytest.raises(ModelUnavailable, match=r"attempts failed\): check FORETHOUGHT_BASE_URL"):
        await (await opened(base_url="http://127.0.0.1:9/v1")).ask(TREE)


@pytest.mark.parametrize(
    ("status", "to_do"),
    [(401, "FORETHOUGHT_API_KEY"), (403, "FORETHOUGHT_API_KEY"), (404, "FORETHOUGHT_MODEL")],
)
async def test_a_refusal_for_good_names_the_setting_to_check(
    stub: OpenAIStub, opened: Opened, status: int, to_do: str
) -> None:
    _says(stub, _error(status, "no"))
    with pytest.raises(ModelRefused, match=f"no: check {to_do}"):
        await (await opened()).ask(TREE)


async def test_a_model_that_takes_too_long_may_be_quicker_later(
    stub: OpenAIStub, opened: Opened
) -> None:
    given_up = Event()
    stub.script = lambda schema, request: GOOD if given_up.wait(10) else ""
    with pytest.raises(ModelUnavailable, match=r"within 0\.2 s"):
        await (await opened(timeout=0.2)).ask(TREE)
    given_up.set()
