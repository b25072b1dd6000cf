from __future__ import annotations

from pathlib import Path

import pytest

from forethought.evals import bench_scale, bench_terms
from forethought.evals.bench_life import life
from forethought.graphs.settings import load_settings
from forethought.memory.errors import InvalidInput


def test_a_life_is_the_same_each_time_and_its_parts_make_it_up() -> None:
    whole = life(120, bank="a")
    assert whole == life(120, bank="a")
    parts = [whole.part(0, 50), whole.part(50, 120)]
    assert [fact for part in parts for fact in part.facts] == list(whole.facts)
    assert [talk for part in parts for talk in part.conversations] == whole.conversations
    assert {len(fact.entities) for fact in whole.facts} == {3}


async def test_every_size_on_the_way_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"SIZES": (100, 200, 1000), "RETAINED": 10, "RECALLS": 2}.items():
        monkeypatch.setattr(bench_scale, name, value)
    few = {"OPEN": 12, "CUES": 2, "PAIRS": 2, "FEWEST": 1, "SECONDS": 0.0}
    for name, value in few.items():
        monkeypatch.setattr(bench_terms, name, value)
    settings = load_settings(data_dir=tmp_path / "home")
    report = await bench_scale.run_scale(facts=210, settings=settings)
    (sizes,) = report.sizes.values()
    assert [size.facts for size in sizes] == [100, 200, 210]
    for size in sizes:
        assert min(size.retain, size.recall, size.semantic, size.graph, size.words) > 0
        assert min(size.terms, size.several, size.near) > 0
        assert size.pairs == 1  # no more, since there was no time left
        assert size.ratio == round(size.retain / size.embedder, 2)
    assert [size.stores is None for size in sizes] == [False, False, True]  # no room for the last
    assert report.growth["SQLite"] == round(sizes[-1].recall / sizes[0].recall, 2)
    assert not (tmp_path / "home").exists()


async def test_fewer_facts_than_the_smallest_size_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="at least 1000, found 10"):
        await bench_scale.run_scale(facts=10, settings=load_settings(data_dir=tmp_path))
