from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
from threading import Event
from typing import Any

import pytest

from tests.flows.cli.bench import Cli, chats, everything, obedient
from tests.flows.cli.test_cli_interrupted import SECONDS, interrupt
from tests.flows.openai_stub import Said

FACT = "My cat Mog drinks green tea"


@pytest.fixture
def known(cli: Cli) -> Cli:
    """A bank that knows one thing."""
    cli("retain", "-", input=chats(FACT))
    return cli


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


def texts(cli: Cli) -> list[str]:
    return sorted(fact["text"] for fact in cli.json("show", "facts")["facts"])


def test_a_script_of_lines_is_answered_line_by_line(known: Cli) -> None:
    said = known("chat", "--mode", "recall", input=lines("What does the cat drink?", "", "Sure?"))
    assert said.stdout.count("The cat likes tea [f") == 2
    assert f"(2025-01-01) {FACT}" in said.stdout
    assert "hidden thought" not in said.stdout and "> " not in said.stdout


def test_a_conversation_goes_on_where_it_was_left(known: Cli) -> None:
    known("chat", "--mode", "recall", input=lines("What does the cat drink?"))
    assert "2 messages so far" in known("chat", input="").stderr
    assert "so far" not in known("chat", "--thread", "other", input="").stderr
    assert "so far" not in known("chat", "--bank", "bob", input="").stderr


def test_trace_shows_every_step_of_the_last_turn(known: Cli) -> None:
    said = lines("/trace", "Plan tea for the cat", "/trace", "/quit")
    shown = known("chat", "--mode", "prospect", input=said)
    assert "Nothing was asked yet" in shown.stderr
    answered = shown.stdout.index("The cat likes tea")
    for part in ("1 listen", "imagine  2 steps", "└── A2 feed the cat", "answer"):
        assert part in shown.stdout[answered:]
    assert "imagine" not in shown.stdout[:answered]


def test_facts_are_listed_or_recalled(known: Cli) -> None:
    assert FACT in known("chat", input=lines("/facts")).stdout
    assert "#1" not in known("chat", input=lines("/facts green tea")).stdout
    assert FACT in known("chat", input=lines("/facts green tea")).stdout
    assert "no facts" in known("chat", "--bank", "bob", input=lines("/facts")).stderr


def test_a_fact_forgotten_in_a_chat_is_in_no_file_and_the_conversation_begins_anew(
    known: Cli,
) -> None:
    (fact,) = known.json("show", "facts")["facts"]
    told = known("chat", "--mode", "recall", input=lines("Tea?", f"/forget {fact['id']}", "/quit"))
    assert "Forgotten: 1 facts" in told.stderr
    assert texts(known) == ["Tea?"]
    assert "so far" not in known("chat", input="").stderr
    assert b"The cat likes tea" not in everything(known.directory / "runs")


def test_what_was_said_is_logged_at_once_and_retained_on_leaving(known: Cli) -> None:
    said = known("chat", "--mode", "recall", input=lines("I have a dog", "/quit"))
    assert "Retained 1 sessions: 1 facts" in said.stderr
    assert texts(known) == ["I have a dog", FACT]
    assert "All that was said is retained" in known("chat", input="").stderr


def test_flush_retains_at_once(known: Cli) -> None:
    said = known("chat", "--mode", "recall", input=lines("I have a dog", "/flush", "/facts"))
    assert "I have a dog" in said.stdout
    assert said.stderr.index("1 facts") < said.stderr.index("All that was said is retained")


def test_the_opinions_that_were_formed_are_told_and_listed(known: Cli) -> None:
    shown = known("chat", "--mode", "recall", input=lines("/opinions", "Is tea good?", "/opinions"))
    assert "formed no opinion yet" in shown.stderr
    told, listed = re.findall(r"(o[0-9a-f]{12})", shown.stdout)
    assert told == listed
    assert "now believed: Mog has taste, since green tea is good (confidence 0.70" in shown.stdout


def test_what_is_due_is_listed_with_the_open_commitments(known: Cli) -> None:
    known("commitments", "add", "Return the tent", "--due", "2020-03-15")
    known("commitments", "add", "Mend the fence", "--when", "the nails have come")
    shown = known("chat", input=lines("/due")).stdout
    fired, open_ones = shown.split("state")
    assert "its day was" in fired and "Return the tent" in fired and "fence" not in fired
    assert "Return the tent" in open_ones and "the nails have come" in open_ones
    assert "of what was just said" in known("chat", input=lines("/due the nails have come")).stdout
    told = known("chat", "--bank", "bob", input=lines("/due")).stderr
    assert "Nothing comes to mind" in told and "no open commitment" in told


def test_ctrl_c_on_leaving_says_what_is_pending(known: Cli) -> None:
    assert known.stub is not None
    released = Event()

    def never(schema: str, request: dict[str, Any]) -> str:
        if schema == "Extraction":
            interrupt()
            released.wait(SECONDS)
        return obedient(schema, request)

    known.stub.script = never
    said = known("chat", "--mode", "recall", input=lines("I have a dog"))
    released.set()
    known.stub.script = obedient
    assert "1 sessions are logged and wait" in said.stderr
    known("retain")
    assert texts(known) == ["I have a dog", FACT]


