"""retain: one fact for several that say nearly the same within a week."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError

from forethought.memory.dimensions import Dimensions
from tests.contracts.samples import fact, learn
from tests.flows.bench import BANK, MISO, Bench, session, statuses
from tests.flows.scripted import Call, cut

NEAR = [f"I swim in the harbour of Oslo every single day number {n}" for n in range(3)]


MERGED = {"merge": True, "text": "I swim daily in the harbour", "kind": "activity"}


class TestConsolidation:
    """One fact for several that say nearly the same within a week."""

    async def test_near_facts_become_one_after_enough_have_come_in(self, bench: Bench) -> None:
        bench.script(consolidate=MERGED)
        await bench.retain(session(*NEAR[:2], MISO), consolidate_after=4)
        assert not bench.asked("consolidate")
        await bench.retain(session(NEAR[2]), consolidate_after=4)
        (consolidate,) = bench.asked("consolidate")
        assert sorted(line[13:] for line in consolidate.fenced("facts")) == NEAR
        assert await bench.texts() == sorted([MISO, str(MERGED["text"])])

    async def test_the_originals_are_kept_and_linked(self, bench: Bench) -> None:
        bench.script(consolidate=MERGED)
        await bench.retain(*(session(text, key=text) for text in NEAR), consolidate_after=3)
        merged = await bench.one(str(MERGED["text"]))
        for text in NEAR:
            original = await bench.one(text)
            assert (original.successor, original.succession) == (merged.id, "merge")
        assert merged.frequency == 3
        assert merged.kind == "Activity"

    async def test_the_merged_fact_is_taken_as_all_originals_are(self, bench: Bench) -> None:
        bench.script(consolidate=MERGED)
        said: list[Dimensions] = [Dimensions("present", "subjective"), Dimensions("present")]
        await learn(
            bench.app.records,
            *(fact(text, dimensions=one) for text, one in zip(NEAR, said, strict=False)),
        )
        await bench.run_retain({}, consolidate_after=2)
        assert (await bench.one(str(MERGED["text"]))).dimensions == Dimensions("present")

    async def test_the_merged_fact_is_found_instead_of_its_originals(self, bench: Bench) -> None:
        bench.script(consolidate=MERGED)
        await bench.retain(session(*NEAR), consolidate_after=3)
        assert await bench.by_meaning(NEAR[0]) == [MERGED["text"]]
        assert await bench.by_words("harbour") == [MERGED["text"]]
        merged = await bench.one(str(MERGED["text"]))
        assert len(await bench.app.records.cues(BANK, [merged.id])) == 2

    async def test_forgetting_an_original_dissolves_the_merge(self, bench: Bench) -> None:
        bench.script(consolidate=MERGED)
        await bench.retain(session(*NEAR), consolidate_after=3)
        await bench.app.forgetter.forget(BANK, fact=(await bench.one(NEAR[1])).id)
        assert await bench.texts() == [NEAR[0], NEAR[2]]
        assert sorted(await bench.by_meaning(NEAR[1])) == [NEAR[0], NEAR[2]]

    async def test_facts_more_than_a_week_apart_are_not_merged(self, bench: Bench) -> None:
        bench.script(consolidate=MERGED)
        days = ("2025-05-01T00:00:00Z", "2025-05-09T00:00:00Z", "2025-05-17T00:00:00Z")
        sessions = [session(text, on=day) for text, day in zip(NEAR, days, strict=True)]
        await bench.retain(*sessions, consolidate_after=3)
        assert not bench.asked("consolidate")

    async def test_one_call_for_each_group(self, bench: Bench) -> None:
        other = [f"The old roof leaks above my kitchen since storm {n}" for n in range(3)]
        bench.script(consolidate=lambda call: {**MERGED, "text": f"All of {call.subject[13:]}"})
        await bench.retain(session(*NEAR, *other), consolidate_after=6)
        assert len(bench.asked("consolidate")) == 2
        assert len(await bench.texts()) == 2

    async def test_a_group_that_the_model_will_not_merge_stays(self, bench: Bench) -> None:
        bench.script(consolidate={**MERGED, "merge": False})
        await bench.retain(session(*NEAR), consolidate_after=3)
        assert await bench.texts() == NEAR
        await bench.run_retain({}, consolidate_after=3)
        assert len(bench.asked("consolidate")) == 1

    async def test_zero_turns_it_off(self, bench: Bench) -> None:
        await bench.retain(session(*NEAR), consolidate_after=0)
        assert not bench.asked("consolidate")

    @pytest.mark.parametrize(
        "reply",
        [
            "no",
            ModelConnectionError("gone"),
            cut("{"),
            {**MERGED, "text": "..."},  # as a small model echoes the example
            {**MERGED, "text": "It is always good to do sports"},
        ],
    )
    async def test_a_failure_leaves_the_originals_and_is_named(
        self, bench: Bench, reply: Any
    ) -> None:
        bench.script(consolidate=reply)
        result = await bench.retain(session(*NEAR), consolidate_after=3)
        assert await bench.texts() == NEAR
        assert any(note.startswith("not consolidated") for note in result["notes"])
        assert statuses(result) == ["extracted"]

    async def test_what_could_not_be_consolidated_for_want_of_a_model_is_taken_up_again(
        self, bench: Bench
    ) -> None:
        bench.script(consolidate=ModelConnectionError("gone"))
        await bench.retain(session(*NEAR), consolidate_after=3)
        bench.script(consolidate=MERGED)
        await bench.run_retain({}, consolidate_after=3)
        assert await bench.texts() == [MERGED["text"]]

    async def test_overlapping_runs_merge_once(self, bench: Bench) -> None:
        bench.script(
            consolidate=lambda call: {**MERGED, "text": f"{MERGED['text']} {len(bench.asked())}"}
        )
        await bench.retain(session(*NEAR), consolidate_after=0)
        await asyncio.gather(*(bench.run_retain({}, consolidate_after=3) for _ in range(3)))
        assert len(await bench.texts()) == 1
        assert len(bench.asked("consolidate")) == 1

    async def test_a_fact_that_goes_while_it_is_being_merged_is_in_no_merge(
        self, bench: Bench
    ) -> None:
        async def forgetful(call: Call) -> dict[str, Any]:
            await bench.app.forgetter.forget(BANK, fact=(await bench.one(NEAR[0])).id)
            return MERGED

        bench.script(consolidate=forgetful)
        await bench.retain(session(*NEAR), consolidate_after=3)
        assert await bench.texts() == NEAR[1:]
