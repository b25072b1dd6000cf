"""agent: START → listen → {recall | prospect's loop} → answer → END."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from forethought.graphs.app import App
from forethought.graphs.prospect import add_prospection
from forethought.nodes.answer import answer
from forethought.nodes.context import Context, context_of
from forethought.nodes.listen import listen
from forethought.nodes.recall import recall
from forethought.nodes.state import AgentInput, AgentOutput, AgentState


def build_agent(app: App) -> StateGraph[AgentState, Context, AgentInput, AgentOutput]:
    """The agent machine over the collaborators of `app`, to be compiled."""
    graph = StateGraph(
        AgentState, context_schema=Context, input_schema=AgentInput, output_schema=AgentOutput
    )
    graph.set_node_defaults(retry_policy=app.retry)
    add: Any = graph.add_node  # its overloads cannot see through partial's keyword arguments
    add("listen", listen)
    add("recall", partial(recall, recall=app.recall, moment=app.moment))
    add_prospection(graph, app, then="answer")
    add("answer", partial(answer, records=app.records, model=app.model))
    graph.add_edge(START, "listen")
    graph.add_conditional_edges("listen", gate)
    graph.add_edge("recall", "answer")
    graph.add_edge("answer", END)
    return graph


def gate(state: AgentState, runtime: Runtime[Context]) -> Literal["recall", "augment"]:
    """By the mode that the caller set: recall alone, or think ahead first."""
    return "recall" if context_of(runtime).mode == "recall" else "augment"
