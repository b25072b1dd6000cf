from __future__ import annotations

from tests.flows.cli.bench import Cli


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
