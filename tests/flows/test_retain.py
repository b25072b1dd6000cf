"""retain: what must be true of every conversation that goes in."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from typing import Any

import pytest
from langchain_core.exceptions import ModelAuthenticationError, ModelConnectionError

from forethought.memory.types import Fact
from tests.flows.scripted import (
    BANK,
    NOW,
    QUICK,
    Bench,
    Call,
    cut,
    fact,
    facts_said,
    session,
)

MISO = "My cat is called Miso"
OSLO = "I live in the city of Oslo"
BERGEN = "I live in the city of Bergen"


async def _one(bench: Bench, text: str) -> Fact:
    (found,) = [fact for fact in await bench.app.records.facts(BANK) if fact.text == text]
    return found


async def _found_by_words(bench: Bench, text: str, bank: str = BANK) -> list[str]:
    found = await bench.app.records.search(bank, text, k=10, now=NOW)
    return [fact.text for fact in await bench.app.records.facts(bank, [id for id, _ in found])]


async def _found_by_meaning(bench: Bench, text: str, bank: str = BANK) -> list[str]:
    return [hit.fact.text for hit in await bench.app.recall.recall(bank, text, now=NOW, limit=10)]


def _status(result: dict[str, Any]) -> list[str]:
    return [entry["status"] for entry in result["report"]]


class TestFacts:
    """What becomes of what the model wrote down."""

    async def test_what_was_retained_is_found_at_once(self, bench: Bench) -> None:
        for text in (MISO, OSLO):
            await bench.retain(session(text))
            assert (await _found_by_words(bench, text))[0] == text
            assert (await _found_by_meaning(bench, text))[0] == text

    async def test_a_fact_names_the_turns_that_support_it(self, bench: Bench) -> None:
        bench.script(extract={"facts": [fact(MISO, turns=["T1", "[t3]", 3, "T3"])]})
        result = await bench.retain(session("Hi", "assistant: Hello!", MISO))
        (source,) = (await _one(bench, MISO)).sources
        turns = await bench.app.records.turns(BANK, result["report"][0]["session"])
        assert source.session == result["report"][0]["session"]
        assert source.turns == (turns[0].id, turns[2].id)

    @pytest.mark.parametrize("labels", [[], ["T3"], ["T0"], ["T-1"], ["T²"], ["K1"], ["user"]])
    async def test_a_fact_that_no_turn_supports_is_dropped_and_named(
        self, bench: Bench, labels: list[str]
    ) -> None:
        bench.script(extract={"facts": [fact(MISO, turns=labels), fact(OSLO)]})
        result = await bench.retain(session("Hi", OSLO))
        assert await bench.texts() == [OSLO]
        assert result["notes"] == [f"dropped, no turn supports it: {MISO}"]
        assert result["report"][0]["facts"] == 1

    @pytest.mark.parametrize("action", ["update", "repeat"])
    @pytest.mark.parametrize("label", ["K7", "K0", "T1", "f123", None])
    async def test_a_fact_about_a_known_one_that_does_not_exist_is_kept_as_new_and_named(
        self, bench: Bench, action: str, label: str | None
    ) -> None:
        await bench.retain(session(OSLO))
        bench.script(extract={"facts": [fact(MISO, action=action, of=label)]})
        result = await bench.retain(session(MISO))
        assert await bench.texts() == sorted([MISO, OSLO])
        assert result["notes"] == [f"kept as new, {label or 'nothing'} is no known fact: {MISO}"]

    async def test_a_fact_that_says_nothing_is_dropped_and_named(self, bench: Bench) -> None:
        bench.script(extract={"facts": [fact("…"), fact("\u200b"), fact("--- . ---"), fact(OSLO)]})
        result = await bench.retain(session(OSLO))
        assert await bench.texts() == [OSLO]
        assert len(result["notes"]) == 3

    async def test_an_update_keeps_the_old_version_with_its_end(self, bench: Bench) -> None:
        await bench.retain(session(OSLO, on="2025-01-01T00:00:00Z"))
        bench.script(extract={"facts": [fact(BERGEN, action="update", of="K1")]})
        await bench.retain(session(BERGEN, on="2025-03-01T00:00:00Z"))
        old, new = await _one(bench, OSLO), await _one(bench, BERGEN)
        assert (old.successor, old.succession) == (new.id, "update")
        assert old.until == new.date
        assert new.until is None
        assert await _found_by_meaning(bench, OSLO) == [BERGEN]
        assert await _found_by_words(bench, "city") == [BERGEN]

    async def test_an_update_across_unrelated_facts_is_kept_beside_and_named(
        self, bench: Bench
    ) -> None:
        await bench.retain(session(OSLO))
        bench.script(extract={"facts": [fact(MISO, action="update", of="K1")]})
        result = await bench.retain(session(MISO))
        assert await bench.texts() == sorted([MISO, OSLO])
        assert result["notes"] == [f"kept beside, not instead of, {OSLO!r}: {MISO}"]

    async def test_a_repeat_adds_a_source_and_no_fact(self, bench: Bench) -> None:
        await bench.retain(session(OSLO, key="one", on="2025-01-01T00:00:00Z"))
        again = {"facts": [fact("Lives in Oslo still", action="repeat", of="K1")]}
        bench.script(extract=again)
        await bench.retain(session(OSLO, key="two", on="2025-02-01T00:00:00Z"))
        known = await _one(bench, OSLO)
        assert await bench.texts() == [OSLO]
        assert known.frequency == 2
        assert known.date.isoformat() == "2025-02-01T00:00:00+00:00"

    async def test_frequency_counts_sessions_not_mentions(self, bench: Bench) -> None:
        await bench.retain(session(OSLO, OSLO, "assistant: Oslo!", OSLO, key="one"))
        assert (await _one(bench, OSLO)).frequency == 1
        await bench.retain(session(OSLO.upper() + ".", key="two"))
        assert (await _one(bench, OSLO)).frequency == 2

    async def test_a_fact_said_twice_in_one_session_names_every_turn_that_says_it(
        self, bench: Bench
    ) -> None:
        bench.script(extract={"facts": [fact(MISO, turns=["T1"]), fact(MISO, turns=["T2"])]})
        await bench.retain(session(MISO, f"{MISO}!"))
        (source,) = (await _one(bench, MISO)).sources
        assert len(source.turns) == 2

    @pytest.mark.parametrize(
        ("said", "first", "last"),
        [
            ("yesterday", date(2025, 5, 15), date(2025, 5, 15)),
            ("tomorrow", date(2025, 5, 17), date(2025, 5, 17)),
            ("3 days ago", date(2025, 5, 13), date(2025, 5, 13)),
            ("2025-06-01/2025-06-30", date(2025, 6, 1), date(2025, 6, 30)),
            ("2024", date(2024, 1, 1), date(2024, 12, 31)),
            ("once upon a time", None, None),
        ],
    )
    async def test_when_it_happened_counts_from_the_day_of_the_session(
        self, bench: Bench, said: str, first: date | None, last: date | None
    ) -> None:
        bench.script(extract={"facts": [fact(MISO, when=said)]})
        await bench.retain(session(MISO, on="2025-05-16T09:00:00Z"))
        known = await _one(bench, MISO)
        assert (known.occurred_from, known.occurred_to) == (first, last)

    async def test_a_naive_date_is_in_the_zone_of_the_bank(self, bench: Bench) -> None:
        await bench.retain(session(MISO, on="2025-05-16T09:00:00"))
        assert (await _one(bench, MISO)).date.isoformat() == "2025-05-16T09:00:00+00:00"


class TestSources:
    """Who may be believed."""

    async def test_system_and_tool_text_is_never_a_source(self, bench: Bench) -> None:
        said = ("system: You are Bob", "tool: {}", MISO, "system: Obey", "assistant: Nice")
        result = await bench.retain(session(*said))
        (extract,) = bench.asked("extract")
        assert [line[:4] for line in extract.fenced("conversation")] == ["[T1]", "[T2]"]
        assert "Bob" not in extract.user
        assert "Obey" not in extract.user
        (source,) = (await _one(bench, MISO)).sources
        turns = await bench.app.records.turns(BANK, result["report"][0]["session"])
        assert source.turns == (turns[2].id,)

    async def test_a_session_of_system_text_alone_costs_no_call(self, bench: Bench) -> None:
        result = await bench.retain(session("system: You are Bob"))
        assert not bench.asked()
        assert _status(result) == ["extracted"]

    async def test_what_the_assistant_alone_said_is_its_experience(self, bench: Bench) -> None:
        bench.script(
            extract={
                "facts": [
                    fact("I advised a vet", turns=["T2"]),
                    fact(MISO, turns=["T1", "T2"]),
                ]
            }
        )
        await bench.retain(session(MISO, "assistant: See a vet"))
        assert (await _one(bench, "I advised a vet")).network == "experience"
        assert (await _one(bench, MISO)).network == "world"


class TestLength:
    """Any length of turn, session and reply."""

    async def test_a_long_session_is_read_stretch_by_stretch(self, bench: Bench) -> None:
        said = [f"Fact number {n} " + "x" * 190 for n in range(20)]
        result = await bench.retain(session(*said), extract_chars=1000, foresight=0)
        assert await bench.texts() == sorted(said)
        assert len(bench.asked("extract")) == 5
        assert _status(result) == ["extracted"]
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
        assert _status(result) == ["extracted"]

    async def test_a_cut_reply_halves_the_stretch(self, bench: Bench) -> None:
        said = [f"Fact number {n} " + "x" * 190 for n in range(10)]

        def short_of_breath(call: Call) -> Any:
            lines = call.fenced("conversation")
            return cut('{"facts": [') if len(lines) > 4 else facts_said(call)

        bench.script(extract=short_of_breath)
        result = await bench.retain(session(*said), extract_chars=2100, foresight=0)
        assert await bench.texts() == sorted(said)
        assert _status(result) == ["extracted"]
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
        assert _status(result) == ["extracted"]
        assert "".join(seen) == text  # every character once
        assert len(bench.asked("extract")) < 20

    async def test_a_reply_that_is_cut_whatever_is_asked_quarantines_the_session(
        self, bench: Bench
    ) -> None:
        bench.script(extract=lambda call: cut('{"facts": ['))
        result = await bench.retain(session("word " * 1000))
        assert _status(result) == ["failed"]
        assert len(bench.asked("extract")) < 10


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
        assert _status(await bench.retain(session(OSLO))) == ["failed"]
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
        assert _status(result) == ["extracted"]
        assert result["report"][0]["error"] is None
        assert await bench.texts() == [OSLO]

    async def test_a_session_that_fails_half_way_keeps_its_first_half_and_stops(
        self, bench: Bench
    ) -> None:
        said = [f"Fact number {n} " + "x" * 190 for n in range(10)]
        bench.script(extract=lambda call: "no" if said[7] in call.user else facts_said(call))
        result = await bench.retain(session(*said), extract_chars=1000, foresight=0)
        assert _status(result) == ["failed"]
        assert await bench.texts() == said[:4]
        bench.script(extract=facts_said)
        result = await bench.run_retain({"pending": True}, extract_chars=1000, foresight=0)
        assert _status(result) == ["extracted"]
        assert await bench.texts() == said

    async def test_a_model_that_is_away_stops_extraction_and_leaves_the_rest_pending(
        self, bench: Bench
    ) -> None:
        bench.script(extract=ModelConnectionError("no route to host"))
        result = await bench.retain(session(MISO), session(OSLO))
        assert _status(result) == ["pending", "pending"]
        assert len(bench.asked("extract")) == QUICK.max_attempts
        assert any("extraction stopped" in n and "no route" in n for n in result["notes"])
        bench.script(extract=facts_said)
        assert _status(await bench.run_retain({"pending": True})) == ["extracted", "extracted"]

    async def test_a_model_that_refuses_for_good_is_not_asked_again(self, bench: Bench) -> None:
        bench.script(extract=ModelAuthenticationError("bad key"))
        result = await bench.retain(session(MISO), session(OSLO))
        assert len(bench.asked("extract")) == 1
        assert _status(result) == ["pending", "pending"]
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


class TestForesight:
    """Cues for what was learned."""

    async def test_a_fact_is_found_by_its_cue_and_the_hit_says_so(self, bench: Bench) -> None:
        bench.script(foresee={"facts": [{"fact": 1, "cues": ["Which plants are safe at home?"]}]})
        await bench.retain(session(MISO))
        (hit,) = await bench.app.recall.recall(
            BANK, "Which plants are safe at home?", now=NOW, limit=5
        )
        assert hit.cue == "Which plants are safe at home?"
        assert hit.found_by == "you may one day ask: Which plants are safe at home?"

    async def test_each_fact_gets_as_many_cues_as_asked_for(self, bench: Bench) -> None:
        bench.script(foresee={"facts": [{"fact": 1, "cues": [f"Wish {n}" for n in range(9)]}]})
        await bench.retain(session(MISO), foresight=3)
        cues = await bench.app.records.cues(BANK, [(await _one(bench, MISO)).id])
        assert [cue.text for cue in cues] == ["Wish 0", "Wish 1", "Wish 2"]

    async def test_no_cues_are_imagined_where_none_are_wanted(self, bench: Bench) -> None:
        await bench.retain(session(MISO), foresight=0)
        assert not bench.asked("foresee")
        (fact,) = await bench.app.records.unforeseen(BANK, limit=9)
        assert fact.text == MISO

    async def test_facts_without_cues_are_caught_up_by_the_next_retain(self, bench: Bench) -> None:
        await bench.retain(session(MISO), foresight=0)
        await bench.run_retain({})
        assert await bench.app.records.unforeseen(BANK, limit=9) == []
        assert await bench.app.index.count(BANK, "cue") == 2

    async def test_a_model_that_is_away_leaves_the_facts_safe_and_waiting_for_cues(
        self, bench: Bench
    ) -> None:
        bench.script(foresee=ModelConnectionError("gone"))
        result = await bench.retain(session(MISO))
        assert _status(result) == ["extracted"]
        assert any("cues are still missing" in note and "gone" in note for note in result["notes"])
        assert await _found_by_meaning(bench, MISO) == [MISO]
        assert len(await bench.app.records.unforeseen(BANK, limit=9)) == 1

    async def test_a_bad_reply_halves_the_batch_until_only_the_culprit_is_left_out(
        self, bench: Bench
    ) -> None:
        said = [f"Fact number {n}" for n in range(8)]
        good = bench.chat.answers["foresee"]
        bench.script(foresee=lambda call: "no" if "number 5" in call.user else good(call))
        result = await bench.retain(session(*said))
        (left,) = await bench.app.records.unforeseen(BANK, limit=9)
        assert left.text == "Fact number 5"
        assert any("cues are still missing" in note for note in result["notes"])

    async def test_facts_that_the_model_passed_over_are_named_and_wait(self, bench: Bench) -> None:
        bench.script(
            foresee={"facts": [{"fact": 1, "cues": ["Wish"]}, {"fact": 99, "cues": ["Junk"]}]}
        )
        result = await bench.retain(session(MISO, OSLO))
        assert len(await bench.app.records.unforeseen(BANK, limit=9)) == 1
        assert await bench.app.index.count(BANK, "cue") == 1
        assert any("1 of 2 facts" in note for note in result["notes"])
        assert len(bench.asked("foresee")) == 1

    async def test_a_cue_that_says_nothing_is_not_kept(self, bench: Bench) -> None:
        bench.script(foresee={"facts": [{"fact": 1, "cues": ["…", "\u200b", "Wish", "Wish"]}]})
        await bench.retain(session(MISO))
        cues = await bench.app.records.cues(BANK, [(await _one(bench, MISO)).id])
        assert [cue.text for cue in cues] == ["Wish"]

    async def test_many_facts_go_into_one_call(self, bench: Bench) -> None:
        await bench.retain(session(*(f"Fact number {n}" for n in range(30))))
        assert [len(call.fenced("facts")) for call in bench.asked("foresee")] == [20, 10]

    async def test_forgetting_a_fact_forgets_its_cues_and_their_vectors(self, bench: Bench) -> None:
        await bench.retain(session(MISO, OSLO))
        gone = await bench.app.forgetter.forget(BANK, fact=(await _one(bench, MISO)).id)
        assert (gone.facts, gone.cues, gone.vectors) == (1, 2, 3)
        kept = (await _one(bench, OSLO)).id
        assert await bench.app.index.ids(BANK, "text") == {kept}
        assert await bench.app.index.ids(BANK, "cue") == {f"{kept}:0", f"{kept}:1"}

    async def test_cues_never_cross_banks(self, bench: Bench) -> None:
        wish = "Which plants are safe at home?"
        bench.script(foresee={"facts": [{"fact": 1, "cues": [wish]}]})
        await bench.retain(session(MISO))
        await bench.retain(session(OSLO), bank="bob", foresight=0)
        for mode in ("recall", "prospect"):
            result = await bench.ask(wish, bank="bob", mode=mode)
            assert [hit["fact"]["text"] for hit in result["hits"]] == [OSLO]


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
        merged = await _one(bench, str(MERGED["text"]))
        for text in NEAR:
            original = await _one(bench, text)
            assert (original.successor, original.succession) == (merged.id, "merge")
        assert merged.frequency == 3
        assert merged.kind == "Activity"

    async def test_the_merged_fact_is_found_instead_of_its_originals(self, bench: Bench) -> None:
        bench.script(consolidate=MERGED)
        await bench.retain(session(*NEAR), consolidate_after=3)
        assert await _found_by_meaning(bench, NEAR[0]) == [MERGED["text"]]
        assert await _found_by_words(bench, "harbour") == [MERGED["text"]]
        merged = await _one(bench, str(MERGED["text"]))
        assert len(await bench.app.records.cues(BANK, [merged.id])) == 2

    async def test_forgetting_an_original_dissolves_the_merge(self, bench: Bench) -> None:
        bench.script(consolidate=MERGED)
        await bench.retain(session(*NEAR), consolidate_after=3)
        await bench.app.forgetter.forget(BANK, fact=(await _one(bench, NEAR[1])).id)
        assert await bench.texts() == [NEAR[0], NEAR[2]]
        assert sorted(await _found_by_meaning(bench, NEAR[1])) == [NEAR[0], NEAR[2]]

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
        assert _status(result) == ["extracted"]

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


class TestWithoutModel:
    """Everything but reading works without a model."""

    async def test_sessions_are_logged_and_left_pending_and_it_says_so(
        self, bench: Bench, modelless: Bench
    ) -> None:
        result = await modelless.retain(session(MISO))
        assert _status(result) == ["pending"]
        assert any("FORETHOUGHT_MODEL" in note and "pending" in note for note in result["notes"])
        (turn,) = await modelless.app.records.turns(BANK, result["report"][0]["session"])
        assert turn.text == MISO

    async def test_nothing_is_said_where_nothing_is_waiting(self, modelless: Bench) -> None:
        result = await modelless.retain()
        assert not result["notes"]


async def test_a_retain_reports_itself_alone_whatever_ran_on_its_thread_before(
    bench: Bench,
) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    from forethought.graphs.retain import build_retain

    graph: Any = build_retain(bench.app).compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    bench.script(extract=["no", "no", {"facts": [fact(MISO)]}])
    first = await graph.ainvoke({"sessions": [session(OSLO)]}, thread, context=bench.context())
    assert first["notes"]
    second = await graph.ainvoke({"sessions": [session(MISO)]}, thread, context=bench.context())
    assert second["notes"] == []
    assert second["usage"]["calls"] == 2
    assert [entry["key"] for entry in second["report"]] == [session(MISO)["key"]]


async def test_each_node_says_what_it_did(bench: Bench) -> None:
    from forethought.graphs.retain import build_retain

    stream = bench.graph(build_retain).astream(
        {"sessions": [session(MISO)]}, context=bench.context(), stream_mode="custom"
    )
    events = [event async for event in stream]
    nodes = [event["node"] for event in events]
    assert nodes[:6] == ["log", "extract", "resolve", "commit", "index", "foresee"]
    assert nodes[-1] == "maintain"
    assert all(re.fullmatch(r"[a-z]+", node) for node in nodes)
