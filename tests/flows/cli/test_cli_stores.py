from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from forethought.memory.records.lock import WriterLock
from tests.flows.cli.bench import BANK, Cli, chats, everything
from tests.flows.openai_stub import Said
from tests.unit.memory import tiny_onnx

SECRET = "My password for the zoo is xylophone"


@pytest.fixture
def known(cli: Cli) -> Cli:
    """A bank with two facts, one of which is to be forgotten, and a question asked about both."""
    cli("retain", "-", input=chats(SECRET, "My cat Mog drinks tea"))
    cli("ask", "xylophone")
    return cli


def test_banks_are_listed_with_their_counts(known: Cli) -> None:
    (bank,) = known.json("show", "banks")["banks"]
    assert bank["bank"] == BANK
    assert (bank["sessions"], bank["facts"], bank["cues"]) == (2, 2, 2)
    assert BANK in known("show").stdout


@pytest.mark.parametrize("what", ["facts", "sessions"])
def test_a_list_can_be_limited_to_the_latest_and_says_how_many_more_there_are(
    known: Cli, what: str
) -> None:
    every = known.json("show", what)[what]
    result = known("show", what, "--limit", "1")
    assert every[1]["id"] in result.stdout and every[0]["id"] not in result.stdout
    assert result.stderr == "1 earlier left out: --limit 2 shows all\n"
    assert known.json("show", what, "--limit", "1")[what] == every[1:]
    assert known("show", what, "--limit", "2").stderr == ""
    assert "--limit" in known("show", what, "--limit", "0", code=2).stderr


