"""retain: bad replies, a model or a store that is away, sessions that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.exceptions import ModelAuthenticationError, ModelConnectionError

from forethought.memory.errors import StoreUnavailable
from tests.flows.bench import BANK, BERGEN, MISO, OSLO, QUICK, Bench, session, statuses
from tests.flows.scripted import facts_said


class TestFailure:
    """Bad replies, a model that is away, sessions that cannot be read."""

    async def test_a_bad_reply_quarantines_its_session_alone_and_keeps_its_turns(
        self, bench: Bench
    ) -> None:
        bench.script(extract=lambda call: "no" if OSLO in call.user else facts_said(call))
        day = "2025-05-{:02d}T00:00:00Z"
        result = await bench.retain(
            session(MISO, key="a", on=day.format(1)),
            session(OSLO, key="b", on=day.format(2)),
            session(BERGEN, key="c", on=day.format(3)),
        )
        assert {e["key"]: e["status"] for e in result["report"]} == {
            "a": "extracted",
            "b": "failed",
            "c": "extracted",
        }
        assert await bench.texts() == sorted([MISO, BERGEN])
        (bad,) = [entry for entry in result["report"] if entry["key"] == "b"]
        assert "no usable answer" in bad["error"]
        assert any("no usable answer" in note for note in result["notes"])
        (turn,) = await bench.app.records.turns(BANK, bad["session"])
        assert turn.text == OSLO

    async def test_a_quarantined_session_waits_until_it_is_asked_for(self, bench: Bench) -> None:
        bench.script(extract="no")
        await bench.retain(session(OSLO))
        bench.script(extract=facts_said)
        bench.chat.calls.clear()
        assert statuses(await bench.retain(session(OSLO))) == ["failed"]
        assert not bench.asked("extract")

    @pytest.mark.parametrize("how", ["retry", "pending"])
    async def test_a_quarantined_session_can_be_extracted_later(
        self, bench: Bench, how: str
    ) -> None:
        bench.script(extract="no")
        await bench.retain(session(OSLO))
        bench.script(extract=facts_said)
        if how == "retry":
            result = await bench.retain(session(OSLO), retry=True)
        else:
            result = await bench.run_retain({"pending": True})
        assert statuses(result) == ["extracted"]
        assert result["report"][0]["error"] is None
        assert await bench.texts() == [OSLO]

    async def test_a_session_that_fails_half_way_keeps_its_first_half_and_stops(
        self, bench: Bench
    ) -> None:
        said = [f"Fact number {n} " + "x" * 190 for n in range(10)]
        bench.script(extract=lambda call: "no" if said[7] in call.user else facts_said(call))
        result = await bench.retain(session(*said), extract_chars=1000, foresight=0)
        assert statuses(result) == ["failed"]
        assert await bench.texts() == said[:4]
        bench.script(extract=facts_said)
        result = await bench.run_retain({"pending": True}, extract_chars=1000, foresight=0)
        assert statuses(result) == ["extracted"]
        assert await bench.texts() == said

    async def test_a_model_that_is_away_stops_extraction_and_leaves_the_rest_pending(
        self, bench: Bench
    ) -> None:
        bench.script(extract=ModelConnectionError("no route to host"))
        result = await bench.retain(session(MISO), session(OSLO))
        assert statuses(result) == ["pending", "pending"]
        assert len(bench.asked("extract")) == QUICK.max_attempts
        assert any("extraction stopped" in n and "no route" in n for n in result["notes"])
        bench.script(extract=facts_said)
        assert statuses(await bench.run_retain({"pending": True})) == ["extracted", "extracted"]

    async def test_a_model_that_refuses_for_good_is_not_asked_again(self, bench: Bench) -> None:
        bench.script(extract=ModelAuthenticationError("bad key"))
        result = await bench.retain(session(MISO), session(OSLO))
        assert len(bench.asked("extract")) == 1
        assert statuses(result) == ["pending", "pending"]
        assert any("bad key" in note for note in result["notes"])

    async def test_every_failed_call_is_counted(self, bench: Bench) -> None:
        bench.script(extract="no")
        result = await bench.retain(session(OSLO))
        assert result["usage"] == {"calls": 2, "input_tokens": 20, "output_tokens": 10}

    async def test_an_error_that_is_not_the_models_is_not_hidden(self, bench: Bench) -> None:
        bench.script(extract=ZeroDivisionError("a bug"))
        with pytest.raises(ZeroDivisionError):
            await bench.retain(session(OSLO))

    @pytest.mark.parametrize(
        ("broken", "place"),
        [
            ({"turns": []}, "date"),
            ({"date": "soon", "turns": []}, "date"),
            ({"date": "2025-01-01", "turns": [{"role": "owner", "text": "x"}]}, "turns.0.role"),
            ({"date": "2025-01-01", "turns": [{"role": "user"}]}, "turns.0.text"),
            ({"date": "2025-01-01", "extra": 1}, "extra"),
            ({"date": "0001-01-01T00:00:00+14:00", "turns": []}, "date"),
            ([], "session"),
            (None, "session"),
        ],
    )
    async def test_a_session_that_cannot_be_read_is_reported_and_the_others_are_kept(
        self, bench: Bench, broken: Any, place: str
    ) -> None:
        result = await bench.retain(broken, session(MISO))
        bad, good = result["report"]
        assert bad["outcome"] == "invalid"
        assert bad["key"] == "sessions[0]"
        assert place in bad["error"]
        assert good["status"] == "extracted"
        assert await bench.texts() == [MISO]


class TestStoreAway:
    """A store that goes away half-way: retried, then a clear error, and nothing half-written."""

    async def test_an_index_that_comes_back_in_time_is_waited_for(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _fail(bench, monkeypatch, "put", times=QUICK.max_attempts - 1)
        result = await bench.retain(session(MISO))
        assert statuses(result) == ["extracted"]
        assert await bench.by_meaning(MISO) == [MISO]
        assert len(bench.asked("extract")) == 1  # only the step that failed was tried again

    async def test_an_index_that_stays_away_is_an_error_and_the_facts_are_safe(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _fail(bench, monkeypatch, "put", times=1000)
        with pytest.raises(StoreUnavailable, match="gone fishing"):
            await bench.retain(session(MISO))
        assert await bench.texts() == [MISO]
        assert await bench.by_words(MISO) == [MISO]
        monkeypatch.undo()
        result = await bench.retain(session(MISO))
        assert result["report"][0]["outcome"] == "known"
        assert await bench.by_meaning(MISO) == [MISO]
        assert len(bench.asked("extract")) == 1

    async def test_a_question_without_its_index_is_an_error_and_no_empty_answer(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await bench.retain(session(MISO))
        _fail(bench, monkeypatch, "nearest", times=1000)
        for mode in ("recall", "prospect"):
            with pytest.raises(StoreUnavailable, match="gone fishing"):
                await bench.ask("My cat", mode=mode)


def _fail(bench: Bench, monkeypatch: pytest.MonkeyPatch, method: str, *, times: int) -> None:
    """Have the index fail that often."""
    original = getattr(bench.app.index, method)
    left = times

    async def failing(*args: Any, **kwargs: Any) -> Any:
        nonlocal left
        left -= 1
        if left >= 0:
            raise StoreUnavailable("the index is gone fishing")
        return await original(*args, **kwargs)

    monkeypatch.setattr(bench.app.index, method, failing)


class TestWithoutModel:
    """Everything but reading works without a model."""

    async def test_sessions_are_logged_and_left_pending_and_it_says_so(
        self, bench: Bench, modelless: Bench
    ) -> None:
        result = await modelless.retain(session(MISO))
        assert statuses(result) == ["pending"]
        assert any("FORETHOUGHT_MODEL" in note and "pending" in note for note in result["notes"])
        (turn,) = await modelless.app.records.turns(BANK, result["report"][0]["session"])
        assert turn.text == MISO
        assert await modelless.app.index.ids(BANK, "turn") == {turn.id}

    async def test_nothing_is_said_where_nothing_is_waiting(self, modelless: Bench) -> None:
        result = await modelless.retain()
        assert not result["notes"]
