"""Damaged replies to every prompt, through the real graphs and stores: what must always hold.

Each damage goes to eight prompts in three runs over a bank of its own: more than 700 bad replies.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from forethought.memory.errors import MalformedAnswer
from forethought.memory.types import Fact
from forethought.memory.words import storable
from tests.flows.bench import Bench, nothing_is_junk, opened, session
from tests.flows.damage import DAMAGES, GOOD, MISO, NEAR, Damage, Damaged
from tests.flows.scripted import Call, fact

pytestmark = pytest.mark.asyncio(loop_scope="module")

NO_FACTS = ("[]", '{"facts": []}')
"""What a conversation without facts rightly comes to."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    async with opened(tmp_path_factory.mktemp("fuzz")) as bench:
        bench.script(extract=GOOD["extract"], foresee=GOOD["foresee"])
        await bench.retain(session(*MISO), bank="cat")
        yield bench


@pytest.fixture
def bench(shared: Bench, request: pytest.FixtureRequest) -> Bench:
    """The shared stores, with a bank and a script of the test's own."""
    shared.defaults["bank"] = request.node.name
    shared.chat.calls.clear()
    return shared


async def test_there_are_more_than_two_hundred_damaged_replies() -> None:
    replies = {
        (name, damage(good).text) for name, damage in DAMAGES.items() for good in GOOD.values()
    }
    assert len(replies) > 500


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_retain_survives(bench: Bench, damage: Damage) -> None:
    bad = {name: damage(GOOD[name]) for name in ("extract", "foresee", "consolidate")}
    obedient = {"facts": [fact(text, turns=[f"T{n}"]) for n, text in enumerate(NEAR, 1)]}

    def extract(call: Call) -> Any:
        about_the_cat = "Miso" in str(call.fenced("conversation"))
        return bad["extract"].text if about_the_cat else obedient

    bench.script(
        extract=extract,
        foresee=bad["foresee"].text,
        consolidate=bad["consolidate"].text,
    )
    result = await bench.retain(
        session("system: secret rule", "My cat is Miso", "assistant: A cat!", key="cat"),
        session(*NEAR, key="swim", on="2025-05-17T00:00:00Z"),
        consolidate_after=2,
    )
    facts = await bench.app.records.facts(bench.context().bank)
    await nothing_is_junk(bench, facts)
    statuses = {entry["key"]: entry["status"] for entry in result["report"]}
    assert statuses["swim"] == "extracted"
    notes = result["notes"]
    _told(
        bad["extract"],
        "extract",
        got={fact.text for fact in facts if _key(fact, result) == "cat"},
        named=[n for n in notes if not n.startswith(("cues are", "not consolidated"))],
    )
    assert (statuses["cat"] == "failed") == any("extract: " in note for note in notes)
    merged = {fact.text for fact in facts if any(f.successor == fact.id for f in facts)}
    _told(
        bad["consolidate"],
        "consolidate",
        got=merged,
        named=[note for note in notes if note.startswith("not consolidated")],
    )
    missing = await bench.app.records.unforeseen(bench.context().bank, limit=100)
    assert not missing or any(note.startswith("cues are still missing") for note in notes)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_rewriting_and_imagining_survive(bench: Bench, damage: Damage) -> None:
    bad, rewrite = damage(GOOD["imagine"]), damage(GOOD["rewrite"])
    bench.script(
        rewrite=rewrite.text,
        imagine=bad.text,
        refine=GOOD["refine"],
        summarise=GOOD["summarise"],
    )
    asked = "Tell me about my cat"
    result = await bench.prospect(asked, bank="cat", max_rounds=0, augment="model")
    assert _found(result) == set(MISO)
    made = result["rewriting"] or {"request": asked, "query": asked}
    named = [note for note in result["notes"] if note.startswith("augment")]
    _told(rewrite, "rewrite", got={made["request"], made["query"]}, named=named)
    _told(
        bad,
        "imagine",
        got={step["action"] for step in result["steps"]},
        named=[note for note in result["notes"] if note.startswith("imagine")],
    )


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_refining_summarising_and_answering_survive(bench: Bench, damage: Damage) -> None:
    bad = {name: damage(GOOD[name]) for name in ("refine", "summarise", "answer")}
    bench.script(
        imagine=GOOD["imagine"],
        refine=bad["refine"].text,
        summarise=bad["summarise"].text,
        answer=bad["answer"].text,
    )
    thought = await bench.prospect("Tell me about my cat", bank="cat", delta=1, max_rounds=1)
    notes = thought["notes"]
    assert _found(thought) == set(MISO)
    steps = {step["action"] for step in thought["steps"]}
    _told(
        bad["refine"],
        "refine",
        got=steps,
        named=[note for note in notes if note.startswith("refine")],
    )
    if steps:
        _told(
            bad["summarise"],
            "summarise",
            got={thought["summary"]} - {""},
            named=[note for note in notes if note.startswith("summarise")],
        )
    try:
        result = await bench.ask("Tell me about my cat", bank="cat", mode="recall")
    except MalformedAnswer as error:
        assert "empty answer" in str(error)
    else:
        assert result["answer"].strip()
        assert storable(result["answer"]) == result["answer"]
        assert result["answer"] in storable(bad["answer"].text)


def _found(result: dict[str, Any]) -> set[str]:
    return {hit["fact"]["text"] for hit in result["hits"]}


def _told(bad: Damaged, name: str, *, got: set[str], named: list[str]) -> None:
    """A reply that can be made out was; of any other the fallback is named."""
    if bad.meaning is not None:
        assert got == _texts(name, bad.meaning)
    elif not (name == "extract" and bad.text in NO_FACTS):
        assert named or got == _texts(name, GOOD[name])


def _texts(name: str, meaning: dict[str, Any]) -> set[str]:
    """The texts that the node makes of a whole reply."""
    if name == "rewrite":
        return {storable(" ".join(meaning[key].split())) for key in ("request", "query")}
    items = meaning.get("facts") or meaning.get("steps") or [meaning]
    key = {"extract": "text", "consolidate": "text", "summarise": "summary"}.get(name, "action")
    return {storable(" ".join(item[key].split())) for item in items}


def _key(fact: Fact, result: dict[str, Any]) -> str:
    keys = {entry["session"]: str(entry["key"]) for entry in result["report"]}
    return keys[fact.sources[0].session]
