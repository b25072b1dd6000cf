"""An App on the test bench: real graphs, stores and boundary, over a scripted model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langgraph.types import RetryPolicy

from forethought.graphs.agent import build_agent
from forethought.graphs.app import RETRY, App
from forethought.graphs.prospect import build_prospect
from forethought.graphs.retain import build_retain
from forethought.memory.embedding import Embedder
from forethought.memory.index import ChromaIndex
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.stretches import SOURCES
from forethought.memory.types import Fact
from forethought.memory.words import storable, words
from forethought.nodes.context import Context
from forethought.nodes.model import Model
from tests.flows.scripted import OBEDIENT, Answers, Call, ScriptedChat, WordCounts

BANK = "ann"
MISO = "My cat is called Miso"
OSLO = "I live in the city of Oslo"
BERGEN = "I live in the city of Bergen"
NOW = datetime(2030, 1, 1, tzinfo=UTC)
QUICK = RetryPolicy(max_attempts=3, initial_interval=0.001, jitter=False, retry_on=RETRY.retry_on)
"""As the graphs retry, only without the waiting."""


@dataclass
class Bench:
    """An App on the test bench: run its graphs, change its script, look at what was asked."""

    app: App
    chat: ScriptedChat
    defaults: dict[str, Any] = field(default_factory=lambda: {"bank": BANK})
    _graphs: dict[Any, Any] = field(default_factory=dict)

    def script(self, **answers: Answers) -> None:
        """Answer these prompts otherwise from now on."""
        self.chat.answers.update(answers)

    def asked(self, *prompts: str) -> list[Call]:
        """The calls so far, or those of these prompts."""
        return [call for call in self.chat.calls if not prompts or call.prompt in prompts]

    def context(self, **settings: Any) -> Context:
        """The settings of one run."""
        return Context(**{**self.defaults, **settings})

    async def retain(self, *sessions: dict[str, Any], **settings: Any) -> dict[str, Any]:
        """Run `retain` over these sessions."""
        return await self.run_retain({"sessions": list(sessions)}, **settings)

    async def run_retain(self, given: dict[str, Any], **settings: Any) -> dict[str, Any]:
        """Run `retain` over any input."""
        return await self._run(build_retain, given, settings)

    async def prospect(self, query: str, **settings: Any) -> dict[str, Any]:
        """Run `prospect` for this request."""
        return await self._run(build_prospect, {"query": query}, settings)

    async def ask(self, query: str, **settings: Any) -> dict[str, Any]:
        """Run `agent` for this request, as a question by itself: nothing is made of the answer."""
        return await self.chat_on(query, **{"reflect": False, "remember": False, **settings})

    async def chat_on(self, *said: str, **settings: Any) -> dict[str, Any]:
        """Run `agent` for a conversation: the user's and the assistant's words by turns."""
        messages = [
            {"role": ("user", "assistant")[number % 2], "content": text}
            for number, text in enumerate(said)
        ]
        return await self._run(build_agent, {"messages": messages}, settings)

    def graph(self, build: Callable[[App], Any]) -> Any:
        """The machine that `build` builds over this App, compiled once."""
        if build not in self._graphs:
            self._graphs[build] = build(self.app).compile()
        return self._graphs[build]

    async def _run(
        self, build: Callable[[App], Any], given: dict[str, Any], settings: dict[str, Any]
    ) -> dict[str, Any]:
        context = self.context(**settings)
        result: dict[str, Any] = await self.graph(build).ainvoke(given, context=context)
        return result

    async def facts(self, bank: str = BANK) -> list[Fact]:
        """Every fact of the bank that holds, by date."""
        return [fact for fact in await self.app.records.facts(bank) if fact.until is None]

    async def one(self, text: str) -> Fact:
        """The one fact with this text, whether it holds or not."""
        (found,) = [f for f in await self.app.records.facts(BANK) if f.text == text]
        return found

    async def by_words(self, text: str) -> list[str]:
        """Texts of the facts that a keyword search finds, best first."""
        found = await self.app.records.search(BANK, text, k=10, now=NOW)
        return [f.text for f in await self.app.records.facts(BANK, [id for id, _ in found])]

    async def by_meaning(self, text: str) -> list[str]:
        """Texts of the facts that recall finds, best first."""
        found = await self.app.recall.recall(BANK, text, now=NOW, limit=10)
        return [hit.fact.text for hit in found.hits]

    async def know(self, *texts: str, on: str = "2025-05-16T12:00:00+00:00") -> None:
        """Retain these as facts without cues, and forget what was asked on the way."""
        await self.retain(session(*texts, on=on), foresight=0)
        self.chat.calls.clear()

    async def events(self, query: str, **settings: Any) -> list[dict[str, Any]]:
        """What each node of `prospect` says it did."""
        stream = self.graph(build_prospect).astream(
            {"query": query}, context=self.context(**settings), stream_mode="custom"
        )
        return [event async for event in stream]

    async def texts(self, bank: str = BANK) -> list[str]:
        """Their texts, sorted."""
        return sorted(fact.text for fact in await self.facts(bank))


def texts_of(result: dict[str, Any]) -> list[str]:
    """Texts of the hits of a question, best first."""
    return [hit["fact"]["text"] for hit in result["hits"]]


def statuses(result: dict[str, Any]) -> list[str]:
    """What became of each session of a retain."""
    return [entry["status"] for entry in result["report"]]


def session(*said: str, key: str = "", on: str = "2025-05-16T12:00:00+00:00") -> dict[str, Any]:
    """A session of the user's turns; `assistant: …` and so on says who else speaks."""
    turns = [_turn(text) for text in said]
    return {"key": key or f"{on}|{said[0] if said else ''}", "date": on, "turns": turns}


