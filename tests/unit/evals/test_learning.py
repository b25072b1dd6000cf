"""The evaluation of learning from use, on one small user and real stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from forethought.evals.learning import FOUND, LOOKED_UP, NOTHING, WRONG, run_learning
from forethought.evals.learning_data import PARAPHRASES, Paraphrase, taught_pools
from forethought.evals.reading import read_lines
from forethought.graphs.settings import load_settings
from forethought.memory.errors import InvalidInput
from tests.conftest import ROOT
from tests.unit.evals import samples

AGAIN = "How do I arrange to see my relatives at the end of the week?"


async def test_each_row_says_what_was_learned_and_what_became_of_other_requests(
    tmp_path: Path,
) -> None:
    folder = samples.write_mini(tmp_path / "mini")
    samples.write_lines(folder / PARAPHRASES, [{"id": "u1/q1", "query": AGAIN}])
    asked = "What is it that tires me out on weekday evenings?"
    lookup = {"id": "u1/l1", "query": asked, "needed_references": ["f2"]}
    samples.write_lines(folder / "lookups.jsonl", [lookup])
    report = await run_learning(folder, settings=load_settings(data_dir=tmp_path / "home"))
    assert list(report.plain()["learning"]) == list(report.rows)
    assert (report.plans, report.lookups, report.skipped) == (1, 1, ())
    assert {name: row["cues"] for name, row in report.rows.items()} == {
        NOTHING: 0, FOUND: 2, WRONG: 3, LOOKED_UP: 3, "cited: all that was needed": 2,
    }  # fmt: skip
    for name, row in report.rows.items():  # the bank is smaller than what is read of it
        assert {value for column, value in row.items() if column != "cues"} == {1.0}
        assert ("look-ups@5" in row) is (name != LOOKED_UP)
    assert report.table().row_count == len(report.rows)
    assert not (tmp_path / "home").exists()  # the user's own memory is left alone


def test_a_plan_without_other_words_is_left_out_and_named(tmp_path: Path) -> None:
    queries = [
        {"id": id, "date": "2025-02-01", "query": text, "needed_references": ["f1"]}
        for id, text in (("q1", samples.QUERY), ("q2", "Plan my birthday"))
    ]
    folder = samples.write_mini(tmp_path / "mini", queries=queries)
    with pytest.raises(InvalidInput, match=r'none of its 2 queries.*\{"id": "u1/q1"'):
        taught_pools(folder)
    samples.write_lines(folder / PARAPHRASES, [{"id": "u1/q2", "query": AGAIN}])
    ((bank,), skipped) = taught_pools(folder)
    assert [plan.second for plan in bank.plans] == [AGAIN]
    assert skipped == ("u1/q1: has no paraphrase",)


def test_every_query_of_the_mini_set_ships_in_other_words() -> None:
    shipped = read_lines(ROOT / "forethought" / "data" / "learning" / PARAPHRASES, Paraphrase)
    users = ("mq01", "mq02", "mq04", "mq05", "mq07", "mq08")
    assert [item.id for item in shipped] == [f"{u}/q{n}" for u in users for n in range(1, 9)]
    assert len({item.query for item in shipped}) == len(shipped)
