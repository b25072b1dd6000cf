from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import forethought
from forethought.evals.banks import recorded
from forethought.evals.mini import run_mini
from forethought.graphs.settings import Settings, load_settings
from forethought.memory.errors import InvalidInput
from tests.unit.evals import samples

SHIPPED = Path(forethought.__path__[0]) / "data" / "memoryquest-mini"
SOME = 2
"""Cues of a fact, of the five there are."""

MEASURES = {f"{name}@{k}" for name in ("recall", "exact") for k in (10, 20, 28, 35)}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path / "home")


@pytest.fixture
def brief(tmp_path: Path) -> Path:
    """The set that is shipped, with the first turn of each session and some cues of each fact."""
    folder = tmp_path / "brief"
    shutil.copytree(SHIPPED, folder)
    (person,) = folder.glob("*.json")
    told = json.loads(person.read_text("utf-8"))
    for one in told["sessions"]:
        one["conversation"] = one["conversation"][:1]
    samples.write_json(person, told)
    cues = [json.loads(line) for line in (folder / "cues.jsonl").read_text("utf-8").splitlines()]
    samples.write_lines(
        folder / "cues.jsonl", [{**one, "cues": one["cues"][:SOME]} for one in cues]
    )
    return folder


async def test_foresight_and_prospection_each_find_more_and_most_together(
    settings: Settings, brief: Path
) -> None:
    wanted = ["dense", "bm25", "foresight", "pgr-base", "pgr-base+foresight", "auto"]
    steps: list[tuple[int, int]] = []
    report = await run_mini(
        brief,
        methods=wanted,
        settings=settings,
        progress=lambda _, done, of: steps.append((done, of)),
    )
    plain = json.loads(json.dumps(report.plain()))
    methods = plain["methods"]
    assert list(methods) == wanted
    assert set(methods["pgr-base"]) == MEASURES | {"found", "calls", "ahead"}
    of_lookups = {"lookups@5", "lookups@20", "lookups ahead"}
    assert set(methods["dense"]) == MEASURES | {"found", "calls", "ahead"} | of_lookups
    recall = {name: figures["recall@20"] for name, figures in methods.items()}
    assert recall["bm25"] < recall["foresight"]
    assert recall["dense"] + 0.2 < recall["foresight"]
    assert recall["dense"] + 0.2 < recall["pgr-base"] < recall["pgr-base+foresight"]
    assert recall["foresight"] < recall["pgr-base+foresight"]
    assert methods["foresight"]["lookups@5"] >= methods["dense"]["lookups@5"] - 0.1
    calls = [methods[name]["calls"] for name in wanted]
    assert calls[:-1] == [methods[name]["ahead"] for name in wanted[:-1]] == [0, 0, 0, 1, 1]
    auto = methods["auto"]
    assert auto["lookups ahead"] + 0.25 < auto["ahead"], "it thinks ahead where it pays"
    assert auto["recall@20"] > recall["foresight"]
    assert plain["replies"] == "recorded"
    assert plain["matching"] == "exact"
    assert plain["skipped"] == []
    assert steps == [(done, 7) for done in range(1, 8)]
    assert not settings.directory.exists()  # the user's own memory is left alone


async def test_refining_is_counted_and_a_chain_finds_what_its_tree_finds(
    settings: Settings, tmp_path: Path
) -> None:
    folder = samples.write_mini(tmp_path / "mini")
    report = await run_mini(folder, methods=["pgr-iterative", "cot"], settings=settings)
    tree, chain = report.methods["pgr-iterative"], report.methods["cot"]
    assert tree == chain
    assert tree["calls"] == 2
    assert report.cues == "none"


async def test_what_was_not_recorded_is_named(settings: Settings, tmp_path: Path) -> None:
    folder = samples.write_mini(tmp_path / "mini")
    (folder / "prospections.jsonl").write_text("")
    report = await run_mini(folder, methods=["pgr-base"], settings=settings)
    assert report.skipped == ("u1/q1: no prospection was recorded",)


async def test_without_a_model_or_recordings_only_what_needs_neither_is_measured(
    settings: Settings, tmp_path: Path
) -> None:
    folder = samples.write_mini(tmp_path / "mini")
    for name in ("prospections.jsonl", "cues.jsonl", "lookups.jsonl"):
        (folder / name).unlink()
    with pytest.raises(InvalidInput, match=r"no prospections\.jsonl.*FORETHOUGHT_MODEL"):
        await run_mini(folder, settings=settings)
    with pytest.raises(InvalidInput, match=r"no cues\.jsonl"):
        await run_mini(folder, methods=["foresight"], settings=settings)
    report = await run_mini(folder, methods=["dense", "bm25"], settings=settings)
    assert report.plain()["replies"] == "none"
    assert "lookups@5" not in report.methods["dense"]


async def test_official_users_are_extracted_first_and_matched_by_nearness(
    settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "official"
    folder.mkdir()
    samples.write_json(folder / "u1.json", samples.official_user())
    with pytest.raises(InvalidInput, match="no facts of every user"):
        await run_mini(folder, methods=["dense"], settings=settings)
    facts = {
        "u1/s01#0": [{"text": text, "kind": "Identity", "turns": ["T1"], "action": "new"}
                     for text in (samples.CAT, "Works nights in a bakery")],
        "u1/s02#0": [{"text": samples.KNEE, "kind": "Event", "turns": ["T1"], "action": "new"}],
    }  # fmt: skip
    model = recorded({"extract": lambda subject: json.dumps({"facts": facts[subject]})})
    report = await run_mini(folder, methods=["dense"], settings=settings, model=model)
    assert report.matching == "cosine>=0.7"
    assert report.methods["dense"]["recall@10"] == 1.0
    assert report.methods["dense"]["found"] == 3


async def test_a_report_is_also_a_table(settings: Settings, tmp_path: Path) -> None:
    folder = samples.write_mini(tmp_path / "mini")
    report = await run_mini(folder, methods=["dense", "cot"], settings=settings)
    drawn = report.table()
    assert drawn.row_count == 2
    assert "No chain was recorded" in str(drawn.caption)