def _turn(said: str) -> dict[str, str]:
    role, _, text = said.partition(": ")
    if role in {"assistant", "system", "tool"}:
        return {"role": role, "text": text}
    return {"role": "user", "text": said}


async def nothing_is_junk(bench: Bench, facts: list[Fact]) -> None:
    """Every fact says something and rests on what was said; every cue belongs to one; no strays."""
    bank = bench.context().bank
    records, index = bench.app.records, bench.app.index
    speakers = {
        turn.id: turn.role
        for logged in await records.sessions(bank)
        for turn in await records.turns(bank, logged.id)
    }
    cues = await records.cues(bank, [fact.id for fact in facts])
    for known in facts:
        assert words(known.text)
        assert storable(known.text) == known.text
        said_by = {speakers[turn] for source in known.sources for turn in source.turns}
        assert said_by
        assert said_by <= {"user", "assistant"}
    assert all(words(cue.text) for cue in cues)
    assert {cue.fact for cue in cues} <= {fact.id for fact in facts}
    assert await index.ids(bank, "text") == {fact.id for fact in facts}
    assert await index.ids(bank, "cue") == {cue.id for cue in cues}
    duties = await records.commitments(bank)
    reminders = await records.reminders(bank, [duty.id for duty in duties])
    assert await index.ids(bank, "reminder") == {cue.id for cue in reminders}
    assert all(words(text) for text in [*(d.action for d in duties), *(c.text for c in reminders)])
    spoken = {turn for turn, role in speakers.items() if role in SOURCES}
    assert await index.ids(bank, "turn") == spoken


@asynccontextmanager
async def opened(
    directory: Path,
    *,
    embedder: Embedder | None = None,
    model: bool | Model = True,
    **answers: Answers,
) -> AsyncIterator[Bench]:
    """An App over stores in `directory`; `answers` change the obedient script.

    `model` is whether there is one, or another one than the scripted.
    """
    chat = ScriptedChat(answers={**OBEDIENT, **answers}, calls=[])
    chosen = embedder or WordCounts()
    records = await SqliteRecords.open(directory)
    index = await ChromaIndex.embedded(directory / "chroma", embedder=chosen.name)
    scripted = Model(chat, name="scripted", timeout=5) if model else None
    boundary = model if isinstance(model, Model) else scripted
    try:
        yield Bench(App(records, index, chosen, boundary, retry=QUICK, clock=lambda: NOW), chat)
    finally:
        await index.close()
        await records.close()
