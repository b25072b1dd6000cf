"""A bank leaves by `export` and comes back by `import`, here or elsewhere, whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.flows.cli.bench import BANK, Cli, chats, everything, obedient
from tests.flows.openai_stub import openai_stub
from tests.flows.scripted import WordCounts

SOLD, MOG, GONE, LOST = "I sold my car", "My cat Mog drinks tea", "I sing badly", "I like rye"
ALL = chats(SOLD, MOG, GONE, LOST)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a bank of four chats, a session and a fact of which were forgotten."""
    folder = tmp_path_factory.mktemp("original")
    with openai_stub(obedient) as stub, pytest.MonkeyPatch.context() as patched:
        patched.setattr("forethought.graphs.app.open_embedder", lambda settings: WordCounts())
        patched.chdir(folder)
        cli = Cli(folder / "data", stub)
        cli("retain", "-", input=ALL)
        cli("forget", "session", cli.json("show", "chat3")["session"]["id"], "--yes")
        lost = [one["id"] for one in cli.json("show", "facts")["facts"] if one["text"] == LOST]
        cli("forget", "fact", lost[0], "--yes")
        cli("export", str(folder / "ann.jsonl"))
    return folder


@pytest.fixture
def known(original: Path, cli: Cli) -> Cli:
    """A copy of that directory."""
    shutil.copytree(original / "data", cli.directory)
    return cli


@pytest.fixture
def file(original: Path) -> str:
    """What was exported from it."""
    return str(original / "ann.jsonl")


@pytest.fixture
def elsewhere(cli: Cli, tmp_path: Path) -> Cli:
    """Another, empty data directory, with the same model."""
    return Cli(tmp_path / "elsewhere", cli.stub)


def _shown(cli: Cli, *args: str) -> list[Any]:
    """All that can be seen of a bank, but for salience: each store computes it on its own days."""
    listed = [cli.json("show", what, *args) for what in ("sessions", "facts")]
    ids = [one["id"] for one in listed[1]["facts"]]
    shown = [cli.json("show", one, *args) for one in ids]
    return [*listed, *({**one, "salience": None} for one in shown)]


def test_a_bank_is_the_same_in_another_store(known: Cli, elsewhere: Cli, file: str) -> None:
    report = elsewhere.json("import", file)
    counts = {"sessions": 3, "turns": 3, "facts": 2, "cues": 2, "tombstones": 4}
    counts |= {"entities": 0, "mentions": 0, "links": 1}  # both facts are of one day
    counts |= {"opinions": 0, "observations": 0, "commitments": 0, "reminders": 0, "uses": 0}
    assert report == {
        "bank": BANK, "from": BANK, "imported": counts, "new": True, "vectors": 6
    }  # fmt: skip
    assert _shown(elsewhere) == _shown(known)
    assert elsewhere.json("recall", "drinks tea") == known.json("recall", "drinks tea")
    assert elsewhere("export").stdout_bytes == Path(file).read_bytes()
    assert elsewhere.json("doctor", "--offline")["ok"]


def test_what_is_retained_again_after_an_import_changes_nothing(elsewhere: Cli, file: str) -> None:
    elsewhere("import", file)
    before = _shown(elsewhere)
    report = elsewhere.json("retain", "-", input=ALL)["report"]
    assert [one["outcome"] for one in report] == ["known", "known", "forgotten", "known"]
    assert _shown(elsewhere) == before


def test_what_is_imported_weighs_something_before_any_retain(elsewhere: Cli, file: str) -> None:
    elsewhere("import", file)
    for fact in elsewhere.json("show", "facts")["facts"]:
        assert elsewhere.json("show", fact["id"])["salience"] > 0


def test_importing_twice_changes_nothing(elsewhere: Cli, file: str) -> None:
    elsewhere("import", file)
    before = _shown(elsewhere)
    again = elsewhere.json("import", file)
    assert (again["new"], again["vectors"]) == (False, 0)
    assert _shown(elsewhere) == before
    assert "Nothing to do" in elsewhere("import", file).stdout


def test_under_another_name_it_is_a_bank_of_its_own_with_what_was_forgotten(
    known: Cli, file: str
) -> None:
    report = known.json("import", file, "--bank", "bob")
    assert (report["bank"], report["from"], report["new"]) == ("bob", BANK, True)
    assert _texts(known, "bob") == _texts(known, BANK) == [SOLD, MOG]
    assert _ids(known, "bob").isdisjoint(_ids(known, BANK))
    again = known.json("retain", "-", "--bank", "bob", input=ALL)["report"]
    assert [one["outcome"] for one in again] == ["known", "known", "forgotten", "known"]
    more = chats(LOST).replace("chat1", "chat9")
    known("retain", "-", "--bank", "bob", input=more)
    assert _texts(known, "bob") == [SOLD, MOG]
    assert not known.json("import", file)["new"]  # its own bank is as it was


