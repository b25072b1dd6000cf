"""Memory as tools in another agent: a model that calls them, LangGraph's own node to run them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from forethought.graphs.tools import memory_tools
from tests.flows.bench import BANK, MISO, OSLO, Bench, session


def _agent(bench: Bench, *calls: tuple[str, dict[str, Any]]) -> Any:
    """A small agent whose model makes these calls, one by one, and then says that it is done."""
    script = iter([AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"c{number}"}])
                   for number, (name, args) in enumerate(calls)])  # fmt: skip

    def model(state: MessagesState) -> dict[str, Any]:
        return {"messages": [next(script, AIMessage("Done."))]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", model)
    graph.add_node("tools", ToolNode(memory_tools(bench.app, bank=BANK)))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


async def _said(bench: Bench, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """What the tools answered."""
    done = await _agent(bench, *calls).ainvoke({"messages": [HumanMessage("Go")]})
    assert done["messages"][-1].content == "Done."
    return [message.content for message in done["messages"] if message.type == "tool"]


async def test_they_work_in_an_agent_that_waits_for_each_checkpoint(bench: Bench) -> None:
    agent = _agent(bench, ("remember", {"text": MISO}))
    agent.checkpointer = InMemorySaver()
    thread: Any = {"configurable": {"thread_id": "1"}}
    await agent.ainvoke({"messages": [HumanMessage("Go")]}, thread, durability="sync")
    assert await bench.texts() == [MISO]


async def test_an_agent_remembers_recalls_and_forgets_by_the_id_it_was_given(bench: Bench) -> None:
    told, found = await _said(
        bench, ("remember", {"text": MISO}), ("recall", {"query": "my cat called Miso"})
    )
    assert re.fullmatch(r"Remembered as session s\w+, 1 new facts\.", told)
    (fact,) = await bench.facts()
    assert found == f"[{fact.id}] (2030-01-01) {MISO}"
    twice, gone, after, again = await _said(
        bench,
        ("remember", {"text": MISO}),
        ("forget", {"id": fact.id}),
        ("recall", {"query": "my cat called Miso"}),
        ("forget", {"id": fact.id}),
    )
    assert twice.startswith("That was remembered already")
    assert gone.startswith("Forgotten: 1 facts")
    assert after == "Nothing is remembered that bears on this."
    assert again.startswith("Nothing was forgotten: ")


@pytest.mark.parametrize("id", ["Miso", "", "my cat called Miso", "f", "b0123456789ab", "f000"])
async def test_only_an_exact_id_forgets(bench: Bench, id: str) -> None:
    await bench.know(MISO)
    (said,) = await _said(bench, ("forget", {"id": id}))
    assert said.startswith("Nothing was forgotten: ")
    assert await bench.texts() == [MISO]


async def test_a_tool_sees_its_own_bank_alone(bench: Bench) -> None:
    await bench.retain(session(OSLO), bank="bob")
    (other,) = await bench.facts("bob")
    found, gone, blank = await _said(
        bench, ("recall", {"query": OSLO}), ("forget", {"id": other.id}),
        ("remember", {"text": "  "}),
    )  # fmt: skip
    assert found == "Nothing is remembered that bears on this."
    assert gone.startswith("Nothing was forgotten: ")
    assert blank == "Not remembered: it says nothing."
    assert await bench.facts("bob") == [other]


async def test_without_a_model_it_is_logged_and_found_in_the_words_it_was_said_in(
    modelless: Bench,
) -> None:
    told, found = await _said(modelless, ("remember", {"text": MISO}), ("recall", {"query": MISO}))
    assert told.startswith("Logged as session s")
    assert found.endswith(f"(2030-01-01) user: {MISO}")
