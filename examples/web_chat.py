"""A chat with memory in the browser: each step as it happens, the answer as it streams.

    pip install '.[web]'
    export FORETHOUGHT_MODEL=openai:gpt-4.1-mini     # and the other settings, as for the CLI
    python examples/web_chat.py                      # then open http://127.0.0.1:7860

Gradio and not Chainlit: both stream, and fold steps away. But Chainlit 2.12 brings 69 packages, 38
of them a telemetry SDK's, and needs an older OpenTelemetry than is locked here; Gradio brings 13.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read when Gradio is imported
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

import gradio
import uvicorn
from fastapi import FastAPI, Request, Response
from langchain_core.messages import AIMessageChunk, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from forethought import (
    App,
    Context,
    ForethoughtError,
    Settings,
    build_agent,
    build_retain,
    load_settings,
    open_app,
)
from forethought.graphs.cli_stream import Spoken
from forethought.graphs.cli_trace import heading, spoken
from forethought.nodes.answer import NO_MODEL

HOST = "127.0.0.1"  # this machine alone: whoever reaches the page reads the memory
PORT = 7860
ONLY_FROM_HERE = (  # nothing that a model writes can make the browser fetch from elsewhere
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' "
    "'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:"
)
Message = dict[str, Any]
State = dict[str, Any]


@dataclass
class Reply:
    """One turn as the page shows it: the steps so far, the answer, and what followed it."""

    before: list[Message] = field(default_factory=list)
    answer: str = ""
    spoken: Spoken = field(default_factory=Spoken)
    message: str | None = None
    after: list[Message] = field(default_factory=list)

    def messages(self) -> list[Message]:
        """In the order of the page."""
        said = [{"role": "assistant", "content": self.answer}] if self.answer else []
        return [*self.before, *said, *self.after]

    def hear(self, piece: AIMessageChunk) -> None:
        """A piece of the answer; where a call broke off, the next one begins it again."""
        if piece.id != self.message:
            self.message, self.answer, self.spoken = piece.id, "", Spoken()
        self.answer += self.spoken.feed(str(piece.text))

    def step(self, event: State) -> None:
        """A node has told what it did."""
        message = folded(f"{event['node']}: {heading(event)}", list(_told(event)))
        (self.after if self.answer else self.before).append(message)

    def end(self, state: State) -> None:
        """The answer with its citations checked, and the facts and opinions behind it."""
        self.answer = state["answer"]
        known = {hit["fact"]["id"]: hit["fact"]["text"] for hit in state["hits"]}
        known |= {said["turn"]["id"]: spoken(said) for said in state.get("turns") or ()}
        lines = [f"{known[id]} ({id})" for id in state["cited"] if id in known]
        self.after.append(folded(f"rests on {len(lines)} facts and turns", lines))
        for title, name in (("opinions in mind", "opinions"), ("opinions formed", "formed")):
            views = state.get(name) or ()
            lines = [f"{one['text']} (sure: {one['confidence']:.2f})" for one in views]
            if views:
                self.after.append(folded(title, lines))


def folded(title: str, lines: list[str]) -> Message:
    """A message of which the title shows, and the lines when it is clicked."""
    content = "\n".join(f"- {line}" for line in lines) or "nothing to show"
    return {"role": "assistant", "content": content, "metadata": {"title": title, "status": "done"}}


def _told(event: State) -> Iterator[str]:
    """What a step found or thought of, a line each."""
    for hit in event.get("hits") or ():
        yield f"{hit['text']} ({hit['by']})"
    for step in event.get("steps") or ():
        yield step["action"]
    for probe in event.get("probes") or ():
        near = ", ".join(hit["text"] for hit in probe["hits"])
        yield f"{probe['probe']}: {near or 'nothing near'}"
    for name in ("opinions", "observations", "formed"):
        yield from (view["text"] for view in event.get(name) or ())
    for name in ("summary", "failed"):
        if event.get(name):
            yield event[name]


@dataclass
class Assistant:
    """The agent over one open App; `agent` keeps each page's conversation while it runs."""

    app: App
    bank: str
    agent: Any

    async def say(
        self, text: str, shown: list[Message], thread: str, mode: str
    ) -> AsyncIterator[tuple[str, list[Message]]]:
        """Empty the text box, and show the turn as far as it has come."""
        shown, reply = [*shown, {"role": "user", "content": text}], Reply()
        yield "", shown
        try:
            async for _ in self._run(text, reply, thread=thread, mode=mode):
                yield "", [*shown, *reply.messages()]
        except ForethoughtError as error:
            reply.after.append({"role": "assistant", "content": f"Not answered: {error}"})
        yield "", [*shown, *reply.messages()]

    async def _run(self, text: str, reply: Reply, *, thread: str, mode: Any) -> AsyncIterator[None]:
        config: Any = {"configurable": {"thread_id": thread}}
        context = Context(bank=self.bank, mode=mode)
        async for kind, chunk in self.agent.astream(
            {"messages": [HumanMessage(text)]},
            config,
            context=context,
            stream_mode=["custom", "messages"],
        ):
            if kind == "custom":
                reply.step(chunk)
            elif isinstance(chunk[0], AIMessageChunk) and chunk[1]["langgraph_node"] == "answer":
                reply.hear(chunk[0])
            yield
        reply.end((await self.agent.aget_state(config)).values)

    async def retain(self) -> str:
        """Extract facts from what was said and waits; say how many."""
        given: Any = {"sessions": [], "pending": True}
        graph = build_retain(self.app).compile()
        done = await graph.ainvoke(given, context=Context(bank=self.bank))
        return f"Retained {sum(entry['facts'] for entry in done['report'])} new facts."


def page(assistant: Callable[[], Assistant]) -> gradio.Blocks:
    """The page; `assistant` is asked for at each turn, since it opens after the page is made."""

    async def say(*given: Any) -> AsyncIterator[tuple[str, list[Message]]]:
        async for update in assistant().say(*given):
            yield update

    async def retain() -> str:
        return await assistant().retain()

    blocks = gradio.Blocks(title="Forethought", analytics_enabled=False)
    with blocks:
        thread = gradio.State(lambda: str(uuid4()))
        chat = gradio.Chatbot(label="Forethought", height="70vh", buttons=["copy"])
        text = gradio.Textbox(label="Message", submit_btn=True, autofocus=True)
        mode = gradio.Radio(["auto", "prospect", "recall"], value="auto", label="Mode")
        button, outcome = gradio.Button("Remember now"), gradio.Markdown()
        text.submit(say, [text, chat, thread, mode], [text, chat], concurrency_limit=None)
        chat.clear(lambda: str(uuid4()), None, thread)  # an empty page is another conversation
        button.click(retain, None, outcome)
    return blocks


def server(settings: Settings) -> FastAPI:
    """The page and the memory behind it, open as long as the server runs."""
    opened: list[Assistant] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with open_app(settings) as app:
            agent = build_agent(app, checkpointer=InMemorySaver())
            opened.append(Assistant(app, settings.bank, agent))
            yield

    api = FastAPI(lifespan=lifespan)

    @api.middleware("http")
    async def only_from_here(
        request: Request, go_on: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        response = await go_on(request)
        response.headers["Content-Security-Policy"] = ONLY_FROM_HERE
        return response

    gradio.mount_gradio_app(api, page(lambda: opened[0]), path="/", footer_links=[])
    return api


if __name__ == "__main__":
    chosen = load_settings()
    if chosen.model is None:
        sys.exit(NO_MODEL)
    port = int(sys.argv[1]) if len(sys.argv) > 1 else PORT
    uvicorn.run(server(chosen), host=HOST, port=port, log_level="warning")
