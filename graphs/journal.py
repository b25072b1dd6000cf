"""The journal of one run: what each step did, a JSON line an event, so that it can be replayed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from forethought.memory.errors import NotFound, StoreUnavailable
from forethought.nodes.usage import NOTHING, Usage

Machine = Literal["agent", "chat", "retain"]
"""What ran: `agent` on a thread of its own, as one turn of a `chat`, or `retain`."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run was about. `context` is its plain `Context`, `thread` where its checkpoints lie.

    `query` is the question; of a retain, what was read. `origin` names the run and step that this
    one went on from, where it is a branch.
    """

    id: str
    machine: Machine
    bank: str
    query: str
    context: dict[str, Any]
    started: datetime
    thread: str
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The beginning of a step, counted from 1: its checkpoint, and the node that is to run."""

    step: int
    checkpoint: str
    node: str


@dataclass(frozen=True, slots=True)
class Happened:
    """One event, and in which step it happened."""

    step: int
    event: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Journal:
    """A run as its file tells it. `result` is None where the run did not end.

    `usage` is what it cost up to its end or last failure, None where it was stopped otherwise;
    `lost` what of that went into steps that failed, which the state of the graph has not.
    """

    run: Run
    places: tuple[Place, ...] = ()
    events: tuple[Happened, ...] = ()
    result: dict[str, Any] | None = None
    failures: tuple[str, ...] = ()
    usage: Usage | None = None
    lost: Usage = field(default_factory=lambda: dict(NOTHING))

    @property
    def last(self) -> int:
        """The number of the last step that began, 0 before the first."""
        return max((place.step for place in self.places), default=0)


class JournalFile:
    """Appends to one run's file. Each line is whole on disk before the next, whatever stops us."""

    def __init__(self, path: Path) -> None:
        """The folder of `path` exists."""
        self.path = path

    def begin(self, run: Run, before: Sequence[Place | Happened] = ()) -> None:
        """Write the header, and for a branch what came before it."""
        header = {**asdict(run), "started": run.started.isoformat()}
        self._append({"run": header}, *(asdict(item) for item in before))

    def add(self, item: Place | Happened) -> None:
        """Write that a step begins, or what happened in it."""
        self._append(asdict(item))

    def fail(self, message: str, *, usage: Usage, lost: Usage) -> None:
        """Note that the run stopped with an error; it may be gone on with.

        `usage` is what it cost so far, `lost` what of that went into steps that failed.
        """
        self._append({"failed": message, "usage": usage, "lost": lost})

    def end(self, result: dict[str, Any]) -> None:
        """Write what came of the run: from then on it is over."""
        self._append({"result": result})

    def _append(self, *lines: dict[str, Any]) -> None:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        try:
            with self.path.open("ab") as file:
                if _torn(self.path):
                    file.write(b"\n")
                file.write(text.encode("utf-8", "replace"))
        except OSError as error:
            raise StoreUnavailable(f"{self.path}: cannot be written ({error.strerror})") from error


def read_header(path: Path) -> Run | None:
    """What the run in `path` is about; None where a crash left no whole first line, or no file."""
    try:
        with path.open("rb") as file:
            entry = _entry(file.readline().decode("utf-8", "replace"))
    except OSError:
        return None
    return _run(entry) if entry and "run" in entry else None


def read_journal(path: Path) -> Journal:
    """The run in `path`; a last line that a crash tore is left out. Raises NotFound."""
    run = read_header(path)
    if run is None:
        raise NotFound(f"there is no run {path.stem!r}: `forethought trace` lists the runs")
    lines = path.read_bytes().decode("utf-8", "replace").splitlines()
    entries = [entry for line in lines if (entry := _entry(line)) is not None]
    failed = [entry for entry in entries if "failed" in entry]
    result = next((entry["result"] for entry in reversed(entries) if "result" in entry), None)
    ends = [entry for entry in (*failed, result) if entry is not None]
    return Journal(
        run,
        tuple(Place(**entry) for entry in entries if "checkpoint" in entry),
        tuple(Happened(**entry) for entry in entries if "event" in entry),
        result,
        tuple(entry["failed"] for entry in failed),
        ends[-1].get("usage") if ends else None,
        dict(failed[-1].get("lost", NOTHING)) if failed else dict(NOTHING),
    )


def _run(entry: dict[str, Any]) -> Run:
    header = entry["run"]
    return Run(**{**header, "started": datetime.fromisoformat(header["started"])})


def _entry(line: str) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _torn(path: Path) -> bool:
    """Whether a crash left the file in the middle of a line."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        return size > 0 and (file.seek(size - 1), file.read(1))[1] != b"\n"
