"""agent: opinions of its own, formed and revised after the answer, and no evidence of anything."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.exceptions import ModelAuthenticationError, ModelConnectionError

from forethought.memory.beliefs.profile import Disposition, Profile, keep_profile
from forethought.memory.beliefs.types import Judgement, Observation, Opinion
from forethought.memory.errors import StoreUnavailable
from tests.flows.bench import NOW, Bench
from tests.flows.scripted import Call, cut, opinion
from tests.flows.talk import Talk

pytestmark = pytest.mark.asyncio(loop_scope="module")

COMMUTE = "My commute to the office takes two hours"
ALONE = "I get lonely when I work at home for weeks"
ASKED = "Should I work at home or commute to the office for two hours?"
GOOD = "Working at home is right for the user because the commute takes two hours"
BAD = "Working at home is wrong for the user because weeks of it make them lonely"


@pytest.fixture
def talk(stores: Bench, request: pytest.FixtureRequest) -> Talk:
    """A chat with a bank of its own, of which nothing is remembered."""
    return Talk(stores, request.node.name, {"mode": "recall", "remember": False})


async def _held(talk: Talk) -> list[tuple[str, float]]:
    opinions = await talk.bench.app.records.opinions(talk.bank)
    return [(one.text, one.confidence) for one in opinions]


def _formed(result: dict[str, Any]) -> list[tuple[str, float]]:
    return [(one["text"], one["confidence"]) for one in result["formed"]]


def _label(call: Call, text: str, tag: str = "facts") -> str:
    (found,) = [line for line in call.fenced(tag) if line.endswith(text)]
    match = re.match(r"\[(\w+)\]", found)
    assert match
    return match[1]


class TestForming:
    """Opinions come from judgements, rest on facts that were shown, and are the bank's own."""

    async def test_an_opinion_is_kept_with_its_reason_its_facts_and_how_sure_it_is(
        self, talk: Talk
    ) -> None:
        await talk.know(COMMUTE, ALONE)
        talk.bench.script(
            reflect=lambda call: {
                "opinions": [
                    opinion(GOOD, 0.7, facts=[_label(call, COMMUTE)], entities=["the office"])
                ]
            }
        )
        result = await talk.say(ASKED)
        (one,) = result["formed"]
        (fact,) = [f for f in await talk.bench.facts(talk.bank) if f.text == COMMUTE]
        assert (one["text"], one["confidence"], one["facts"]) == (GOOD, 0.7, [fact.id])
        assert one["entities"] == ["the office"]
        assert datetime.fromisoformat(one["formed"]) == NOW
        again = await talk.say("Is working at home right for me?")
        assert [seen["id"] for seen in again["opinions"]] == [one["id"]]

    async def test_two_dispositions_form_different_opinions_from_the_same_facts(
        self, stores: Bench
    ) -> None:
        banks = [
            ("trusting", Disposition(skepticism=1, literalism=2, empathy=5, bias=1.0)),
            ("doubting", Disposition(skepticism=5, literalism=5, empathy=1, bias=1.0)),
        ]
        formed = {}
        for name, theta in banks:
            talk = Talk(stores, f"theta-{name}", {"mode": "recall", "remember": False})
            await talk.know(COMMUTE, ALONE)
            await keep_profile(stores.app.records, talk.bank, Profile(disposition=theta))
            stores.script(reflect=_by_temper)
            formed[name] = _formed(await talk.say(ASKED))
            shown = talk.bench.asked("reflect")[0].fenced("facts")
            assert len(shown) == 2
        assert formed == {"trusting": [(GOOD, 0.8)], "doubting": [(BAD, 0.8)]}

    async def test_a_caller_may_dispose_the_assistant_otherwise_for_a_turn(
        self, talk: Talk
    ) -> None:
        await talk.know(COMMUTE)
        await keep_profile(
            talk.bench.app.records, talk.bank, Profile("Vega", Disposition(skepticism=5))
        )
        for override in (None, {"skepticism": 1}):
            talk.bench.chat.calls.clear()
            await talk.say(ASKED, disposition=override)
            for call in talk.bench.asked("answer", "reflect"):
                system = str(call.messages[0].content)
                assert "Your name is Vega." in system
                assert ("very trusting" in system, "very skeptical" in system) == (
                    (False, True) if override is None else (True, False)
                )

    async def test_a_factual_exchange_forms_none(self, talk: Talk) -> None:
        await talk.know(COMMUTE)
        talk.bench.script(reflect={"opinions": []})
        result = await talk.say("How long is my commute to the office?")
        assert (result["formed"], result["notes"], await _held(talk)) == ([], [], [])

    async def test_what_rests_on_no_fact_that_was_shown_is_dropped_and_named(
        self, talk: Talk
    ) -> None:
        await talk.know(COMMUTE)
        told = [opinion("Cats are better than dogs", facts=labels) for labels in ([], ["F2", "O1"])]
        talk.bench.script(reflect={"opinions": [*told, opinion("…"), opinion(GOOD)]})
        result = await talk.say(ASKED)
        assert _formed(result) == [(GOOD, 0.7)]
        assert (
            result["notes"]
            == ["reflect: dropped, it rests on no fact that was shown: Cats are better than dogs"]
            * 2
        )

    async def test_facts_that_the_answer_had_no_room_for_are_no_ground(self, talk: Talk) -> None:
        await talk.know(COMMUTE, ALONE)
        await talk.say(ASKED, budget=45)
        (call,) = talk.bench.asked("reflect")
        assert len(call.fenced("facts")) == len(talk.bench.asked("answer")[0].fenced("facts")) == 1

    @pytest.mark.parametrize(
        ("said", "kept"), [(85, 0.85), ("70%", 0.7), ("0.4", 0.4), (1, 1.0), (0, 0.0)]
    )
    async def test_confidence_is_read_as_models_write_it(
        self, talk: Talk, said: Any, kept: float
    ) -> None:
        await talk.know(COMMUTE)
        talk.bench.script(reflect={"opinions": [opinion(GOOD, said)]})
        assert _formed(await talk.say(ASKED)) == [(GOOD, kept)]


