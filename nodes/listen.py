"""agent, first step: take the request from the conversation and start the run afresh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from forethought.memory.errors import InvalidInput
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.model import text_of
from forethought.nodes.state import AgentState, Chat
from forethought.nodes.usage import NOTHING


async def listen(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The text of the last message as the query. Raises InvalidInput where there is none."""
    watch = Stopwatch()
    messages = state.get("messages") or []
    query = _last_said(messages)
    emit(runtime, "listen", watch, mode=context_of(runtime).mode)
    return {
        "query": query, "steps": [], "summary": "", "hits": [], "turns": [], "rounds": 0,
        "answer": "", "cited": [], "shown": [], "told": [], "commitments": [],
        "opinions": [], "observations": [],
        "formed": [], "retained": [], "rewriting": None,
        "usage": Overwrite(dict(NOTHING)), "notes": Overwrite([]),
        "chat": _unremembered(state, messages[-1].id or "", context_of(runtime)),
    }  # fmt: skip


def _unremembered(state: AgentState, message: str, context: Context) -> Chat:
    """Note a message that is not to be remembered, so that no later turn logs it either."""
    chat: Chat = {**(state.get("chat") or {}), "retain": []}
    if context.remember:
        return chat
    return {**chat, "off": [*chat.get("off", []), message]}


def _last_said(messages: Sequence[AnyMessage]) -> str:
    said = text_of(messages[-1]).strip() if messages and messages[-1].type == "human" else ""
    if not said:
        raise InvalidInput("messages: expected a human message with text as the last one")
    return said
