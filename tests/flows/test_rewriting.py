"""A request that a model rewrites first: what is searched, by which days, and what it may cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
import pytest_asyncio
from langchain_core.exceptions import ModelConnectionError

from forethought.memory.recall.rewriting import Original, Rewriting, Rewritten
from tests.flows.bench import QUICK, Bench, session, texts_of
from tests.flows.scripted import tree
from tests.flows.talk import Talk

pytestmark = pytest.mark.asyncio(loop_scope="module")

KAYAK = "Bought the red kayak in Nordvik"
RAIN = "When I buy a raincoat it rains"
FOLLOWING = "And when did I buy it?"
RESTATED = "When did I buy the red kayak?"
REWRITE: dict[str, Any] = {
    "request": RESTATED, "query": "User bought the red kayak in a shop", "first_day": None,
    "last_day": None, "tense": "past", "subjectivity": "objective", "certainty": "certain",
}  # fmt: skip
NOW = "2025-06-10T12:00:00+00:00"
CARNIVAL = "What was on at carnival?"
SKIED, SWAM = "Skied in Lahti", "Swam in Hanko"


@pytest.fixture
def talk(stores: Bench, request: pytest.FixtureRequest) -> Talk:
    """A chat that leaves nothing behind, with a bank of its own; its requests are rewritten."""
    settings = {"mode": "recall", "augment": "model", "reflect": False, "remember": False}
    talk = Talk(stores, request.node.name, {**settings, "now": NOW, "limit": 1, "turns": 0})
    stores.script(rewrite=dict(REWRITE))
    return talk


async def _events(talk: Talk, said: str, **settings: Any) -> dict[str, dict[str, Any]]:
    """What each step says that it did."""
    stream = talk.graph.astream(
        {"messages": [("human", said)]}, talk.thread(), context=talk.context(**settings),
        stream_mode="custom",
    )  # fmt: skip
    return {event["node"]: event async for event in stream}


async def test_a_question_that_follows_another_finds_its_fact_only_when_it_is_rewritten(
    talk: Talk,
) -> None:
    await talk.know(KAYAK, RAIN)
    await talk.say("I took the red kayak out", augment="off")
    plain = await talk.say(FOLLOWING, augment="off", thread="1")
    assert texts_of(plain) == [RAIN]
    found = await talk.say(FOLLOWING)
    assert texts_of(found) == [KAYAK]
    (asked,) = talk.bench.asked("rewrite")
    assert asked.fenced("request") == [FOLLOWING]
    assert "user: I took the red kayak out" in asked.fenced("conversation")
    assert FOLLOWING not in asked.fenced("conversation")[-1]
    assert found["rewriting"] | {"days": None} == {
        "request": RESTATED, "query": REWRITE["query"], "days": None,
        "dimensions": {"tense": "past", "subjectivity": "objective", "certainty": "certain"},
    }  # fmt: skip


async def test_a_client_that_passes_its_history_is_understood_as_well(talk: Talk) -> None:
    await talk.know(KAYAK, RAIN)
    found = await talk.alone("I took the red kayak out", "How was it?", FOLLOWING)
    assert texts_of(found) == [KAYAK]
    (asked,) = talk.bench.asked("rewrite")
    assert asked.fenced("conversation") == [
        "user: I took the red kayak out", "assistant: How was it?",
    ]  # fmt: skip


async def test_what_is_imagined_follows_the_restated_request(talk: Talk) -> None:
    await talk.know(KAYAK, RAIN)
    talk.bench.script(imagine=tree("Look for the receipt of the red kayak"))
    await talk.say(FOLLOWING, mode="prospect", max_rounds=1, delta=1)
    for prompt in ("imagine", "refine", "summarise"):
        (asked,) = talk.bench.asked(prompt)
        assert asked.fenced("request") == [RESTATED]
    (answer,) = talk.bench.asked("answer")
    assert answer.fenced("request") == [FOLLOWING]


async def test_where_nothing_is_imagined_what_was_rewritten_is_recalled(talk: Talk) -> None:
    await talk.know(KAYAK, RAIN)
    talk.bench.script(imagine="no")
    found = await talk.say(FOLLOWING, mode="prospect")
    assert texts_of(found) == [KAYAK]


async def test_the_log_is_searched_by_what_was_rewritten(talk: Talk) -> None:
    await talk.bench.retain(
        session("The red kayak leaks", "When it rains I buy a hat"), bank=talk.bank, foresight=0
    )
    talk.bench.script(imagine=tree("Paddle home"))
    for mode in ("recall", "prospect"):
        found = await talk.say(FOLLOWING, mode=mode, turns=1, limit=35, max_rounds=0, tau=1.0)
        said = [one["turn"]["text"] for one in found["turns"]]
        assert mode == "recall" or said[0] == "The red kayak leaks"
        assert mode == "prospect" or texts_of(found)[0] == "The red kayak leaks"


async def test_by_default_no_request_is_rewritten(talk: Talk) -> None:
    await talk.know(KAYAK)
    for mode in ("recall", "prospect"):
        found = await talk.say(FOLLOWING, mode=mode, augment="facts", max_rounds=0)
        assert found["rewriting"] is None
    assert not talk.bench.asked("rewrite")


async def test_a_rewriting_holds_for_its_own_turn_alone(talk: Talk) -> None:
    await talk.know(KAYAK, RAIN)
    first = await talk.say(FOLLOWING)
    second = await talk.say(FOLLOWING, augment="off")
    assert (texts_of(first), texts_of(second)) == ([KAYAK], [RAIN])
    assert (first["usage"]["calls"], second["usage"]["calls"]) == (2, 1)
    assert second["rewriting"] is None


class TestDays:
    """The days that a request is about, where no rule reads any."""

    @pytest_asyncio.fixture(loop_scope="module")
    async def feast(self, talk: Talk) -> Talk:
        """Something happened at carnival, something in summer; a model knows when."""
        for text, on in ((SKIED, "2025-02-20T12:00:00Z"), (SWAM, "2024-07-20T12:00:00Z")):
            await talk.bench.retain(session(text, on=on), bank=talk.bank, foresight=0)
        days = {"first_day": "2025-02-15", "last_day": "2025-02"}
        talk.bench.script(rewrite={**REWRITE, "request": CARNIVAL, "query": CARNIVAL, **days})
        return talk

    async def test_they_are_searched_and_it_is_said_that_a_model_read_them(
        self, feast: Talk
    ) -> None:
        said = await _events(feast, CARNIVAL)
        days = "2025-02-15…2025-02-28 (as a model read them)"
        assert said["recall"]["read"] == {"temporal": days}
        assert [hit["text"] for hit in said["recall"]["hits"]] == [SKIED]
        assert f"days: {days}" in said["augment"]["rewritten"]
        assert "facts wanted: past, objective, certain" in said["augment"]["rewritten"]
        plain = await _events(feast, CARNIVAL, augment="off")
        assert plain["recall"]["read"] == {}

    async def test_the_log_of_those_days_stands_beside_a_prospection(self, feast: Talk) -> None:
        feast.bench.script(imagine=tree("Unpack"))
        found = await feast.say(CARNIVAL, mode="prospect", turns=1, max_rounds=0, tau=1.0)
        assert found["turns"][0]["turn"]["text"] == SKIED

    async def test_days_that_the_rules_read_come_first(self, feast: Talk) -> None:
        asked = "What was on in July 2024?"
        other = {"first_day": "2025-02-15", "last_day": "2025-02-28"}
        feast.bench.script(rewrite={**REWRITE, "request": asked, "query": asked, **other})
        said = await _events(feast, asked)
        assert said["recall"]["read"] == {"temporal": "2024-07-01…2024-07-31"}


class TestFailing:
    """What is left where the model does not rewrite."""

    async def test_what_does_not_hold_is_left_out_by_itself_and_named(self, talk: Talk) -> None:
        await talk.know(KAYAK, RAIN)
        talk.bench.script(rewrite={**REWRITE, "query": "...", "first_day": "soon"})
        found = await talk.say(FOLLOWING)
        assert texts_of(found) == [KAYAK]
        assert (found["rewriting"]["request"], found["rewriting"]["days"]) == (RESTATED, None)
        assert [note.startswith("augment: ") for note in found["notes"]] == [True, True]
        assert found["usage"]["calls"] == 2

    @pytest.mark.parametrize("reply", ["no", {"request": 7, "query": []}])
    async def test_a_reply_with_neither_text_is_asked_for_again_and_then_done_without(
        self, talk: Talk, reply: Any
    ) -> None:
        await talk.know(KAYAK, RAIN)
        talk.bench.script(rewrite=reply)
        for mode, calls in (("recall", 3), ("prospect", 5)):
            found = await talk.say(FOLLOWING, mode=mode, max_rounds=0)
            assert texts_of(found)[0] == RAIN or mode == "prospect"
            assert found["rewriting"] is None
            assert found["notes"][0].startswith("augment: the request stays as it was said")
            assert found["usage"]["calls"] == calls

    async def test_a_model_that_is_away_costs_the_request_nothing_but_the_rewriting(
        self, talk: Talk
    ) -> None:
        await talk.know(KAYAK, RAIN)
        talk.bench.script(rewrite=ModelConnectionError("gone"))
        found = await talk.say(FOLLOWING)
        assert len(talk.bench.asked("rewrite")) == QUICK.max_attempts
        assert texts_of(found) == [RAIN]
        assert found["answer"]


async def test_a_spent_budget_is_said_and_nothing_is_rewritten(talk: Talk) -> None:
    await talk.know(KAYAK)
    spent = await talk.say(FOLLOWING, max_calls=1)
    assert spent["notes"] == ["augment: the request stays as it was said: the call budget is spent"]
    assert [call.prompt for call in talk.bench.asked()] == ["answer"]
    assert (await talk.say(FOLLOWING, max_calls=2))["usage"]["calls"] == 2
    talk.bench.script(rewrite="no")
    assert (await talk.say(FOLLOWING, max_calls=2))["usage"]["calls"] == 2


@dataclass(frozen=True)
class Trained:
    """A rewriter that calls no chat model."""

    async def rewrite(self, original: Original, /, *, tries: int) -> Rewriting:
        return Rewriting(Rewritten(RESTATED, KAYAK))


async def test_a_trained_rewriter_takes_the_place_of_the_chat_model(talk: Talk) -> None:
    await talk.know(KAYAK, RAIN)
    bench = Bench(replace(talk.bench.app, trained=Trained()), talk.bench.chat)
    other = Talk(bench, talk.bank, talk.settings)
    found = await other.say(FOLLOWING)
    assert texts_of(found) == [KAYAK]
    assert [call.prompt for call in bench.asked()] == ["answer"]


async def test_without_a_model_the_request_stays_as_it_is(modelless: Bench) -> None:
    found = await modelless.prospect("Help me with the holiday", augment="model")
    assert found["notes"][0].endswith("stays as it was said: no model is configured")
