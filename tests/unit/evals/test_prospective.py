from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forethought.evals.prospective import run_prospective
from forethought.evals.prospective_report import ProspectiveReport
from forethought.evals.prospective_rows import threshold
from forethought.graphs.settings import Settings, load_settings
from forethought.memory.errors import InvalidInput
from tests.unit.evals import samples

METHODS = ["W=0", "W=0.3", "W=1", "floor", "extracted floor"]
COLUMNS = {
    f"{variant}/{stratum}"
    for variant in ("clean", "overloaded", "paraphrase")
    for stratum in ("hard", "easy")
} | {"resolved/fired", "false"}

CHAT = (
    "How do I get the squeak out of my office chair?",
    "Which biscuits travel well in a rucksack?",
    "Suggest a gentle novel for the train",
    "Is a fixed energy tariff worth it this winter?",
    "What glue holds glossy paper?",
    "Explain gross and net margin simply",
    "Five warm-up questions for a pub quiz, please",
)


def said(day: int, text: str) -> dict[str, str]:
    return {"date": f"2026-03-{day:02}", "text": text}


def blueprint(name: str, stated: str, constraint: dict[str, Any], *asked: str) -> dict[str, Any]:
    texts = [CHAT[0], stated, *CHAT[1:]]
    turns = [{"id": f"t{n}", **said(n, text)} for n, text in enumerate(texts, start=1)]
    clean, overloaded, paraphrase = (said(20, text) for text in asked)
    return {
        "id": name,
        "turns": turns,
        "constraint": {"turn": "t2", "due": None, "condition": None} | constraint,
        "trigger": clean,
        "overloaded": overloaded,
        "paraphrase": paraphrase,
        "resolution": {"insert_after": "t8", **said(15, "That's done now.")},
    }


TOWING = {
    "action": "do not tow until the clutch is rechecked",
    "kind": "trigger",
    "condition": "the user is about to tow something",
}
FORM = {"action": "hand in the form", "kind": "dated", "due": "2026-03-21"}
BLUEPRINTS = [
    blueprint(
        "tow",
        "The garage says no pulling anything with the estate until the bite point is rechecked",
        TOWING,
        "Dad's caravan has to be at the coast by noon and I'll haul it there, which way is quiet?",
        "A riddle, an egg timing, and a quiet road: I'm hauling Dad's caravan to the coast",
        "I promised to drag my father's tourer to the seaside, which road is calm?",
    ),
    blueprint(
        "form",
        "Sam's place is only kept if the form reaches the office by 21 March",
        FORM,
        "A free morning and a pot of coffee, how should I use it?",
        "A soup for six, a film for tonight, and how do I use a free morning?",
        "Nothing on until three, what comes off my plate?",
    ),
]
CUES = [
    "Dad's caravan needs to go to the coast, may I haul it?",
    "Which roads are quiet for towing a caravan to the seaside?",
    "Can I pull a trailer full of gravel home on Saturday?",
    "How do I hitch my father's caravan to the estate?",
    "We'd like to take the tourer to the coast at noon",
]
EXTRACTIONS = [
    {
        "id": "tow",
        "commitments": [{"turn": "t2", **TOWING, "cues": CUES}],
        "resolution_settles": [{"commitment": 0, "state": "kept"}],
    },
    {
        "id": "form",
        "commitments": [{"turn": "t2", **FORM, "cues": ["What is there to do today?"]}],
        "resolution_settles": [{"commitment": 0, "state": "dropped"}],
    },
]


def write(folder: Path, extractions: list[dict[str, Any]]) -> Path:
    samples.write_lines(folder / "extractions.jsonl", extractions)
    return samples.write_json(folder / "blueprints.json", BLUEPRINTS)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path / "home")


async def test_the_term_the_floor_and_the_ledger_are_measured_on_each_kind_of_trigger(
    settings: Settings, tmp_path: Path
) -> None:
    report = await run_prospective(write(tmp_path, EXTRACTIONS), settings=settings)
    methods = report.plain()["methods"]
    assert list(methods)[: len(METHODS)] == METHODS
    for name in METHODS:
        assert set(methods[name]) <= COLUMNS
        assert methods[name]["resolved/fired"] == 0
    recalls = [column for column in methods["floor"] if "/" in column and "res" not in column]
    for column in recalls:
        assert methods["floor"][column] == 1
        assert methods["W=0"][column] <= methods["W=0.3"][column] <= methods["W=1"][column]
        assert methods["extracted floor"][column] == 1
    assert report.plain()["one ledger"] == {"clean@3": 1, "overloaded@3": 1, "paraphrase@3": 1}
    assert report.table().row_count == len(methods)


async def test_a_commitment_that_was_not_settled_is_counted_as_still_firing(
    settings: Settings, tmp_path: Path
) -> None:
    unsettled = [{**line, "resolution_settles": []} for line in EXTRACTIONS]
    report = await run_prospective(write(tmp_path, unsettled).parent, settings=settings)
    assert report.methods["extracted floor"]["resolved/fired"] == 6


async def test_a_blueprint_without_its_extraction_is_an_error(
    settings: Settings, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match="no line for the blueprint 'form'"):
        await run_prospective(write(tmp_path, EXTRACTIONS[:1]), settings=settings)


async def test_a_settled_commitment_must_be_there(settings: Settings, tmp_path: Path) -> None:
    wrong = [{**EXTRACTIONS[0], "resolution_settles": [{"commitment": 3, "state": "kept"}]}]
    with pytest.raises(InvalidInput, match="has no commitment 3"):
        await run_prospective(write(tmp_path, [*wrong, EXTRACTIONS[1]]), settings=settings)


def test_a_threshold_lets_no_more_through_than_its_share() -> None:
    scores = [n / 100 for n in range(100)]
    for share in (0.0, 0.02, 0.05):
        least = threshold(scores, share)
        assert sum(score >= least for score in scores) == share * 100
    assert threshold([], 0.02) == 0.0


def test_an_empty_report_has_a_table() -> None:
    report = ProspectiveReport({"W=0": {"false": 0.0}}, {}, {})
    assert report.table().row_count == 1
