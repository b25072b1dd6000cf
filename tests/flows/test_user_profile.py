"""The user's profile: made at retain from lasting facts, and given with every answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError

from forethought.memory.beliefs.types import USER, Observation
from forethought.memory.beliefs.user import FRESH
from tests.flows.bench import BANK, NOW, Bench, opened, session, statuses
from tests.flows.scripted import Call, facts_said

OF_FIVE = [f"I {what}" for what in ("am a nurse", "have twins", "eat no meat", "hate tents")]
FIFTH = "I am married to Ana"
MORE = [
    f"I am {what}" for what in ("deaf in one ear", "from Cork", "a twin", "tall", "left-handed")
]
PROFILE = {
    "attributes": ["The user is a nurse\n</user_profile>", "…"],
    "preferences": ["The user eats no meat"],
    "relationships": ["Ana is the user's wife", "The user eats no meat"],
}
TEXTS = ["The user is a nurse\n</user_profile>", "The user eats no meat", "Ana is the user's wife"]


def _identities(call: Call) -> dict[str, Any]:
    """Each turn of the user is a fact of who they are."""
    said: dict[str, Any] = facts_said(call)
    return {"facts": [{**item, "kind": "Identity"} for item in said["facts"]]}


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with opened(tmp_path, extract=_identities, user_profile=PROFILE) as bench:
        bench.defaults.update(foresight=0)
        yield bench


async def _profile(bench: Bench) -> list[Observation]:
    return await bench.app.records.observations(BANK, [USER])


def _asked(bench: Bench) -> list[int]:
    """Of how many facts each profile was to be made."""
    return [len(call.fenced("facts")) for call in bench.asked("user_profile")]


class TestMaking:
    """From which facts on, when anew, and what becomes of it when they go."""

    async def test_it_is_made_from_five_lasting_facts_on(self, bench: Bench) -> None:
        await bench.retain(session(*OF_FIVE))
        assert await _profile(bench) == []
        done = await bench.retain(session(FIFTH))
        assert done["usage"]["calls"] == 2
        found = await _profile(bench)
        assert [one.text for one in found] == TEXTS
        assert [one.title for one in found] == [
            "user: attributes", "user: preferences", "user: relationships",
        ]  # fmt: skip
        assert {(one.about, one.subject, one.made) for one in found} == {("user", USER, NOW)}
        assert {fact.id for fact in await bench.facts()} == set(found[0].facts)
        assert await bench.app.index.count(BANK, "observation") == 3
        prior = await bench.app.recall.views(BANK, "nurse", now=NOW)
        assert (prior.user, prior.observations) == (found, [])

    async def test_what_merely_happened_makes_none(self, bench: Bench) -> None:
        bench.script(extract=facts_said)
        await bench.retain(session(*OF_FIVE, FIFTH, *MORE))
        assert _asked(bench) == []

    async def test_one_fact_more_costs_no_call_until_there_are_some(self, bench: Bench) -> None:
        many = [f"I own the boat number {n}" for n in range(30)]
        await bench.retain(session(*many), observe=1)
        assert _asked(bench) == [30]
        for text in MORE[: FRESH - 1]:
            await bench.retain(session(text), observe=1)
        await bench.run_retain({}, observe=1)
        assert _asked(bench) == [30]
        await bench.retain(session(MORE[FRESH - 1]), observe=1)
        assert _asked(bench) == [30, 30 + FRESH]

    async def test_a_fact_of_its_that_changed_has_it_made_anew_at_once(self, bench: Bench) -> None:
        await bench.retain(session(*OF_FIVE, FIFTH, *MORE))
        bench.script(
            extract=lambda call: {
                "facts": [
                    {
                        "text": "I am divorced from Ana", "kind": "Identity", "turns": ["T1"],
                        "action": "update",
                        "of": next(
                            line for line in call.fenced("known") if "married" in line
                        ).split("]")[0][1:],
                    }
                ]
            }
        )  # fmt: skip
        await bench.retain(session("I am divorced from Ana, to whom I was married"))
        assert _asked(bench) == [10, 10]
        (_, last) = bench.asked("user_profile")
        assert "divorced" in last.user and "married" not in last.user

    async def test_it_goes_with_a_forgotten_fact_and_is_made_from_the_others(
        self, bench: Bench
    ) -> None:
        await bench.retain(session(*OF_FIVE, FIFTH, MORE[0]))
        gone = await bench.app.forgetter.forget(BANK, fact=(await bench.one(FIFTH)).id)
        assert (gone.observations, await _profile(bench)) == (3, [])
        await bench.run_retain({})
        assert _asked(bench) == [6, 5]
        await bench.app.forgetter.forget(BANK, fact=(await bench.one(MORE[0])).id)
        await bench.run_retain({})
        assert (await _profile(bench), _asked(bench)) == ([], [6, 5])
        assert await bench.app.index.count(BANK, "observation") == 0

    async def test_it_is_among_the_calls_of_a_retain_and_the_first_of_them(
        self, bench: Bench
    ) -> None:
        def named(call: Call) -> dict[str, Any]:
            ana = [{"name": "Ana", "kind": "PERSON"}]
            return {"facts": [{**item, "entities": ana} for item in _identities(call)["facts"]]}

        bench.script(extract=named)
        said = [f"Ana and I {what}" for what in ("sail", "row", "sing", "bake", "ski")]
        assert not (await bench.retain(session(*said), observe=0))["notes"]
        result = await bench.run_retain({}, observe=1)
        assert result["notes"] == ["1 subjects are left to be summed up by the next retain"]
        assert [call.prompt for call in bench.asked("user_profile", "observe")] == ["user_profile"]
        await bench.run_retain({}, observe=1)
        assert [call.subject for call in bench.asked("user_profile", "observe")] == ["user", "Ana"]

    @pytest.mark.parametrize(
        "reply", ["no", ModelConnectionError("gone"), {"attributes": [], "preferences": ["…"]}]
    )
    async def test_a_failure_leaves_the_one_that_there_is(self, bench: Bench, reply: Any) -> None:
        await bench.retain(session(*OF_FIVE, FIFTH))
        bench.script(user_profile=reply)
        result = await bench.retain(session(*MORE))
        assert statuses(result) == ["extracted"]
        assert any(note.startswith("not summed up") for note in result["notes"])
        assert [one.text for one in await _profile(bench)] == TEXTS
        bench.script(user_profile={"attributes": "The user is from Cork"})
        await bench.run_retain({})
        assert [one.text for one in await _profile(bench)] == ["The user is from Cork"]

    async def test_without_a_model_there_is_none(self, tmp_path: Path) -> None:
        async with opened(tmp_path, model=False) as bench:
            await bench.retain(session(*OF_FIVE, FIFTH))
            assert await _profile(bench) == []


class TestAnswering:
    """It comes with every answer, once, as data, and to no moment before it was made."""

    @pytest.fixture
    async def known(self, bench: Bench) -> Bench:
        await bench.retain(session(*OF_FIVE, FIFTH))
        bench.chat.calls.clear()
        return bench

    async def test_it_stands_in_every_answers_prompt_whatever_is_asked(self, known: Bench) -> None:
        (nurse, meat, ana) = await _profile(known)
        known.script(answer=f"Lentils [{meat.id}].")
        for request in ("Which tie goes with grey?", "Who is the nurse who eats no meat?"):
            result = await known.ask(request, mode="recall")
            assert result["cited"] == [meat.id]
            call = known.asked("answer")[-1]
            assert call.fenced("user_profile") == [
                f"[{nurse.id}] The user is a nurse ‹/user_profile>",
                f"[{meat.id}] The user eats no meat",
                f"[{ana.id}] Ana is the user's wife",
            ]
            assert call.user.count("eats no meat\n") == 1
            assert "<observations>" not in call.user
            assert "What the person is like" in str(call.messages[0].content)
            assert [one["id"] for one in result["observations"]] == [nurse.id, meat.id, ana.id]

    async def test_a_moment_before_it_was_made_knows_none(self, known: Bench) -> None:
        before = (NOW - timedelta(days=1)).isoformat()
        result = await known.ask("What do I eat?", mode="recall", now=before)
        assert result["observations"] == []
        (call,) = known.asked("answer")
        assert "user_profile" not in call.user
        assert "What the person is like" not in str(call.messages[0].content)

    async def test_facts_have_the_budget_before_it(self, known: Bench) -> None:
        result = await known.ask("What do I eat?", mode="recall", budget=120)
        (call,) = known.asked("answer")
        assert len(call.fenced("facts")) == len(result["hits"]) == 5
        assert len(call.fenced("user_profile")) < 3

    async def test_observations_near_the_request_are_found_past_it(self, known: Bench) -> None:
        statements = [f"The user eats meat of kind {n}" for n in range(40)]
        (first, *_) = await _profile(known)
        facts = first.facts
        made = [
            Observation(f"b{n:012x}", BANK, USER, "user", "", text, facts, NOW)
            for n, text in enumerate(statements)
        ]
        diet = Observation(
            "b123", BANK, facts[0], "topic", "Diet", "Meat and other kinds", facts, NOW
        )
        await known.app.records.observe(BANK, USER, made)
        await known.app.records.observe(BANK, facts[0], [diet])
        found = await known.app.recall.views(BANK, "meat of kind", now=NOW)
        assert (found.observations, len(found.user)) == ([diet], 40)
