"""A node reads its state and gives an update: it changes nothing, and gives the same twice."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from copy import deepcopy
from functools import partial
from types import MappingProxyType
from typing import Any

import pytest
import pytest_asyncio
from langchain_core.messages import HumanMessage
from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.graphs.agent import finding, grounded, learning, retaining
from forethought.graphs.prospect import converged
from forethought.graphs.retain import (
    more_facts,
    more_groups,
    more_pairs,
    more_promises,
    more_sessions,
    more_subjects,
    no_model,
)
from forethought.memory.errors import MalformedAnswer, ModelUnavailable
from forethought.nodes.answer import answer
from forethought.nodes.augment import augment, augment_failed
from forethought.nodes.beside import Surroundings
from forethought.nodes.context import Context
from forethought.nodes.due import due
from forethought.nodes.extract import extract, extract_failed
from forethought.nodes.foresee import foresee_failed
from forethought.nodes.gate import gate
from forethought.nodes.imagine import imagine, imagine_failed
from forethought.nodes.listen import listen
from forethought.nodes.maintain import maintain_failed
from forethought.nodes.observe import observe_failed
from forethought.nodes.probe import probe
from forethought.nodes.recall import recall
from forethought.nodes.refine import refine, refine_failed
from forethought.nodes.reflect import reflect, reflect_failed
from forethought.nodes.reinforce import reinforce_failed
from forethought.nodes.remind import remind_failed
from forethought.nodes.resolve import resolve
from forethought.nodes.retain import retain_failed
from forethought.nodes.summarise import summarise, summarise_failed
from forethought.nodes.views import views
from tests.flows.bench import BANK, Bench, opened, session
from tests.flows.scripted import fact

USAGE = {"calls": 1, "input_tokens": 2, "output_tokens": 3}
STEPS = [{"id": "A1", "action": "Feed my cat", "constraints": "at noon", "parent": None}]


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bench(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    async with opened(tmp_path_factory.mktemp("pure")) as bench:
        await bench.retain(session("My cat is called Miso", "I live in the city of Oslo"))
        yield bench


def _runtime(events: list[Any] | None = None, **settings: Any) -> Runtime[Context]:
    sink = [] if events is None else events
    return Runtime(context=Context(bank=BANK, **settings), stream_writer=sink.append)


async def _state(bench: Bench) -> dict[str, Any]:
    """A state in which any node may run."""
    found = await bench.prospect("Feed my cat", max_rounds=0)
    facts = await bench.facts()
    (logged,) = await bench.app.records.sessions(BANK)
    turns = await bench.app.records.turns(BANK, logged.id)
    return {
        "query": "Feed my cat",
        "request": "Feed my cat",
        "now": "2030-01-01T00:00:00+00:00",
        "context": ["(2025-05-16) My cat is called Miso"],
        "candidates": {},
        "recalled": [known.id for known in facts],
        "fresh": 2,
        "mode": "prospect",
        "rounds": 0,
        "steps": STEPS,
        "hits": found["hits"],
        "summary": "The cat matters.",
        "answer": "Feed it.",
        "shown": [known.id for known in facts],
        "commitments": [],
        "day": "2030-01-01",
        "told": [],
        "opinions": [],
        "observations": [],
        "chat": {"key": "chat 1", "retain": ["chat 1"]},
        "notes": ["before"],
        "usage": USAGE,
        "messages": [HumanMessage("Feed my cat")],
        "sessions": [],
        "queue": [logged.id],
        "report": [{"key": logged.key, "session": logged.id, "facts": 2}],
        "chars": 1000,
        "drafts": [
            fact("I moved", action="update", of="K1", when="yesterday"),
            fact("Bad", turns=["T9"]),
        ],
        "duties": {
            "commitments": [
                {"action": "Feed my cat", "due": "tomorrow", "turn": "T1", "facts": ["K1", "F9"]}
            ],
            "settled": [{"of": "C1", "outcome": "kept", "turn": "T1"}],
        },
        "stretch": {
            "session": logged.id,
            "start": 0,
            "date": "2025-05-16T12:00:00+00:00",
            "turns": [[turn.id, turn.role] for turn in turns],
            "known": [known.id for known in facts],
            "extracted": 2,
            "offset": 0,
        },
        "failure": None,
        "changes": {},
        "batch": 4,
        "skipped": ["f0"],
        "groups": [["f1", "f2"], ["f3", "f4"]],
        "merged": 0,
        "pairs": 3,
        "subjects": [{"id": "e1", "about": "entity", "facts": ["f1"], "names": ["Miso"]}],
    }  # fmt: skip


def _frozen(state: dict[str, Any]) -> Any:
    """A state that cannot be written to; what is inside is compared afterwards."""
    return MappingProxyType(state)


def _plain(value: Any) -> Any:
    if isinstance(value, MappingProxyType | dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return getattr(value, "value", value) if type(value).__name__ == "Overwrite" else value


async def _run(node: Any, state: Any, *args: Any) -> Any:
    result = node(state, *args)
    return await result if hasattr(result, "__await__") else result


def _nodes(bench: Bench) -> dict[str, Any]:
    app = bench.app
    return {
        "augment": partial(augment, recall=app.recall, rewriter=app.rewriter, moment=app.moment),
        "imagine": partial(imagine, model=app.model),
        "probe": partial(probe, recall=app.recall, records=app.records),
        "refine": partial(refine, records=app.records, model=app.model),
        "summarise": partial(summarise, model=app.model),
        "listen": listen,
        "due": partial(due, watch=app.watch, moment=app.moment, zone=app.zone),
        "views": partial(views, recall=app.recall, moment=app.moment),
        "gate": partial(gate, recall=app.recall),
        "recall": partial(recall, recall=app.recall, moment=app.moment),
        "answer": partial(answer, records=app.records, model=app.model),
        "reflect": partial(reflect, indexer=app.indexer, model=app.model),
        "extract": partial(
            extract,
            records=app.records,
            surroundings=Surroundings(app.recall, app.watch),
            model=app.model,
        ),
        "resolve": partial(resolve, records=app.records, embedder=app.embedder),
    }


NODES = ("augment", "imagine", "probe", "refine", "summarise", "listen", "due", "views", "gate",
         "recall", "answer", "reflect", "extract", "resolve")  # fmt: skip


@pytest.mark.parametrize("name", NODES)
async def test_a_node_run_twice_on_one_frozen_state_gives_one_update(
    bench: Bench, name: str
) -> None:
    state = await _state(bench)
    before = deepcopy(state)
    frozen = _frozen(state)
    node = _nodes(bench)[name]
    events: list[Any] = []
    first = await _run(node, frozen, _runtime(events))
    second = await _run(node, frozen, _runtime(events))
    if name == "answer":  # each message has an id of its own
        assert first.pop("messages")[0].content == second.pop("messages")[0].content
    assert _plain(first) == _plain(second)
    assert _plain(frozen) == before
    assert [event["node"] for event in events] == [name, name]
    assert {k: v for k, v in events[0].items() if k != "ms"} == {
        k: v for k, v in events[1].items() if k != "ms"
    }
    json.dumps(events)  # a trace is plain data


HANDLERS: dict[str, Callable[[Bench], Any]] = {
    "augment": lambda bench: partial(
        augment_failed, recall=bench.app.recall, moment=bench.app.moment
    ),
    "imagine": lambda bench: imagine_failed,
    "refine": lambda bench: partial(
        refine_failed, recall=bench.app.recall, records=bench.app.records
    ),
    "summarise": lambda bench: summarise_failed,
    "reflect": lambda bench: reflect_failed,
    "retain": lambda bench: retain_failed,
    "extract": lambda bench: extract_failed,
    "foresee": lambda bench: partial(foresee_failed, records=bench.app.records),
    "remind": lambda bench: partial(remind_failed, records=bench.app.records),
    "maintain": lambda bench: partial(maintain_failed, records=bench.app.records),
    "reinforce": lambda bench: partial(reinforce_failed, evidence=bench.app.evidence),
    "observe": lambda bench: partial(observe_failed, observer=bench.app.observer),
}


@pytest.mark.parametrize("name", HANDLERS)
@pytest.mark.parametrize("kind", [MalformedAnswer, ModelUnavailable])
async def test_a_handler_counts_the_cost_names_the_failure_and_changes_nothing(
    bench: Bench, name: str, kind: Any
) -> None:
    state = await _state(bench)
    before = deepcopy(state)
    frozen = _frozen(state)
    failure = NodeError(node=name, error=kind("it broke", usage=dict(USAGE)))
    update = _plain(await _run(HANDLERS[name](bench), frozen, _runtime(), failure))
    assert update["usage"] == USAGE
    assert any("it broke" in note for note in update["notes"])
    assert _plain(frozen) == before


@pytest.mark.parametrize("name", HANDLERS)
async def test_a_handler_lets_any_other_error_through(bench: Bench, name: str) -> None:
    failure = NodeError(node=name, error=ZeroDivisionError("a bug"))
    with pytest.raises(ZeroDivisionError):
        await _run(HANDLERS[name](bench), _frozen(await _state(bench)), _runtime(), failure)


async def test_routers_only_look(bench: Bench) -> None:
    state = await _state(bench)
    before = deepcopy(state)
    frozen: Any = _frozen(state)
    for _ in range(2):
        assert converged(frozen, _runtime()) == "refine"
        assert converged(frozen, _runtime(max_rounds=0)) == "summarise"
        assert finding(frozen, _runtime()) == "augment"
        assert grounded(frozen) == "imagine"
        assert learning(frozen, _runtime()) == "reflect"
        assert learning(frozen, _runtime(reflect=False)) == "remember"
        assert learning(frozen, _runtime(reflect=False, remember=False)) == "__end__"
        assert retaining(frozen) == "retain"
        assert more_sessions(frozen) == "extract"
        assert no_model(frozen) == "link"
        assert more_facts(frozen) == "foresee"
        assert more_promises(frozen) == "remind"
        assert more_pairs(frozen) == "reinforce"
        assert more_subjects(frozen) == "observe"
        assert more_groups(frozen) == "maintain"
    assert _plain(frozen) == before
