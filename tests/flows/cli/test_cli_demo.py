from __future__ import annotations

import json
import shlex

import pytest

from forethought.evals.demo import read_demo
from tests.flows.cli.bench import Cli

NEEDED = {
    "Has a father who will not pass the Falfurrias checkpoint while his green-card renewal is "
    "pending",
    "Has a grandmother, Abuela Chela, on dialysis in McAllen every Monday, Wednesday and Friday",
    "Has a brother, Beto, who reports to Fort Jackson for basic training on 6/23",
    "Signed a lease that lets no more than two guests sleep over",
}


@pytest.fixture
def demonstrated(modelless: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The bundled embedder, on which the demo's recorded answer counts, and no model."""
    monkeypatch.undo()
    return Cli(modelless.directory / "my own")


@pytest.mark.slow
def test_the_demo_finds_what_matters_and_its_answer_rests_on_it(demonstrated: Cli) -> None:
    result = demonstrated("demo")
    assert "recorded ones" in result.stderr and "46 sessions: 107 facts, 535 cues" in result.stderr
    for amiss in ("removed", "corrected", "not summed up"):
        assert amiss not in result.stderr
    for part in ("30th anniversary", "imagine  12 steps", "└── A", "|Δ|", "ranking"):
        assert part in result.stdout
    own = shlex.split(result.stderr.splitlines()[-1])[-4:]
    assert own == ["--data-dir", str(demonstrated.directory / "demo"), "--bank", "marisol"]
    told = demonstrated.json("trace", *own)["runs"]
    answer = demonstrated.json("trace", told[0]["run"], *own)["result"]
    texts = {hit["fact"]["id"]: hit["fact"]["text"] for hit in answer["hits"]}
    assert {texts[fact] for fact in answer["cited"]} >= NEEDED
    assert answer["notes"] == []
    found = demonstrated.json("show", answer["cited"][0], *own)
    assert found["cues"] and found["sources"][0]["turns"]


def test_the_demo_never_empties_a_directory_that_holds_something_else(cli: Cli) -> None:
    (cli.directory / "demo").mkdir(parents=True)
    precious = cli.directory / "demo" / "thesis.txt"
    precious.write_text("years of work")
    assert "thesis.txt" in cli("demo", code=2).stderr
    assert precious.read_text() == "years of work"


def test_with_a_model_the_demo_uses_it_and_says_so(cli: Cli) -> None:
    result = cli("demo", "--json")
    assert "The model is openai:stub" in result.stderr
    assert cli.asked()["Extraction"] == 46
    assert json.loads(result.stdout)["answer"].startswith("The cat likes tea")
    assert not (cli.directory / "forethought.db").exists()


def test_every_recorded_fact_names_turns_of_the_user_that_say_it() -> None:
    demo = read_demo()
    talks = {talk.key: talk for talk in demo.conversations}
    assert len(talks) == 46
    for recorded in demo.extracted:
        turns = talks[recorded.session].turns
        for fact in recorded.facts:
            assert fact.turns
            assert all(turns[int(label[1:]) - 1].role == "user" for label in fact.turns)
