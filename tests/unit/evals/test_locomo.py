from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from forethought.evals.dialogues import dialogues
from forethought.evals.evidence import Qa
from forethought.evals.keyword import Keyword
from forethought.evals.locomo import COLUMNS, run_locomo
from forethought.evals.locomo_methods import METHODS
from forethought.evals.locomo_terms import ROWS, run_terms
from forethought.evals.reach import LOCOMO
from forethought.evals.tagging import dimensions_of, tense_of
from forethought.graphs.settings import Settings, load_settings
from forethought.memory.dimensions import Certainty, Dimensions, Subjectivity, Tense
from forethought.memory.errors import InvalidInput
from tests.unit.evals import samples


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path / "home")


async def test_every_method_is_measured(settings: Settings, tmp_path: Path) -> None:
    folder = samples.write_locomo(tmp_path / "locomo")
    report = await run_locomo(folder, settings=settings)
    assert list(report.methods) == list(METHODS)
    assert (report.conversations, report.questions) == (1, 2)
    for figures in report.methods.values():  # there are fewer turns than are read
        assert (figures["turns@10"], figures["turns@20"]) == (1.0, 1.0)
    # of two questions' evidence, one turn is in no fact
    assert report.methods["hybrid"]["facts@20"] == report.ceiling == 0.75
    assert list(report.plain())[0] == "methods"
    assert report.table().row_count == len(METHODS) + 1
    assert set(report.wanted["hybrid"]) == set(COLUMNS)


async def test_every_term_is_measured_beside_recall_without_it(
    settings: Settings, tmp_path: Path
) -> None:
    folder = samples.write_locomo(tmp_path / "locomo")
    report = await run_terms(folder, settings=settings)
    assert list(report.rows) == list(ROWS)
    assert report.rows["dense"] == {"facts@20": 0.75, "gain": 0}
    for figures in report.rows.values():  # there are fewer facts than are read: none is pruned
        assert figures == report.rows["dense"]
    assert report.counts["questions"] == 2
    assert list(report.plain())[0] == "terms"
    assert report.table().row_count == len(ROWS)


@pytest.mark.parametrize(
    ("said", "tense", "subjectivity", "certainty"),
    [
        ("When did Ana move to Oslo?", "past", "objective", "certain"),
        ("Ana is going to sell the boat next year", "future", "objective", "certain"),
        ("Bob loves the sea and might buy a boat", "present", "subjective", "speculative"),
    ],
)
def test_rules_tag_what_is_said_in_so_many_words(
    said: str, tense: Tense, subjectivity: Subjectivity, certainty: Certainty
) -> None:
    assert dimensions_of(said) == Dimensions(tense, subjectivity, certainty)
    assert tense_of(said) == Dimensions(tense)


def test_the_file_may_be_given_itself(tmp_path: Path) -> None:
    folder = samples.write_locomo(tmp_path / "locomo")
    assert dialogues(folder / "locomo10.json") == dialogues(folder)


def test_a_dialogue_has_turns_under_their_ids_and_questions_with_evidence(tmp_path: Path) -> None:
    (talk,) = dialogues(samples.write_locomo(tmp_path / "locomo"))
    assert [turn.id for turn in talk.turns] == ["D1:1", "D1:2", "D1:3", "D2:1"]
    assert talk.turns[3].spoken == "Bob: I sold the boat"
    assert [asked.evidence for asked in talk.asked] == [("D1:1", "D1:3"), ("D2:1",)]
    assert [fact.turns for fact in talk.observed] == [("D1:1", "D1:2"), ("D2:1",)]


def test_evidence_is_read_however_it_is_written() -> None:
    asked = Qa(question="?", evidence=["D8:6; D9:17", "D", "D:11:26", "D30:05"], category=1)
    assert asked.evidence == ("D8:6", "D9:17", "D11:26", "D30:5")


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"locomo10\.json"):
        dialogues(tmp_path)
    with pytest.raises(InvalidInput, match=r"nothing\.json"):
        dialogues(tmp_path / "nothing.json")


def test_words_are_stemmed_only_where_that_is_asked_for() -> None:
    texts = ["She runs", "Tea"]
    with (
        closing(Keyword(texts, stemmed=True)) as stemmed,
        closing(Keyword(texts, stemmed=False)) as plain,
    ):
        assert list(stemmed.scores("running?")) == [0]
        assert plain.scores("running?") == {}
        assert list(plain.scores("tea")) == [1]
        assert plain.scores("?!") == {}


def test_what_must_be_reached_is_of_the_hybrid() -> None:
    assert set(LOCOMO) <= set(METHODS)
