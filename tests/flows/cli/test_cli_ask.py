from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.flows.cli.bench import Cli, chats, obedient
from tests.flows.openai_stub import Said
from tests.unit.memory import tiny_onnx

FACT = "My cat Mog drinks green tea"


@pytest.fixture
def known(cli: Cli) -> Cli:
    """A bank that knows one thing."""
    cli("retain", "-", input=chats(FACT))
    return cli


def test_an_answer_streams_and_cites_what_it_rests_on(known: Cli) -> None:
    result = known("ask", "What does the cat drink?")
    assert "The cat likes tea [f" in result.stdout
    assert f"(2025-01-01) {FACT}" in result.stdout
    assert "hidden thought" not in result.stdout


def test_as_json_an_answer_comes_with_all_that_it_rests_on(known: Cli) -> None:
    answer = known.json("ask", "What does the cat drink?", "--mode", "prospect")
    assert answer["answer"].startswith("The cat likes tea [f")
    assert answer["cited"] == [answer["hits"][0]["fact"]["id"]]
    assert [step["id"] for step in answer["steps"]] == ["A1", "A2"]
    assert answer["summary"] == "Tea led to the cat."
    assert answer["usage"]["calls"] == 4
    assert answer["usage"]["input_tokens"] == 40
    assert answer["run"].startswith("r")


def test_an_invented_citation_is_removed_and_named(known: Cli) -> None:
    _answering(known, "Tea [f000000000000].")
    result = known("ask", "What does the cat drink?")
    assert "f000000000000" in result.stderr
    assert "was corrected" in result.stderr


def test_a_trace_shows_the_tree_the_hits_and_what_each_step_cost(known: Cli) -> None:
    shown = known("ask", "What does the cat drink?", "--mode", "prospect", "--trace").stdout
    for part in ("imagine  2 steps · 1 call, 10 + ", "└── A2 feed the cat", "|Δ|", "round 1"):
        assert part in shown
    assert shown.index("A1 pour the tea") < shown.index("round 0") < shown.index("ranking")


def test_with_json_the_trace_stands_on_standard_error(known: Cli) -> None:
    result = known("ask", "What does the cat drink?", "--mode", "prospect", "--trace", "--json")
    assert "└── A2 feed the cat" in result.stderr
    assert result.stdout.startswith("{")


def test_every_setting_of_a_question_can_be_given(known: Cli) -> None:
    settings = {
        "--mode": "prospect", "--now": "2025-02-01", "--shape": "chain", "--rounds": "0",
        "--limit": "3", "--probe-k": "2", "--tau": "0.1", "--tau0": "0.9", "--augment": "off",
        "--delta": "2", "--max-calls": "9", "--budget": "500",
    }  # fmt: skip
    given = [part for item in settings.items() for part in item]
    given += ["--term", "salience=0.5", "--term", "prospective=0"]
    answer = known.json("ask", "What does the cat drink?", *given, "--no-foresight")
    context: dict[str, Any] = known.json("trace", answer["run"])["context"]
    assert context["shape"] == "chain" and context["max_rounds"] == 0 and context["foresight"] == 0
    assert (context["probe_k"], context["tau"], context["tau0"]) == (2, 0.1, 0.9)
    assert (context["limit"], context["budget"]) == (3, 500)
    assert (context["augment"], context["delta"], context["max_calls"]) == ("off", 2, 9)
    assert context["terms"] == {"salience": 0.5, "prospective": 0}
    assert answer["rounds"] == 0 and answer["usage"]["calls"] == 3


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("salience", "expected NAME=WEIGHT, such as salience=0.3; there are prospective, salience"),
        ("salience=high", "expected NAME=WEIGHT"),
        ("mood=1", "expected any of prospective, salience, profile, dimensions by name"),
        ("profile=2", "terms.profile: expected a weight from 0 (off) to 1, found 2.0"),
    ],
)
def test_a_term_that_is_none_is_refused_with_what_there_is(
    modelless: Cli, given: str, says: str
) -> None:
    assert says in " ".join(modelless("recall", "tea", "--term", given, code=2).stderr.split())


def test_recall_weighs_facts_as_it_is_told_and_explains_it(known: Cli) -> None:
    weighed = known.json("recall", "What does the cat drink?", "--term", "salience=1")
    (hit,) = weighed["hits"]
    assert hit["terms"]["salience"] > 0
    shown = known("recall", "What does the cat drink?", "--term", "salience=1", "--explain").stdout
    assert "salience" in shown


def test_recall_mode_answers_with_one_call(known: Cli) -> None:
    answer = known.json("ask", "What does the cat drink?", "--mode", "recall")
    assert answer["usage"]["calls"] == 1 and answer["cited"]


def test_without_a_model_ask_says_so_in_one_line(modelless: Cli) -> None:
    said = modelless("ask", "Anything?", code=1).stderr.strip()
    assert "\n" not in said
    for part in ("FORETHOUGHT_MODEL", "FORETHOUGHT_BASE_URL", "forethought demo"):
        assert part in said


