from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from forethought.memory.beliefs.types import USER, Observation
from forethought.memory.records.sqlite import SqliteRecords
from tests.flows.cli.bench import BANK, Cli, chats

MADE = datetime(2025, 6, 1, tzinfo=UTC)


def test_a_profile_is_neutral_until_it_is_set(modelless: Cli) -> None:
    data = modelless.json("profile")
    assert data["profile"]["disposition"] == {
        "skepticism": 3, "literalism": 3, "empathy": 3, "bias": 0.2,
    }  # fmt: skip
    assert data["said"] == ""
    assert modelless.json("profile", "show") == data


def test_what_is_set_stays_and_the_rest_is_left_as_it_was(modelless: Cli) -> None:
    modelless("profile", "set", "--name", "Ada", "--skepticism", "5")
    shown = modelless("profile", "set", "--bias", "1", "--background", "I live in Bergen.").stdout
    assert "name: Ada" in shown
    assert "disposition: skepticism 5, literalism 3, empathy 3, bias 1" in shown
    assert "Your name is Ada. What you say of yourself: I live in Bergen." in shown
    other = modelless.json("profile", "--bank", "bob")["profile"]
    assert (other["name"], other["disposition"]["skepticism"]) == ("", 3)


def test_a_value_out_of_range_is_refused_with_its_range_and_sets_nothing(modelless: Cli) -> None:
    refused = modelless("profile", "set", "--name", "Ada", "--empathy", "6", code=2)
    assert "profile.empathy: expected a whole number from 1 to 5, found 6" in refused.stderr
    assert "from 0 to 1" in modelless("profile", "set", "--bias", "-0.5", code=2).stderr
    assert "nothing to set" in modelless("profile", "set", code=2).stderr
    assert modelless.json("profile")["profile"]["name"] == ""


def test_without_a_model_a_background_can_be_written_and_not_merged(modelless: Cli) -> None:
    said = modelless("profile", "background", "You were born in Texas", code=1).stderr
    assert "FORETHOUGHT_MODEL" in said
    assert "`forethought profile set --background TEXT`" in said


def test_a_snippet_is_merged_by_the_model(cli: Cli) -> None:
    data = cli.json("profile", "background", "You were born in Texas")
    assert data["profile"]["background"] == "I was born in Texas."
    assert data["usage"]["calls"] == 1
    assert cli.json("profile")["profile"] == data["profile"]


def test_the_user_profile_is_shown_by_its_sides_and_is_not_the_assistants(cli: Cli) -> None:
    cli("retain", "-", "--no-foresight", input=chats("I eat no meat"))
    fact = cli.json("show", "facts")["facts"][0]
    said = {"attributes": ("A nurse", "A twin"), "preferences": ("Vegan",)}
    made = [
        Observation(f"b{text}", BANK, USER, "user", f"user: {side}", text, (fact["id"],), MADE)
        for side, texts in said.items()
        for text in texts
    ]
    asyncio.run(_observe(cli, made))
    shown = cli("profile", "user")
    assert shown.stdout.splitlines() == [
        "attributes", "  A nurse (bA nurse)", "  A twin (bA twin)", "preferences",
        "  Vegan (bVegan)",
    ]  # fmt: skip
    assert "From 1 facts, 2025-06-01" in shown.stderr
    assert [one["text"] for one in cli.json("profile", "user")["user_profile"]] == [
        "A nurse", "A twin", "Vegan",
    ]  # fmt: skip
    assert "user: preferences" in cli("observations").stdout
    assert "Vegan" not in cli("profile").stdout


def test_without_lasting_facts_there_is_no_user_profile_and_it_says_what_makes_one(
    modelless: Cli,
) -> None:
    assert "five lasting facts" in modelless("profile", "user").stderr
    assert modelless.json("profile", "user")["user_profile"] == []


async def _observe(cli: Cli, made: list[Observation]) -> None:
    records = await SqliteRecords.open(cli.directory)
    try:
        await records.observe(BANK, USER, made)
    finally:
        await records.close()
