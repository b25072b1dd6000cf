"""`commitments` and `due`: the ledger by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.flows.cli.bench import Cli, chats

TENT, QUOTE = "Return the tent to Kari", "Reconcile the quote"


def _add(cli: Cli, *args: str) -> dict[str, Any]:
    (made,) = cli.json("commitments", "add", *args)["commitments"]
    known: dict[str, Any] = made
    return known


def _actions(found: list[dict[str, Any]]) -> list[str]:
    return [one.get("commitment", one)["action"] for one in found]


def test_what_is_entered_by_hand_comes_to_mind_on_its_day_and_until_it_is_kept(
    modelless: Cli,
) -> None:
    tent = _add(modelless, TENT, "--due", "2030-03-15")
    assert (tent["due"], tent["source"], tent["status"]) == ("2030-03-15", None, "open")
    fired = {
        day: _actions(modelless.json("due", "--on", day)["firing"])
        for day in ("2030-03-12", "2030-03-13", "2030-03-20")
    }
    assert fired == {"2030-03-12": [], "2030-03-13": [TENT], "2030-03-20": [TENT]}
    assert "its day is in 2 days" in modelless("due", "--on", "2030-03-13").stdout
    modelless("commitments", "keep", tent["id"])
    assert modelless.json("due", "--on", "2030-03-20")["firing"] == []
    assert modelless.json("commitments")["commitments"] == []
    (kept,) = modelless.json("commitments", "list", "--all")["commitments"]
    assert (kept["status"], kept["closed_by"]) == ("kept", None)
    modelless("commitments", "reopen", tent["id"])
    assert _actions(modelless.json("commitments")["commitments"]) == [TENT]


def test_a_condition_is_held_against_a_turn(modelless: Cli) -> None:
    _add(modelless, QUOTE, "--when", "the quote from Acme has arrived")
    heard = modelless.json("due", "The quote from Acme has arrived, so reconcile it")
    (one,) = heard["firing"]
    assert (one["because"], one["cue"]) == (
        "of what was just said", "the quote from Acme has arrived",
    )  # fmt: skip
    assert modelless("due", "What is for lunch?").stderr.startswith("Nothing comes to mind on")


def test_without_a_day_or_condition_it_stands_in_the_ledger_and_says_so(modelless: Cli) -> None:
    assert "--due and --when" in modelless("commitments", "add", TENT).stderr
    assert TENT in modelless("commitments").stdout


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("add", "…"), 2, "says nothing"),
        (("add", TENT, "--due", "?!"), 2, "names no day"),
        (("keep", "c0"), 1, "no commitment 'c0'"),
        (("reopen", "c0"), 1, "no commitment 'c0'"),
    ],
)
def test_what_cannot_be_done_is_one_line_that_says_why(
    modelless: Cli, args: tuple[str, ...], code: int, says: str
) -> None:
    assert says in modelless("commitments", *args, code=code).stderr


def test_what_was_dropped_is_neither_kept_nor_entered_again_unless_it_is_reopened(
    modelless: Cli,
) -> None:
    id = _add(modelless, TENT)["id"]
    modelless("commitments", "drop", id)
    for args in (("keep", id), ("add", TENT)):
        assert "reopen" in modelless("commitments", *args, code=2).stderr


def test_cues_are_imagined_for_it_by_the_next_retain_with_a_model(cli: Cli) -> None:
    _add(cli, TENT, "--when", "the tent is dry")
    cli("retain", "-", "--no-foresight", input=chats("Tea suits me best"))
    assert cli.asked()["Reminders"] == 0
    cli("foresee")
    assert cli.asked()["Reminders"] == 1
    assert cli.json("commitments")["commitments"][0]["foreseen"]


@pytest.mark.parametrize(
    "args", [("due", "--on"), ("recall", "tea", "--now"), ("commitments", "add", TENT, "--due")]
)
def test_a_day_that_is_empty_is_refused_by_a_line_that_says_what_to_give(
    modelless: Cli, args: tuple[str, ...]
) -> None:
    said = modelless(*args, "", code=2).stderr
    assert said.startswith(f"{args[-1]}: ") and "such as 2025-03-" in said