def test_a_model_that_refuses_ends_the_ask_with_its_words(known: Cli) -> None:
    assert known.stub is not None
    known.stub.script = lambda schema, request: Said("the key is wrong", status=401)
    assert "the key is wrong" in known("ask", "What?", code=1).stderr
    (newest, *_) = known.json("trace")["runs"]
    told = known.json("trace", newest["run"])
    assert told["result"] is None and "the key is wrong" in told["failures"][0]


@pytest.mark.parametrize(("mode", "calls"), [("recall", 1), ("prospect", 3)])
def test_a_run_that_ends_in_an_error_says_what_was_paid_before_it(
    known: Cli, mode: str, calls: int
) -> None:
    assert known.stub is not None
    known.stub.script = lambda schema, request: (
        obedient(schema, request) if schema else Said("the key is wrong", status=401)
    )
    before = len(known.stub.requests)
    said = known("ask", "What tea?", "--mode", mode, "--rounds", "0", code=1).stderr
    assert len(known.stub.requests) - before == calls
    (newest, *_) = known.json("trace")["runs"]
    usage = known.json("trace", newest["run"])["usage"]
    tokens = f", {usage['input_tokens']} + {usage['output_tokens']} tokens" if calls > 1 else ""
    assert usage["calls"] == calls and usage["input_tokens"] == 10 * (calls - 1)
    paid = f"aid by then: {calls} call{'s' if calls > 1 else ''}{tokens}\n"
    assert paid in said and paid in known("trace", newest["run"]).stderr


def test_recall_of_nothing_is_refused(modelless: Cli) -> None:
    assert "say what to look for" in modelless("recall", " ", code=2).stderr


def test_recall_needs_no_model_and_says_which_cue_found_a_fact(known: Cli, modelless: Cli) -> None:
    shown = modelless("recall", "Lend a hand, #1?").stdout
    assert FACT in shown and "you may one day ask: Lend a hand, #1?" in shown
    assert "you may one day ask" not in modelless("recall", "Lend", "--no-foresight").stdout


def test_recall_ends_where_the_budget_does_and_says_so(cli: Cli) -> None:
    cli("retain", "-", input=chats(FACT, "She likes the cat", "Coffee"))
    shown = cli("recall", FACT, "--budget", "40", "--json")
    assert [hit["fact"]["text"] for hit in json.loads(shown.stdout)["hits"]] == [FACT]
    assert "2 more did not fit into 40 tokens (--budget)" in shown.stderr
    assert "did not fit" not in cli("recall", FACT).stderr


def test_a_reranker_rereads_what_recall_found(cli: Cli, tmp_path: Path) -> None:
    cli("retain", "-", input=chats("tea", "she likes the cat", "coffee"))
    cli.env["FORETHOUGHT_RERANKER"] = str(tiny_onnx.write(tmp_path / "reranker"))
    hits = cli.json("recall", "what does the cat drink")["hits"]
    assert hits[0]["fact"]["text"] == "she likes the cat"
    assert all(hit["score"] == hit["terms"]["rerank"] for hit in hits)
    assert hits[0]["score"] > hits[1]["score"] == hits[2]["score"]


def test_a_reranker_that_is_not_there_is_named_in_one_line(cli: Cli, tmp_path: Path) -> None:
    cli.env["FORETHOUGHT_RERANKER"] = str(tmp_path / "nowhere")
    said = cli("recall", "tea", code=2).stderr.strip()
    assert "nowhere" in said and "no model.onnx and no tokenizer.json" in said
    assert "\n" not in said


def test_facts_said_later_are_not_recalled(known: Cli) -> None:
    assert known.json("recall", "tea", "--now", "2024-12-31")["hits"] == []
    assert known.json("recall", "tea", "--now", "2025-01-01")["hits"]


def test_sessions_that_are_dated_ahead_of_the_clock_are_named_with_what_finds_them(
    known: Cli,
) -> None:
    known("retain", "-", "--date", "2090-01-01", input='{"role": "user", "content": "I am old"}')
    for command in ("recall", "ask"):
        said = known(command, "Mog").stderr
        assert "1 of its sessions are dated after this moment, up to 2090-01-01" in said
        assert "dated after" not in known(command, "Mog", "--now", "2025-02-01").stderr
    assert "I am old" in known("recall", "I am old", "--now", "2090-02-01").stdout


def test_recalling_from_an_unknown_bank_names_the_known_ones(known: Cli) -> None:
    assert "there are ann" in known("recall", "tea", "--bank", "bob").stderr


def test_a_past_run_is_replayed_as_it_was_shown(known: Cli) -> None:
    live = known("ask", "What does the cat drink?", "--trace").stdout
    (newest, *_) = known.json("trace")["runs"]
    replayed = known("trace", newest["run"]).stdout
    steps = live[live.index("  1 listen") : live.index("The cat likes tea")].strip()
    assert steps in replayed
    assert "The cat likes tea" in replayed


