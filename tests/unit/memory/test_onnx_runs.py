"""How texts are parted into runs of the model: what is padded is what is paid."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.onnx import _RUN, BATCH, runs

some_lengths = st.lists(st.integers(1, 256), max_size=100).map(sorted)


def cost(lengths: list[int], parts: list[tuple[int, int]]) -> int:
    return sum(_RUN + (end - start) * lengths[end - 1] for start, end in parts)


def by_size(lengths: list[int], size: int) -> list[tuple[int, int]]:
    return [(start, min(start + size, len(lengths))) for start in range(0, len(lengths), size)]


@given(some_lengths)
def test_each_text_is_in_one_run_of_a_batch_at_most(lengths: list[int]) -> None:
    parts = runs(lengths)
    assert [row for start, end in parts for row in range(start, end)] == [*range(len(lengths))]
    assert all(end - start <= BATCH for start, end in parts)


@given(some_lengths, st.integers(1, BATCH))
def test_no_runs_of_one_size_cost_less(lengths: list[int], size: int) -> None:
    assert cost(lengths, runs(lengths)) <= cost(lengths, by_size(lengths, size))


def test_texts_of_one_length_are_not_parted() -> None:
    assert runs([20] * BATCH) == [(0, BATCH)]


def test_a_page_is_embedded_by_itself() -> None:
    assert runs([8, 8, 9, 200]) == [(0, 3), (3, 4)]
