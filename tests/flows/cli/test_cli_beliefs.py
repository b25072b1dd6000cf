from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from forethought.memory import ids
from forethought.memory.beliefs.types import Judgement, Opinion
from forethought.memory.records.sqlite import SqliteRecords
from tests.flows.cli.bench import BANK, Cli, chats

FORMED = datetime(2024, 12, 24, tzinfo=UTC)
TEA = "Tea suits them best, since they drink nothing else"
LESS = "Tea suits them, though coffee is coming up"
SAID = ("Tea suits me best, nothing else", "Coffee is fine too")
OPINION = Opinion(ids.opinion_id(BANK, TEA), BANK, TEA, 0.7, FORMED, TEA, 0.7, ("Tea",))


async def _hold(cli: Cli, *judgements: Judgement) -> None:
    records = await SqliteRecords.open(cli.directory)
    try:
        await records.hold(BANK, [OPINION])
        await records.judge(BANK, judgements)
    finally:
        await records.close()


@pytest.fixture
def told(cli: Cli) -> Cli:
    """A bank with an opinion that one of its facts speaks for, and another against."""
    cli("retain", "-", "--no-foresight", input=chats("I am new here"))
    asyncio.run(_hold(cli))
    cli("retain", "-", "--no-foresight", input=chats(*SAID).replace("chat", "talk"))
    facts = {fact["text"]: fact["id"] for fact in cli.json("show", "facts")["facts"]}
    against = Judgement(OPINION.id, "contradict", FORMED.replace(month=12, day=31), facts[SAID[1]])
    asyncio.run(_hold(cli, replace(against, text=LESS)))
    return cli


def test_opinions_are_listed_with_how_sure_and_about_what(told: Cli) -> None:
    (found,) = told.json("opinions")["opinions"]
    assert (found["text"], found["confidence"], found["entities"]) == (LESS, 0.6, ["Tea"])
    assert f"0.60  2×     Tea    {LESS}" in told("opinions").stdout


def test_an_opinion_prints_its_trajectory_with_every_fact_and_wording(told: Cli) -> None:
    shown = told("opinions", OPINION.id).stdout
    facts = {fact["text"]: fact["id"] for fact in told.json("show", "facts")["facts"]}
    lines = [line.strip() for line in shown.splitlines()]
    assert f"2024-12-24  formed at 0.70: {TEA}" in lines
    up, down = (line for line in lines if "→" in line)
    assert up.endswith(f"0.70 → 0.80  reinforce by {SAID[0]} ({facts[SAID[0]]})")
    assert down == f"2024-12-31  0.80 → 0.60  contradict by {SAID[1]} ({facts[SAID[1]]})"
    assert lines[-1] == f"reads now: {LESS}"
    data = told.json("opinions", OPINION.id)
    assert [(step["before"], step["after"]) for step in data["opinion"]["steps"]] == [
        (0.7, 0.8), (0.8, 0.6),
    ]  # fmt: skip
    assert data["facts"] == {facts[text]: text for text in SAID}


def test_an_unknown_opinion_is_named_with_what_lists_them(cli: Cli) -> None:
    said = cli("opinions", "o123", code=1).stderr
    assert "has no opinion 'o123'" in said
    assert "`forethought opinions`" in said


def test_a_bank_without_opinions_and_observations_says_so(modelless: Cli) -> None:
    assert "no opinion yet" in modelless("opinions").stderr
    assert modelless.json("opinions")["opinions"] == []
    assert "Nothing is summed up" in modelless("observations").stderr
    assert modelless.json("observations")["observations"] == []


def test_observations_are_listed_with_their_days_and_topics_recalled_by_the_dual_path(
    cli: Cli,
) -> None:
    said = [f"I drink tea with my old neighbour on day {n}" for n in range(3)]
    cli("retain", "-", "--no-foresight", input=chats(*said))
    (found,) = cli.json("observations")["observations"]
    assert (found["about"], found["text"]) == ("topic", "Tea comes up again and again")
    assert (found["occurred_from"], found["occurred_to"]) == ("2025-01-01", "2025-01-03")
    assert "2025-01-01  2025-01-03" in cli("observations").stdout
    asked = ("recall", "Does tea come up again?", "--phi", "dual")
    assert cli.json(*asked)["observations"] == [found]
    assert "Tea comes up again and again" in cli(*asked).stdout
    assert cli.json("recall", "Does tea come up again?")["observations"] == []
