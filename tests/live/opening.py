"""An App over the real server, and a bank that knows a few things already."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from forethought.graphs.app import App, open_app
from forethought.graphs.settings import load_settings
from forethought.memory import ids
from forethought.memory.conversations import Conversation
from forethought.memory.records.changes import ChangeSet, Progress
from forethought.memory.types import Fact, Source
from tests.live.relay import Relay

BANK = "ann"
REPLY_TOKENS = 220


@asynccontextmanager
async def opened(
    llama: Relay, folder: Path, patch: pytest.MonkeyPatch, *, reply_tokens: int = REPLY_TOKENS
) -> AsyncIterator[App]:
    """The App as the environment sets it up; no reply of the model is longer than that."""
    patch.setenv("FORETHOUGHT_DATA_DIR", str(folder))
    patch.setenv("FORETHOUGHT_MODEL", "openai:smollm2")
    patch.setenv("FORETHOUGHT_BASE_URL", llama.url)
    patch.setenv("FORETHOUGHT_TIMEOUT", "300")
    patch.setenv("FORETHOUGHT_MAX_TOKENS", str(reply_tokens))
    async with open_app(load_settings()) as app:
        yield app


def earlier(texts: Sequence[str]) -> dict[str, Any]:
    """A session of before, in which the user said these."""
    return {
        "key": "earlier",
        "date": "2025-02-01T10:00:00Z",
        "turns": [{"role": "user", "text": text} for text in texts],
    }


async def know(app: App, said: dict[str, Any]) -> tuple[Fact, ...]:
    """A fact for each turn, so that there is something to find whatever is extracted later."""
    (logged,) = await app.records.log(BANK, [Conversation.model_validate(said)])
    assert logged.session
    session, date = logged.session.id, logged.session.date
    turns = await app.records.turns(BANK, session)
    facts = tuple(
        Fact(
            ids.fact_id(BANK, session, turn.text), BANK, turn.text, "Identity", date,
            sources=(Source(session, (turn.id,)),),
        )
        for turn in turns
    )  # fmt: skip
    done = Progress(session, len(turns))
    await app.records.commit(ChangeSet(BANK, facts=facts, progress=(done,)))
    return facts
