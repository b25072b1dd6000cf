"""A process that keeps an installation open and does what it is told; `Client` is who tells it.

`python -m tests.flows.client` takes its settings from the environment, as the product does, and
reads a command a line. Only the embedder is replaced, by one that needs no loading.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self

from forethought.graphs import app as composition
from forethought.graphs.app import App, open_app
from forethought.graphs.retain import build_retain
from forethought.graphs.settings import load_settings
from forethought.memory.errors import ForethoughtError
from forethought.nodes.context import Context
from tests.conftest import ROOT
from tests.flows.bench import NOW
from tests.flows.scripted import WordCounts


class Client:
    """Who tells such a process; `tell` and `answer` apart let two of them work at once."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.flows.client"],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, do: str, **given: Any) -> Any:
        """Tell it, and wait for the answer."""
        self.tell(do, **given)
        return self.answer()

    def tell(self, do: str, **given: Any) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"do": do, **given}) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            pipe.close()
        if error:
            self._process.kill()
        assert self._process.wait(30) == 0 or error


async def _retain(app: App, banks: dict[str, list[dict[str, Any]]]) -> Any:
    graph = build_retain(app).compile()
    runs = [
        graph.ainvoke({"sessions": sessions}, context=Context(bank=bank))
        for bank, sessions in banks.items()
    ]
    done = await asyncio.gather(*runs)
    return {bank: run["report"] for bank, run in zip(banks, done, strict=True)}


async def _find(app: App, bank: str, query: str) -> Any:
    """What is found by meaning and by words, among facts and in the log."""
    by_meaning = await app.recall.recall(bank, query, now=NOW, limit=50)
    by_words = await app.records.search(bank, query, k=50, now=NOW)
    said = await app.records.said(bank, query, k=50, now=NOW)
    facts = await app.records.facts(bank, [id for id, _ in by_words])
    return {
        "meaning": [hit.fact.text for hit in by_meaning.hits],
        "words": [fact.text for fact in facts],
        "said": [turn.text for turn, _ in said],
    }


async def _forget(app: App, bank: str, **what: str) -> Any:
    return asdict(await app.forgetter.forget(bank, **what))


_DOES: dict[str, Callable[..., Awaitable[Any]]] = {
    "retain": _retain,
    "find": _find,
    "forget": _forget,
}


async def _serve() -> None:
    vars(composition)["open_embedder"] = lambda settings: WordCounts()  # in this process only
    async with open_app(load_settings()) as app:
        while line := await asyncio.to_thread(sys.stdin.readline):
            command = json.loads(line)
            try:
                answer = await _DOES[command.pop("do")](app, **command)
            except ForethoughtError as error:
                answer = {"error": type(error).__name__, "says": str(error)}
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve())
