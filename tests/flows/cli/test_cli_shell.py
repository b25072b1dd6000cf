from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from forethought import __version__
from forethought.memory.records.lock import WriterLock
from tests.conftest import ROOT
from tests.flows.cli.bench import COMMAND, Cli, chats, written

COMMANDS = (
    "demo", "retain", "foresee", "ask", "chat", "recall", "trace", "show", "forget", "reindex",
    "doctor", "eval",
)  # fmt: skip
HEAVY = {"aiosqlite", "chromadb", "langchain_core", "langgraph", "numpy", "pydantic_settings"}


def test_every_command_explains_itself(cli: Cli) -> None:
    help = cli("--help").stdout
    for command in COMMANDS:
        assert command in help
        assert "--help" in cli(command, "--help").stdout


def test_the_version_is_the_packages(cli: Cli) -> None:
    assert cli("--version").stdout.strip() == f"forethought {__version__}"


def test_help_needs_nothing_heavy() -> None:
    code = "import sys; import forethought.graphs.cli; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {name.partition(".")[0] for name in done.stdout.split()} & HEAVY == set()


def test_help_is_quick() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        subprocess.run([*COMMAND, "--help"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start

    assert any(seconds() < 1 for _ in range(10))


def test_common_options_stand_before_or_after_the_command(cli: Cli) -> None:
    cli("--bank", "eve", "retain", "-", input=chats("Eve sings"))
    for args in (
        ("--bank", "eve", "show", "facts"),
        ("show", "--bank", "eve", "facts"),
        ("show", "facts", "--bank=eve"),
        ("show", "facts", "--bank", "eve", "--data-dir", str(cli.directory)),
    ):
        assert len(cli.json(*args)["facts"]) == 1


def test_after_two_dashes_an_option_is_text(cli: Cli) -> None:
    found = json.loads(cli("recall", "--json", "--", "--bank").stdout)
    assert found["query"] == "--bank"


def test_an_error_is_one_line_and_its_traceback_comes_on_request(cli: Cli) -> None:
    said = cli("show", "nowhere", code=1).stderr
    assert len(said.strip().splitlines()) == 1
    assert "Traceback" in cli("show", "nowhere", "--debug", code=1).stderr


def test_a_wrong_option_is_a_usage_error(cli: Cli) -> None:
    assert "--limit" in cli("recall", "tea", "--limit", "0", code=2).stderr
    assert cli("recall", code=2).stderr


def test_a_setting_that_is_wrong_is_named(cli: Cli) -> None:
    cli.env = {"FORETHOUGHT_ZONE": "Mars/Olympus"}
    assert "FORETHOUGHT_ZONE" in cli("show", code=2).stderr


def test_a_second_process_is_told_who_has_the_directory(cli: Cli) -> None:
    with WriterLock.acquire(cli.directory):
        assert "in use" in cli("show", code=1).stderr


def test_what_is_empty_is_never_the_folder_that_one_is_in(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "chats.json", chats("One"))
    assert "there is no bank" in cli("export", "", code=1).stderr
    assert "'' cannot be read" in cli("import", "", code=2).stderr
    assert cli("retain", "", code=2).stderr.startswith("'' names no file: give")
    cli.env["HOME"] = str(tmp_path / "home")
    cli("show", "banks", "--data-dir", "")
    assert sorted(os.listdir(tmp_path)) == ["chats.json", "data", "home"]


def test_a_question_that_asks_nothing_is_refused_before_there_is_a_run(cli: Cli) -> None:
    assert "expected the request in words" in cli("ask", " ", code=2).stderr
    assert cli.json("trace")["runs"] == []


@pytest.mark.parametrize("command", ["banks", "facts", "sessions"])
def test_an_empty_memory_is_shown_as_empty(cli: Cli, command: str) -> None:
    assert cli.json("show", command)[command] == []
    assert cli("show", command).stdout == ""
