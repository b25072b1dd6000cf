"""Reranking: what a cross-encoder says orders the hits, and nothing else does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput
from forethought.memory.recall.cross_encoder import CrossEncoder
from forethought.memory.recall.rerank import Identity, Reranker, passage, reranked
from forethought.memory.types import Fact, Hit
from tests.unit.memory import tiny_onnx

QUERY = "what does she drink"
TEXTS = ["the cat likes tea", "she likes what the cat does", "green coffee", "tea", ""]
SHARED = [0, 3, 0, 0, 0]  # words that each shares with the query


class Scripted:
    """Gives the scores that it was made with, and keeps what it was shown."""

    depth = 3

    def __init__(self, scores: Sequence[float]) -> None:
        self.given = scores
        self.shown: list[str] = []

    async def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.shown = list(texts)
        return self.given


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_onnx.write(tmp_path / "reranker")


def _hits(count: int) -> list[Hit]:
    date = datetime(2025, 3, 1, tzinfo=UTC)
    return [
        Hit(Fact(f"f{n}", "ann", f"Fact {n}", "Event", date), 1 - n / 100, {"text": n / 100})
        for n in range(count)
    ]


async def test_identity_changes_nothing() -> None:
    hits = _hits(5)
    assert await reranked(Identity(), "any", hits) == hits


@given(st.lists(st.floats(0, 1), max_size=12))
def test_hits_stand_by_their_score_and_equals_as_before(scores: list[float]) -> None:
    hits = _hits(len(scores))
    found = asyncio.run(reranked(Scripted(scores), "any", hits))
    at = [int(hit.fact.id[1:]) for hit in found]
    assert sorted(at) == list(range(len(scores)))
    assert [(-scores[n], n) for n in at] == sorted((-scores[n], n) for n in at)


async def test_a_reranked_hit_keeps_its_terms_and_has_one_more() -> None:
    first, second = _hits(2)
    found = await reranked(Scripted([0.25, 0.75]), "any", [first, second])
    assert [hit.score for hit in found] == [0.75, 0.25]
    assert found[0].terms == {"text": 0.01, "rerank": 0.75}
    assert (found[1].fact, found[1].found_by) == (first.fact, first.found_by)


async def test_what_a_reranker_says_is_raised_by_the_terms_of_a_hit() -> None:
    first, second = _hits(2)
    fires = replace(second, terms={"prospective": 0.3})
    found = await reranked(Scripted([0.5, 0.4]), "any", [first, fires])
    assert [hit.fact.id for hit in found] == ["f1", "f0"]
    assert found[0].score == pytest.approx(0.4 * 1.3)
    assert found[0].terms == {"prospective": 0.3, "rerank": 0.4}


@pytest.mark.parametrize(
    ("first", "last", "read"),
    [
        (None, None, "2025-03-01: Ana moved"),
        (date(2025, 2, 1), None, "2025-02-01: Ana moved"),
        (date(2025, 2, 1), date(2025, 2, 1), "2025-02-01: Ana moved"),
        (date(2025, 2, 1), date(2025, 2, 28), "2025-02-01 to 2025-02-28: Ana moved"),
    ],
)
def test_the_reranker_reads_when_it_happened(
    first: date | None, last: date | None, read: str
) -> None:
    said = datetime(2025, 3, 1, tzinfo=UTC)
    fact = Fact("f1", "ann", "Ana moved", "Event", said, occurred_from=first, occurred_to=last)
    assert passage(fact) == read


async def test_a_cross_encoder_reads_query_and_text_together(folder: Path) -> None:
    scores = await CrossEncoder(folder).scores(QUERY, TEXTS)
    assert scores == pytest.approx([1 / (1 + 2.718281828**-n) for n in SHARED], abs=1e-6)


async def test_a_score_does_not_depend_on_what_else_is_read(folder: Path) -> None:
    reranker = CrossEncoder(folder)
    many = await reranker.scores(QUERY, TEXTS * 20)
    for text, score in zip(TEXTS * 20, many, strict=True):
        (alone,) = await reranker.scores(QUERY, [text])
        assert alone == pytest.approx(score)


async def test_with_two_outputs_the_second_is_the_relevance(tmp_path: Path) -> None:
    two = CrossEncoder(tiny_onnx.write(tmp_path, outputs=2))  # they are n and 2 n
    assert await two.scores(QUERY, TEXTS) == pytest.approx(
        [1 / (1 + 2.718281828**-n) for n in SHARED], abs=1e-6
    )


async def test_a_long_text_is_read_as_far_as_the_model_can(folder: Path) -> None:
    reranker = CrossEncoder(folder)
    early, late = "she drink " + "cat " * 2000, "cat " * 2000 + "she drink"
    first, last = await reranker.scores(QUERY, [early, late])
    assert [first, last] == pytest.approx([0.880797, 0.5])  # two words shared, and none


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "x" * 100_000, "\u202e", "[CLS] [PAD]", "猫"])
async def test_any_text_has_a_score(folder: Path, text: str) -> None:
    (score,) = await CrossEncoder(folder).scores(text, [text])
    assert 0 <= score <= 1


async def test_no_texts_give_no_scores(folder: Path) -> None:
    assert await CrossEncoder(folder).scores(QUERY, []) == []


def test_one_reranker_serves_two_event_loops(folder: Path) -> None:
    reranker: Reranker = CrossEncoder(folder)

    async def several() -> None:
        await asyncio.gather(*(reranker.scores(QUERY, [text]) for text in TEXTS))

    asyncio.run(several())
    asyncio.run(several())


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named_at_once(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(InvalidInput) as refused:
        CrossEncoder(folder)
    said = str(refused.value)
    assert f"there is no {missing} in it" in said
    assert str(folder) in said and "FORETHOUGHT_RERANKER" in said


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"not it", b"{}"])
async def test_a_file_of_another_kind_is_refused(folder: Path, broken: str, content: bytes) -> None:
    (folder / broken).write_bytes(content)
    await _refused(CrossEncoder(folder), folder)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ({"outputs": 3}, "the shape [1, 3]"),
        ({"extra_input": "pixel_values"}, "asks for pixel_values"),
        ({"known": 2}, "Gather"),
    ],
)
async def test_a_model_that_is_no_cross_encoder_is_refused(
    tmp_path: Path, model: dict[str, int], says: str
) -> None:
    folder = tiny_onnx.write(tmp_path, **model)  # type: ignore[arg-type]  # each of its own type
    assert says in await _refused(CrossEncoder(folder), folder)


async def _refused(reranker: CrossEncoder, folder: Path) -> str:
    with pytest.raises(InvalidInput) as refused:
        await reranker.scores(QUERY, ["the"])
    assert str(folder) in str(refused.value) and "FORETHOUGHT_RERANKER" in str(refused.value)
    return str(refused.value)
