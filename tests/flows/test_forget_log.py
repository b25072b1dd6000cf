"""A forgotten fact is not found in the log either, by whatever way its words come back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forethought.memory.exchange.carrying import brought_in, gathered
from forethought.memory.exchange.reading import contents_of
from forethought.memory.exchange.renaming import renamed
from forethought.memory.exchange.writing import lines_of
from tests.flows.bench import BANK, MISO, NOW, OSLO, Bench, opened, session
from tests.flows.scripted import facts_said

CLINIC = "My therapist is Doctor Quell"
CHAT = session(OSLO, CLINIC, "assistant: And how are you?", MISO, key="chat")
WORDS = "therapist doctor quell"


async def found(bench: Bench, text: str, bank: str = BANK) -> list[str]:
    """Texts of the turns that a search of the log by words finds."""
    said = await bench.app.records.said(bank, text, k=20, now=NOW)
    return sorted(turn.text for turn, _ in said)


async def in_index(bench: Bench, bank: str = BANK) -> set[str]:
    """Texts of the turns that have a vector."""
    sessions = await bench.app.records.sessions(bank)
    turns = [turn for one in sessions for turn in await bench.app.records.turns(bank, one.id)]
    ids = await bench.app.index.ids(bank, "turn")
    assert ids <= {turn.id for turn in turns}
    return {turn.text for turn in turns if turn.id in ids}


@pytest.fixture
async def forgot(bench: Bench) -> Bench:
    """A bench whose user has said three things and forgotten one."""
    bench.defaults["foresight"] = 0
    await bench.retain(CHAT)
    assert await found(bench, WORDS) == ["And how are you?", CLINIC]
    assert CLINIC in await in_index(bench)
    await bench.app.forgetter.forget(BANK, fact=(await bench.one(CLINIC)).id)
    return bench


async def is_gone(bench: Bench, bank: str = BANK) -> None:
    assert await found(bench, WORDS, bank) == []
    assert CLINIC not in await in_index(bench, bank)
    assert CLINIC not in await bench.texts(bank)
    assert await bench.app.indexer.catch_up(bank) == 0


async def test_neither_words_nor_vectors_lead_to_what_was_forgotten(forgot: Bench) -> None:
    await is_gone(forgot)
    assert await in_index(forgot) == {OSLO, "And how are you?", MISO}
    await forgot.app.indexer.rebuild(BANK)
    await is_gone(forgot)


async def test_the_same_conversation_again_brings_nothing_back(forgot: Bench) -> None:
    result = await forgot.retain(CHAT)
    assert result["report"][0]["outcome"] == "known"
    await is_gone(forgot)


@pytest.mark.parametrize("key", ["chat", "another"])
async def test_saying_it_again_brings_nothing_back(forgot: Bench, key: str) -> None:
    turns: list[dict[str, Any]] = [*CHAT["turns"]] if key == "chat" else []
    said = session(f"{CLINIC}.", "It rains.", key=key, on="2025-06-01T12:00:00+00:00")
    result = await forgot.retain({**said, "turns": turns + said["turns"]})
    assert result["report"][0]["status"] == "extracted"
    assert await forgot.texts() == sorted([OSLO, MISO, "It rains."])
    await is_gone(forgot)
    assert "It rains." in await in_index(forgot)


async def test_what_waited_for_extraction_brings_nothing_back(forgot: Bench) -> None:
    later = session(CLINIC, "It rains.", key="later")
    forgot.script(extract="no JSON at all")
    assert (await forgot.retain(later))["report"][0]["status"] == "failed"
    assert CLINIC in await found(forgot, WORDS)  # until somebody has read it
    forgot.script(extract=facts_said)
    await forgot.run_retain({"pending": True})
    await is_gone(forgot)


async def test_an_export_keeps_it_forgotten_under_any_name(forgot: Bench, tmp_path: Path) -> None:
    exported = list(lines_of(await gathered(forgot.app.records, BANK)))
    async with opened(tmp_path / "elsewhere", foresee={"facts": []}) as other:
        for bank in (BANK, "bob"):
            contents = renamed(contents_of(exported, name="bank.jsonl"), bank)
            vectors = (await brought_in(other.app.indexer, contents)).vectors
            assert vectors == 5  # two facts, three turns
            other.defaults["bank"] = bank
            result = await other.retain(CHAT)
            assert result["report"][0]["outcome"] == "known"
            await is_gone(other, bank)
