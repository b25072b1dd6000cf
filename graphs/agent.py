"""agent: listen → due → views → gate → {recall | prospect} → answer → reflect → remember → END.

Before either, a model rewrites the request where that is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import RetryPolicy

from forethought.graphs.app import App
from forethought.graphs.fallback import falling_back
from forethought.graphs.prospect import add_prospection
from forethought.graphs.within import retain_within
from forethought.nodes.answer import answer
from forethought.nodes.context import Context, context_of
from forethought.nodes.due import due
from forethought.nodes.exclusive import exclusive
from forethought.nodes.gate import gate
from forethought.nodes.learn import learn, learn_failed
from forethought.nodes.listen import listen
from forethought.nodes.recall import recall
from forethought.nodes.reflect import reflect, reflect_failed
from forethought.nodes.remember import remember
from forethought.nodes.retain import retain, retain_failed
from forethought.nodes.state import AgentInput, AgentOutput, AgentState
from forethought.nodes.views import views

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

Builder: TypeAlias = StateGraph[AgentState, Context, AgentInput, AgentOutput]
Agent: TypeAlias = "CompiledStateGraph[AgentState, Context, AgentInput, AgentOutput]"

_ONCE = RetryPolicy(max_attempts=1)
"""Of what comes after the answer and may be left out: a chat is not to wait for it, and a retain
retries its own steps."""


@overload
def build_agent(app: App) -> Builder: ...
@overload
def build_agent(app: App, *, checkpointer: BaseCheckpointSaver[Any]) -> Agent: ...
def build_agent(
    app: App, *, checkpointer: BaseCheckpointSaver[Any] | None = None
) -> Builder | Agent:
    """The agent machine over the collaborators of `app`, to be compiled.

    With a checkpointer it comes compiled, ready to be embedded: each thread is a chat.
    """
    graph: Builder = StateGraph(
        AgentState, context_schema=Context, input_schema=AgentInput, output_schema=AgentOutput
    )
    graph.set_node_defaults(retry_policy=app.retry)
    add: Any = graph.add_node  # its overloads cannot see through partial's keyword arguments
    add("listen", listen)
    add("due", partial(due, watch=app.watch, moment=app.moment, zone=app.zone))
    add("views", partial(views, recall=app.recall, moment=app.moment))
    add("gate", partial(gate, recall=app.recall))
    add("recall", partial(recall, recall=app.recall, moment=app.moment))
    add_prospection(graph, app, then="answer", grounded=grounded)
    add("answer", partial(answer, records=app.records, model=app.model))
    _add_learning(add, app)
    graph.add_edge(START, "listen")
    graph.add_edge("listen", "due")
    graph.add_edge("due", "views")
    graph.add_edge("views", "gate")
    graph.add_conditional_edges("gate", finding)
    graph.add_edge("recall", "answer")
    graph.add_conditional_edges("answer", learning)
    graph.add_edge("reflect", "remember")
    graph.add_edge("remember", "learn")
    graph.add_conditional_edges("learn", retaining)
    graph.add_edge("retain", END)
    return graph.compile(checkpointer=checkpointer, name="agent") if checkpointer else graph


def _add_learning(add: Any, app: App) -> None:
    """What the assistant makes of an exchange once its answer is out."""
    opining = partial(reflect, indexer=app.indexer, model=app.model)
    add(
        "reflect",
        partial(exclusive, node=opining, locks=app.locks),
        retry_policy=_ONCE,
        error_handler=falling_back(reflect_failed, to="remember"),
    )
    add("remember", partial(remember, indexer=app.indexer, zone=app.zone))
    add(
        "learn",
        partial(learn, learner=app.learner, zone=app.zone),
        retry_policy=_ONCE,
        error_handler=falling_back(learn_failed, to=retaining),
    )
    add(
        "retain",
        partial(retain, records=app.records, machine=retain_within(app)),
        retry_policy=_ONCE,
        error_handler=falling_back(retain_failed, to=END),
    )


def finding(state: AgentState, runtime: Runtime[Context]) -> Literal["recall", "augment"]:
    """Recall at once where the gate says so, unless the request is to be rewritten first."""
    at_once = state["mode"] == "recall" and context_of(runtime).augment != "model"
    return "recall" if at_once else "augment"


def grounded(state: Mapping[str, Any]) -> Literal["recall", "imagine"]:
    """By what the gate decided: recall alone, or think ahead first."""
    return "recall" if state["mode"] == "recall" else "imagine"


def learning(
    state: AgentState, runtime: Runtime[Context]
) -> Literal["reflect", "remember", "__end__"]:
    """What the caller wants made of the exchange: a question by itself leaves nothing behind."""
    context = context_of(runtime)
    if context.reflect:
        return "reflect"
    return "remember" if context.remember else "__end__"


def retaining(state: Mapping[str, Any]) -> Literal["retain", "__end__"]:
    """Retain where `remember` found sessions that are due."""
    return "retain" if state["chat"].get("retain") else "__end__"
