"""A retain that kills its own process with SIGKILL at a chosen point; run by test_kill.py.

`python -m tests.flows.killed` imports everything once, then forks a child for each case that it
reads from standard input, one JSON object a line, and answers with how the child ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import chromadb  # noqa: F401  # imported before the fork, so that no child has to

from forethought.graphs import retain as machine
from forethought.graphs.app import open_app
from forethought.graphs.settings import Settings
from forethought.memory.index import ChromaIndex
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.records.sqlite.database import Transaction
from forethought.nodes.model import Model
from tests.flows.bench import BANK, Bench, opened, session
from tests.flows.scripted import Call, ScriptedChat, fact, facts_said

STEPS = (
    "log", "extract", "resolve", "commit", "index", "link", "foresee", "remind", "reinforce",
    "maintain", "weigh", "observe",
)  # fmt: skip
OSLO, BERGEN = "I live in the city of Oslo", "I live in the city of Bergen"
NEAR = [f"I swim in the harbour of Oslo every single day number {n}" for n in (1, 2, 3)]
SESSIONS = [
    session(OSLO, "My cat is called Miso", key="a", on="2025-05-01T00:00:00Z"),
    session(NEAR[0], "assistant: Brave!", NEAR[1], key="b", on="2025-05-02T00:00:00Z"),
    session("We moved", "MY CAT IS CALLED MISO.", NEAR[2], key="c", on="2025-05-03T00:00:00Z"),
]
SETTINGS = {"consolidate_after": 5, "extract_chars": 500}
ACKNOWLEDGED = "acknowledged.jsonl"


@dataclass(frozen=True)
class Case:
    """Where to die: `before` or `after` a step's nth run, or before the nth `write` to a store.

    With `write`, `step` may name the method that writes; else all writes count, from 0.
    """

    directory: str
    place: str = "never"
    step: str = ""
    nth: int = 1
    bundled: bool = False


def extract(call: Call) -> dict[str, Any]:
    """Each turn of the user is a fact; the move updates the known fact about Oslo."""
    said: dict[str, Any] = facts_said(call)
    known = [line.split(maxsplit=2) for line in call.fenced("known")]
    home = next((label.strip("[]") for label, *_, text in known if text.endswith(OSLO)), None)
    for item in said["facts"]:
        if item["text"] == "We moved":
            item.update(fact(BERGEN, turns=item["turns"], action="update", of=home))
            item["links"] = [{"kind": "prevents", "of": home or "K1"}]
        places = ("Oslo", "Bergen", "Miso", "harbour of Oslo")
        item["entities"] = [name for name in places if name.lower() in item["text"].lower()]
    return said


def foresee(call: Call) -> dict[str, Any]:
    """Cues that depend on the fact alone, whatever batch it comes in."""
    marks = [zlib.crc32(line.split(maxsplit=1)[1].encode()) for line in call.fenced("facts")]
    return {
        "facts": [
            {"fact": n, "cues": [f"Wish a{mark}", f"Wish b{mark}"]}
            for n, mark in enumerate(marks, start=1)
        ]
    }


ANSWERS: dict[str, Any] = {
    "extract": extract,
    "foresee": foresee,
    "consolidate": {"merge": True, "text": "I swim daily in the harbour", "kind": "Activity"},
}


def bench_in(directory: Path, *, bundled: bool) -> AbstractAsyncContextManager[Bench]:
    """The bench of these tests: with the bundled embedder as `open_app` makes it, or without."""
    return _bundled(directory) if bundled else opened(directory, **ANSWERS)


def _bundled(directory: Path) -> AbstractAsyncContextManager[Bench]:
    from contextlib import asynccontextmanager

    from tests.flows.scripted import OBEDIENT

    @asynccontextmanager
    async def bench() -> Any:
        chat = ScriptedChat(answers={**OBEDIENT, **ANSWERS}, calls=[])
        settings = Settings(data_dir=directory, _env_file=None)
        async with open_app(settings, model=Model(chat, name="scripted", timeout=5)) as app:
            yield Bench(app, chat)

    return bench()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class _Writes:
    """Counts the writes to the stores, and dies before the one that is asked for."""

    def __init__(self, case: Case) -> None:
        self.count = 0
        self._by_name: Counter[str] = Counter()
        self._case = case

    def watch(self, owner: type, *names: str) -> None:
        for name in names:
            setattr(owner, name, self._watched(getattr(owner, name)))

    def _so_far(self, name: str) -> int | None:
        if not self._case.step:
            return self.count
        return self._by_name[name] if name == self._case.step else None

    def _watched(self, write: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(write)
        async def watched(*args: Any, **kwargs: Any) -> Any:
            if self._case.place == "write" and self._so_far(write.__name__) == self._case.nth:
                _die()
            self.count += 1
            self._by_name[write.__name__] += 1
            return await write(*args, **kwargs)

        return watched


def _die_around_the_step(case: Case) -> None:
    original = getattr(machine, case.step)
    runs = 0

    @wraps(original)
    async def step(*args: Any, **kwargs: Any) -> Any:
        nonlocal runs
        runs += 1
        if case.place == "before" and runs == case.nth:
            _die()
        result = await original(*args, **kwargs)
        if case.place == "after" and runs == case.nth:
            _die()
        return result

    setattr(machine, case.step, step)


def _note_what_is_acknowledged(file: Path) -> None:
    """Write down, durably, what each commit that returned had made of its ChangeSet."""
    original = SqliteRecords.commit

    async def commit(self: SqliteRecords, changes: ChangeSet) -> Any:
        done = await original(self, changes)
        with file.open("a") as lines:
            texts = [fact.text for fact in changes.facts]
            lines.write(json.dumps({"new": done.new, "texts": texts}) + "\n")
            lines.flush()
            os.fsync(lines.fileno())
        return done

    SqliteRecords.commit = commit  # type: ignore[method-assign, assignment]  # in this process only


async def retain(case: Case) -> int:
    """Retain, or die on the way; the number of writes if it comes to the end."""
    directory = Path(case.directory)
    writes = _Writes(case)
    writes.watch(Transaction, "run", "many")
    writes.watch(ChromaIndex, "put", "remove")
    writes.watch(SqliteRecords, "log", "commit", "foresee", "indexed", "setting", "link")
    _note_what_is_acknowledged(directory / ACKNOWLEDGED)
    if case.place in {"before", "after"}:
        _die_around_the_step(case)
    async with bench_in(directory, bundled=case.bundled) as bench:
        await bench.retain(*SESSIONS, **SETTINGS)
        return writes.count


def _serve() -> None:
    for line in sys.stdin:
        case = Case(**json.loads(line))
        report = Path(case.directory) / "writes"
        child = os.fork()
        if not child:
            report.write_text(str(asyncio.run(retain(case))))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        writes = int(report.read_text()) if code == 0 else None
        print(json.dumps({"code": code, "writes": writes}), flush=True)


def as_line(case: Case) -> str:
    """The case as the server reads it."""
    return json.dumps(asdict(case)) + "\n"


__all__ = ["ACKNOWLEDGED", "BANK", "SESSIONS", "SETTINGS", "STEPS", "Case", "as_line", "bench_in"]

if __name__ == "__main__":
    _serve()
