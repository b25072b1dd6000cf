"""`--augment model`: the request is rewritten first, and it is shown to what."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.flows.cli.bench import Cli, chats, obedient
from tests.flows.openai_stub import Said

FACT = "My cat Mog drinks green tea"
ASKED = "What did the cat drink when the year was young?"
QUERY = "The cat drinks green tea"
DAYS = "2025-01-01…2025-01-31 (as a model read them)"


@pytest.fixture
def known(cli: Cli) -> Cli:
    """A bank that knows one thing, and a model that rewrites each question to one."""
    cli("retain", "-", input=chats(FACT))
    said = {
        "request": ASKED, "query": QUERY, "first_day": "2025-01-01", "last_day": "2025-01-31",
        "tense": "past", "subjectivity": None, "certainty": "certain",
    }  # fmt: skip

    def script(schema: str, request: dict[str, Any]) -> str:
        return json.dumps(said) if schema == "Rewrite" else obedient(schema, request)

    assert cli.stub is not None
    cli.stub.script = script
    return cli


def test_recall_explains_what_a_query_was_rewritten_to_and_who_read_its_days(known: Cli) -> None:
    asked = known.asked()
    shown = known("recall", ASKED, "--augment", "model", "--explain").stdout
    for part in (f"request: {ASKED}", f"searched for: {QUERY}", "facts wanted: past, certain",
                 f"days: {DAYS}", f"temporal: {DAYS}"):  # fmt: skip
        assert part in shown
    assert known.asked() - asked == {"Rewrite": 1}
    rewriting = known.json("recall", ASKED, "--augment", "model")["rewriting"]
    assert (rewriting["query"], rewriting["days"]) == (QUERY, ["2025-01-01", "2025-01-31"])


def test_recall_calls_no_model_unless_it_is_to_rewrite(known: Cli, modelless: Cli) -> None:
    asked = known.asked()
    assert known.json("recall", ASKED)["rewriting"] is None
    assert known.asked() == asked
    said = modelless("recall", ASKED, "--augment", "model", code=1).stderr.strip()
    assert "\n" not in said and "FORETHOUGHT_MODEL" in said


@pytest.mark.parametrize("reply", ["no", Said("gone", status=400)])
def test_recall_finds_by_the_query_itself_what_no_model_rewrites(known: Cli, reply: Any) -> None:
    assert known.stub is not None
    known.stub.script = lambda schema, request: reply
    found = known("recall", ASKED, "--augment", "model")
    assert FACT in found.stdout
    assert "the request stays as it was said: rewrite: openai:stub" in found.stderr


def test_an_answer_is_traced_with_what_the_request_was_rewritten_to(known: Cli) -> None:
    told = ("ask", ASKED, "--mode", "recall", "--augment", "model")
    shown = known(*told, "--trace").stdout
    for part in (f"searched for: {QUERY}", f"days: {DAYS}", f"temporal: {DAYS}"):
        assert part in shown
    answer = known.json(*told)
    assert answer["rewriting"]["query"] == QUERY
    assert answer["usage"]["calls"] == 2


def test_in_a_chat_the_conversation_so_far_is_part_of_it(known: Cli) -> None:
    asked = known.asked()
    known("chat", "--mode", "recall", "--augment", "model", input="Tea?\nAnd when?\n")
    assert (known.asked() - asked)["Rewrite"] == 2
    assert known.stub is not None
    prompts = [str(request["messages"]) for request in known.stub.requests]
    assert any("user: Tea?" in said and "And when?" in said for said in prompts)
