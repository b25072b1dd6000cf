"""`prospect`, `retain` and `agent` under `langgraph dev`, driven over its API as Studio does."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import pytest

from forethought.memory.records.lock import WriterLock
from tests.flows.openai_stub import OpenAIStub, at_the_proxy, openai_stub, user_text
from tests.flows.served import Served, langgraph_dev

GRAPHS = ("agent", "prospect", "retain")
PICNIC = "Plan a picnic with the Bergs for Saturday"
ASKED = {"messages": [{"role": "user", "content": PICNIC}]}
Events = list[tuple[str, Any]]


def script(schema: str, request: dict[str, Any]) -> str:
    """What the model says: a fact for each user turn, a cue for each fact, one tree for all."""
    said = user_text(request)
    if schema == "Extraction":
        turns = re.findall(r"\[(T\d+)\] user: (.+)", said)
        kind = {"kind": "Preference", "entities": ["Lea Berg"]}
        return json.dumps({"facts": [{"text": t, "turns": [n], **kind} for n, t in turns]})
    if schema == "Foresight":
        numbers = [int(number) for number in re.findall(r"^\[(\d+)\]", said, re.MULTILINE)]
        return json.dumps({"facts": [{"fact": n, "cues": [f"{PICNIC}, #{n}"]} for n in numbers]})
    if schema == "Tree":
        step = {"action_id": "A1", "action": "somebody eats a snack with nuts", "constraints": ""}
        return json.dumps({"steps": [step, {**step, "action_id": "A2", "parent": "A1",
                                            "action": "the car does not start"}]})  # fmt: skip
    if schema == "Reflection":
        (first,) = re.findall(r"\[F1\] \([^)]*\) (.+)", said)
        text = f"The picnic calls for care because {first}"
        return json.dumps({"opinions": [{"text": text, "confidence": 0.8, "facts": ["F1"]}]})
    if schema == "Summary":
        return json.dumps({"summary": "What is eaten matters."})
    known = re.findall(r"\[(f[0-9a-f]{12})\]", said)
    return " ".join(
        ["Leave", "the", "nuts", "at", "home", f"[{known[0]}]."] if known else ["Enjoy."]
    )


@dataclass(frozen=True)
class Server:
    """The server, the model behind it, and how it met a data directory that was in use."""

    dev: Served
    model: OpenAIStub
    client: Any
    when_busy: tuple[Exception, Events]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the module; every test has banks and threads of its own."""
    if find_spec("langgraph_api") is None:
        missing = "the LangGraph server is not installed: pip install 'langgraph-cli[inmem]'"
        (pytest.fail if os.environ.get("FORETHOUGHT_TEST_REQUIRE_ALL") else pytest.skip)(missing)
    from langgraph_sdk import get_sync_client

    folder = tmp_path_factory.mktemp("server")
    with openai_stub(script) as model:
        settings = {"FORETHOUGHT_DATA_DIR": str(folder / "data"), **at_the_proxy(model)}
        with langgraph_dev(folder, settings) as dev:
            client = get_sync_client(url=dev.url)
            with WriterLock.acquire(folder / "data"):
                met = (_refused_look(client), _streamed(client, "prospect", {"query": "?"}))
            yield Server(dev, model, client, met)
            client.http.client.close()
    assert not list((folder / "data").glob("*-wal")), "the stores were not closed in the end"


@pytest.fixture(autouse=True)
def _show_the_log_of_a_failure(request: pytest.FixtureRequest, server: Server) -> Iterator[None]:
    failed = request.session.testsfailed
    yield
    if request.session.testsfailed > failed:
        print(server.dev.said()[-8000:])


def _refused_look(client: Any) -> Exception:
    (assistant,) = client.assistants.search(graph_id="prospect")
    with pytest.raises(Exception) as refused:
        client.assistants.get_schemas(assistant["assistant_id"])
    return refused.value


def _streamed(client: Any, graph: str, given: dict[str, Any], **more: Any) -> Events:
    """Every event of a run, in order; on a thread that is not kept, unless one is named."""
    more = {"stream_mode": ["updates", "custom"], **more}
    thread = more.pop("thread", None)
    parts = client.runs.stream(thread, graph, input=given, **more)
    return [(part.event, part.data) for part in parts]


def _session(*said: str) -> dict[str, Any]:
    turns = [{"role": "user", "text": text} for text in said]
    return {"sessions": [{"key": said[0], "date": "2025-03-01T10:00:00Z", "turns": turns}]}


def _retain(server: Server, bank: str, *said: str, **more: Any) -> Events:
    return _streamed(server.client, "retain", _session(*said), context={"bank": bank}, **more)


