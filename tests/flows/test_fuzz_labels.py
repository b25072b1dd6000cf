"""Trees, labels and numbers that do not hold: repaired or left out, named, and never stored."""

from __future__ import annotations

from typing import Any

import pytest

from tests.flows.bench import Bench, nothing_is_junk, session
from tests.flows.damage import GOOD, MISO
from tests.flows.scripted import fact


def _step(id: Any, parent: Any = None, action: str = "") -> dict[str, Any]:
    return {"action_id": id, "action": action or f"Go to {id}", "parent": parent}


TREES: dict[str, tuple[list[dict[str, Any]], int, bool]] = {
    "a cycle": ([_step("A1", "A2"), _step("A2", "A1")], 2, True),
    "a long cycle": ([_step(f"A{n}", f"A{n % 5 + 1}") for n in range(1, 6)], 5, True),
    "its own parent": ([_step("A1", "A1")], 1, True),
    "a dangling parent": ([_step("A1", "A9"), _step("A2", "A1")], 2, True),
    "doubled ids": ([_step("A1"), _step("A1", "A1", "Come back")], 2, True),
    "doubled steps": ([_step("A1", None, "Go"), _step("A2", "A1", "go.")], 1, True),
    "banned first words": (
        [_step("A1", None, "Imagine"), _step("A2", "A1", "Plan to consider: packing")],
        1,
        True,
    ),
    "five hundred steps": ([_step(f"A{n}", f"A{n - 1}") for n in range(1, 501)], 24, True),
    "no step": ([], 0, True),
    "blank ids": ([_step("", None, "Go"), _step(" ", None, "Come")], 2, False),
    "numbered ids": ([_step(1), _step(2, 1)], 2, False),
    "a parent beyond the cut": (
        [_step("A1", "A400"), *(_step(f"A{n}") for n in range(2, 500))],
        24,
        True,
    ),
}


@pytest.mark.parametrize("phase", ["imagine", "refine"])
@pytest.mark.parametrize(("steps", "kept", "named"), TREES.values(), ids=TREES)
async def test_a_malformed_tree_is_repaired_or_replaced_and_named(
    bench: Bench, phase: str, *, steps: list[dict[str, Any]], kept: int, named: bool
) -> None:
    bench.script(imagine=GOOD["imagine"], refine=GOOD["refine"], summarise=GOOD["summarise"])
    bench.script(**{phase: {"steps": steps}})
    rounds = int(phase == "refine")
    result = await bench.prospect("Tell me about my cat", max_rounds=rounds)
    sound = result["steps"]
    parents = {step["id"]: step["parent"] for step in sound}
    assert len(parents) == len(sound)
    assert all(_ends(step["id"], parents) for step in sound)
    if kept or phase == "imagine":
        assert len(sound) == kept
    assert named == any(note.startswith(phase) for note in result["notes"])


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
    await nothing_is_junk(bench, await bench.app.records.facts(bench.context().bank))


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
    await nothing_is_junk(bench, facts)
    assert any(note.startswith("cues are still missing") for note in result["notes"])
    assert len(bench.asked("foresee")) <= 10


def _ends(step: str, parents: dict[str, str | None]) -> bool:
    """Whether the way up from the step ends at a root."""
    at: str | None = step
    for _ in range(len(parents) + 1):
        if at is None:
            return True
        at = parents[at]
    return False
