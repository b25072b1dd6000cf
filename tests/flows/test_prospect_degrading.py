"""prospect: what is left when the model fails, and that it is said."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError, ModelRateLimitError

from forethought.memory.errors import InvalidInput
from tests.flows.bench import QUICK, Bench, session, texts_of
from tests.flows.scripted import cut, tree

CITY = "The airport strike begins on Monday"
PET = "My tortoise hibernates in the fridge"
LAWN = "The lawn mower lost its blade"
WINE = "Our cellar floods every spring"
PET_STEP = "See whether my tortoise hibernates in the fridge"
LAWN_STEP = "Ask whether the lawn mower lost its blade"
WINE_STEP = "Look whether our cellar floods every spring"


class TestDegrading:
    """What is left when the model fails."""

    async def test_a_malformed_tree_falls_back_to_the_request_alone_and_says_so(
        self, bench: Bench
    ) -> None:
        await bench.know(PET, CITY)
        bench.script(imagine="I cannot do that.")
        result = await bench.prospect(PET)
        assert texts_of(result)[0] == PET
        assert any(note.startswith("imagine: fell back to the request") for note in result["notes"])
        assert [call.prompt for call in bench.asked()] == ["imagine", "imagine"]
        assert result["usage"] == {"calls": 2, "input_tokens": 20, "output_tokens": 10}

    async def test_a_tree_of_nothing_usable_falls_back_too(self, bench: Bench) -> None:
        await bench.know(PET, CITY)
        bench.script(imagine=tree("Imagine", "Consider:", "Plan"))
        result = await bench.prospect(PET)
        assert texts_of(result)[0] == PET
        assert "imagine: no step was usable; the request alone is the probe" in result["notes"]

    async def test_the_fallback_finds_what_recall_finds(self, bench: Bench) -> None:
        await bench.retain(session(PET, CITY, LAWN))
        bench.script(imagine="no")
        fallen = await bench.prospect("Wish about my tortoise")
        recalled = await bench.ask("Wish about my tortoise", mode="recall")
        assert fallen["hits"] == recalled["hits"]

    async def test_a_bad_reply_is_asked_for_once_more_with_what_was_wrong(
        self, bench: Bench
    ) -> None:
        await bench.know(PET)
        bench.script(imagine=['{"steps": []}', tree(PET_STEP)])
        result = await bench.prospect("Help me with the holiday", max_rounds=0)
        first, second = bench.asked("imagine")
        assert second.messages[:2] == first.messages[:2]
        assert "steps" in str(second.messages[-1].content)
        assert result["steps"][0]["action"] == PET_STEP
        assert not result["notes"]

    async def test_a_model_that_is_away_is_retried_and_then_done_without(
        self, bench: Bench
    ) -> None:
        await bench.know(PET)
        bench.script(imagine=ModelConnectionError("connection refused"))
        result = await bench.prospect(PET)
        assert len(bench.asked("imagine")) == QUICK.max_attempts
        assert texts_of(result) == [PET]
        assert any("connection refused" in note for note in result["notes"])

    async def test_a_model_that_comes_back_in_time_leaves_no_trace(self, bench: Bench) -> None:
        await bench.know(PET)
        away = ModelRateLimitError("429")
        bench.script(imagine=[away, away, tree(PET_STEP)])
        result = await bench.prospect("Help me with the holiday", max_rounds=0)
        assert texts_of(result) == [PET]
        assert not result["notes"]

    @pytest.mark.parametrize("reply", ["no tree", ModelConnectionError("gone")])
    async def test_a_failed_refinement_ends_the_loop_with_what_was_found(
        self, bench: Bench, reply: str | Exception
    ) -> None:
        await bench.know(PET)
        bench.script(imagine=tree(PET_STEP), refine=reply)
        result = await bench.prospect("Help me with the holiday", delta=1)
        assert texts_of(result) == [PET]
        assert result["summary"]
        assert [step["action"] for step in result["steps"]] == [PET_STEP]
        assert any(note.startswith("refine: stopped refining") for note in result["notes"])

    @pytest.mark.parametrize("reply", ["no summary", ModelConnectionError("gone"), cut("{")])
    async def test_a_failed_summary_is_left_out(self, bench: Bench, reply: str | Exception) -> None:
        await bench.know(PET)
        bench.script(summarise=reply)
        result = await bench.prospect("Help me with the holiday")
        assert result["summary"] == ""
        assert any(note.startswith("summarise: left out") for note in result["notes"])

    @pytest.mark.parametrize(
        "reply", ["no request", ModelConnectionError("gone"), {"request": "<value>"}]
    )
    async def test_a_failed_augmentation_leaves_the_request_as_it_was(
        self, bench: Bench, reply: Any
    ) -> None:
        await bench.know(PET)
        bench.script(rewrite=reply)
        result = await bench.prospect(PET, augment="model", max_rounds=0)
        assert bench.asked("imagine")[0].fenced("request") == [PET]
        assert any(note.startswith("augment: the request stays") for note in result["notes"])

    async def test_an_error_that_is_not_the_models_is_not_hidden(self, bench: Bench) -> None:
        bench.script(imagine=ZeroDivisionError("a bug"))
        with pytest.raises(ZeroDivisionError):
            await bench.prospect("Help me with the holiday")

    async def test_an_empty_bank_gives_an_empty_result(self, bench: Bench) -> None:
        result = await bench.prospect("Help me with the holiday")
        assert result["hits"] == []
        assert result["summary"] == ""

    async def test_a_blank_request_is_refused_before_any_call(self, bench: Bench) -> None:
        with pytest.raises(InvalidInput, match="query"):
            await bench.prospect(" \n")
        assert not bench.asked()
