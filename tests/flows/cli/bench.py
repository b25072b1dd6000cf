"""The command line on the test bench: fresh stores, a model that answers over HTTP by script."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from forethought.graphs.cli import app
from tests.conftest import ROOT
from tests.flows.openai_stub import OpenAIStub, user_text

BANK = "ann"
COMMAND = [sys.executable, "-c", "from forethought.graphs.cli import app; app()"]


def obedient(schema: str, request: dict[str, Any]) -> str:
    """What a good model says: each turn is a fact, each fact gets a cue, each request a tree."""
    said = user_text(request)
    if schema in _SAID:
        return json.dumps(_SAID[schema](said))
    known = re.findall(r"\[(f[0-9a-f]{12})\]", said)
    return (
        f"<think>hidden thought</think>The cat likes tea [{known[0]}]." if known else "Who knows."
    )


def _facts(said: str) -> dict[str, Any]:
    turns = re.findall(r"\[(T\d+)\] user: (.+)", said)
    return {"facts": [{"text": text, "kind": "Event", "turns": [turn]} for turn, text in turns]}


def _cues(said: str) -> dict[str, Any]:
    return {"facts": [{"fact": int(n), "cues": [f"Lend a hand, #{n}?"]} for n in _numbers(said)]}


def _numbers(said: str) -> list[str]:
    return re.findall(r"^\[(\d+)\]", said, re.MULTILINE)


def _pairs(said: str) -> list[str]:
    facts = re.search(r"<facts>(.*?)</facts>", said, re.DOTALL)
    return re.findall(r"^\[(\d+)\]", facts[1] if facts else "", re.MULTILINE)


def _tree(_: str) -> dict[str, Any]:
    steps = [("A1", "pour the tea", None), ("A2", "feed the cat", "A1")]
    return {"steps": [{"action_id": i, "action": a, "parent": p} for i, a, p in steps]}


_OPINION = {"text": "Mog has taste, since green tea is good", "confidence": 0.7, "facts": ["F1"]}

_SAID: dict[str, Callable[[str], dict[str, Any]]] = {
    "Extraction": _facts,
    "Foresight": _cues,
    "Reminders": lambda said: {
        "commitments": [{"commitment": int(n), "cues": ["It rained"]} for n in _numbers(said)]
    },
    "Tree": _tree,
    "Chain": lambda _: {"steps": [{"action": "pour the tea"}, {"action": "feed the cat"}]},
    "Summary": lambda _: {"summary": "Tea led to the cat."},
    "Reflection": lambda said: {"opinions": [_OPINION] if "[F1]" in said else []},
    "Observed": lambda _: {"title": "Tea", "statements": ["Tea comes up again and again"]},
    "Background": lambda _: {"background": "I was born in Texas."},
    "Verdicts": lambda said: {
        "verdicts": [{"pair": int(n), "verdict": "reinforce"} for n in _pairs(said)]
    },
    "Ready": lambda _: {"ready": True},
}


@dataclass
class Cli:
    """Runs `forethought` in this process, or with `process` in one of its own."""

    directory: Path
    stub: OpenAIStub | None = None
    env: dict[str, str | None] = field(default_factory=dict)

    def __call__(self, *args: str, input: str | bytes | None = None, code: int = 0) -> Result:
        """The result; anything but the exit code `code`, and any traceback, fails the test."""
        result = CliRunner().invoke(app, args, input=input, env={**self._settings(), **self.env})
        expected = result.exception is None or isinstance(result.exception, SystemExit)
        assert expected and result.exit_code == code, (result.output, result.exception)
        return result

    def json(self, *args: str, input: str | bytes | None = None, code: int = 0) -> Any:
        """What a command prints with `--json`: nothing else may stand on standard output."""
        return json.loads(self(*args, "--json", input=input, code=code).stdout)

    @contextmanager
    def process(self, *args: str, terminal: int | None = None) -> Iterator[subprocess.Popen[str]]:
        """The command in a process of its own: at a terminal, or with pipes for both outputs.

        What still runs at the end is killed.
        """
        env = {**os.environ, **self._settings(), "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            [*COMMAND, *args],
            cwd=self.directory.parent,
            env=env,
            stdin=terminal,
            stdout=subprocess.PIPE if terminal is None else terminal,
            stderr=subprocess.PIPE if terminal is None else terminal,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def asked(self) -> Counter[str]:
        """How often the model was asked for each schema ("" is text)."""
        assert self.stub is not None
        names = (request.get("response_format") for request in self.stub.requests)
        return Counter(wanted["json_schema"]["name"] if wanted else "" for wanted in names)

    def _settings(self) -> dict[str, str]:
        given = {"FORETHOUGHT_DATA_DIR": str(self.directory), "FORETHOUGHT_BANK": BANK}
        if self.stub is not None:
            given |= {"FORETHOUGHT_MODEL": "openai:stub", "FORETHOUGHT_BASE_URL": self.stub.url}
        return given


def chats(*said: str) -> str:
    """A file of dated chats, one a text, a day apart."""
    return json.dumps(
        [
            {
                "id": f"chat{number}",
                "date": f"2025-01-{number:02}",
                "messages": [{"role": "user", "content": text}],
            }
            for number, text in enumerate(said, start=1)
        ],
        ensure_ascii=False,
    )


def written(path: Path, text: str) -> str:
    """The path of a new file with this text."""
    path.write_text(text, encoding="utf-8")
    return str(path)


def everything(directory: Path) -> bytes:
    """Every byte of every file below `directory`."""
    return b"\0".join(path.read_bytes() for path in directory.rglob("*") if path.is_file())