def test_a_long_list_is_cut_where_it_is_printed_and_whole_in_json(
    known: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forethought.graphs.cli_show.SHOWN", 1)
    assert "1 earlier" in known("show", "facts").stderr
    assert len(known.json("show", "facts")["facts"]) == 2


def test_a_fact_is_shown_with_its_cues_and_the_turns_that_support_it(known: Cli) -> None:
    fact = _fact(known, SECRET)
    data = known.json("show", fact)
    assert data["cues"] == ["Lend a hand, #1?"]
    (source,) = data["sources"]
    assert [turn["text"] for turn in source["turns"]] == [SECRET]
    shown = known("show", fact).stdout
    assert f"user: {SECRET}" in shown and "you may one day ask: Lend a hand, #1?" in shown


def test_an_updated_fact_is_shown_with_its_earlier_version(cli: Cli) -> None:
    assert cli.stub is not None
    cli("retain", "-", input=chats("I live in Bergen now"))
    before = cli.stub.script
    cli.stub.script = lambda schema, request: (
        '{"facts": [{"text": "I live in Oslo now", "kind": "Identity", "turns": ["T1"], '
        '"action": "update", "of": "K1"}]}'
        if schema == "Extraction"
        else before(schema, request)
    )
    cli("retain", "-", input=chats("I live in Bergen now", "I have moved: I live in Oslo now"))
    (fact,) = cli.json("show", "facts")["facts"]
    assert "I live in Bergen now" in cli("show", fact["id"]).stdout
    assert len(cli.json("show", "facts", "--replaced")["facts"]) == 2


def test_a_session_is_shown_by_id_and_by_key(known: Cli) -> None:
    (first, _) = known.json("show", "sessions")["sessions"]
    by_id = known.json("show", first["id"])
    assert by_id == known.json("show", first["key"])
    assert by_id["turns"][0]["text"] == SECRET
    assert by_id["session"]["status"] == "extracted"
    assert SECRET in known("show", first["key"]).stdout


def test_facts_can_be_listed_by_kind(known: Cli) -> None:
    assert len(known.json("show", "facts", "--kind", "event")["facts"]) == 2
    assert known.json("show", "facts", "--kind", "Goal")["facts"] == []
    assert "Identity" in known("show", "facts", "--kind", "sort", code=2).stderr


def test_showing_what_is_not_there_is_an_error(known: Cli) -> None:
    assert "nowhere" in known("show", "nowhere", code=1).stderr


def test_a_forgotten_fact_leaves_no_byte_behind(known: Cli) -> None:
    assert SECRET.encode() in everything(known.directory)
    fact, session = _fact(known, SECRET), known.json("show", "sessions")["sessions"][0]["id"]
    gone = known.json("forget", "fact", fact, "--yes")["forgotten"]
    assert (gone["facts"], gone["cues"], gone["vectors"], gone["runs"]) == (1, 1, 3, 2)
    known("forget", "session", session, "--yes")
    assert b"xylophone" not in everything(known.directory)
    assert [hit["fact"]["text"] for hit in known.json("recall", "x")["hits"]] == [
        "My cat Mog drinks tea"
    ]
    assert known.json("trace")["runs"] == []


def test_a_forgotten_session_leaves_no_byte_behind(known: Cli) -> None:
    gone = known.json("forget", "session", known.json("show", "chat1")["session"]["id"], "--yes")
    assert (gone["forgotten"]["turns"], gone["forgotten"]["facts"]) == (1, 1)
    assert b"xylophone" not in everything(known.directory)
    known("retain", "-", input=chats(SECRET), code=0)
    assert b"xylophone" not in everything(known.directory)


def test_a_forgotten_bank_leaves_no_byte_behind_and_others_stay(known: Cli) -> None:
    known("retain", "-", "--bank", "bob", input=chats("Bob keeps bees"))
    gone = known.json("forget", "bank", BANK, "--yes")["forgotten"]
    assert (gone["sessions"], gone["turns"], gone["facts"]) == (2, 2, 2)
    left = everything(known.directory)
    assert b"xylophone" not in left and b"Mog" not in left and b"Bob keeps bees" in left
    assert [bank["bank"] for bank in known.json("show", "banks")["banks"]] == ["bob"]
    assert len(known.json("trace", "--bank", "bob")["runs"]) == 1


def test_forgetting_asks_first(known: Cli) -> None:
    fact = _fact(known, SECRET)
    asked = known("forget", "fact", fact, input="n\n", code=1)
    assert SECRET in asked.stderr
    assert len(known.json("show", "facts")["facts"]) == 2 and known.json("trace")["runs"]
    known("forget", "fact", fact, input="y\n")
    assert len(known.json("show", "facts")["facts"]) == 1


def test_several_are_forgotten_in_one_act_after_one_question(cli: Cli) -> None:
    texts = [f"Ana bought {what}" for what in ("quinces", "zithers", "rye", "oats", "figs", "salt")]
    cli("retain", "-", input=chats(*texts))
    sessions = [one["id"] for one in cli.json("show", "sessions")["sessions"]]
    facts = [one["id"] for one in cli.json("show", "facts")["facts"]]
    asked = cli("forget", "fact", *facts, input="n\n", code=1).stderr
    assert "Forget 6 facts: '" in asked and asked.count("Ana bought") == 5
    assert "', 1 more?" in asked
    asked = cli("forget", "session", *sessions[:2], input="n\n", code=1).stderr
    assert "2 sessions and what they alone say: chat1 of " in asked and ", chat2 of " in asked
    gone = cli.json("forget", "session", *sessions[:2], sessions[0], "--yes")["forgotten"]
    assert (gone["sessions"], gone["turns"], gone["facts"], gone["vectors"]) == (2, 2, 2, 6)
    left = everything(cli.directory)
    assert (b"quinces" in left, b"zithers" in left, b"figs" in left) == (False, False, True)


def test_forgetting_what_is_not_there_forgets_nothing_else(known: Cli) -> None:
    for what in ("fact", "session", "bank"):
        assert "nowhere" in known("forget", what, "nowhere", "--yes", code=1).stderr
    fact = _fact(known, SECRET)
    said = known("forget", "fact", "nowhere", fact, "not here", "--yes", code=1).stderr
    assert "no fact 'nowhere' or 'not here'" in said
    assert "name one" in known("forget", "bank", BANK, "bob", "--yes", code=2).stderr
    assert len(known.json("show", "facts")["facts"]) == len(known.json("trace")["runs"]) == 2


def test_what_was_forgotten_does_not_come_back(known: Cli) -> None:
    known("forget", "fact", _fact(known, SECRET), "--yes")
    known("retain", "-", input=chats(SECRET, "My cat Mog drinks tea"))
    assert [fact["text"] for fact in known.json("show", "facts")["facts"]] == [
        "My cat Mog drinks tea"
    ]


def test_reindexing_makes_every_vector_anew(known: Cli) -> None:
    assert known.json("reindex") == {"vectors": {BANK: 6}}
    assert known.json("reindex", "--all") == {"vectors": {BANK: 6}}
    assert "nobody" in known("reindex", "--bank", "nobody", code=1).stderr


def test_the_doctor_finds_nothing_wrong_where_nothing_is(known: Cli) -> None:
    report = known.json("doctor")
    assert report["ok"]
    named = {check["name"]: check for check in report["checks"]}
    assert named[f"bank {BANK}"]["says"] == "2 turns, 2 facts, 2 cues, 6 vectors"
    assert "answers in JSON" in named["model"]["says"]
    assert {"zone", "data directory", "records", "index", "runs", "embedder"} <= named.keys()


def test_the_doctor_says_what_is_left_to_do_and_how(modelless: Cli) -> None:
    modelless("retain", "-", input=chats("One"))
    report = modelless.json("doctor")
    notes = {check["says"]: check["fix"] for check in report["checks"] if check["state"] == "note"}
    assert report["ok"]
    assert "--pending" in notes["1 sessions to extract"]
    assert any("FORETHOUGHT_MODEL" in fix for fix in notes.values())


@pytest.mark.parametrize("bank", ["Ann & Bo's", "$(rm)"])
def test_a_command_that_is_suggested_names_the_bank_so_that_a_shell_reads_it_back(
    modelless: Cli, bank: str
) -> None:
    modelless("retain", "-", "--bank", bank, input=chats("One"))
    file = modelless.directory.parent / "one.jsonl"
    modelless("export", str(file), "--bank", bank)
    modelless("retain", "-", "--bank", bank, input=chats("One", "Two"))
    said = [
        modelless("doctor", "--offline").stdout,
        modelless("import", str(file), code=2).stderr,
    ]
    for text in said:
        (suggested,) = re.findall(r"`forethought (.+?)`", text)
        assert shlex.split(suggested)[-1] == bank


def test_the_doctor_reads_with_the_reranker(cli: Cli, tmp_path: Path) -> None:
    folder = tiny_onnx.write(tmp_path / "reranker")
    cli.env["FORETHOUGHT_RERANKER"] = str(folder)
    (found,) = _checks(cli.json("doctor", "--offline"), "reranker")
    assert found["state"] == "ok"
    (folder / "model.onnx").write_bytes(b"not it")
    (found,) = _checks(cli.json("doctor", "--offline", code=1), "reranker")
    assert found["state"] == "wrong" and "FORETHOUGHT_RERANKER" in found["fix"]


def _checks(report: Any, name: str) -> list[Any]:
    return [check for check in report["checks"] if check["name"] == name]


def test_the_doctor_calls_no_model_offline(known: Cli) -> None:
    asked = known.asked()
    assert known.json("doctor", "--offline")["ok"]
    assert known.asked() == asked


def test_the_doctor_names_what_is_wrong_with_the_model(cli: Cli) -> None:
    assert cli.stub is not None
    cli.stub.script = lambda schema, request: Said("the key is wrong", status=401)
    report = cli.json("doctor", code=1)
    (wrong,) = [check for check in report["checks"] if check["state"] == "wrong"]
    assert wrong["name"] == "model" and "the key is wrong" in wrong["says"] and wrong["fix"]


def test_the_doctor_says_who_has_the_data_directory(cli: Cli) -> None:
    with WriterLock.acquire(cli.directory):
        report = cli.json("doctor", "--offline", code=1)
    (wrong,) = [check for check in report["checks"] if check["state"] == "wrong"]
    assert "in use" in wrong["says"] and "Two ways out" in wrong["says"] + wrong["fix"]


def test_the_doctor_names_a_setting_that_is_wrong(cli: Cli) -> None:
    cli.env = {"FORETHOUGHT_ZONE": "Mars/Olympus"}
    report = cli.json("doctor", code=1)
    assert "FORETHOUGHT_ZONE" in report["checks"][0]["says"]


def test_the_doctor_cannot_reach_a_chroma_that_is_not_there(cli: Cli) -> None:
    cli.env = {"FORETHOUGHT_CHROMA_URL": "http://127.0.0.1:1"}
    report = cli.json("doctor", "--offline", code=1)
    assert any("127.0.0.1:1" in check["says"] for check in report["checks"])


def test_the_doctor_notices_vectors_that_are_lost(known: Cli, tmp_path: Path) -> None:
    (known.directory / "chroma").rename(tmp_path / "lost")
    report = known.json("doctor", "--offline", code=1)
    (wrong,) = [check for check in report["checks"] if check["state"] == "wrong"]
    assert "lacks 6" in wrong["says"] and "reindex" in wrong["fix"]
    known("reindex")
    assert known.json("doctor", "--offline")["ok"]


def _fact(cli: Cli, text: str) -> str:
    found = [fact["id"] for fact in cli.json("show", "facts")["facts"] if fact["text"] == text]
    return str(found[0])
