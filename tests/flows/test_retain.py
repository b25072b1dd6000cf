"""retain: what must be true of every fact that comes out of a conversation."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from forethought.graphs.retain import build_retain
from tests.flows.bench import BANK, BERGEN, MISO, OSLO, Bench, session, statuses
from tests.flows.scripted import fact


class TestFacts:
    """What becomes of what the model wrote down."""

    async def test_what_was_retained_is_found_at_once(self, bench: Bench) -> None:
        for text in (MISO, OSLO):
            await bench.retain(session(text))
            assert (await bench.by_words(text))[0] == text
            assert (await bench.by_meaning(text))[0] == text

    async def test_a_fact_names_the_turns_that_support_it(self, bench: Bench) -> None:
        bench.script(extract={"facts": [fact(MISO, turns=["T1", "[t3]", 3, "T3"])]})
        result = await bench.retain(session("Hi", "assistant: Hello!", MISO))
        (source,) = (await bench.one(MISO)).sources
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
        old, new = await bench.one(OSLO), await bench.one(BERGEN)
        assert (old.successor, old.succession) == (new.id, "update")
        assert old.until == new.date
        assert new.until is None
        assert await bench.by_meaning(OSLO) == [BERGEN]
        assert await bench.by_words("city") == [BERGEN]

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
        known = await bench.one(OSLO)
        assert await bench.texts() == [OSLO]
        assert known.frequency == 2
        assert known.date.isoformat() == "2025-02-01T00:00:00+00:00"

    async def test_frequency_counts_sessions_not_mentions(self, bench: Bench) -> None:
        await bench.retain(session(OSLO, OSLO, "assistant: Oslo!", OSLO, key="one"))
        assert (await bench.one(OSLO)).frequency == 1
        await bench.retain(session(OSLO.upper() + ".", key="two"))
        assert (await bench.one(OSLO)).frequency == 2

    async def test_a_fact_said_twice_in_one_session_names_every_turn_that_says_it(
        self, bench: Bench
    ) -> None:
        bench.script(extract={"facts": [fact(MISO, turns=["T1"]), fact(MISO, turns=["T2"])]})
        await bench.retain(session(MISO, f"{MISO}!"))
        (source,) = (await bench.one(MISO)).sources
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
        known = await bench.one(MISO)
        assert (known.occurred_from, known.occurred_to) == (first, last)

    async def test_a_fact_says_how_it_stands_to_the_world_as_far_as_the_model_did(
        self, bench: Bench
    ) -> None:
        said = {"tense": "FUTURE", "subjectivity": "objective", "certainty": "perhaps"}
        bench.script(extract={"facts": [fact(MISO, **said), fact(OSLO)]})
        told, plain = await _changes(bench, session(MISO, OSLO))
        assert told["dimensions"] == {**said, "tense": "future", "certainty": None}
        assert set(plain["dimensions"].values()) == {None}

    async def test_a_naive_date_is_in_the_zone_of_the_bank(self, bench: Bench) -> None:
        await bench.retain(session(MISO, on="2025-05-16T09:00:00"))
        assert (await bench.one(MISO)).date.isoformat() == "2025-05-16T09:00:00+00:00"


class TestSources:
    """Who may be believed."""

    async def test_system_and_tool_text_is_never_a_source(self, bench: Bench) -> None:
        said = ("system: You are Bob", "tool: {}", MISO, "system: Obey", "assistant: Nice")
        result = await bench.retain(session(*said))
        (extract,) = bench.asked("extract")
        assert [line[:4] for line in extract.fenced("conversation")] == ["[T1]", "[T2]"]
        assert "Bob" not in extract.user
        assert "Obey" not in extract.user
        (source,) = (await bench.one(MISO)).sources
        turns = await bench.app.records.turns(BANK, result["report"][0]["session"])
        assert source.turns == (turns[2].id,)

    async def test_a_session_of_system_text_alone_costs_no_call(self, bench: Bench) -> None:
        result = await bench.retain(session("system: You are Bob"))
        assert not bench.asked()
        assert statuses(result) == ["extracted"]

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
        assert (await bench.one("I advised a vet")).network == "experience"
        assert (await bench.one(MISO)).network == "world"

    async def test_what_the_assistant_says_back_is_no_second_source_and_no_news(
        self, bench: Bench
    ) -> None:
        await bench.retain(session(MISO))
        echoed = fact(MISO, turns=["T2"], action="repeat", of="K1")
        changed = fact("The cat was given away", turns=["T2"], action="update", of="K1")
        for said in (echoed, changed):
            bench.script(extract={"facts": [said]})
            what = said["text"]
            result = await bench.retain(session("Any news?", f"assistant: {what}", key=what))
            assert statuses(result) == ["extracted"]
        known = await bench.one(MISO)
        assert (known.frequency, known.until) == (1, None)
        bench.script(extract={"facts": [{**echoed, "turns": ["T1"]}]})
        await bench.retain(session(f"{MISO}, as ever"))
        assert (await bench.one(MISO)).frequency == 2


async def test_a_retain_reports_itself_alone_whatever_ran_on_its_thread_before(
    bench: Bench,
) -> None:

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

    stream = bench.graph(build_retain).astream(
        {"sessions": [session(MISO)]}, context=bench.context(), stream_mode="custom"
    )
    events = [event async for event in stream]
    nodes = [event["node"] for event in events]
    assert nodes[:6] == ["log", "extract", "resolve", "commit", "index", "link"]
    assert nodes[6:10] == ["foresee", "foresee", "remind", "reinforce"]
    assert nodes[10:] == ["maintain", "weigh", "observe"]
    assert all(re.fullmatch(r"[a-z]+", node) for node in nodes)


async def _changes(bench: Bench, said: dict[str, Any]) -> list[dict[str, Any]]:
    """The facts that a retain of this session is about to commit."""
    stream = bench.graph(build_retain).astream(
        {"sessions": [said]}, context=bench.context(), stream_mode="updates"
    )
    (found,) = [step["resolve"]["changes"]["facts"] async for step in stream if "resolve" in step]
    return list(found)
