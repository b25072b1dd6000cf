"""retain: any length of turn, session and reply."""

from __future__ import annotations

from typing import Any

from tests.flows.bench import MISO, Bench, session, statuses
from tests.flows.scripted import Call, cut, facts_said


class TestLength:
    """Any length of turn, session and reply."""

    async def test_a_long_session_is_read_stretch_by_stretch(self, bench: Bench) -> None:
        said = [f"Fact number {n} " + "x" * 190 for n in range(20)]
        result = await bench.retain(session(*said), extract_chars=1000, foresight=0)
        assert await bench.texts() == sorted(said)
        assert len(bench.asked("extract")) == 5
        assert statuses(result) == ["extracted"]
        assert result["report"][0]["facts"] == 20

    async def test_an_oversized_turn_is_read_to_its_end(self, bench: Bench) -> None:
        words = [f"word{n:04d}" for n in range(400)]
        seen: list[str] = []

        def listen(call: Call) -> dict[str, Any]:
            seen.extend(line[11:] for line in call.fenced("conversation"))
            return {"facts": []}

        bench.script(extract=listen)
        result = await bench.retain(session(" ".join(words), MISO), extract_chars=1000)
        assert len(bench.asked("extract")) == 4
        assert "".join(seen).startswith(" ".join(words))
        assert seen[-1] == MISO
        assert statuses(result) == ["extracted"]

    async def test_a_cut_reply_halves_the_stretch(self, bench: Bench) -> None:
        said = [f"Fact number {n} " + "x" * 190 for n in range(10)]

        def short_of_breath(call: Call) -> Any:
            lines = call.fenced("conversation")
            return cut('{"facts": [') if len(lines) > 4 else facts_said(call)

        bench.script(extract=short_of_breath)
        result = await bench.retain(session(*said), extract_chars=2100, foresight=0)
        assert await bench.texts() == sorted(said)
        assert statuses(result) == ["extracted"]
        assert any("output limit" in note for note in result["notes"])

    async def test_a_model_that_can_say_little_still_reads_an_oversized_turn_to_its_end(
        self, bench: Bench
    ) -> None:
        seen: list[str] = []

        def short_of_breath(call: Call) -> Any:
            (line,) = call.fenced("conversation")
            if len(line) > 1000:
                return cut('{"facts": [')
            seen.append(line[11:])
            return {"facts": []}

        bench.script(extract=short_of_breath)
        text = " ".join(f"word{n:04d}" for n in range(800))
        result = await bench.retain(session(text), extract_chars=4000)
        assert statuses(result) == ["extracted"]
        assert "".join(seen) == text  # every character once
        assert len(bench.asked("extract")) < 20

    async def test_a_reply_that_is_cut_whatever_is_asked_quarantines_the_session(
        self, bench: Bench
    ) -> None:
        bench.script(extract=lambda call: cut('{"facts": ['))
        result = await bench.retain(session("word " * 1000))
        assert statuses(result) == ["failed"]
        assert len(bench.asked("extract")) < 10
