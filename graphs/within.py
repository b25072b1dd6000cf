"""The retain machine as one step of another graph: of the agent, or of a tool of somebody's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forethought.graphs.retain import build_retain

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from forethought.graphs.app import App
    from forethought.nodes.context import Context
    from forethought.nodes.retain_state import RetainInput, RetainOutput, RetainState


def retain_within(app: App) -> CompiledStateGraph[RetainState, Context, RetainInput, RetainOutput]:
    """The machine without checkpoints of its own.

    They would be of no use: the log knows how far each session has been read. Inside a run with
    `durability="sync"` LangGraph 1.2 would have it wait for one, which is never written.
    """
    machine = build_retain(app).compile(checkpointer=False, name="retain")
    return machine.with_config({"configurable": {"__pregel_durability": "async"}})