def _nodes(events: Events, mode: str) -> list[str]:
    """The nodes that one stream mode told of, in order."""
    told = [data for event, data in events if event == mode]
    return [data["node"] for data in told] if mode == "custom" else [n for d in told for n in d]


def test_the_three_graphs_are_listed_with_what_they_take_and_give(server: Server) -> None:
    listed = {item["graph_id"]: item for item in server.client.assistants.search()}
    assert tuple(sorted(listed)) == GRAPHS
    schemas = {
        graph: server.client.assistants.get_schemas(item["assistant_id"])
        for graph, item in listed.items()
    }
    given = {graph: set(found["input_schema"]["properties"]) for graph, found in schemas.items()}
    assert given == {
        "agent": {"messages"}, "prospect": {"query"}, "retain": {"sessions", "pending"},
    }  # fmt: skip
    assert {"answer", "cited", "hits", "usage", "opinions", "formed", "retained"} <= set(
        schemas["agent"]["output_schema"]["properties"]
    )
    assert {"hits", "steps", "notes"} <= set(schemas["prospect"]["output_schema"]["properties"])
    assert {"report", "usage"} <= set(schemas["retain"]["output_schema"]["properties"])
    for found in schemas.values():
        assert {"bank", "now", "mode", "probe_k"} <= set(found["context_schema"]["properties"])


def test_what_was_retained_is_found_by_prospect_and_answered_from_by_agent(server: Server) -> None:
    retained = _retain(server, "ann", "Lea Berg is allergic to peanuts", "My bike has a flat tyre")
    report = [
        data["commit"]["report"]
        for mode, data in retained
        if mode == "updates" and "commit" in data
    ]
    assert [(entry["status"], entry["facts"]) for entry in report[-1]] == [("extracted", 2)]
    context = {"bank": "ann", "now": "2025-04-01", "max_rounds": 1}
    found = server.client.runs.wait(None, "prospect", input={"query": PICNIC}, context=context)
    texts = [hit["fact"]["text"] for hit in found["hits"]]
    assert "Lea Berg is allergic to peanuts" in texts
    assert found["usage"]["calls"] == 3  # imagine, refine, summarise
    answered = server.client.runs.wait(None, "agent", input=ASKED, context=context)
    assert answered["messages"][-1]["content"] == answered["answer"]
    assert answered["cited"] == [found["hits"][0]["fact"]["id"]]


def test_nothing_said_after_the_moment_of_the_question_is_used(server: Server) -> None:
    _retain(server, "tim", "Lea Berg is allergic to peanuts")
    context = {"bank": "tim", "now": "2025-02-28"}
    found = server.client.runs.wait(None, "prospect", input={"query": PICNIC}, context=context)
    assert found["hits"] == []


def test_two_banks_do_not_mix(server: Server) -> None:
    _retain(server, "eva", "Lea Berg is allergic to peanuts")
    _retain(server, "ben", "Lea Berg likes peanuts")
    for bank, text in (
        ("eva", "Lea Berg is allergic to peanuts"),
        ("ben", "Lea Berg likes peanuts"),
    ):
        found = server.client.runs.wait(
            None, "prospect", input={"query": PICNIC}, context={"bank": bank}
        )
        assert {hit["fact"]["text"] for hit in found["hits"]} == {text}
    without = server.client.runs.wait(None, "prospect", input={"query": PICNIC})
    assert without["hits"] == []  # the default bank, which holds nothing


def test_each_node_tells_once_what_it_did(server: Server) -> None:
    retained = _retain(server, "dan", "I am moving to Turku in May")
    told = _nodes(retained, "custom")
    assert told == _nodes(retained, "updates")
    assert Counter(told) == {
        "log": 1, "extract": 1, "resolve": 1, "commit": 1, "index": 1, "link": 1, "foresee": 2,
        "remind": 1, "reinforce": 1, "maintain": 1, "weigh": 1, "observe": 1,
    }  # fmt: skip
    asked = _streamed(server.client, "agent", ASKED, context={"bank": "dan", "max_rounds": 1})
    assert _nodes(asked, "custom") == [
        "listen", "due", "views", "gate", "augment", "imagine", "probe", "refine", "probe",
        "summarise", "answer", "reflect", "remember", "learn",
    ]  # fmt: skip
    assert _nodes(asked, "custom") == _nodes(asked, "updates")
    assert all(data["ms"] >= 0 for mode, data in asked if mode == "custom")