def _by_temper(call: Call) -> dict[str, Any]:
    trusting = "very trusting" in str(call.messages[0].content)
    assert trusting != ("very skeptical" in str(call.messages[0].content))
    text, fact = (GOOD, COMMUTE) if trusting else (BAD, ALONE)
    return {"opinions": [opinion(text, 0.8, facts=[_label(call, fact)])]}


class TestRevising:
    """One matter, one opinion, whose way is kept."""

    async def test_the_same_meaning_revises_what_was_held_and_does_not_double_it(
        self, talk: Talk
    ) -> None:
        await talk.know(COMMUTE)
        again = f"Yes: {GOOD[0].lower()}{GOOD[1:]}"
        for text, sure in ((GOOD, 0.7), (GOOD, 0.8), (again, 0.5)):
            talk.bench.script(reflect={"opinions": [opinion(text, sure)]})
            assert _formed(await talk.say(ASKED)) == [(text, sure)]
        (held,) = await talk.bench.app.records.opinions(talk.bank)
        assert (held.first, held.initial) == (GOOD, 0.7)
        assert [(step.verdict, step.before, step.after, step.text) for step in held.steps] == [
            ("revise", 0.7, 0.8, GOOD), ("revise", 0.8, 0.5, again),
        ]  # fmt: skip

    async def test_of_one_meaning_in_one_reply_the_first_counts(self, talk: Talk) -> None:
        await talk.know(COMMUTE)
        talk.bench.script(reflect={"opinions": [opinion(GOOD, 0.7), opinion(f"So {GOOD}", 0.2)]})
        result = await talk.say(ASKED)
        assert await _held(talk) == [(GOOD, 0.7)]
        assert result["notes"] == [f"reflect: dropped, another one says the same: So {GOOD}"]

    async def test_an_opinion_is_revised_by_its_label_and_rests_on_more_facts_then(
        self, talk: Talk
    ) -> None:
        await talk.know(COMMUTE, ALONE)
        talk.bench.script(
            reflect=lambda call: {"opinions": [opinion(GOOD, facts=[_label(call, COMMUTE)])]}
        )
        await talk.say(ASKED)
        new = "Working at home is wrong for the user, who gets lonely after weeks"
        talk.bench.script(
            reflect=lambda call: {
                "opinions": [
                    opinion(
                        new, 0.6, facts=[_label(call, ALONE)],
                        revises=_label(call, GOOD, "opinions"),
                    )
                ]
            }
        )  # fmt: skip
        await talk.say(ASKED)
        (held,) = await talk.bench.app.records.opinions(talk.bank)
        assert (held.text, held.first, held.confidence) == (new, GOOD, 0.6)
        assert len(held.facts) == 2

    async def test_a_label_that_points_at_another_matter_takes_nothing_away(
        self, talk: Talk
    ) -> None:
        await talk.know(COMMUTE)
        talk.bench.script(reflect={"opinions": [opinion(GOOD)]})
        await talk.say(ASKED)
        other = "Green tea calms Ana better than coffee"
        talk.bench.script(reflect={"opinions": [opinion(other, revises="O1")]})
        result = await talk.say(ASKED)
        assert sorted(await _held(talk)) == [(other, 0.7), (GOOD, 0.7)]
        assert "kept beside, not instead of" in result["notes"][0]

    async def test_two_chats_of_one_bank_at_once_form_one_opinion(self, talk: Talk) -> None:
        await talk.know(COMMUTE)
        talk.bench.script(reflect={"opinions": [opinion(GOOD)]})
        await asyncio.gather(*(talk.say(ASKED, thread=str(number)) for number in range(3)))
        assert await _held(talk) == [(GOOD, 0.7)]


