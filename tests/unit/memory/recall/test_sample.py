"""The statistics of a bank, without looking at all of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from forethought.memory.embedding import Vectors, unit
from forethought.memory.grain import GRAIN
from forethought.memory.index import ChromaIndex, Entries
from forethought.memory.recall import sample
from forethought.memory.recall.sample import Moments, Samples
from forethought.memory.types import LEARNED


def _random(count: int, seed: int = 0) -> Vectors:
    return unit(np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32))


def test_moments_give_the_mean_and_the_spread_of_every_probe() -> None:
    vectors, probes = _random(500), _random(7, seed=1)
    moments = Moments.of(vectors)
    dots = probes @ vectors.T
    np.testing.assert_allclose(probes @ moments.mean, dots.mean(axis=1), atol=1e-5)
    np.testing.assert_allclose(moments.spread(probes), dots.std(axis=1), atol=1e-5)
    assert moments.size == 500


def test_vectors_that_are_all_the_same_still_have_a_spread_to_divide_by() -> None:
    moments = Moments.of(np.repeat(_random(1), 5, axis=0))
    assert (moments.spread(_random(3)) > 0).all()


def test_nothing_has_the_size_zero() -> None:
    assert Moments.of(np.zeros((0, 0), dtype=np.float32)).size == 0


async def test_what_was_learned_from_use_is_no_part_of_what_a_cue_is_like(tmp_path: Path) -> None:
    index = await ChromaIndex.embedded(tmp_path, embedder="test:random")
    cues = _random(3)
    ids = ["f1:0", f"f1:{LEARNED}", "f2:11"]
    await index.put("ann", "cue", Entries(ids, cues, [datetime(2025, 1, 1, tzinfo=UTC)] * 3))
    found = await Samples(index).of("ann")
    np.testing.assert_allclose(found.cues.mean, (cues[0] + cues[2]) / 2, atol=GRAIN)
    await index.remove("ann", ["f1:0", "f2:11"])
    assert (await Samples(index).of("ann")).cues.size == 0
    await index.close()


async def test_a_sample_follows_the_bank_as_it_grows_and_shrinks(tmp_path: Path) -> None:
    index = await ChromaIndex.embedded(tmp_path, embedder="test:random")
    samples = Samples(index)

    async def put(first: int, count: int) -> None:
        ids = [f"f{n}" for n in range(first, first + count)]
        dates = [datetime(2025, 1, 1, tzinfo=UTC)] * count
        await index.put("ann", "text", Entries(ids, _random(count, seed=first), dates))

    assert (await samples.of("ann")).texts.size == 0
    await put(0, 100)
    first = await samples.of("ann")
    assert (first.texts.size, first.cues.size) == (100, 0)
    await put(100, 2)
    assert (await samples.of("ann")).texts is first.texts  # within 2 %
    await put(102, 1)
    assert (await samples.of("ann")).texts.size == 103
    assert (await samples.of("ann", lately=True)).texts.size == 103
    await index.drop("ann")
    assert (await samples.of("ann")).texts.size == 0
    await index.close()


async def test_banks_have_samples_of_their_own(tmp_path: Path) -> None:
    index = await ChromaIndex.embedded(tmp_path, embedder="test:random")
    samples = Samples(index)
    for bank, axis in (("ann", 0), ("bob", 1)):
        row = np.eye(8, dtype=np.float32)[[axis]]
        await index.put(bank, "text", Entries(["f"], row, [datetime(2025, 1, 1, tzinfo=UTC)]))
    ann, bob = await samples.of("ann"), await samples.of("bob")
    assert ann.texts.mean[0] == pytest.approx(1)
    assert bob.texts.mean[1] == pytest.approx(1)
    assert ann.without_cues().cues.size == 0
    await index.close()


async def test_a_large_bank_is_not_counted_for_every_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "_COUNTED", 10)
    index = await ChromaIndex.embedded(tmp_path, embedder="test:random")
    samples = Samples(index)
    dates = [datetime(2025, 1, 1, tzinfo=UTC)] * 40
    await index.put("ann", "turn", Entries([f"t{n}" for n in range(20)], _random(20), dates))
    assert (await samples.turns("ann")).size == 20
    await index.put("ann", "turn", Entries([f"u{n}" for n in range(20)], _random(20), dates))
    asked = [(await samples.turns("ann")).size for _ in range(3)]
    assert asked == [20, 20, 40]  # 20 vectors spare two questions the count
    await index.close()
