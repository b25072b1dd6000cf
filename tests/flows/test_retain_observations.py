"""retain: neutral summaries of entities and topics, made anew only where their facts changed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError

from forethought.memory.beliefs.types import Observation
from tests.flows.bench import BANK, NOW, Bench, opened, session, statuses
from tests.flows.scripted import Call, facts_said

ANA = [f"Ana {what}" for what in ("plays chess", "lives in Porto", "has twins", "is a nurse")]
FIFTH = "Ana drives a van"
BEN = [f"Ben {what}" for what in ("bakes", "sings tenor", "is retired", "met Zoe", "owns goats")]
SWIM = [f"I swim in the harbour of Oslo every single day number {n}" for n in range(3)]
MONTHS = ("2025-01-10T00:00:00Z", "2025-03-10T00:00:00Z", "2025-05-10T00:00:00Z")
NAMES = ("Ana", "Ben")


def _named(call: Call) -> dict[str, Any]:
    """Each turn of the user is a fact, which mentions Ana and Ben where it names them."""
    said: dict[str, Any] = facts_said(call)
    for item in said["facts"]:
        item["entities"] = [{"name": n, "kind": "PERSON"} for n in NAMES if n in item["text"]]
    return said


def _statements(call: Call) -> dict[str, Any]:
    count = len(call.fenced("facts"))
    (name,) = call.fenced("subject") or ["It"]
    return {"title": name, "statements": [f"{name} is in {count} facts", "Much is known"]}


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path, extract=_named, observe=_statements) as bench:
        bench.defaults.update(foresight=0)
        yield bench


async def _observed(bench: Bench) -> list[Observation]:
    return await bench.app.records.observations(BANK)


async def _texts(bench: Bench) -> list[str]:
    return sorted(one.text for one in await _observed(bench))


async def test_an_entity_is_summed_up_from_five_facts_on(bench: Bench) -> None:
    await bench.retain(session(*ANA))
    assert not bench.asked("observe")
    await bench.retain(session(FIFTH, on="2025-07-01T00:00:00Z"))
    (call,) = bench.asked("observe")
    assert sorted(line.split(") ")[1] for line in call.fenced("facts")) == sorted([*ANA, FIFTH])
    found = await _observed(bench)
    assert [one.text for one in found] == ["Ana is in 5 facts", "Ana: Much is known"]
    assert {one.title for one in found} == {"Ana"}
    assert {one.about for one in found} == {"entity"}
    assert {(one.occurred_from, one.occurred_to) for one in found} == {
        (date(2025, 5, 16), date(2025, 7, 1))
    }
    assert {one.made for one in found} == {NOW}
    assert set(found[0].facts) == {fact.id for fact in await bench.facts()}
    assert await bench.app.index.count(BANK, "observation") == 2


async def test_only_what_changed_is_summed_up_anew(bench: Bench) -> None:
    await bench.retain(session(*ANA, FIFTH, *BEN))
    assert len(bench.asked("observe")) == 2
    await bench.run_retain({})
    await bench.retain(session("I like tea"))
    assert len(bench.asked("observe")) == 2
    await bench.retain(session("Ben fell off a horse"))
    (again,) = bench.asked("observe")[2:]
    assert again.subject == "Ben"
    assert "Ben is in 6 facts" in await _texts(bench)
    assert "Ben is in 5 facts" not in await _texts(bench)


async def test_at_most_so_many_calls_a_retain_and_the_rest_by_the_next(bench: Bench) -> None:
    result = await bench.retain(session(*ANA, FIFTH, *BEN), observe=1)
    assert len(bench.asked("observe")) == 1
    assert result["notes"] == ["1 subjects are left to be summed up by the next retain"]
    await bench.run_retain({}, observe=1)
    assert sorted(call.subject for call in bench.asked("observe")) == ["Ana", "Ben"]
    assert (await bench.run_retain({}, observe=1))["notes"] == []
    assert len(bench.asked("observe")) == 2


async def test_zero_turns_it_off_for_this_time(bench: Bench) -> None:
    await bench.retain(session(*ANA, FIFTH), observe=0)
    assert not bench.asked("observe")
    await bench.run_retain({})
    assert len(bench.asked("observe")) == 1


async def test_with_a_forgotten_fact_go_the_observations_and_the_rest_is_summed_up_anew(
    bench: Bench,
) -> None:
    await bench.retain(session(*ANA, FIFTH, "Ana owns a kite"))
    await bench.app.forgetter.forget(BANK, fact=(await bench.one(FIFTH)).id)
    assert await _observed(bench) == []
    await bench.run_retain({})
    assert "Ana is in 5 facts" in await _texts(bench)
    await bench.app.forgetter.forget(BANK, fact=(await bench.one(ANA[0])).id)
    await bench.run_retain({})
    assert await _observed(bench) == []
    assert await bench.app.index.count(BANK, "observation") == 0


async def test_observations_go_when_updates_leave_too_few_facts(bench: Bench) -> None:
    await bench.retain(session(*ANA, FIFTH))
    assert len(await _observed(bench)) == 2
    plays = {"text": "plays no chess any more", "kind": "Event", "turns": ["T1"]}
    bench.script(
        extract=lambda call: {
            "facts": [{**plays, "text": "plays no chess", "action": "update", "of": _label(call)}]
        }
    )
    await bench.retain(session("She plays no chess"))
    assert (await bench.one(ANA[0])).until is not None
    assert await _observed(bench) == []


def _label(call: Call) -> str:
    return next(line for line in call.fenced("known") if "chess" in line).split("]")[0][1:]


async def test_names_that_are_one_are_summed_up_as_one(bench: Bench) -> None:
    await bench.retain(session(*ANA[:3], *BEN[:3]))
    ids = {entity.name: entity.id for entity in await bench.app.records.entities(BANK)}
    await bench.app.records.join(BANK, ids["Ben"], ids["Ana"], by="user")
    await bench.retain(session("Ben naps"))
    (call,) = bench.asked("observe")
    assert (call.subject, len(call.fenced("facts"))) == ("Ana", 7)


async def test_a_topic_of_three_facts_over_months_becomes_a_semantic_memory(bench: Bench) -> None:
    bench.script(observe={"title": "Swimming", "statements": ["Swims daily, all year"]})
    sessions = [session(text, on=day) for text, day in zip(SWIM, MONTHS, strict=True)]
    await bench.retain(*sessions[:2])
    assert not bench.asked("observe")
    await bench.retain(sessions[2])
    (found,) = await _observed(bench)
    assert (found.about, found.title, found.text) == ("topic", "Swimming", "Swims daily, all year")
    assert found.subject == min(found.facts)
    assert (found.occurred_from, found.occurred_to) == (date(2025, 1, 10), date(2025, 5, 10))
    await bench.run_retain({})
    await bench.retain(session("I like tea"))
    assert len(bench.asked("observe")) == 1


async def test_a_topic_that_grows_is_told_anew_and_one_that_shrinks_goes(bench: Bench) -> None:
    bench.script(observe=lambda call: {"statements": [f"Swims, {len(call.fenced('facts'))}"]})
    sessions = [session(text, on=day) for text, day in zip(SWIM, MONTHS, strict=True)]
    await bench.retain(*sessions)
    more = SWIM[0].replace("number 0", "number 9")
    await bench.retain(session(more, on="2025-09-01T00:00:00Z"))
    assert await _texts(bench) == ["Swims, 4"]
    await bench.app.forgetter.forget(BANK, fact=(await bench.one(more)).id)
    await bench.run_retain({})
    assert await _texts(bench) == ["Swims, 3"]
    await bench.app.forgetter.forget(BANK, fact=(await bench.one(SWIM[0])).id)
    await bench.run_retain({})
    assert await _observed(bench) == []


@pytest.mark.parametrize(
    "reply", ["no", ModelConnectionError("gone"), {"statements": ["…", "..."]}]
)
async def test_a_failure_leaves_what_was_known_and_is_caught_up(bench: Bench, reply: Any) -> None:
    await bench.retain(session(*ANA, FIFTH))
    bench.script(observe=reply)
    result = await bench.retain(session("Ana ran"))
    assert statuses(result) == ["extracted"]
    assert any(note.startswith("not summed up") for note in result["notes"])
    assert "Ana is in 5 facts" in await _texts(bench)
    bench.script(observe=_statements)
    await bench.run_retain({})
    assert "Ana is in 6 facts" in await _texts(bench)


async def test_a_subject_that_fails_keeps_no_other_waiting(bench: Bench) -> None:
    bench.script(observe=lambda call: "no" if call.subject == "Ana" else _statements(call))
    for _ in range(2):
        await bench.retain(session(*ANA, FIFTH, *BEN), observe=1)
    assert "Ben is in 5 facts" in await _texts(bench)


async def test_a_fact_forgotten_while_it_is_summed_up_is_in_no_observation(bench: Bench) -> None:
    async def forgetful(call: Call) -> dict[str, Any]:
        await bench.app.forgetter.forget(BANK, fact=(await bench.one(FIFTH)).id)
        return {"title": "Ana", "statements": ["Ana drives a van"]}

    bench.script(observe=forgetful)
    await bench.retain(session(*ANA, FIFTH))
    assert await _observed(bench) == []


async def test_an_observation_is_in_no_hits(bench: Bench) -> None:
    bench.script(observe={"title": "Ana", "statements": ["Ana juggles quicksilver"]})
    await bench.retain(session(*ANA, FIFTH))
    assert await _texts(bench) == ["Ana juggles quicksilver"]
    assert await bench.by_words("quicksilver") == []
    result = await bench.ask("Who juggles quicksilver?", mode="recall")
    assert {hit["fact"]["text"] for hit in result["hits"]} <= {*ANA, FIFTH}
    assert {said["turn"]["text"] for said in result["turns"]} <= {*ANA, FIFTH}


async def test_what_the_assistant_recommended_is_experience_and_the_rest_is_world(
    bench: Bench,
) -> None:
    advice = {"text": "I recommended the night train", "kind": "Event", "turns": ["T2"]}
    home = {"text": "Moved to Porto", "kind": "Event", "turns": ["T1"]}
    bench.script(extract={"facts": [home, {**advice, "network": "experience"}]})
    await bench.retain(session("I moved to Porto", "assistant: Take the night train"))
    networks = {fact.text: fact.network for fact in await bench.facts()}
    assert networks == {"Moved to Porto": "world", "I recommended the night train": "experience"}
