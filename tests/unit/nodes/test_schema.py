from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from forethought.nodes.schema import LONGEST_BOUND, wire_schema
from forethought.prompts import (
    background,
    consolidate,
    extract,
    foresee,
    observe,
    prospection,
    reflect,
    reinforce,
    remind,
    rewrite,
    summarise,
    user_profile,
)
from forethought.prompts.prompt import Answer

ANSWERS: list[type[Answer]] = [
    background.Background,
    consolidate.Merged,
    extract.Extraction,
    foresee.Foresight,
    observe.Observed,
    prospection.Chain,
    prospection.Tree,
    reflect.Reflection,
    reinforce.Verdicts,
    remind.Reminders,
    rewrite.Rewrite,
    summarise.Summary,
    user_profile.UserProfile,
]


def _bounds(node: Any, key: str) -> list[int]:
    """All values of `key` in a schema, wherever they stand."""
    if isinstance(node, list):
        return [value for item in node for value in _bounds(item, key)]
    if not isinstance(node, dict):
        return []
    here = [node[key]] if isinstance(node.get(key), int) else []
    return here + [value for item in node.values() for value in _bounds(item, key)]


def test_every_answer_model_is_in_this_list() -> None:
    inner = {"ExtractedFact", "NamedEntity", "SaidLink", "FactCues", "TreeStep", "ChainStep",
             "FormedOpinion", "PairVerdict", "SaidCommitment", "SaidSettlement",
             "CommitmentCues"}  # fmt: skip
    ours = {
        kind.__name__
        for kind in Answer.__subclasses__()
        if "forethought.prompts" in kind.__module__
    }
    assert ours - inner == {answer.__name__ for answer in ANSWERS}


@pytest.mark.parametrize("answer", ANSWERS)
def test_no_bound_is_sent_that_a_grammar_of_llama_cpp_cannot_hold(answer: type[Answer]) -> None:
    schema = wire_schema(answer)
    bounds = [bound for key in ("maxLength", "maxItems") for bound in _bounds(schema, key)]
    assert all(bound <= LONGEST_BOUND for bound in bounds)
    kept = [b for b in _bounds(answer.model_json_schema(), "maxLength") if b <= LONGEST_BOUND]
    assert _bounds(schema, "maxLength") == kept


@pytest.mark.parametrize("answer", ANSWERS)
def test_nothing_else_is_taken_from_the_schema(answer: type[Answer]) -> None:
    whole, sent = answer.model_json_schema(), wire_schema(answer)
    assert sent["required"] == whole["required"]
    assert sent["properties"].keys() == whole["properties"].keys()
    assert sent.get("$defs", {}).keys() == whole.get("$defs", {}).keys()
    assert _bounds(sent, "maxItems") == _bounds(whole, "maxItems")


def test_a_reply_beyond_a_bound_that_was_not_sent_is_refused_all_the_same() -> None:
    assert not _bounds(wire_schema(summarise.Summary), "maxLength")
    with pytest.raises(ValidationError, match="at most 3000 characters"):
        summarise.Summary(summary="x" * 3001)
