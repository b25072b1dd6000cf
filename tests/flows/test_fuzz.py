"""Damaged replies to every prompt, through the real graphs and stores: what must always hold.

Each damage goes to seven prompts in three runs over a bank of its own: more than 600 bad replies.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from forethought.memory.errors import MalformedAnswer
from forethought.memory.types import Fact
from forethought.memory.words import storable, words
from tests.flows.damage import DAMAGES, Damage, Damaged
from tests.flows.scripted import Bench, Call, fact, opened, session, tree

pytestmark = pytest.mark.asyncio(loop_scope="module")

NEAR = [f"I swim in the harbour of Oslo every single day number {n}" for n in (1, 2)]
MISO = ("My cat is called Miso", "She hates the vet")
GOOD: dict[str, dict[str, Any]] = {
    "extract": {
        "facts": [
            fact(MISO[0], turns=["T1"], entities=["Miso"], when="2024"),
            fact(MISO[1], turns=["T1", "T2"], network="world", action="new", of=None),
        ]
    },
    "foresee": {
        "facts": [
            {"fact": n, "cues": [f"Wish {n} for a day out", f"Wish {n} to buy"]} for n in (1, 2)
        ]
    },
    "consolidate": {
        "merge": True,
        "text": "I swim daily in the harbour",
        "kind": "Activity",
        "entities": ["Oslo"],
    },
    "imagine": tree("Pack a suitcase", "Call the neighbour", A2="A1"),
    "refine": tree("Pack a warm suitcase", "Feed the neighbour's cat", A2="A1"),
    "summarise": {"summary": "The cat matters."},
    "answer": {"answer": "A cat."},
}

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
    await _nothing_is_junk(bench, facts)
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
async def test_imagining_survives(bench: Bench, damage: Damage) -> None:
    bad = damage(GOOD["imagine"])
    bench.script(imagine=bad.text, refine=GOOD["refine"], summarise=GOOD["summarise"])
    result = await bench.prospect("Tell me about my cat", bank="cat", max_rounds=0)
    assert _found(result) == set(MISO)
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


def _step(id: Any, parent: Any = None, action: str = "") -> dict[str, Any]:
    return {"action_id": id, "action": action or f"Go to {id}", "parent": parent}


TREES: dict[str, tuple[list[dict[str, Any]], int]] = {
    "a cycle": ([_step("A1", "A2"), _step("A2", "A1")], 2),
    "a long cycle": ([_step(f"A{n}", f"A{n % 5 + 1}") for n in range(1, 6)], 5),
    "its own parent": ([_step("A1", "A1")], 1),
    "a dangling parent": ([_step("A1", "A9"), _step("A2", "A1")], 2),
    "doubled ids": ([_step("A1"), _step("A1", "A1", "Come back")], 2),
    "doubled steps": ([_step("A1", None, "Go"), _step("A2", "A1", "go.")], 1),
    "banned first words": (
        [_step("A1", None, "Imagine"), _step("A2", "A1", "Plan to consider: packing")],
        1,
    ),
    "five hundred steps": ([_step(f"A{n}", f"A{n - 1}") for n in range(1, 501)], 24),
    "no step": ([], 0),
    "blank ids": ([_step("", None, "Go"), _step(" ", None, "Come")], 2),
    "numbered ids": ([_step(1), _step(2, 1)], 2),
    "a parent beyond the cut": (
        [_step("A1", "A400"), *(_step(f"A{n}") for n in range(2, 500))],
        24,
    ),
}


@pytest.mark.parametrize("phase", ["imagine", "refine"])
@pytest.mark.parametrize(("steps", "kept"), TREES.values(), ids=TREES)
async def test_a_malformed_tree_is_repaired_or_replaced_and_named(
    bench: Bench, phase: str, steps: list[dict[str, Any]], kept: int
) -> None:
    bench.script(imagine=GOOD["imagine"], refine=GOOD["refine"], summarise=GOOD["summarise"])
    bench.script(**{phase: {"steps": steps}})
    rounds = int(phase == "refine")
    result = await bench.prospect("Tell me about my cat", bank="cat", max_rounds=rounds)
    sound = result["steps"]
    parents = {step["id"]: step["parent"] for step in sound}
    assert len(parents) == len(sound)
    assert all(_ends(step["id"], parents) for step in sound)
    if kept or phase == "imagine":
        assert len(sound) == kept
    if "numbered" not in str(bench.defaults["bank"]) and "blank ids" not in bench.defaults["bank"]:
        assert any(note.startswith(phase) for note in result["notes"])


LABELS: dict[str, list[dict[str, Any]]] = {
    "beyond the turns": [fact("Miso is a cat", turns=["T99"])],
    "below the turns": [fact("Miso is a cat", turns=["T0", "T-1"])],
    "of a system turn": [fact("Miso is a cat", turns=["T3"])],
    "no turns": [fact("Miso is a cat", turns=[])],
    "ids of the log": [fact("Miso is a cat", turns=["t0123456789ab"])],
    "other digits": [fact("Miso is a cat", turns=["T١", "T²", "Ⅰ"])],
    "an unknown fact": [fact("Miso is a cat", action="update", of="K99")],
    "itself": [fact("Miso is a cat", action="repeat", of="T1")],
    "an invented action": [fact("Miso is a cat", action="delete", of="K1")],
    "an invented network": [fact("Miso is a cat", network="opinion")],
    "an invented kind": [fact("Miso is a cat", kind="Animal")],
    "too many entities": [fact("Miso is a cat", entities=["x"] * 100)],
    "nothing said": [fact("..."), fact("\u200b\u200d"), fact("¿?")],
}


@pytest.mark.parametrize("facts", LABELS.values(), ids=LABELS)
async def test_wrong_labels_leave_no_junk_and_are_named(
    bench: Bench, facts: list[dict[str, Any]]
) -> None:
    bench.script(extract={"facts": facts}, foresee=GOOD["foresee"])
    result = await bench.retain(session("system: secret", "My cat is Miso", "assistant: A cat!"))
    assert result["notes"]
    await _nothing_is_junk(bench, await bench.app.records.facts(bench.context().bank))


NUMBERS: dict[str, list[Any]] = {
    "beyond the list": [3, 99, 10**9],
    "below the list": [0, -1],
    "in words": ["one", "two"],
    "fractions": [1.5, 0.1],
    "the same one again": [1, 1, 1],
    "true": [True, False],
}


@pytest.mark.parametrize("numbers", NUMBERS.values(), ids=NUMBERS)
async def test_cues_for_facts_that_were_not_asked_about_are_not_kept(
    bench: Bench, numbers: list[Any]
) -> None:
    bench.script(extract=GOOD["extract"])
    cues = [{"fact": number, "cues": [f"Wish for {number}"]} for number in numbers]
    bench.script(foresee={"facts": cues})
    result = await bench.retain(session(*MISO))
    facts = await bench.app.records.facts(bench.context().bank)
    await _nothing_is_junk(bench, facts)
    assert any(note.startswith("cues are still missing") for note in result["notes"])
    assert len(bench.asked("foresee")) <= 10


def _found(result: dict[str, Any]) -> set[str]:
    return {hit["fact"]["text"] for hit in result["hits"]}


async def _nothing_is_junk(bench: Bench, facts: list[Fact]) -> None:
    """Every fact says something and rests on what was said; every cue belongs to one; no strays."""
    bank = bench.context().bank
    records, index = bench.app.records, bench.app.index
    speakers = {
        turn.id: turn.role
        for logged in await records.sessions(bank)
        for turn in await records.turns(bank, logged.id)
    }
    cues = await records.cues(bank, [fact.id for fact in facts])
    for known in facts:
        assert words(known.text)
        assert storable(known.text) == known.text
        said_by = {speakers[turn] for source in known.sources for turn in source.turns}
        assert said_by
        assert said_by <= {"user", "assistant"}
    assert all(words(cue.text) for cue in cues)
    assert {cue.fact for cue in cues} <= {fact.id for fact in facts}
    assert await index.ids(bank, "text") == {fact.id for fact in facts}
    assert await index.ids(bank, "cue") == {cue.id for cue in cues}


def _told(bad: Damaged, name: str, *, got: set[str], named: list[str]) -> None:
    """A reply that can be made out was; of any other the fallback is named."""
    if bad.meaning is not None:
        assert got == _texts(name, bad.meaning)
    elif not (name == "extract" and bad.text in NO_FACTS):
        assert named or got == _texts(name, GOOD[name])


def _texts(name: str, meaning: dict[str, Any]) -> set[str]:
    """The texts that the node makes of a whole reply."""
    items = meaning.get("facts") or meaning.get("steps") or [meaning]
    key = {"extract": "text", "consolidate": "text", "summarise": "summary"}.get(name, "action")
    return {storable(" ".join(item[key].split())) for item in items}


def _key(fact: Fact, result: dict[str, Any]) -> str:
    keys = {entry["session"]: str(entry["key"]) for entry in result["report"]}
    return keys[fact.sources[0].session]


def _ends(step: str, parents: dict[str, str | None]) -> bool:
    """Whether the way up from the step ends at a root."""
    at: str | None = step
    for _ in range(len(parents) + 1):
        if at is None:
            return True
        at = parents[at]
    return False
