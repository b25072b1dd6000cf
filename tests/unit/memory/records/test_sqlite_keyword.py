"""Keyword search of the SQLite adapter in a bank that has more matches than a search scores."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forethought.memory.records.sqlite import SqliteRecords, keyword
from tests.contracts.samples import BANK, NOW, day, fact, learn, talk

SCORED = 5
WORDS = ("tea", "rain", "harbour", "kayak", "oslo")


@pytest.fixture
async def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteRecords]:
    monkeypatch.setattr(keyword, "MOST", SCORED)
    opened = await SqliteRecords.open(tmp_path)
    yield opened
    await opened.close()


async def exactly(
    records: SqliteRecords, query: str, monkeypatch: pytest.MonkeyPatch
) -> dict[str, float]:
    """What a search that scores every match finds."""
    with monkeypatch.context() as patched:
        patched.setattr(keyword, "MOST", 10**6)
        return dict(await records.search(BANK, query, k=100, now=NOW))


async def test_a_rare_word_finds_its_facts_scored_by_every_word(
    records: SqliteRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    rare = [fact("a kayak"), fact("tea in a kayak"), fact("tea, tea and a long kayak tour")]
    await learn(records, *rare, *(fact(f"tea number {n}") for n in range(20)))
    every = await exactly(records, "tea by kayak", monkeypatch)
    found = await records.search(BANK, "tea by kayak", k=3, now=NOW)
    assert found == list(every.items())[:3]
    assert {id for id, _ in found} == {one.id for one in rare}


async def test_of_what_common_words_find_the_latest_are_scored(records: SqliteRecords) -> None:
    facts = [fact(f"tea number {n}") for n in range(20)]
    await learn(records, *facts)
    found = await records.search(BANK, "tea", k=SCORED, now=NOW)
    assert {id for id, _ in found} == {one.id for one in facts[-SCORED:]}
    rare = fact("a kayak")
    await learn(records, rare)
    found = await records.search(BANK, "tea kayak", k=SCORED, now=NOW)
    assert {id for id, _ in found} == {rare.id, *(one.id for one in facts[1 - SCORED :])}


async def test_where_too_few_of_those_count_all_are_scored(records: SqliteRecords) -> None:
    old = [fact(f"tea number {n}", on=1) for n in range(9)]
    new = [fact(f"tea number {n}", on=9) for n in range(10, 20)]
    await learn(records, *old, *new)
    found = await records.search(BANK, "tea", k=9, now=day(2))
    assert {id for id, _ in found} == {one.id for one in old}


async def test_another_banks_texts_take_nobodys_place(records: SqliteRecords) -> None:
    own = [fact(f"tea number {n}") for n in range(9)]
    await learn(records, *own)
    await learn(records, *(fact(f"tea number {n}", bank="bob") for n in range(40)))
    found = await records.search(BANK, "tea", k=SCORED, now=NOW)
    assert {id for id, _ in found} == {one.id for one in own[-SCORED:]}


async def test_turns_are_bounded_alike(records: SqliteRecords) -> None:
    await records.log(BANK, [talk("monday", "A kayak."), talk("tuesday", *["Tea?"] * 20)])
    found = await records.said(BANK, "tea or a kayak", k=SCORED, now=NOW)
    assert found[0][0].text == "A kayak."
    assert sorted(turn.position for turn, _ in found[1:]) == [16, 17, 18, 19]


@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), max_size=30),
    asked=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True),
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_whatever_is_scored_has_the_score_that_it_has_among_all(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch,
    texts: list[list[str]], asked: list[str],
) -> None:  # fmt: skip
    records = await SqliteRecords.open(tmp_path_factory.mktemp("bank"))
    try:
        query = " ".join(asked)
        facts = [fact(f"{' '.join(some)} {n}") for n, some in enumerate(texts)]
        if facts:
            await learn(records, *facts)
        every = await exactly(records, query, monkeypatch)
        with monkeypatch.context() as patched:
            patched.setattr(keyword, "MOST", SCORED)
            found = await records.search(BANK, query, k=SCORED, now=NOW)
        assert len(found) == min(SCORED, len(every))
        assert all(every[id] == pytest.approx(score) for id, score in found)
    finally:
        await records.close()
