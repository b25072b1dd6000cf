"""A chat on the test bench: turns of one thread, and what the log has of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from forethought.graphs.agent import build_agent
from tests.flows.bench import Bench, session
from tests.flows.scripted import OBEDIENT


@dataclass
class Talk:
    """Chats with one bank of `bench`: by threads, or without any where the client keeps history."""

    bench: Bench
    bank: str
    settings: dict[str, Any] = field(default_factory=lambda: {"mode": "recall"})
    _graph: Any = None

    def __post_init__(self) -> None:
        self.bench.chat.calls.clear()
        self.bench.chat.answers.clear()
        self.bench.script(**OBEDIENT)

    @property
    def graph(self) -> Any:
        """The agent with a checkpointer, as a program embeds it."""
        if self._graph is None:
            self._graph = build_agent(self.bench.app, checkpointer=InMemorySaver())
        return self._graph

    def context(self, **settings: Any) -> Any:
        """The settings of one turn."""
        return self.bench.context(**{"bank": self.bank, **self.settings, **settings})

    def thread(self, name: str = "1") -> Any:
        """Where the checkpoints of a thread lie."""
        return {"configurable": {"thread_id": name}}

    async def know(self, *texts: str) -> None:
        """Have these as facts, and nothing asked so far."""
        await self.bench.retain(session(*texts), bank=self.bank, foresight=0)
        self.bench.chat.calls.clear()

    async def say(self, *said: Any, thread: str = "1", **settings: Any) -> dict[str, Any]:
        """One turn: texts of the user, or whole messages."""
        messages = [HumanMessage(one) if isinstance(one, str) else one for one in said]
        return await self.go_on({"messages": messages}, self.thread(thread), **settings)

    async def go_on(self, given: Any, place: Any, **settings: Any) -> dict[str, Any]:
        """Run from an input, or with None from a checkpoint."""
        result: dict[str, Any] = await self.graph.ainvoke(
            given, place, context=self.context(**settings)
        )
        return result

    async def before(self, node: str, thread: str = "1") -> Any:
        """The latest checkpoint of a thread at which `node` was to run."""
        async for state in self.graph.aget_state_history(self.thread(thread)):
            if state.next == (node,):
                return state.config
        raise AssertionError(f"{node} never ran")

    async def alone(self, *said: str, **settings: Any) -> dict[str, Any]:
        """One turn of a client without a checkpointer that passes this history."""
        return await self.bench.chat_on(*said, **{"bank": self.bank, **self.settings, **settings})

    async def logged(self) -> list[list[str]]:
        """What the log has of this bank's chats, session by session, by date."""
        records = self.bench.app.records
        return [
            [turn.text for turn in await records.turns(self.bank, one.id)]
            for one in await records.sessions(self.bank)
            if one.key.startswith("chat ")
        ]