class TestDegrading:
    """The answer stands, whatever becomes of the reflection, and notes say what was left out."""

    @pytest.mark.parametrize(
        ("reply", "says"),
        [
            (ModelConnectionError("no route"), "reflect: left out: reflect: scripted: no route"),
            (ModelAuthenticationError("bad key"), "reflect: left out: reflect: scripted: bad key"),
            ("I would rather not.", "reflect: left out: reflect: scripted gave no usable answer"),
            ({"opinions": [opinion(GOOD, 7000)]}, "reflect: left out: reflect: scripted gave"),
            (cut('{"opinions": [{"te'), "reflect: left out: reflect: scripted hit its output"),
        ],
        ids=["away", "refused", "prose", "out of range", "cut"],
    )
    async def test_a_failed_reflection_costs_one_call_and_nothing_else(
        self, talk: Talk, reply: Any, says: str
    ) -> None:
        await talk.know(COMMUTE)
        talk.bench.script(reflect=reply)
        result = await talk.say(ASKED, remember=True)
        assert (result["answer"], result["formed"]) == ("This is what is known.", [])
        assert [note for note in result["notes"] if note.startswith(says)]
        assert result["usage"]["calls"] == len(talk.bench.asked()) == 2
        assert len(await talk.logged()) == 1

    async def test_of_a_reply_the_opinions_that_fit_are_kept(self, talk: Talk) -> None:
        await talk.know(COMMUTE)
        talk.bench.script(
            reflect={"opinions": [{**opinion(GOOD), "confidence": "rather"}, opinion(BAD)]}
        )
        result = await talk.say(ASKED)
        assert _formed(result) == [(BAD, 0.7)]
        assert result["notes"] == ["reflect: 1 opinions did not fit and were dropped"]

    async def test_a_spent_budget_leaves_it_out_and_says_so(self, talk: Talk) -> None:
        await talk.know(COMMUTE)
        result = await talk.say(ASKED, max_calls=1)
        assert result["notes"] == ["reflect: left out, the call budget is spent"]
        assert [call.prompt for call in talk.bench.asked()] == ["answer"]

    async def test_without_a_fact_to_rest_on_it_does_not_ask(self, talk: Talk) -> None:
        result = await talk.say(ASKED)
        assert (result["notes"], [c.prompt for c in talk.bench.asked()]) == ([], ["answer"])

    async def test_it_is_off_when_the_caller_says_so(self, talk: Talk) -> None:
        await talk.know(COMMUTE)
        assert (await talk.say(ASKED, reflect=False))["usage"]["calls"] == 1

    async def test_a_store_that_is_away_leaves_the_answer(
        self, talk: Talk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await talk.know(COMMUTE)
        talk.bench.script(reflect={"opinions": [opinion(GOOD)]})

        async def down(*_: Any) -> Any:
            raise StoreUnavailable("the disk is full")

        monkeypatch.setattr(type(talk.bench.app.records), "hold", down)
        result = await talk.say(ASKED)
        assert result["answer"] == "This is what is known."
        assert result["notes"] == ["reflect: left out: the disk is full"]


class TestApart:
    """What is believed and summed up never passes for what is so."""

    async def _with_all_four(self, talk: Talk) -> dict[str, str]:
        """Ids: a fact of the world, one of experience, an opinion and an observation."""
        said = ["I work at home", "assistant: I advised working at home"]
        drafts = [
            {"text": "I work at home", "kind": "Activity", "turns": ["T1"]},
            {"text": "I advised working at home", "kind": "Activity", "turns": ["T2"]},
        ]
        talk.bench.script(extract={"facts": drafts})
        await talk.know(*said)
        app, bank = talk.bench.app, talk.bank
        facts: dict[str, str] = {fact.network: fact.id for fact in await talk.bench.facts(bank)}
        at = datetime(2025, 6, 1, tzinfo=UTC)
        held = Opinion("o0123456789ab", bank, GOOD, 0.7, at, GOOD, 0.7, facts=(facts["world"],))
        made = Observation(
            "b0123456789ab", bank, "f0", "topic", "work", "The user works at home",
            (facts["world"],), at,
        )  # fmt: skip
        await app.records.hold(bank, [held])
        await app.records.observe(bank, "f0", [made])
        await app.indexer.catch_up(bank)
        return {**facts, "opinion": held.id, "observation": made.id}

    async def test_the_answer_is_given_each_network_under_a_heading_of_its_own_and_cites_all(
        self, talk: Talk
    ) -> None:
        ids = await self._with_all_four(talk)
        cites = " ".join(f"[{id}]" for id in ids.values())
        talk.bench.script(answer=f"At home {cites} [odeadbeef0000] [b1].")
        result = await talk.say("Is it right to work at home?")
        (call,) = talk.bench.asked("answer")
        for network, tag in (
            ("world", "facts"), ("experience", "experience"), ("opinion", "opinions"),
            ("observation", "observations"),
        ):  # fmt: skip
            assert [line[1:14] for line in call.fenced(tag)] == [ids[network]]
        assert f"[{ids['opinion']}] (confidence 0.70) {GOOD}" in call.user
        assert "no evidence" in call.user and "no evidence" in str(call.messages[0].content)
        assert result["answer"] == f"At home {cites}."
        assert result["cited"] == list(ids.values())

    async def test_no_search_for_facts_ever_returns_an_opinion_or_an_observation(
        self, talk: Talk
    ) -> None:
        ids = await self._with_all_four(talk)
        app = talk.bench.app
        views = {ids["opinion"], ids["observation"]}
        for mode in ("recall", "prospect"):
            result = await talk.say(GOOD, mode=mode, max_rounds=1)
            found = {hit["fact"]["id"] for hit in result["hits"]}
            assert found == {ids["world"], ids["experience"]}
            assert [one["id"] for one in result["opinions"]] == [ids["opinion"]]
        known = [
            *await app.recall.related(talk.bank, [GOOD], k=9, limit=9),
            *await app.recall.sure(talk.bank, GOOD, now=NOW, k=9, floor=-1),
        ]
        assert known and views.isdisjoint(fact.id for fact in known)
        (call,) = talk.bench.asked("reflect")[:1]
        assert not any(GOOD in line for line in call.fenced("facts"))

    async def test_views_that_came_later_are_not_shown_and_those_of_then_read_as_they_did(
        self, talk: Talk
    ) -> None:
        await self._with_all_four(talk)
        records = talk.bench.app.records
        (held,) = await records.opinions(talk.bank)
        later = held.formed.replace(year=2026)
        await records.judge(
            talk.bank, [Judgement(held.id, "revise", later, text=f"{GOOD}!", confidence=0.9)]
        )
        asked: dict[str, Any] = {}
        for now in ("2025-05-20", "2025-07-01", "2027-01-01"):
            asked[now] = await talk.say(GOOD, now=now, reflect=False)
        assert [
            [(one["text"], one["confidence"]) for one in result["opinions"]]
            for result in asked.values()
        ] == [[], [(GOOD, 0.7)], [(f"{GOOD}!", 0.9)]]
        assert [len(result["observations"]) for result in asked.values()] == [0, 1, 1]

    async def test_where_nothing_is_believed_no_record_is_read_and_the_request_embedded_once(
        self, talk: Talk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await talk.know(COMMUTE)

        async def never(*_: Any, **__: Any) -> Any:
            raise AssertionError("nothing is held in this bank")

        embedded: list[str] = []
        embed = type(talk.bench.app.embedder).embed

        async def counting(self: Any, texts: Any) -> Any:
            embedded.extend(texts)
            return await embed(self, texts)

        for name in ("opinions", "observations"):
            monkeypatch.setattr(type(talk.bench.app.records), name, never)
        monkeypatch.setattr(type(talk.bench.app.embedder), "embed", counting)
        await talk.say("Is it a long commute, all in all?", reflect=False)
        assert embedded == ["Is it a long commute, all in all?"]

    async def test_facts_come_before_beliefs_where_not_all_fit(self, talk: Talk) -> None:
        await self._with_all_four(talk)
        await talk.say("Is it right to work at home?", budget=60)
        (call,) = talk.bench.asked("answer")
        assert call.fenced("facts") and call.fenced("experience")
        assert not call.fenced("opinions") and not call.fenced("observations")


@pytest.mark.parametrize(
    ("mode", "prompts"),
    [
        ("recall", ["answer", "reflect"]),
        ("prospect", ["imagine", "refine", "summarise", "answer", "reflect"]),
    ],
)
async def test_a_turn_makes_the_calls_that_the_readme_states(
    talk: Talk, mode: str, prompts: list[str]
) -> None:
    await talk.know(COMMUTE)
    for turn in range(1, 4):
        result = await talk.say(ASKED, mode=mode, remember=True)
        assert [call.prompt for call in talk.bench.asked()] == prompts * turn
        assert result["usage"]["calls"] == len(prompts)


class TestStreaming:
    """The answer is out before anything is made of it."""

    async def test_the_answer_streams_whole_before_reflect_and_remember_begin(
        self, talk: Talk
    ) -> None:
        await talk.know(COMMUTE)
        talk.bench.script(answer="You could try it.", reflect={"opinions": [opinion(GOOD)]})
        given = {"messages": [{"role": "user", "content": ASKED}]}
        order: list[str] = []
        streamed = ""
        async for mode, what in talk.graph.astream(
            given,
            talk.thread(),
            context=talk.context(remember=True, flush=True),
            stream_mode=["messages", "custom"],
        ):
            if mode == "custom":
                order.append(what["node"])
            else:
                message, about = what
                assert about["langgraph_node"] == "answer"
                streamed += message.content
                order.append("token")
        assert streamed == "You could try it."
        steps = [name for name in order if name != "token"]
        after = ["reflect", "remember", "learn", "retain"]
        assert steps == ["listen", "due", "views", "gate", "recall", "answer", *after]
        last = len(order) - 1 - order[::-1].index("token")
        assert order[last + 1 :] == ["answer", *after]

    async def test_a_lock_that_another_run_holds_does_not_hold_up_the_answer(
        self, talk: Talk
    ) -> None:
        await talk.know(COMMUTE)
        given = {"messages": [{"role": "user", "content": ASKED}]}
        stream = talk.graph.astream(
            given, talk.thread(), context=talk.context(), stream_mode="custom"
        )
        async with talk.bench.app.locks.of(talk.bank):
            seen = []
            async for event in stream:
                seen.append(event["node"])
                if event["node"] == "answer":
                    break
        assert seen == ["listen", "due", "views", "gate", "recall", "answer"]
        await stream.aclose()
