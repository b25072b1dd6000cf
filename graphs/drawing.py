"""The state machines as LangGraph draws them, for the README."""

from __future__ import annotations

from typing import Any

_HANDLER = "__error_handler__"  # what LangGraph calls the node that makes up for a failed one


def mermaid(graph: Any) -> str:
    """A compiled graph as Mermaid text, without its error handlers, which stand beside the flow."""
    drawn = graph.get_graph()
    for node in [node for node in drawn.nodes.values() if node.id.startswith(_HANDLER)]:
        drawn.remove_node(node)
    text: str = drawn.draw_mermaid()
    return text
