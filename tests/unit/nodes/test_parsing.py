"""From what a model wrote to what was asked for: laws of the parser, with no model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forethought.nodes.parsing import Parsed, Unfit, parse, without_thinking
from forethought.prompts.consolidate import Merged
from forethought.prompts.extract import ExtractedFact, Extraction
from forethought.prompts.foresee import FactCues, Foresight
from forethought.prompts.prompt import Answer
from forethought.prompts.prospection import Chain, Tree
from forethought.prompts.remind import CommitmentCues, Reminders
from forethought.prompts.rewrite import Rewrite
from forethought.prompts.summarise import Summary

ANSWERS: list[type[Answer]] = [Extraction, Foresight, Tree, Chain, Summary, Merged, Rewrite,
                               Reminders]  # fmt: skip

PIECES = ['{"facts":', "[", "]", "{", "}", '"', ",", ":", "null", "<think>", "</think>", '"text"']
PIECES += ["1e999", "NaN", "\\ud800", "```", "-", "1"]

noise = st.text(st.characters(exclude_categories=[]), max_size=30)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | noise,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(noise, inner, max_size=4),
    max_leaves=12,
)
words = st.text("abc 猫é'\"\\\n", min_size=1, max_size=12).filter(str.strip)
facts = st.lists(
    st.fixed_dictionaries(
        {"text": words, "kind": st.sampled_from(["Event", "goal", " IDENTITY "])},
        optional={"turns": st.lists(st.sampled_from(["T1", "T2", 3]), max_size=3)},
    ).map(lambda item: {"turns": ["T1"], **item}),
    min_size=1,
    max_size=4,
)


@given(st.text(st.characters(exclude_categories=[])))
@settings(max_examples=200)
def test_any_text_is_parsed_or_unfit(text: str) -> None:
    for answer in ANSWERS:
        outcome = parse(text, answer)
        assert isinstance(outcome, Parsed | Unfit)
        assert isinstance(outcome, Parsed) or outcome.reason


@given(json_values)
@settings(max_examples=200)
def test_any_json_is_parsed_or_unfit(value: Any) -> None:
    for answer in ANSWERS:
        assert isinstance(parse(json.dumps(value), answer), Parsed | Unfit)


@given(st.lists(st.sampled_from(PIECES)))
@settings(max_examples=200)
def test_any_heap_of_brackets_is_parsed_or_unfit(pieces: list[str]) -> None:
    for answer in ANSWERS:
        assert isinstance(parse("".join(pieces), answer), Parsed | Unfit)


@given(facts, noise.filter(lambda text: not set("{[<") & set(text)), noise)
def test_a_whole_answer_is_found_whatever_stands_around_it(
    facts: list[dict[str, Any]], before: str, after: str
) -> None:
    whole = json.dumps({"facts": facts})
    outcome = parse(before + whole + after.replace("{", "").replace("[", ""), Extraction)
    assert isinstance(outcome, Parsed)
    assert outcome.dropped == 0
    assert [fact.text for fact in outcome.value.facts] == [fact["text"].strip() for fact in facts]


@given(facts, st.lists(json_values, max_size=3))
def test_items_that_do_not_fit_are_dropped_and_counted(
    facts: list[dict[str, Any]], junk: list[Any]
) -> None:
    mixed = [*junk, *facts]
    fitting = [item for item in mixed if isinstance(parse(json.dumps([item]), Extraction), Parsed)]
    outcome = parse(json.dumps({"facts": mixed}), Extraction)
    assert isinstance(outcome, Parsed)
    assert len(outcome.value.facts) == len(fitting)
    assert outcome.dropped == len(mixed) - len(fitting)


@given(facts)
def test_a_bare_list_is_the_answers_only_list(facts: list[dict[str, Any]]) -> None:
    assert parse(json.dumps(facts), Extraction) == parse(json.dumps({"facts": facts}), Extraction)


@given(words, words)
def test_thinking_is_no_part_of_the_reply(thought: str, said: str) -> None:
    assert without_thinking(f"<think>{thought}</think>{said}") == said.strip()
    assert without_thinking(f"{said}<THINKING>{thought}") == said.strip()
    assert without_thinking(said) == said.strip()


def _tree(*actions: str) -> str:
    return json.dumps({"steps": [{"action_id": "A1", "action": action} for action in actions]})


def test_a_whole_answer_later_is_preferred_to_part_of_one_before() -> None:
    partial = '{"steps": [{"action_id": "A1", "action": "Go"}, {"nonsense": 1}]}'
    outcome = parse(f"{partial} or rather {_tree('Stay')}", Tree)
    assert isinstance(outcome, Parsed)
    assert [step.action for step in outcome.value.steps] == ["Stay"]
    assert parse(partial, Tree) == Parsed(outcome.value.__class__.model_validate(
        {"steps": [{"action_id": "A1", "action": "Go"}]}), dropped=1)  # fmt: skip


def test_brackets_in_prose_are_no_answer() -> None:
    outcome = parse(f"Some {{}} and [] and [1] first: {_tree('Go')}", Tree)
    assert isinstance(outcome, Parsed)
    empty = parse(f"There are [] in prose: {json.dumps({'facts': [_fact()]})}", Extraction)
    assert isinstance(empty, Parsed)
    assert len(empty.value.facts) == 1


def _fact(**fields: Any) -> dict[str, Any]:
    return {"text": "Miso", "kind": "Event", "turns": ["T1"], **fields}


def test_an_echoed_schema_is_named() -> None:
    for answer in ANSWERS:
        outcome = parse(json.dumps(answer.model_json_schema()), answer)
        assert isinstance(outcome, Unfit)
        assert "schema" in outcome.reason


def test_the_reason_names_the_place_and_not_the_value() -> None:
    outcome = parse('{"summary": 12345}', Summary)
    assert isinstance(outcome, Unfit)
    assert "summary" in outcome.reason
    assert "12345" not in outcome.reason


def test_more_than_the_longest_list_is_cut_and_counted() -> None:
    outcome = parse(_tree(*(f"Go {n}" for n in range(30))), Tree)
    assert isinstance(outcome, Parsed)
    assert (len(outcome.value.steps), outcome.dropped) == (24, 6)


ANN = {"entities": [{"name": "Ann", "kind": "OTHER"}]}


@pytest.mark.parametrize(
    ("given", "answer", "expected"),
    [
        (_fact(turns="T1"), ExtractedFact, {"turns": ["T1"]}),
        (_fact(turns=[1, "2"]), ExtractedFact, {"turns": ["1", "2"]}),
        (_fact(kind="identity"), ExtractedFact, {"kind": "Identity"}),
        (_fact(entities="Miso"), ExtractedFact, {"entities": [{"name": "Miso", "kind": "OTHER"}]}),
        (_fact(entities=[{"kind": "PERSON"}, 5, {"name": "Ann"}]), ExtractedFact, ANN),
        (_fact(id=3), ExtractedFact, {"id": "3"}),
        (_fact(id=["F1"]), ExtractedFact, {"id": None}),
        (_fact(links="F1"), ExtractedFact, {"links": [{"kind": "", "of": "F1"}]}),
        (_fact(links=[{"kind": 4, "of": []}]), ExtractedFact, {"links": [{"kind": "4", "of": ""}]}),
        (_fact(links=None), ExtractedFact, {"links": []}),
        (_fact(), ExtractedFact, {"tense": None, "subjectivity": None, "certainty": None}),
        (
            _fact(tense=" Past", subjectivity="factual", certainty=["certain"]),
            ExtractedFact,
            {"tense": "past", "subjectivity": None, "certainty": None},
        ),
        ({"fact": "[3]", "cues": ["x"]}, FactCues, {"fact": 3}),
        ({"commitment": "C3", "cues": ["x"]}, CommitmentCues, {"commitment": 3}),
        ({"fact": "F3.", "cues": ["x"]}, FactCues, {"fact": 3}),
        (
            {"steps": [{"action_id": 1, "action": "Go", "constraints": ["a", 2], "parent": None}]},
            Tree,
            {"steps": [{"action_id": "1", "action": "Go", "constraints": "a, 2", "parent": None}]},
        ),
    ],
)
def test_small_slips_are_forgiven(
    given: dict[str, Any], answer: type[Answer], expected: dict[str, Any]
) -> None:
    found = answer.model_validate(given).model_dump()
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.__name__)
def test_every_text_and_every_list_of_an_answer_has_a_bound(answer: type[Answer]) -> None:
    def unbounded(node: Any, place: str = "") -> list[str]:
        if isinstance(node, list):
            return [bad for item in node for bad in unbounded(item, place)]
        if not isinstance(node, dict):
            return []
        kind, bad = node.get("type"), []
        if kind == "string" and not {"maxLength", "enum", "const"} & set(node):
            bad = [place]
        if kind == "array" and "maxItems" not in node:
            bad = [place]
        return bad + [
            found for key, item in node.items() for found in unbounded(item, f"{place}.{key}")
        ]

    assert unbounded(answer.model_json_schema()) == []


@given(json_values, json_values)
def test_whatever_stands_for_commitments_and_what_settles_them_costs_no_fact(
    made: Any, settled: Any
) -> None:
    reply = {"facts": [{"text": "a", "kind": "Event", "turns": ["T1"]}]}
    outcome = parse(json.dumps({**reply, "commitments": made, "settled": settled}), Extraction)
    assert isinstance(outcome, Parsed) and not outcome.dropped
    assert len(outcome.value.facts) == 1
    assert max(len(outcome.value.commitments), len(outcome.value.settled)) <= 12
    assert parse(json.dumps(reply), Extraction) == Parsed(Extraction(facts=outcome.value.facts))