def test_forget_names_what_it_does_not_find(known: Cli) -> None:
    said = known("chat", input=lines("/forget f123456789012", "/forget"), code=1)
    assert "no fact, session or opinion 'f123456789012'" in said.stderr
    assert "needs an id" in said.stderr


def test_an_opinion_can_be_forgotten(known: Cli) -> None:
    shown = known("chat", "--mode", "recall", input=lines("Is tea good?")).stdout
    (id,) = re.findall(r"o[0-9a-f]{12}", shown)
    told = known("chat", input=lines(f"/forget {id}", "/opinions")).stderr
    assert "Forgotten: 1 opinions" in told and "formed no opinion yet" in told


def test_help_lists_the_commands_and_a_wrong_one_is_an_error(known: Cli) -> None:
    said = known("chat", input=lines("/help", "/helpp"), code=1)
    for command in (
        "/trace",
        "/facts",
        "/opinions",
        "/due",
        "/forget",
        "/flush",
        "/again",
        "/quit",
    ):
        assert command in said.stdout
    assert "there is no /helpp" in said.stderr


def test_without_a_model_chat_says_so_in_one_line(modelless: Cli) -> None:
    said = modelless("chat", input="Anything?\n", code=1).stderr.strip()
    assert "\n" not in said
    for part in ("FORETHOUGHT_MODEL", "FORETHOUGHT_BASE_URL", "forethought demo"):
        assert part in said


def test_an_answer_that_fails_is_named_and_the_chat_goes_on(known: Cli) -> None:
    assert known.stub is not None
    answers = iter([Said("the key is wrong", status=401), Said("Now I know.")])
    known.stub.script = lambda schema, request: (
        obedient(schema, request) if schema else next(answers)
    )
    said = known("chat", "--mode", "recall", input=lines("What?", "/again"), code=1)
    assert "the key is wrong" in said.stderr and "Now I know." in said.stdout
    (turn,) = [run for run in known.json("trace")["runs"] if run["machine"] == "chat"]
    told = known.json("trace", turn["run"])
    asked = ("", "Reflection")
    assert told["result"]["usage"]["calls"] == sum(known.asked()[schema] for schema in asked)


def test_ctrl_c_during_an_answer_loses_nothing_and_the_chat_goes_on(known: Cli) -> None:
    assert known.stub is not None
    released, asked = Event(), 0

    def once(schema: str, request: dict[str, Any]) -> str:
        nonlocal asked
        asked += schema == ""
        if schema == "" and asked == 1:
            interrupt()
            released.wait(SECONDS)
        return obedient(schema, request)

    known.stub.script = once
    said = known("chat", "--mode", "recall", input=lines("What tea?", "/again", "And milk?"))
    released.set()
    assert "/again" in said.stderr and "Nothing is lost" in said.stderr
    assert said.stdout.count("The cat likes tea [f") == 2
    assert "4 messages so far" in known("chat", input="").stderr


def test_a_turn_of_a_chat_is_a_run_that_can_be_shown(known: Cli) -> None:
    known("chat", "--mode", "recall", input=lines("What tea?"))
    runs = known.json("trace")["runs"]
    (turn,) = [run for run in runs if run["machine"] == "chat"]
    assert "The cat likes tea" in known("trace", turn["run"]).stdout
    assert "`forethought chat`" in known("trace", turn["run"], "--from", "1", code=2).stderr


def test_at_a_terminal_lines_are_kept_for_later_and_ctrl_c_leaves_the_prompt_standing(
    known: Cli,
) -> None:
    ours, theirs = pty.openpty()
    with known.process("chat", terminal=theirs) as process:
        os.close(theirs)
        read_to_the_prompt(ours)
        os.write(ours, b"/help\n")
        assert "/forget ID" in read_to_the_prompt(ours)
        interrupt_until_heard(process, ours)
        assert "/quit or Ctrl-D leaves" in read_to_the_prompt(ours)
        os.write(ours, b"\x04")
        assert process.wait(SECONDS) == 0
    os.close(ours)
    (history,) = (known.directory / "runs").glob("typed-*")
    assert history.read_text() == "/help\n"
    assert history.stat().st_mode & 0o077 == 0
    known("forget", "bank", "ann", "--yes")
    assert not history.exists()


def read_to_the_prompt(terminal: int) -> str:
    """What stands on the terminal up to the next prompt."""
    shown = ""
    while not shown.endswith("> "):
        assert answers(terminal, within=SECONDS), f"nothing after {shown!r}"
        shown += os.read(terminal, 1000).decode(errors="replace")
    return shown


def interrupt_until_heard(process: subprocess.Popen[str], terminal: int) -> None:
    """Ctrl-C; again where nothing happens, as a person would.

    CPython's readline shows the prompt before it waits for a key, and does not hear of a signal in
    between until there is a key or another signal: that once kept CI waiting for an hour.
    """
    for _ in range(SECONDS // 5):
        process.send_signal(signal.SIGINT)
        if answers(terminal, within=5):
            return


def answers(terminal: int, *, within: float) -> bool:
    """Whether something is to be read there, at the latest after so many seconds."""
    return bool(select.select([terminal], [], [], within)[0])
