from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from forethought.evals import bench, bench_prospect
from forethought.evals.bench_data import blended, cue_vectors, facts, requests, trees
from forethought.evals.bench_prospect import VARIANTS, courses
from forethought.graphs.settings import load_settings
from forethought.memory.embedding import Vectors, unit
from forethought.memory.errors import InvalidInput


def unit_rows(count: int) -> Vectors:
    return unit(np.random.default_rng(1).standard_normal((count, 32)).astype(np.float32))


def test_made_up_facts_differ_and_come_out_the_same_each_time() -> None:
    made = facts("a", 500, Random(3))
    assert len({fact.text for fact in made}) == len({fact.id for fact in made}) == 500
    assert made == facts("a", 500, Random(3))


def test_a_larger_bank_begins_with_the_facts_of_a_smaller_one() -> None:
    small, large = facts("a", 20, Random(3)), facts("a", 50, Random(3))
    assert [fact.id for fact in small] == [fact.id for fact in large[:20]]


def test_no_text_is_embedded_twice_in_a_benchmark() -> None:
    texts = [probe for course in courses(8, seed=2) for probes in course.probes for probe in probes]
    assert len(texts) == len(set(texts)) == 8 * 3 * 10
    assert len(set(requests(50, Random(1)))) == 50
    assert len(next(trees(10, Random(1)))) == 10


def test_made_up_vectors_have_unit_length_and_cues_lean_to_their_fact() -> None:
    texts = unit_rows(200)
    cues = cue_vectors(texts, seed=4)
    assert cues.shape == (1000, 32)
    for rows in (cues, blended(texts, 300, seed=4)):
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    own = np.einsum("cd,cd->c", cues, np.repeat(texts, 5, axis=0)).mean()
    other = np.einsum("cd,cd->c", cues, np.repeat(np.roll(texts, 1, axis=0), 5, axis=0)).mean()
    assert own > other + 0.1


async def test_every_variant_is_measured_against_what_it_needs_at_least(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"RETAINED": 24, "SMALL": 16, "RECALLS": 2}.items():
        monkeypatch.setattr(bench, name, value)
    monkeypatch.setattr(bench, "import_ms", partial(bench.import_ms, 1))
    monkeypatch.setattr(bench_prospect, "PROBES", 2)
    settings = load_settings(data_dir=tmp_path / "home")
    said: list[str] = []
    report = await bench.run_bench(facts=60, settings=settings, repetitions=1, progress=said.append)
    assert list(report.overhead) == list(VARIANTS)
    for figures in report.overhead.values():
        assert figures["ratio"] == pytest.approx(
            figures["prospect ms"] / figures["embedding + Chroma ms"], rel=0.02
        )
    assert report.retain["facts/s"] > 0
    assert set(report.recall) == {"16", "60"}
    assert report.imports["beyond"] < report.imports["forethought"]
    assert report.table().row_count == len(VARIANTS) + 4
    assert set(report.plain()) >= {"overhead", "retain", "recall ms", "import ms", "goals"}
    assert said
    assert not settings.directory.exists()


async def test_a_bank_must_be_large_enough_to_say_something(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="at least 1000"):
        await bench.run_bench(facts=10, settings=load_settings(data_dir=tmp_path))
