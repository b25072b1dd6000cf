"""PPRO's dual path: related facts by their texts alone, and beside them the nearest topics."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from forethought.memory.beliefs.types import Observation
from tests.flows.bench import BANK, NOW, Bench, opened, session, texts_of
from tests.flows.scripted import Call, facts_said, tree

SWIMS = [f"I swim in the harbour of Oslo every single day number {n}" for n in range(3)]
ASKED = "When do I swim in the harbour?"


def _of_oslo(call: Call) -> dict[str, Any]:
    """Each turn of the user is a fact, which mentions Oslo."""
    oslo = [{"name": "Oslo", "kind": "LOCATION"}]
    return {"facts": [{**item, "entities": oslo} for item in facts_said(call)["facts"]]}


def _statements(call: Call) -> dict[str, Any]:
    """Those on Oslo are nearer to what is asked than the one on the topic."""
    if call.subject == "Oslo":
        return {"statements": [f"{ASKED} In Oslo, {n}" for n in range(3)]}
    return {"title": "Swimming", "statements": ["They swim in the harbour daily"]}


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path, extract=_of_oslo, observe=_statements) as bench:
        await bench.retain(session(*SWIMS, "My cat is called Miso", "Ben is owed a tent"))
        bench.chat.calls.clear()
        yield bench


async def test_the_answer_goes_by_related_facts_and_topics_and_by_nothing_else(
    bench: Bench,
) -> None:
    near = (await bench.app.recall.views(BANK, ASKED, now=NOW)).observations
    assert [one.about for one in near] == ["entity"] * 3 + ["topic"]
    topic = near[-1]
    result = await bench.ask(ASKED, mode="recall", phi="dual")
    assert sorted(texts_of(result)) == SWIMS
    (call,) = bench.asked("answer")
    assert [line[1:14] for line in call.fenced("observations")] == [topic.id]
    assert "<turns>" not in call.user


async def test_at_most_so_many_facts_and_topics_are_given(bench: Bench) -> None:
    await bench.know(*(f"I swim, the harbour, time {n}" for n in range(30)))
    facts = tuple(fact.id for fact in await bench.facts())
    made = [
        Observation(f"b{n:012x}", BANK, facts[0], "topic", "Swimming", f"Do swim {n}", facts, NOW)
        for n in range(9)
    ]
    await bench.app.records.observe(BANK, facts[0], made)
    result = await bench.ask("Do I swim?", mode="recall", phi="dual")
    assert (len(result["hits"]), len(result["observations"])) == (25, 7)


async def test_no_cue_brings_a_fact_into_a_prospection(bench: Bench) -> None:
    bench.script(imagine=tree("Swim in the harbour"))
    for phi, cued in (("hybrid", True), ("dual", False)):
        result = await bench.ask("Wish 4 a", mode="prospect", phi=phi, max_rounds=0)
        assert any("foresight" in hit["terms"] for hit in result["hits"]) is cued
