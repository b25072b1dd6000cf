"""retain: the same again, more of it, several at once, and what is forgotten meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.flows.bench import BANK, MISO, OSLO, Bench, opened, session
from tests.flows.scripted import Call, fact, facts_said


class TestAgain:
    """The same thing again, and more of it."""

    async def test_the_same_retain_again_costs_no_call_and_changes_nothing(
        self, bench: Bench
    ) -> None:
        await bench.retain(session(MISO, OSLO))
        before = await bench.app.records.facts(BANK)
        bench.chat.calls.clear()
        result = await bench.retain(session(MISO, OSLO))
        assert not bench.asked()
        assert result["report"][0]["outcome"] == "known"
        assert result["report"][0]["facts"] == 0
        assert await bench.app.records.facts(BANK) == before

    async def test_more_turns_of_a_session_are_extracted_alone(self, bench: Bench) -> None:
        await bench.retain(session(MISO, key="chat"))
        bench.chat.calls.clear()
        result = await bench.retain(session(MISO, OSLO, key="chat"))
        assert result["report"][0]["outcome"] == "extended"
        (extract,) = bench.asked("extract")
        assert extract.fenced("conversation") == [f"[T1] user: {OSLO}"]
        assert await bench.texts() == sorted([MISO, OSLO])

    @pytest.mark.parametrize(
        "sessions",
        [
            [],
            [session()],
            [session("", " ", "\n\t")],
            [session("assistant: ", "system:  ")],
        ],
    )
    async def test_blank_input_costs_no_call_and_no_write(
        self, bench: Bench, sessions: list[dict[str, Any]]
    ) -> None:
        result = await bench.retain(*sessions)
        assert not bench.asked()
        assert await bench.app.records.banks() == []
        assert [entry["outcome"] for entry in result["report"]] == ["empty"] * len(sessions)

    async def test_what_is_known_already_is_shown_to_the_model(self, bench: Bench) -> None:
        await bench.retain(session(OSLO, MISO))
        bench.chat.calls.clear()
        await bench.retain(session("Do you know the city I live in?"))
        (extract,) = bench.asked("extract")
        assert extract.fenced("known")[0] == f"[K1] (2025-05-16) {OSLO}"

    async def test_what_another_bank_knows_is_not_shown_to_the_model(self, bench: Bench) -> None:
        await bench.retain(session(OSLO), bank="bob")
        await bench.retain(session(OSLO))
        extract = bench.asked("extract")[-1]
        assert extract.fenced("known") == ["(nothing yet)"]


class TestTogether:
    """Several retains at once."""

    async def test_two_retains_into_one_bank_lose_and_double_nothing(self, bench: Bench) -> None:
        halves = [[session(f"Fact {half}{n} of mine") for n in range(5)] for half in "ab"]
        await asyncio.gather(*(bench.retain(*half) for half in halves))
        expected = sorted(f"Fact {half}{n} of mine" for half in "ab" for n in range(5))
        assert await bench.texts() == expected
        assert await bench.app.index.count(BANK, "text") == 10
        assert await bench.app.index.count(BANK, "cue") == 20

    async def test_two_retains_of_the_same_session_store_what_one_would(self, bench: Bench) -> None:
        wordings = iter(["one way", "another way", "a third way"])

        def reworded(call: Call) -> dict[str, Any]:
            way = next(wordings)
            return {"facts": [fact(f"{said['text']}, said {way}") for said in _facts(call)]}

        bench.script(extract=reworded)
        await asyncio.gather(*(bench.retain(session(MISO, OSLO)) for _ in range(3)))
        assert len(await bench.texts()) == 2

    async def test_two_retains_into_two_banks_run_together(self, bench: Bench) -> None:
        both = asyncio.Barrier(2)

        async def meet(call: Call) -> dict[str, Any]:
            async with asyncio.timeout(5):
                await both.wait()  # each is in the model while the other is
            return facts_said(call)

        async def retain(bank: str) -> None:
            await bench.retain(session(f"{MISO} of {bank}"), bank=bank)

        bench.script(extract=meet)
        await asyncio.gather(retain("ann"), retain("bob"))
        assert await bench.texts("ann") == [f"{MISO} of ann"]
        assert await bench.texts("bob") == [f"{MISO} of bob"]


def _facts(call: Call) -> list[dict[str, Any]]:
    facts: list[dict[str, Any]] = facts_said(call)["facts"]
    return facts


class TestForgottenMeanwhile:
    """What is forgotten while it is being read stays forgotten, and the run goes on."""

    @pytest.mark.parametrize("what", ["session", "bank"])
    async def test_a_session_that_goes_while_the_model_reads_it_leaves_nothing(
        self, bench: Bench, what: str
    ) -> None:
        async def forgetful(call: Call) -> dict[str, Any]:
            if MISO in call.user:
                (logged, *_) = await bench.app.records.sessions(BANK)
                named = {"session": logged.id} if what == "session" else {}
                await bench.app.forgetter.forget(BANK, **named)
            return facts_said(call)

        bench.script(extract=forgetful)
        day = "2025-05-{:02d}T00:00:00Z"
        result = await bench.retain(
            session(MISO, key="a", on=day.format(1)), session(OSLO, key="b", on=day.format(2))
        )
        left = [OSLO] if what == "session" else []
        assert await bench.texts() == left
        assert [entry["outcome"] for entry in result["report"]] == (
            ["forgotten", "new"] if what == "session" else ["forgotten", "forgotten"]
        )
        assert await bench.app.index.count(BANK, "text") == len(left)

    async def test_labels_of_known_facts_name_what_was_shown_whatever_goes_meanwhile(
        self, bench: Bench
    ) -> None:
        await bench.know(*(f"I live in the city of {name}" for name in ("Oslo", "Bergen", "Turku")))
        shown: list[str] = []

        async def forgetful(call: Call) -> dict[str, Any]:
            shown.extend(line.split(") ", 1)[1] for line in call.fenced("known"))
            await bench.app.forgetter.forget(BANK, fact=(await bench.one(shown[0])).id)
            return {"facts": [fact("Said again", action="repeat", of="K2")]}

        bench.script(extract=forgetful)
        await bench.retain(session("Where I live is the city"), foresight=0)
        assert await bench.texts() == sorted(shown[1:])
        assert [one.text for one in await bench.facts() if one.frequency > 1] == [shown[1]]

    async def test_a_fact_that_goes_while_its_cues_are_imagined_gets_none(
        self, bench: Bench
    ) -> None:
        async def forgetful(call: Call) -> dict[str, Any]:
            await bench.app.forgetter.forget(BANK, fact=(await bench.one(MISO)).id)
            return {"facts": [{"fact": n, "cues": [f"Wish {n}"]} for n in (1, 2)]}

        bench.script(foresee=forgetful)
        await bench.retain(session(MISO, OSLO))
        assert await bench.texts() == [OSLO]
        assert await bench.app.index.count(BANK, "cue") == 1


def test_one_directory_serves_one_event_loop_after_the_other(tmp_path: Path) -> None:
    async def visit(text: str) -> list[str]:
        async with opened(tmp_path) as bench:
            await bench.retain(session(text))
            await bench.ask("Where do I live?")
            return await bench.texts()

    assert asyncio.run(visit(OSLO)) == [OSLO]
    assert asyncio.run(visit(MISO)) == sorted([OSLO, MISO])
