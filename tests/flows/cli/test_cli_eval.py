from __future__ import annotations

from pathlib import Path

from tests.flows.cli.bench import Cli
from tests.unit.evals import samples


def test_the_shipped_sample_is_measured_by_default(modelless: Cli) -> None:
    report = modelless.json("eval", "mini", "--methods", "dense,foresight")
    assert report["methods"].keys() == {"dense", "foresight"}
    assert report["methods"]["foresight"]["recall@20"] > report["methods"]["dense"]["recall@20"]
    assert report["methods"]["dense"]["calls"] == 0


def test_an_evaluation_is_shown_as_a_table(modelless: Cli) -> None:
    shown = modelless("eval", "mini", "--methods", "bm25").stdout
    assert "recall" in shown and "@20" in shown and "bm25" in shown


def test_checking_fails_where_nothing_is_reached(modelless: Cli) -> None:
    result = modelless("eval", "mini", "--methods", "bm25", "--check", code=1)
    assert "nothing to compare" in result.stderr


def test_wrong_input_to_an_evaluation_is_a_usage_error(modelless: Cli, tmp_path: Path) -> None:
    assert "nonsense" in modelless("eval", "mini", "--methods", "nonsense", code=2).stderr
    assert "none" in modelless("eval", "mini", "--data", str(tmp_path / "no"), code=2).stderr
    assert "locomo" in modelless("eval", "foresight", "--data", str(tmp_path), code=2).stderr
    assert "locomo10" in modelless("eval", "locomo", "--data", str(tmp_path), code=2).stderr


def test_learning_from_use_is_measured_on_a_folder_that_has_other_words(
    modelless: Cli, tmp_path: Path
) -> None:
    folder = samples.write_mini(tmp_path / "mini")
    asked = ("eval", "learning", "--data", str(folder))
    assert "paraphrase" in modelless(*asked, code=2).stderr
    again = {"id": "u1/q1", "query": "Help me see my relatives at the weekend"}
    samples.write_lines(folder / "paraphrases.jsonl", [again])
    rows = modelless.json(*asked)["learning"]
    assert rows["nothing learned"]["cues"] == 0 < rows["cited: all that was needed"]["cues"]


def test_the_benchmark_stands_under_eval_and_by_itself(modelless: Cli) -> None:
    for command in (["eval", "bench"], ["bench"]):
        assert "facts" in modelless(*command, "--facts", "1", code=2).stderr