def test_a_run_goes_on_from_any_of_its_steps_as_a_run_of_its_own(known: Cli) -> None:
    first = known.json("ask", "What does the cat drink?")
    asked = known.asked()
    _answering(known, "Only milk.")
    steps = known.json("trace", first["run"])["steps"]
    last = steps[-1]
    assert last["node"] == "answer"
    branch = known.json("trace", first["run"], "--from", str(last["step"]))
    assert branch["answer"] == "Only milk."
    assert branch["run"] != first["run"]
    assert known.asked() - asked == {"": 1}
    told = known.json("trace", branch["run"])
    assert told["origin"] == f"{first['run']} step {last['step']}"
    assert [step["step"] for step in told["steps"]] == [step["step"] for step in steps]
    twice = known.json("trace", branch["run"], "--from", "2")
    assert twice["answer"] == "Only milk." and twice["hits"] == first["hits"]
    assert known.json("trace", first["run"])["result"]["answer"] == first["answer"]


def test_going_on_from_a_step_that_was_not_taken_lists_those_that_were(known: Cli) -> None:
    run = known.json("ask", "What?")["run"]
    assert "1 listen, 2 due, 3 views, 4 gate" in known("trace", run, "--from", "99", code=2).stderr


def test_no_option_allows_what_a_run_refuses(known: Cli) -> None:
    for option in ("--max-calls", "--limit", "--budget", "--probe-k", "--delta"):
        refused = known("ask", "What?", option, "0", code=2).stderr
        assert f"Invalid value for '{option}'" in refused


def test_a_run_is_one_line_of_the_list_however_long_its_request_is(known: Cli) -> None:
    run = known.json("ask", "What does\nthe cat " + "drink " * 10_000)["run"]
    (line,) = [line for line in known("trace").stdout.splitlines() if run in line]
    assert "What does the cat drink" in line
    assert len(known("trace").stdout) < 1000


def test_going_on_from_a_step_of_no_run_is_refused(known: Cli) -> None:
    assert "--from needs a run" in known("trace", "--from", "2", code=2).stderr


def test_an_unknown_run_is_an_error(known: Cli) -> None:
    assert "forethought trace" in known("trace", "r20200101-000000", code=1).stderr
    assert "no run" in known("trace", "../../etc/passwd", code=2).stderr


def test_what_was_said_cannot_steer_the_terminal(cli: Cli) -> None:
    cli("retain", "-", input=chats("My cat \x1b[2J\x1b]0;owned\x07 drinks [bold]tea[/bold]"))
    for command in (("recall", "cat"), ("show", "facts"), ("ask", "cat?", "--trace")):
        shown = cli(*command).stdout
        assert "\x1b" not in shown and "\x07" not in shown
        assert "[bold]tea[/bold]" in shown


def _answering(cli: Cli, answer: str) -> None:
    assert cli.stub is not None
    before = cli.stub.script
    cli.stub.script = lambda schema, request: before(schema, request) if schema else answer


def test_runs_are_not_shared_between_banks(known: Cli, tmp_path: Path) -> None:
    known("ask", "What?")
    assert known.json("trace", "--bank", "bob")["runs"] == []


def test_recall_shows_turns_after_the_facts_and_says_so_where_there_are_no_facts(cli: Cli) -> None:
    cli.stub = None
    cli("retain", "-", input=chats(FACT, "The ferry was late"))
    shown = cli("recall", "Which tea does the cat drink?")
    assert "[t" in shown.stdout and f"2025-01-01 user: {FACT}" in " ".join(shown.stdout.split())
    assert "no facts were found: these are turns of the log" in shown.stderr
    found = cli.json("recall", "Which tea does the cat drink?", "--turns", "1")
    (said,) = found["turns"]
    assert (said["turn"]["text"], said["key"], found["hits"]) == (FACT, "chat1", [])
    assert cli.json("recall", "tea", "--phi", "dense")["turns"] == []


def test_recall_explains_each_hit_by_its_rank_in_every_channel(known: Cli) -> None:
    known("retain", "-", input=json.dumps({
        "id": "late", "date": "2025-01-05",
        "messages": [{"role": "assistant", "content": "Green tea is best at noon"}],
    }))  # fmt: skip
    query = ("recall", "Which green tea did the cat drink in January 2025?")
    found = known.json(*query)
    (hit,), (said,) = found["hits"], found["turns"]
    assert hit["ranks"] == dict.fromkeys(("semantic", "foresight", "keyword", "log", "temporal"), 1)
    assert {"text", "cue", "keyword", "log", "temporal"} <= set(hit["terms"])
    assert said["turn"]["text"] == "Green tea is best at noon"
    assert found["read"]["temporal"] == "2025-01-01…2025-01-31"
    shown = known(*query, "--explain").stdout
    for part in (
        "temporal: 2025-01-01…2025-01-31",
        "semantic",
        "keyword",
        "#1",
        "meaning",
        "words",
    ):
        assert part in shown
