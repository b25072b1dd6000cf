"""A retain that is stopped anywhere goes on later: nothing lost, paid twice or stored twice."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.flows.cli.bench import Cli, chats, obedient, written

SAID = ("Anna keeps bees", "Ben sails", "Cleo bakes bread")
SECONDS = 120  # after which a process that should have ended is a failure


class Interrupting:
    """A model that does something to the process that asks it, on the nth call for a schema."""

    def __init__(self, schema: str, nth: int, act: Callable[[], None]) -> None:
        self._schema, self._left, self._act = schema, nth, act

    def __call__(self, schema: str, request: dict[str, Any]) -> str:
        self._left -= schema == self._schema
        if schema == self._schema and self._left == 0:
            self._act()
        return obedient(schema, request)


def interrupt() -> None:
    """Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def file(tmp_path: Path) -> str:
    return written(tmp_path / "chats.json", chats(*SAID))


@pytest.fixture
def real(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Processes of their own embed with the real model, so this one must too."""
    monkeypatch.undo()
    return cli


def stopped(cli: Cli, schema: str, nth: int, *args: str) -> tuple[int, str]:
    """The exit code and messages of a command that gets SIGINT or worse in a process of its own."""
    assert cli.stub is not None
    sent = signal.SIGKILL if schema == "Foresight" else signal.SIGINT
    running: list[subprocess.Popen[str]] = []
    cli.stub.script = Interrupting(schema, nth, lambda: running[0].send_signal(sent))
    with cli.process(*args) as process:
        running.append(process)
        _, messages = process.communicate(timeout=SECONDS)
    cli.stub.script = obedient
    return process.returncode, messages


def check_whole(cli: Cli) -> None:
    """Every fact is there, once, found by its words, and has its cue."""
    facts = cli.json("show", "facts")["facts"]
    assert sorted(fact["text"] for fact in facts) == sorted(SAID)
    (bank,) = cli.json("show", "banks")["banks"]
    assert (bank["pending"], bank["cues"], bank["unforeseen"], bank["unindexed"]) == (0, 3, 0, 0)
    assert cli.json("recall", SAID[1])["hits"][0]["fact"]["text"] == SAID[1]


def test_ctrl_c_finishes_the_step_in_hand_and_retain_goes_on_later(real: Cli, file: str) -> None:
    code, messages = stopped(real, "Extraction", 2, "retain", file)
    assert code == 130 and "Traceback" not in messages
    assert "forethought retain" in messages and "Nothing is lost" in messages
    assert real.asked()["Extraction"] == 2
    done = real.json("retain")
    assert len(done["resumed"]) == 1
    assert [entry["status"] for entry in done["report"]] == ["extracted"] * 3
    assert real.asked()["Extraction"] == 3, "the reply that came after Ctrl-C was paid for"
    check_whole(real)


def test_after_a_kill_no_reply_is_paid_for_again(real: Cli, file: str) -> None:
    code, _ = stopped(real, "Foresight", 1, "retain", file)
    assert code == -signal.SIGKILL
    done = real.json("retain", file)
    assert len(done["resumed"]) == 1
    assert dict(real.asked()) == {"Extraction": 3, "Foresight": 2}  # the call that was killed
    check_whole(real)


def broken_off(cli: Cli, nth: int, *args: str) -> None:
    """Ctrl-C during the nth extraction, and once that was understood, Ctrl-C again."""
    assert cli.stub is not None
    understood, over = Event(), Event()

    def twice() -> None:
        interrupt()
        understood.wait(SECONDS)
        interrupt()
        over.wait(SECONDS)

    cli.stub.script = Interrupting("Extraction", nth, twice)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("forethought.graphs.cli_retain.say", lambda *_, **__: understood.set())
        cli(*args, code=130)
    over.set()
    cli.stub.script = obedient


def test_a_second_ctrl_c_stops_at_once(cli: Cli, file: str) -> None:
    broken_off(cli, 2, "retain", file)
    cli("retain", file)
    assert cli.asked()["Extraction"] == 4, "only the call that was broken off is made again"
    check_whole(cli)


def test_an_interrupted_retain_waits_for_a_model_and_goes_before_what_is_new(
    cli: Cli, modelless: Cli, tmp_path: Path
) -> None:
    first = written(tmp_path / "first.json", chats(*SAID[:2]))
    broken_off(cli, 1, "retain", first)
    waiting = modelless.json("retain")
    assert "once a model is configured" in waiting["notes"][0]
    assert "was interrupted" in modelless("doctor", "--offline").stdout
    done = cli.json("retain", written(tmp_path / "more.json", chats(*SAID)))
    assert len(done["runs"]) == 2 and done["resumed"] == done["runs"][:1]
    assert cli.asked()["Extraction"] == 4
    assert cli.json("retain", "--pending")["resumed"] == []
    check_whole(cli)


def test_what_was_paid_for_is_kept_even_where_there_is_no_model_any_more(
    cli: Cli, modelless: Cli, file: str
) -> None:
    assert cli.stub is not None
    cli.stub.script = Interrupting("Extraction", 1, interrupt)
    cli("retain", file, code=130)
    modelless("retain")
    assert len(modelless.json("show", "facts")["facts"]) == 1
    cli("retain", "--pending")
    assert cli.asked()["Extraction"] == 3
    check_whole(cli)


def test_forgetting_drops_an_interrupted_retain(cli: Cli, file: str) -> None:
    assert cli.stub is not None
    cli.stub.script = Interrupting("Extraction", 2, interrupt)
    cli("retain", file, code=130)
    session = cli.json("show", "sessions")["sessions"][0]["id"]
    assert "--pending" in cli("forget", "session", session, "--yes").stderr
    assert "nothing to retain" in cli("retain", code=2).stderr
    cli("retain", "--pending")
    texts = [fact["text"] for fact in cli.json("show", "facts")["facts"]]
    assert sorted(texts) == sorted(SAID[1:])


def test_a_retain_that_fails_again_and_again_is_given_up(
    cli: Cli, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise ValueError("this is a bug")

    with monkeypatch.context() as patch:
        patch.setattr("forethought.graphs.retain.commit", broken)
        for _ in range(3):
            with pytest.raises(AssertionError, match="this is a bug"):
                cli("retain", file)
    done = cli.json("retain", file)
    assert "given up after 3 failures, the last: this is a bug" in done["notes"][0]
    check_whole(cli)


def test_ctrl_c_during_an_ask_says_how_to_go_on(cli: Cli, file: str) -> None:
    assert cli.stub is not None
    cli("retain", file)
    released = Event()

    def interrupt_and_wait() -> None:
        interrupt()
        released.wait(SECONDS)

    cli.stub.script = Interrupting("Summary", 1, interrupt_and_wait)
    said = cli("ask", "Who sails?", "--mode", "prospect", code=130).stderr
    released.set()
    command = said[said.index("trace r") :].split("`")[0].split()
    assert cli.json(*command)["answer"]
    assert cli.asked()["Tree"] == 2 and cli.asked()["Summary"] == 2


def test_asking_in_a_process_of_its_own(real: Cli, file: str) -> None:
    real("retain", file)
    with real.process("ask", "Who sails?", "--trace") as process:
        shown, messages = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, messages
    assert "The cat likes tea [f" in shown and "Traceback" not in messages