def test_two_banks_chat_at_once_and_neither_learns_from_the_other(server: Server) -> None:
    said = {"eli": "Lea Berg is allergic to peanuts", "fay": "Lea Berg loves peanuts"}
    runs = server.client.runs
    began = {}
    for bank, text in said.items():
        _retain(server, bank, text)
    for bank in said:
        thread = server.client.threads.create()["thread_id"]
        context = {"bank": bank, "mode": "recall", "flush": True}
        began[bank] = (thread, runs.create(thread, "agent", input=ASKED, context=context)["run_id"])
    for bank, text in said.items():
        done = runs.join(*began[bank])
        assert [one["text"] for one in done["formed"]] == [
            f"The picnic calls for care because {text}"
        ]
        assert {hit["fact"]["text"] for hit in done["hits"]} == {text}
        assert [entry["status"] for entry in done["retained"]] == ["extracted"]
        again = runs.wait(began[bank][0], "agent", input=ASKED, context={"bank": bank})
        assert [one["text"] for one in again["opinions"]] == [done["formed"][0]["text"]]
        assert {hit["fact"]["text"] for hit in again["hits"]} == {text, PICNIC}


def test_the_answer_streams_token_by_token_and_nothing_else_does(server: Server) -> None:
    _retain(server, "kim", "Lea Berg is allergic to peanuts")
    events = _streamed(
        server.client,
        "agent",
        ASKED,
        context={"bank": "kim"},
        stream_mode=["messages-tuple", "values"],
    )
    chunks = [data for event, data in events if event == "messages"]
    assert {about["langgraph_node"] for _, about in chunks} == {"answer"}
    pieces = [chunk["content"] for chunk, _ in chunks if chunk["content"]]
    assert len(pieces) > 5
    final = [data for event, data in events if event == "values"][-1]
    assert "".join(pieces) == final["answer"]
    assert len([m for m in final["messages"] if m["type"] == "ai"]) == 1


def test_the_history_of_a_thread_shows_each_step(server: Server) -> None:
    thread = server.client.threads.create()["thread_id"]
    context = {"bank": "ida", "max_rounds": 0}
    _streamed(server.client, "prospect", {"query": PICNIC}, thread=thread, context=context)
    history = server.client.threads.get_history(thread, limit=50)
    steps = [node for state in reversed(history) for node in state["next"]]
    assert steps == ["__start__", "augment", "imagine", "probe", "summarise"]
    assert [step["action"] for step in history[0]["values"]["steps"]] == [
        "somebody eats a snack with nuts", "the car does not start",
    ]  # fmt: skip


@pytest.mark.parametrize("graph", GRAPHS)
def test_a_second_run_on_a_thread_starts_afresh(server: Server, graph: str) -> None:
    thread = server.client.threads.create()["thread_id"]
    given = {
        "agent": ASKED, "prospect": {"query": PICNIC}, "retain": _session("I play the harp"),
    }[graph]  # fmt: skip
    context = {"bank": f"twice-{graph}", "max_rounds": 1}
    first, second = (
        server.client.runs.wait(thread, graph, input=given, context=context) for _ in range(2)
    )
    again = 0 if graph == "retain" else first["usage"]["calls"]  # what is known costs nothing
    assert (first["usage"]["calls"] > 0, second["usage"]["calls"]) == (True, again)
    assert len(second["notes"]) <= len(first["notes"])


@pytest.mark.parametrize(
    ("context", "says"),
    [
        ({"probe_k": 0}, "context.probe_k: expected 1 to 100, found 0"),
        ({"limit": "many"}, "context.limit: expected 1 to 500, found 'many'"),
        ({"bank": 7}, "context.bank: expected a name, found 7"),
        ({"mode": "dream"}, "context.mode: expected one of auto, recall, prospect, found 'dream'"),
        ({"now": "soon"}, "context.now: 'soon' is not a date"),
    ],
)
def test_a_bad_context_value_is_a_clear_error(
    server: Server, context: dict[str, Any], says: str
) -> None:
    *_, (event, data) = _streamed(server.client, "prospect", {"query": PICNIC}, context=context)
    assert (event, data["error"]) == ("error", "InvalidInput")
    assert data["message"].startswith(says)


def test_a_data_directory_in_use_is_a_clear_error_and_later_a_working_one(server: Server) -> None:
    look, run = server.when_busy
    assert type(look).__name__ == "BadRequestError"
    assert str(look).startswith("BankBusy: the data directory ")
    event, data = run[-1]
    assert (event, data["error"]) == ("error", "CannotServe")
    assert data["message"].startswith("BankBusy: the data directory ")
    assert server.client.runs.wait(None, "prospect", input={"query": PICNIC})["hits"] == []


def test_nothing_blocks_the_loop_and_nothing_leaves_the_machine(server: Server) -> None:
    _retain(server, "una", "I keep bees")
    server.client.runs.wait(None, "agent", input=ASKED, context={"bank": "una", "mode": "recall"})
    assert "Blocking call" not in server.dev.said()
    assert server.model.proxied == []
