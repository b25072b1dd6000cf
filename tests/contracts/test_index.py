"""The Index contract, against Chroma embedded and against a real Chroma server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from forethought.memory.embedding import Vectors, unit
from forethought.memory.errors import EmbeddingMismatch, StoreUnavailable
from forethought.memory.grain import GRAIN
from forethought.memory.index import PARTS, ChromaIndex, Entries, Index, Neighbour
from forethought.memory.types import Part
from tests.contracts.adapters import VECTORS_OF, OpenIndex
from tests.contracts.hostile import HOSTILE

START = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
async def index(open_index: OpenIndex) -> Index:
    return await open_index()


@pytest.fixture
def bank(request: pytest.FixtureRequest) -> str:
    """A bank that no other test uses, since the server outlives them."""
    return f"ann {request.node.name}"


def _axis(*numbers: int, dimension: int = 8) -> Vectors:
    """Unit vectors along these axes."""
    return np.eye(dimension, dtype=np.float32)[list(numbers)]


def _entries(ids: Sequence[str], vectors: Vectors, *, day: int = 0) -> Entries:
    return Entries(ids, vectors, [START + timedelta(days=day)] * len(ids))


def _ids(found: list[list[Neighbour]]) -> list[list[str]]:
    return [[near.id for near in row] for row in found]


async def test_what_was_put_is_found_with_its_cosine(index: Index, bank: str) -> None:
    vectors = unit(np.array([[1, 0, 0], [1, 1, 0], [-1, 0, 0]], dtype=np.float32))
    await index.put(bank, "text", _entries(["a", "b", "c"], vectors))
    ((first, second, third),) = await index.nearest(bank, "text", vectors[:1], n=3)
    assert (first.id, second.id, third.id) == ("a", "b", "c")
    assert [first.cosine, second.cosine, third.cosine] == pytest.approx(
        [1, 0.5**0.5, -1], abs=GRAIN
    )


async def test_each_probe_has_its_own_row(index: Index, bank: str) -> None:
    await index.put(bank, "text", _entries(["a", "b", "c"], _axis(0, 1, 2)))
    found = await index.nearest(bank, "text", _axis(2, 0), n=1)
    assert _ids(found) == [["c"], ["a"]]
    assert await index.nearest(bank, "text", _axis(), n=1) == []


@pytest.mark.parametrize("probes", [7, 8, 17, 33, 100])
async def test_however_many_the_probes_each_has_its_own_row(
    index: Index, bank: str, probes: int
) -> None:
    axes = [number % 64 for number in range(probes)]
    names = [f"f{axis}" for axis in range(64)]
    await index.put(bank, "text", _entries(names, _axis(*range(64), dimension=64)))
    found = await index.nearest(bank, "text", _axis(*reversed(axes), dimension=64), n=1)
    assert _ids(found) == [[f"f{axis}"] for axis in reversed(axes)]


async def test_no_more_are_found_than_asked_for_and_no_more_than_there_are(
    index: Index, bank: str
) -> None:
    await index.put(bank, "text", _entries(["a", "b", "c"], _axis(0, 1, 2)))
    (two,) = await index.nearest(bank, "text", _axis(0), n=2)
    (all_three,) = await index.nearest(bank, "text", _axis(0), n=500)
    assert (len(two), len(all_three)) == (2, 3)


async def test_putting_again_replaces_and_never_doubles(index: Index, bank: str) -> None:
    for _ in range(2):
        await index.put(bank, "text", _entries(["a"], _axis(0)))
    await index.put(bank, "text", _entries(["a", "b"], _axis(1, 0), day=9))
    assert await index.count(bank, "text") == 2
    assert _ids(await index.nearest(bank, "text", _axis(1), n=1)) == [["a"]]
    until = START + timedelta(days=5)
    assert _ids(await index.nearest(bank, "text", _axis(1), n=9, until=until)) == [[]]


async def test_an_id_given_twice_at_once_is_kept_once(index: Index, bank: str) -> None:
    await index.put(bank, "text", _entries(["a", "b", "a"], _axis(0, 1, 2)))
    assert await index.count(bank, "text") == 2
    ((near, *_),) = await index.nearest(bank, "text", _axis(2), n=2)
    assert near.id == "a"
    assert near.cosine == pytest.approx(1, abs=1e-5)


async def test_nothing_to_put_makes_no_bank(index: Index, bank: str) -> None:
    await index.put(bank, "text", _entries([], _axis()))
    assert await index.count(bank, "text") == 0
    assert await index.drop(bank) == 0


async def test_texts_cues_and_turns_are_searched_apart(index: Index, bank: str) -> None:
    await index.put(bank, "text", _entries(["f1"], _axis(0)))
    await index.put(bank, "cue", _entries(["f1:0", "f1:1"], _axis(0, 1)))
    await index.put(bank, "turn", _entries(["t1", "t2", "t3"], _axis(0, 1, 2)))
    assert _ids(await index.nearest(bank, "turn", _axis(2), n=1)) == [["t3"]]
    assert await index.ids(bank, "turn") == {"t1", "t2", "t3"}
    assert _ids(await index.nearest(bank, "text", _axis(0), n=9)) == [["f1"]]
    assert _ids(await index.nearest(bank, "cue", _axis(1), n=9)) == [["f1:1", "f1:0"]]
    assert (await index.count(bank, "text"), await index.count(bank, "cue")) == (1, 2)
    assert await index.ids(bank, "cue") == {"f1:0", "f1:1"}


async def test_until_leaves_out_what_was_said_later_and_keeps_that_very_moment(
    index: Index, bank: str
) -> None:
    moments = [START + timedelta(microseconds=n) for n in range(3)]
    for part in PARTS:
        await index.put(bank, part, Entries(["a", "b", "c"], _axis(0, 1, 2), moments))
        for until, seen in zip(moments, (["a"], ["a", "b"], ["a", "b", "c"]), strict=True):
            (found,) = await index.nearest(bank, part, _axis(0), n=9, until=until)
            assert sorted(near.id for near in found) == seen
        before = START - timedelta(days=1)
        assert await index.nearest(bank, part, _axis(0, 1), n=9, until=before) == [[], []]


async def test_vectors_come_back_as_they_were_put(index: Index, bank: str) -> None:
    vectors = unit(np.random.default_rng(0).normal(size=(3, 8)).astype(np.float32))
    await index.put(bank, "cue", _entries(["a", "b", "c"], vectors))
    found = await index.vectors(bank, "cue", ["c", "unknown", "a", "a"])
    assert set(found) == {"a", "c"}
    np.testing.assert_allclose(found["c"], vectors[2], atol=GRAIN)
    assert await index.vectors(bank, "cue", []) == {}


async def test_a_sample_is_spread_over_the_bank_and_no_larger_than_it(
    index: Index, bank: str
) -> None:
    vectors = unit(np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32))
    await index.put(bank, "text", _entries([f"f{n:02}" for n in range(50)], vectors))
    some = await index.sample(bank, "text", limit=10)
    assert some.shape == (10, 8)
    cosines = some @ vectors.T
    assert len(set(cosines.argmax(axis=1).tolist())) == 10
    np.testing.assert_allclose(cosines.max(axis=1), 1, atol=GRAIN)
    assert (await index.sample(bank, "text", limit=500)).shape == (50, 8)


async def test_removing_says_how_many_were_there_and_is_idempotent(index: Index, bank: str) -> None:
    await index.put(bank, "text", _entries(["f1", "f2"], _axis(0, 1)))
    await index.put(bank, "cue", _entries(["f1:0", "f2:0"], _axis(2, 3)))
    await index.put(bank, "turn", _entries(["t1", "t2"], _axis(4, 5)))
    assert await index.remove(bank, ["f1", "f1:0", "t1", "unknown"]) == 3
    assert await index.remove(bank, ["f1", "f1:0", "t1", "unknown"]) == 0
    assert await index.ids(bank, "turn") == {"t2"}
    assert await index.ids(bank, "text") == {"f2"}
    assert await index.ids(bank, "cue") == {"f2:0"}
    assert _ids(await index.nearest(bank, "text", _axis(0), n=9)) == [["f2"]]


async def test_dropping_leaves_nothing_and_the_bank_can_begin_anew(index: Index, bank: str) -> None:
    await index.put(bank, "text", _entries(["f1", "f2"], _axis(0, 1)))
    await index.put(bank, "cue", _entries(["f1:0"], _axis(2)))
    await index.put(bank, "turn", _entries(["t1"], _axis(3)))
    assert await index.drop(bank) == 4
    assert await index.drop(bank) == 0
    assert await index.nearest(bank, "text", _axis(0), n=9) == [[]]
    await index.put(bank, "text", _entries(["f3"], _axis(0, dimension=5)))  # of any dimension
    assert await index.ids(bank, "text") == {"f3"}


async def test_an_unknown_bank_is_empty_and_no_error(index: Index, bank: str) -> None:
    for part in PARTS:
        assert await index.nearest(bank, part, _axis(0, 1), n=9) == [[], []]
        assert await index.vectors(bank, part, ["a"]) == {}
        assert (await index.sample(bank, part, limit=9)).shape == (0, 0)
        assert await index.count(bank, part) == 0
        assert await index.ids(bank, part) == set()
    assert await index.remove(bank, ["a"]) == 0
    assert await index.drop(bank) == 0


async def test_an_emptied_bank_is_like_an_unknown_one(index: Index, bank: str) -> None:
    await index.put(bank, "text", _entries(["a"], _axis(0)))
    await index.remove(bank, ["a"])
    assert await index.nearest(bank, "text", _axis(0), n=9) == [[]]
    assert (await index.sample(bank, "text", limit=9)).shape == (0, 0)


async def test_banks_do_not_see_each_other(index: Index, bank: str) -> None:
    other = bank + "a"
    await index.put(bank, "text", _entries(["same", "mine"], _axis(0, 1)))
    await index.put(other, "text", _entries(["same", "theirs"], _axis(2, 3)))
    (found,) = await index.nearest(bank, "text", _axis(3), n=9)
    assert {near.id for near in found} == {"same", "mine"}
    assert await index.remove(other, ["mine"]) == 0
    assert await index.drop(other) == 2
    assert await index.ids(bank, "text") == {"same", "mine"}
    mine = await index.vectors(bank, "text", ["same"])
    np.testing.assert_allclose(mine["same"], _axis(0)[0], atol=GRAIN)


async def test_a_bank_may_be_called_anything(index: Index) -> None:
    names = HOSTILE[::25]
    for number, name in enumerate(names):
        await index.put(name, "text", _entries([f"f{number}"], _axis(0)))
    try:
        for number, name in enumerate(names):
            assert await index.ids(name, "text") == {f"f{number}"}
    finally:
        for name in names:
            await index.drop(name)


async def test_another_embedder_is_refused_by_name_with_both_ways_out(
    open_index: OpenIndex, bank: str
) -> None:
    first = await open_index()
    await first.put(bank, "text", _entries(["a"], _axis(0)))
    other = await open_index("test:two")
    calls = [
        other.put(bank, "text", _entries(["b"], _axis(1))),
        other.nearest(bank, "text", _axis(0), n=1),
        other.vectors(bank, "text", ["a"]),
        other.sample(bank, "text", limit=1),
        other.count(bank, "text"),
        other.ids(bank, "text"),
    ]
    for call in calls:
        with pytest.raises(EmbeddingMismatch) as refused:
            await call
        says = str(refused.value)
        assert all(name in says for name in (bank, "'test:one'", "'test:two'", "reindex"))
    assert await first.ids(bank, "text") == {"a"}


@pytest.mark.parametrize(("there", "new"), [("text", "turn"), ("turn", "text"), ("text", "cue")])
async def test_no_part_of_a_bank_is_begun_with_another_embedder(
    open_index: OpenIndex, bank: str, there: Part, new: Part
) -> None:
    """So of a bank that an earlier version made, too, which had no turns in it."""
    first = await open_index()
    await first.put(bank, there, _entries(["a"], _axis(0)))
    other = await open_index("test:two")
    with pytest.raises(EmbeddingMismatch):
        await other.put(bank, new, _entries(["b"], _axis(1)))
    await first.put(bank, new, _entries(["b"], _axis(1)))
    assert await first.ids(bank, new) == {"b"}


async def test_another_embedder_may_still_forget_and_begin_anew(
    open_index: OpenIndex, bank: str
) -> None:
    first = await open_index()
    await first.put(bank, "text", _entries(["a", "b"], _axis(0, 1)))
    other = await open_index("test:two")
    assert await other.remove(bank, ["a"]) == 1
    with pytest.raises(EmbeddingMismatch):
        await other.nearest(bank, "text", _axis(0), n=1)
    assert await other.drop(bank) == 1
    await other.put(bank, "text", _entries(["c"], _axis(0, dimension=3)))
    assert await other.ids(bank, "text") == {"c"}


async def test_what_was_put_is_there_when_it_is_opened_again(
    open_index: OpenIndex, bank: str
) -> None:
    first = await open_index()
    await first.put(bank, "text", _entries(["a"], _axis(0)))
    await first.close()
    again = await open_index()
    assert _ids(await again.nearest(bank, "text", _axis(0), n=1)) == [["a"]]


async def test_a_bank_that_another_process_dropped_is_empty_and_may_be_given_anew(
    open_index: OpenIndex, bank: str
) -> None:
    one, two = await open_index(), await open_index()
    await one.put(bank, "text", _entries(["a"], _axis(0)))
    await two.drop(bank)
    assert await one.nearest(bank, "text", _axis(0), n=1) == [[]]
    assert await one.count(bank, "text") == 0
    await one.put(bank, "text", _entries(["b"], _axis(0)))
    assert await two.ids(bank, "text") == {"b"}
    await two.drop(bank)
    await one.put(bank, "text", _entries(["c"], _axis(0)))
    assert await one.ids(bank, "text") == await two.ids(bank, "text") == {"c"}


async def test_a_bank_that_another_embedder_began_anew_meanwhile_is_refused(
    open_index: OpenIndex, bank: str
) -> None:
    one, two = await open_index(), await open_index("test:two")
    for part in ("text", "cue"):
        await one.put(bank, part, _entries(["a"], _axis(0)))
    await two.drop(bank)
    await two.put(bank, "text", _entries(["b"], _axis(0, dimension=3)))
    for part in PARTS[::-1]:  # those that this index has not opened, and two that it has
        with pytest.raises(EmbeddingMismatch):
            await one.put(bank, part, _entries(["c"], _axis(1)))
    assert [await two.ids(bank, part) for part in PARTS] == [{"b"}, *[set()] * (len(PARTS) - 1)]


async def test_two_who_drop_a_bank_at_once_drop_it(open_index: OpenIndex, bank: str) -> None:
    one, two = await open_index(), await open_index()
    await one.put(bank, "text", _entries(["a"], _axis(0)))
    await two.count(bank, "text")
    assert 1 in await asyncio.gather(one.drop(bank), two.drop(bank))
    assert await one.ids(bank, "text") == await two.ids(bank, "text") == set()


async def test_many_go_in_and_nearly_all_true_neighbours_come_out(index: Index, bank: str) -> None:
    vectors = unit(np.random.default_rng(0).normal(size=(2500, 16)).astype(np.float32))
    await index.put(bank, "text", _entries([str(n) for n in range(2500)], vectors))
    assert await index.count(bank, "text") == 2500
    found = await index.nearest(bank, "text", vectors[:20], n=1000)  # more than ef_search
    for row, near in enumerate(found):
        assert len(near) == len({one.id for one in near}) == 1000
        cosines = vectors @ vectors[row]
        best = {str(n) for n in np.argsort(-cosines)[:20]}
        assert len(best & {one.id for one in near[:20]}) >= 19
    assert await index.remove(bank, [str(n) for n in range(2500)]) == 2500


@pytest.mark.parametrize("attempt", range(10))  # their threads race within Chroma
async def test_a_crowd_of_equally_near_ones_hides_no_other(
    index: Index, bank: str, attempt: int
) -> None:
    """Three words each, of which forty share two: every pair of the forty is equally near."""
    crowd = unit(
        _axis(*range(40), dimension=64) + _axis(60, dimension=64) + _axis(61, dimension=64)
    )
    other = unit(_axis(60, dimension=64) + _axis(62, dimension=64))
    ids = [*(f"c{n}" for n in range(40)), "other"]
    await index.put(bank, "text", _entries(ids, np.concatenate([crowd, other])))
    (found,) = await index.nearest(bank, "text", _axis(60, dimension=64), n=100)
    assert sorted(near.id for near in found) == sorted(ids)


async def test_what_is_said_again_and_again_hides_next_to_nothing_and_is_found_itself(
    index: Index, bank: str
) -> None:
    drawn = np.random.default_rng(0).normal(size=(602, 32)).astype(np.float32)
    said = unit(drawn + np.float32(2))  # near each other, as sentences are
    rows = [*[600] * 200, *[601] * 200, *range(600)]  # "Thanks!", "ok" and the rest
    ids = [f"t{n}" for n in range(len(rows))]
    lost = 0
    for attempt in range(5):  # Chroma adds them in threads, which race
        there = f"{bank} {attempt}"
        await index.put(there, "turn", _entries(ids, said[rows]))
        found = await index.nearest(there, "turn", said[:600], n=10)
        lost += sum(f"t{400 + n}" not in {near.id for near in row} for n, row in enumerate(found))
        for again, row in zip(({*ids[:200]}, {*ids[200:400]}), said[600:], strict=True):
            (near,) = await index.nearest(there, "turn", row[None, :], n=50)
            assert {one.id for one in near} <= again
            assert [one.cosine for one in near] == pytest.approx([1] * 50, abs=GRAIN)
    assert lost <= 8  # of 3,000; left where they were 48 on average, now seldom one


async def test_a_vector_of_no_direction_gets_none(index: Index, bank: str) -> None:
    await index.put(bank, "text", _entries(["none", "one"], np.eye(2, 8, k=-1, dtype=np.float32)))
    kept = await index.vectors(bank, "text", ["none", "one"])
    assert (kept["none"] == 0).all()
    assert kept["one"][0] == pytest.approx(1, abs=GRAIN)


async def test_the_first_puts_into_a_bank_may_come_at_once(index: Index, bank: str) -> None:
    parts: list[Part] = ["text", "cue"]
    await asyncio.gather(
        *(index.put(bank, part, _entries([f"f{n}"], _axis(n))) for n in range(5) for part in parts)
    )
    assert (await index.count(bank, "text"), await index.count(bank, "cue")) == (5, 5)


async def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(StoreUnavailable, match=r"http://127\.0\.0\.1:9\b"):
        await ChromaIndex.server("http://127.0.0.1:9", embedder=VECTORS_OF)


async def test_a_directory_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    with pytest.raises(StoreUnavailable, match="file"):
        await ChromaIndex.embedded(tmp_path / "file", embedder=VECTORS_OF)