def test_the_file_names_the_bank_unless_the_command_does(elsewhere: Cli, file: str) -> None:
    elsewhere.env = {"FORETHOUGHT_BANK": "somebody"}
    assert elsewhere.json("import", file)["bank"] == BANK
    assert [one["bank"] for one in elsewhere.json("show", "banks")["banks"]] == [BANK]


def test_a_bank_that_holds_anything_else_is_left_as_it_is(known: Cli, file: str) -> None:
    known("retain", "-", input=chats(SOLD, MOG, GONE, LOST, "I moved to Oslo"))
    before = _shown(known)
    refusal = known("import", file, code=2).stderr
    assert "not empty" in refusal and "--bank" in refusal and f"forget bank {BANK}" in refusal
    assert _shown(known) == before


def test_a_bank_of_which_all_was_forgotten_can_be_forgotten_itself_and_then_imported(
    cli: Cli, file: str
) -> None:
    cli("retain", "-", input=chats(SOLD))
    cli("forget", "session", cli.json("show", "sessions")["sessions"][0]["id"], "--yes")
    assert "2 tombstones" in cli("import", file, code=2).stderr
    cli("forget", "bank", BANK, "--yes")
    assert cli.json("import", file)["new"]
    assert _texts(cli, BANK) == [SOLD, MOG]


def test_a_damaged_file_is_named_with_its_line_and_nothing_of_it_is_imported(
    elsewhere: Cli, file: str, tmp_path: Path
) -> None:
    lines = Path(file).read_bytes().splitlines(keepends=True)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(b"".join([*lines[:4], lines[4][:20] + b"\n", *lines[5:]]))
    refusal = elsewhere("import", str(damaged), code=2).stderr
    assert f"{damaged}, line 5: " in refusal and "expected" in refusal
    damaged.write_bytes(b"".join(lines[:4]))
    assert "cut short" in elsewhere("import", str(damaged), code=2).stderr
    assert elsewhere.json("show", "banks")["banks"] == []


def test_an_import_that_cannot_be_written_writes_nothing(
    elsewhere: Cli, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched, pytest.raises(AssertionError):
        patched.setattr("forethought.memory.records.sqlite.restore.insert_sources", full)
        elsewhere("import", file)
    assert elsewhere.json("show", "banks")["banks"] == []
    assert elsewhere.json("import", file)["new"]


def test_standard_output_and_input_take_the_place_of_a_file(
    known: Cli, elsewhere: Cli, file: str
) -> None:
    exported = known("export", "-")
    assert exported.stdout_bytes == Path(file).read_bytes()
    assert "2 facts" in exported.stderr
    assert elsewhere.json("import", "-", input=exported.stdout_bytes)["new"]
    assert "standard input, line 1" in elsewhere("import", "-", input="{}", code=2).stderr


def test_the_export_says_what_it_wrote(known: Cli, tmp_path: Path) -> None:
    place = str(tmp_path / "out.jsonl")
    report = known.json("export", place)
    header = json.loads(Path(place).read_text("utf-8").partition("\n")[0])
    assert report == {"bank": BANK, "file": place, "exported": header["counts"]}
    assert "FILE" in known("export", "--json", code=2).stderr


def test_what_was_forgotten_is_in_no_byte_of_an_export(file: str) -> None:
    text = Path(file).read_text("utf-8")
    assert SOLD in text and GONE not in text
    assert not any(json.loads(line).get("text") == LOST for line in text.splitlines())


def test_a_bank_that_is_not_there_is_not_exported(known: Cli, tmp_path: Path) -> None:
    place = tmp_path / "out.jsonl"
    assert "nobody" in known("export", str(place), "--bank", "nobody", code=1).stderr
    assert not place.exists()
    assert "cannot be read" in known("import", str(place), code=2).stderr


def test_a_stopped_export_leaves_nothing_that_was_said(
    known: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()

    def stop(*_: object) -> None:
        assert SOLD.encode() in everything(folder)  # it is all there, only not yet in place
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("forethought.memory.exchange.file.os.fsync", stop)
    assert "Stopped" in known("export", str(folder / "ann.jsonl"), code=130).stderr
    assert os.listdir(folder) == []


def test_an_empty_name_is_no_bank(elsewhere: Cli, file: str) -> None:
    assert "name" in elsewhere("import", file, "--bank", "", code=2).stderr


def _texts(cli: Cli, bank: str) -> list[str]:
    return [fact["text"] for fact in cli.json("show", "facts", "--bank", bank)["facts"]]


def _ids(cli: Cli, bank: str) -> set[str]:
    shown = cli.json("show", "facts", "--bank", bank)["facts"]
    shown += cli.json("show", "sessions", "--bank", bank)["sessions"]
    return {one["id"] for one in shown}
