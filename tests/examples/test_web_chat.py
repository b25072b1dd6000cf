"""The web chat in a real browser, before a model that answers by script over HTTP."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright, expect

from tests.conftest import ROOT
from tests.flows.cli.bench import BANK, COMMAND, chats, obedient
from tests.flows.openai_stub import OpenAIStub, Said, at_the_proxy, openai_stub
from tests.flows.served import Served, web_chat

FACT = "My cat Mog drinks green tea"
PATIENCE = 60_000  # milliseconds that a busy machine may take for anything
TRACKER = "![x](http://tracker.example/?about=Mog)"
WEB = "web_chat.py"


@dataclass
class Chat:
    """The page, the model behind the server, and which other machines the page asked for."""

    page: Page
    model: OpenAIStub
    elsewhere: list[str]

    async def say(self, text: str) -> None:
        box = self.page.get_by_label("Message")
        await box.fill(text)
        await box.press("Enter")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, OpenAIStub]]:
    folder = tmp_path_factory.mktemp("web")
    with openai_stub(obedient) as model:
        settings = {"FORETHOUGHT_DATA_DIR": str(folder / "data"), "FORETHOUGHT_BANK": BANK}
        settings |= at_the_proxy(model)
        _retained(settings, FACT)
        with web_chat(folder, settings) as server:
            yield server, model
    assert model.proxied == [], "the server went out to the world"


@pytest.fixture
async def chat(chromium: str, served: tuple[Served, OpenAIStub]) -> AsyncIterator[Chat]:
    server, model = served
    model.script = obedient
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await browser.new_page()
        page.set_default_timeout(PATIENCE)
        chat = Chat(page, model, [])
        page.on("requestfinished", lambda asked: _note(asked.url, server, chat.elsewhere))
        await page.goto(server.url)
        yield chat
        await browser.close()
