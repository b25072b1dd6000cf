from __future__ import annotations

import json
import shlex
from pathlib import Path

from tests.flows.cli.bench import BANK, Cli, chats, written
from tests.flows.openai_stub import Said


def test_what_is_retained_is_found_at_once(cli: Cli, tmp_path: Path) -> None:
    file = written(tmp_path / "chats.json", chats("My cat Mog drinks green tea"))
    done = cli.json("retain", file)
    assert [entry["status"] for entry in done["report"]] == ["extracted"]
    assert done["usage"]["calls"] == 2
    assert done["cues"] == 1
    (hit,) = cli.json("recall", "green tea")["hits"]
    assert hit["fact"]["text"] == "My cat Mog drinks green tea"


def test_retaining_a_file_again_costs_and_changes_nothing(cli: Cli, tmp_path: Path) -> None:
    file = written(tmp_path / "chats.json", chats("One", "Two"))
    cli("retain", file)
    again = cli.json("retain", file)
    assert {entry["outcome"] for entry in again["report"]} == {"known"}
    assert again["usage"]["calls"] == 0
    assert len(cli.json("show", "facts")["facts"]) == 2


def test_without_a_model_sessions_are_logged_and_extracted_later(
    cli: Cli, modelless: Cli, tmp_path: Path
) -> None:
    file = written(tmp_path / "chats.json", chats("One", "Two"))
    first = modelless("retain", file)
    assert "forethought retain --pending" in first.stderr
    sessions = modelless.json("show", "sessions")["sessions"]
    assert [session["status"] for session in sessions] == ["pending", "pending"]
    assert "2 of its sessions wait" in modelless("recall", "One").stderr
    done = cli.json("retain", "--pending")
    assert [entry["status"] for entry in done["report"]] == ["extracted", "extracted"]


def test_standard_input_is_read_as_utf_8(cli: Cli) -> None:
    cli("retain", "-", input=chats("Minun kissani juo teetä 🐈").encode())
    shown = cli("show", "facts", "--json").stdout
    assert "Minun kissani juo teetä 🐈" in shown


def test_damaged_sessions_are_named_and_the_good_ones_kept(cli: Cli, tmp_path: Path) -> None:
    good, bad = json.loads(chats("A good one", "A bad one"))
    bad["date"] = "someday"
    file = written(tmp_path / "mixed.json", json.dumps([good, bad]))
    done = cli.json("retain", file, code=1)
    assert [entry["status"] for entry in done["report"]] == ["extracted"]
    assert "mixed.json" in done["problems"][0] and "[1].date" in done["problems"][0]


def test_where_no_file_can_be_read_nothing_is_opened(cli: Cli, tmp_path: Path) -> None:
    result = cli("retain", str(tmp_path / "missing.json"), code=2)
    assert "missing.json" in result.stderr
    assert not cli.directory.exists()


def test_a_file_that_is_given_twice_is_reported_once_as_what_it_is(
    cli: Cli, tmp_path: Path
) -> None:
    undated = {"id": "late", "messages": [{"role": "user", "content": "No date"}]}
    given = json.dumps([*json.loads(chats("One", "Two")), undated])
    file = written(tmp_path / "chats.json", given)
    done = cli.json("retain", file, file, code=1)
    assert [entry["outcome"] for entry in done["report"]] == ["new", "new"]
    assert len(done["problems"]) == 1
    (run,) = done["runs"]
    assert len(cli.json("trace", run)["result"]["report"]) == 2
    assert cli.json("retain", "-", "-", input=chats("One"))["problems"] == []
    again = cli.json("retain", file, file, code=1)["report"]
    assert [entry["outcome"] for entry in again] == ["known", "known"]


def test_one_unreadable_file_does_not_keep_the_others_out(cli: Cli, tmp_path: Path) -> None:
    file = written(tmp_path / "chats.json", chats("One"))
    done = cli.json("retain", str(tmp_path / "missing.json"), file, code=1)
    assert len(done["report"]) == 1
    assert "missing.json" in done["problems"][0]


def test_several_people_are_not_mixed_into_one_bank(cli: Cli, tmp_path: Path) -> None:
    for name in ("bea o'hara", "cy"):
        user = {
            "demographics": {"user_id": name},
            "sessions": [
                {"id": "s1", "date": "2025-01-01", "conversation": [{"user": f"I am {name}"}]}
            ],
        }
        written(tmp_path / f"{name}.json", json.dumps(user))
    result = cli("retain", str(tmp_path), code=2)
    suggested = shlex.split(result.stderr.partition(", as in ")[2])
    assert suggested == ["--only", "bea o'hara", "--bank", "bea o'hara"]
    cli("retain", str(tmp_path), "--only", "cy", "--bank", "cy")
    facts = cli.json("show", "facts", "--bank", "cy")["facts"]
    assert [fact["text"] for fact in facts] == ["I am cy"]


def test_a_naive_date_is_in_the_zone_that_is_given(cli: Cli) -> None:
    undated = json.dumps([{"messages": [{"role": "user", "content": "One"}]}])
    cli("retain", "-", "--date", "2025-03-01", "--zone", "Europe/Helsinki", input=undated)
    (fact,) = cli.json("show", "facts")["facts"]
    assert fact["date"] == "2025-02-28T22:00:00Z"


def test_nothing_given_is_an_error_that_says_what_to_give(cli: Cli) -> None:
    assert "--pending" in cli("retain", code=2).stderr
    assert "--date" in cli("retain", "-", "--date", "soon", input=chats("One"), code=2).stderr


def test_cues_left_out_are_imagined_later(cli: Cli) -> None:
    cli("retain", "-", "--no-foresight", input=chats("One", "Two"))
    assert cli.json("show", "banks")["banks"][0]["unforeseen"] == 2
    assert cli.json("foresee")["cues"] == 2
    assert cli.json("show", "banks")["banks"][0]["unforeseen"] == 0


def test_foreseeing_needs_a_model(modelless: Cli) -> None:
    assert "FORETHOUGHT_MODEL" in modelless("foresee", code=1).stderr


def test_a_session_whose_extraction_fails_is_reported_and_can_be_retried(cli: Cli) -> None:
    assert cli.stub is not None
    good = cli.stub.script
    cli.stub.script = lambda schema, request: (
        "no JSON at all" if schema == "Extraction" else good(schema, request)
    )
    done = cli.json("retain", "-", input=chats("One"), code=1)
    assert done["report"][0]["status"] == "failed"
    cli.stub.script = good
    again = cli.json("retain", "-", "--retry", input=chats("One"))
    assert again["report"][0]["status"] == "extracted"


def test_a_model_that_refuses_leaves_the_sessions_pending(cli: Cli) -> None:
    assert cli.stub is not None
    cli.stub.script = lambda schema, request: Said("the key is wrong", status=401)
    done = cli.json("retain", "-", input=chats("One"), code=1)
    assert done["report"][0]["status"] == "pending"
    assert any("the key is wrong" in note for note in done["notes"])


def test_a_retain_can_be_replayed_but_not_branched(cli: Cli) -> None:
    (run,) = cli.json("retain", "-", input=chats("One"))["runs"]
    nodes = [step["node"] for step in cli.json("trace", run)["steps"]]
    assert nodes[:2] == ["log", "extract"]
    assert "chat1" in cli("trace", run).stdout
    assert "retain" in cli("trace", run, "--from", "2", code=2).stderr
    assert [item["run"] for item in cli.json("trace", "--bank", BANK)["runs"]] == [run]
