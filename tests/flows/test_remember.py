"""agent: each turn is in the log once, whatever becomes of the history, and is retained in time."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage
from langchain_core.messages import ToolMessage as Tool

from forethought.memory.errors import StoreUnavailable
from forethought.memory.ids import session_id
from tests.flows.bench import Bench
from tests.flows.scripted import facts_said
from tests.flows.talk import Talk

pytestmark = pytest.mark.asyncio(loop_scope="module")
DAY, NEXT = "2025-05-16T12:00:00+00:00", "2025-05-17T08:00:00+00:00"


@pytest.fixture
def talk(stores: Bench, request: pytest.FixtureRequest) -> Talk:
    """A chat with a bank of its own, in which each answer says what it answers, and no opinions."""
    talk = Talk(stores, request.node.name, {"mode": "recall", "reflect": False, "now": DAY})
    stores.script(answer=lambda call: f"Re {call.subject}.")
    return talk


async def test_what_was_said_and_answered_is_logged_in_order_and_nothing_else(talk: Talk) -> None:
    await talk.say(SystemMessage("Be kind."), "My cat is Miso")
    call = {"name": "look", "args": {}, "id": "1"}
    await talk.say(AIMessage("", tool_calls=[call]), Tool("A cat.", tool_call_id="1"), "Who is it?")
    assert await talk.logged() == [
        ["My cat is Miso", "Re My cat is Miso.", "Who is it?", "Re Who is it?."]
    ]
    (logged,) = await talk.bench.app.records.sessions(talk.bank)
    assert (logged.key, logged.date.isoformat()) == ("chat 1 2025-05-16", DAY)


async def test_ids_are_not_speech(talk: Talk) -> None:
    await talk.know("My cat is Miso")
    (known,) = await talk.bench.facts(talk.bank)
    talk.bench.script(answer=f"Miso [{known.id}], as you said [{known.id}].")
    assert known.id in (await talk.say("Who is my cat?"))["answer"]
    assert await talk.logged() == [["Who is my cat?", "Miso, as you said."]]


async def test_what_was_just_said_is_found_by_the_next_question(talk: Talk) -> None:
    await talk.say("The key is under the third pot")
    found = await talk.say("Where is the key under?", thread="2")
    assert found["turns"][0]["turn"]["text"] == "The key is under the third pot"
    again = await talk.say("Where is the key under?", thread="1")
    (*_, call) = talk.bench.asked("answer")
    assert not any("third pot" in line for line in call.fenced("turns"))  # it is on the screen
    assert "user: The key is under the third pot" in call.fenced("conversation")
    assert again["notes"] == []


class TestOnce:
    """Nothing is doubled and nothing lost."""

    async def test_a_step_that_is_run_again_changes_nothing(self, talk: Talk) -> None:
        await talk.say("One")
        await talk.say("Two")
        await talk.go_on(None, await talk.before("remember"))
        await talk.say("Three")
        assert await talk.logged() == [["One", "Re One.", "Two", "Re Two.", "Three", "Re Three."]]

    async def test_a_turn_that_was_answered_but_not_logged_is_logged_by_the_next(
        self, talk: Talk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await talk.say("One")

        async def down(*_: Any) -> Any:
            raise ZeroDivisionError

        with monkeypatch.context() as broken:
            broken.setattr(type(talk.bench.app.records), "log", down)
            with pytest.raises(ZeroDivisionError):
                await talk.say("Two")
        await talk.say("Three")
        assert await talk.logged() == [["One", "Re One.", "Two", "Re Two.", "Three", "Re Three."]]

    async def test_an_answer_that_was_taken_back_and_given_anew_leaves_both(
        self, talk: Talk
    ) -> None:
        await talk.say("One")
        await talk.say("Two")
        place = await talk.before("answer")
        talk.bench.script(answer="Otherwise.")
        await talk.go_on(None, place)
        await talk.go_on(None, await talk.before("remember"))
        assert sorted(await talk.logged()) == [
            ["One", "Re One.", "Two", "Re Two."], ["Two", "Otherwise."],
        ]  # fmt: skip

    async def test_the_same_words_twice_are_two_turns(self, talk: Talk) -> None:
        await talk.say("Yes")
        await talk.say("Yes")
        assert await talk.logged() == [["Yes", "Re Yes.", "Yes", "Re Yes."]]

    async def test_two_threads_are_two_sessions(self, talk: Talk) -> None:
        for thread in ("1", "2", "1"):
            await talk.say("Hi", thread=thread)
        assert sorted(await talk.logged()) == [
            ["Hi", "Re Hi."], ["Hi", "Re Hi.", "Hi", "Re Hi."],
        ]  # fmt: skip

    async def test_a_history_that_is_trimmed_or_edited_goes_on_where_it_was(
        self, talk: Talk
    ) -> None:
        first = await talk.say("One")
        second = await talk.say("Two")
        gone = [RemoveMessage(id=one.id) for one in first["messages"]]
        await talk.say(*gone, "Three")
        edited = HumanMessage("Two and a half", id=second["messages"][2].id)
        await talk.say(edited, "Four")
        everything = (await talk.graph.aget_state(talk.thread())).values["messages"]
        await talk.say(*[RemoveMessage(id=one.id) for one in everything], "Five")
        said = ("One", "Two", "Three", "Four", "Five")
        assert await talk.logged() == [[text for one in said for text in (one, f"Re {one}.")]]

    @pytest.mark.parametrize("window", [100, 2], ids=["whole", "its end"])
    async def test_a_client_that_passes_its_history_each_time_is_followed(
        self, talk: Talk, window: int
    ) -> None:
        history: list[str] = []
        for number in range(5):
            history.append(f"Number {number}")
            for _ in range(2):  # as one whose connection broke asks again
                answer = (await talk.alone(*history[-window - 1 :]))["answer"]
            history.append(answer)
        assert await talk.logged() == [history]

    async def test_a_history_from_elsewhere_is_logged_as_a_whole_the_first_time(
        self, talk: Talk
    ) -> None:
        await talk.alone("Hello", "Hello!", "My cat is Miso")
        await talk.alone("Hello", "Hello!", "My cat is Miso", "Re My cat is Miso.", "Who?")
        assert await talk.logged() == [
            ["Hello", "Hello!", "My cat is Miso", "Re My cat is Miso.", "Who?", "Re Who?."]
        ]

    async def test_what_is_not_to_be_remembered_is_not_remembered_later_either(
        self, talk: Talk
    ) -> None:
        await talk.say("One")
        await talk.say("A secret", remember=False)
        await talk.say("Another", remember=False)
        await talk.say("Two")
        assert await talk.logged() == [["One", "Re One.", "Two", "Re Two."]]

    async def test_a_thread_that_turns_to_another_bank_takes_nothing_along(
        self, talk: Talk
    ) -> None:
        await talk.say("One")
        talk.bank, first = f"{talk.bank}-other", talk.bank
        await talk.say("Two")
        assert await talk.logged() == [["Two", "Re Two."]]
        talk.bank = first
        await talk.say("Three")
        assert sorted(await talk.logged()) == [["One", "Re One."], ["Three", "Re Three."]]


class TestDays:
    """A chat that goes on for weeks is a session a day."""

    async def test_each_day_has_its_session_and_what_was_left_of_the_last_one_is_retained(
        self, talk: Talk
    ) -> None:
        await talk.say("I fly to Oslo tomorrow")
        result = await talk.say("I am in Oslo", now=NEXT)
        assert await talk.logged() == [
            ["I fly to Oslo tomorrow", "Re I fly to Oslo tomorrow."],
            ["I am in Oslo", "Re I am in Oslo."],
        ]
        assert [entry["status"] for entry in result["retained"]] == ["extracted"]
        (extract,) = talk.bench.asked("extract")
        assert "took place on 2025-05-16" in extract.user
        (known,) = await talk.bench.facts(talk.bank)
        assert known.date.isoformat() == DAY

    async def test_a_client_without_a_checkpointer_has_a_session_a_day_too(
        self, talk: Talk
    ) -> None:
        await talk.alone("One")
        await talk.alone("One", "Re One.", "Two", now=NEXT)
        assert await talk.logged() == [["One", "Re One."], ["Two", "Re Two."]]

    async def test_a_forgotten_session_stays_forgotten_and_the_turn_says_so(
        self, talk: Talk
    ) -> None:
        await talk.say("One")
        key = "chat 1 2025-05-16"
        await talk.bench.app.forgetter.forget(talk.bank, session=session_id(talk.bank, key))
        result = await talk.say("Two", flush=True)
        assert (await talk.logged(), result["retained"]) == ([], [])
        assert result["answer"] == "Re Two."
        assert result["notes"] == [
            f"remember: not kept, the session {key!r} was forgotten and stays so: begin a new "
            "thread to be remembered again"
        ]
        await talk.say("Three", thread="2")
        assert await talk.logged() == [["Three", "Re Three."]]


class TestRetaining:
    """Every so many turns what waits becomes facts."""

    async def test_every_so_many_exchanges_are_retained_and_the_report_says_what(
        self, talk: Talk
    ) -> None:
        reports = [(await talk.say(f"Fact {n}", retain_every=2))["retained"] for n in range(1, 6)]
        assert [[entry["facts"] for entry in report] for report in reports] == [
            [], [2], [], [2], [],
        ]  # fmt: skip
        assert len(talk.bench.asked("extract")) == 2
        assert sorted(await talk.bench.texts(talk.bank)) == [f"Fact {n}" for n in range(1, 5)]

    async def test_to_flush_retains_at_once_and_costs_nothing_where_nothing_waits(
        self, talk: Talk
    ) -> None:
        result = await talk.say("My cat is Miso", flush=True)
        assert [entry["facts"] for entry in result["retained"]] == [1]
        assert result["usage"]["calls"] == 3  # the answer, extract and foresee
        (extract,) = talk.bench.asked("extract")
        assert extract.fenced("conversation") == [
            "[T1] user: My cat is Miso", "[T2] assistant: Re My cat is Miso.",
        ]  # fmt: skip

    async def test_a_chat_that_waits_for_each_checkpoint_is_retained_too(self, talk: Talk) -> None:
        said = {"messages": [HumanMessage("My cat is Miso")]}
        result = await talk.graph.ainvoke(
            said, talk.thread(), context=talk.context(flush=True), durability="sync"
        )
        assert [entry["facts"] for entry in result["retained"]] == [1]

    async def test_a_model_that_is_away_leaves_the_session_pending_until_more_was_said(
        self, talk: Talk
    ) -> None:
        away = ModelConnectionError("no route to host")
        talk.bench.script(extract=away)
        results = [await talk.say(f"Fact {n}", retain_every=2) for n in range(1, 4)]
        assert [bool(result["retained"]) for result in results] == [False, True, False]
        assert results[1]["answer"] == "Re Fact 2."
        assert results[1]["notes"][-1] == (
            "retain: a session stays pending, a later retain takes up what is in the log"
        )
        assert any("no route to host" in note for note in results[1]["notes"])
        talk.bench.script(extract=facts_said)
        last = await talk.say("Fact 4", retain_every=2)
        assert [entry["facts"] for entry in last["retained"]] == [4]

    async def test_a_bad_reply_leaves_the_session_to_the_next_retain(self, talk: Talk) -> None:
        talk.bench.script(extract="no")
        first = await talk.say("Fact 1", flush=True)
        assert [entry["status"] for entry in first["retained"]] == ["failed"]
        talk.bench.script(extract=facts_said)
        second = await talk.say("Fact 2", flush=True)
        assert [entry["facts"] for entry in second["retained"]] == [2]

    async def test_a_store_that_is_away_while_retaining_leaves_the_answer(
        self, talk: Talk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def down(*_: Any) -> Any:
            raise StoreUnavailable("the disk is full")

        monkeypatch.setattr(type(talk.bench.app.records), "commit", down)
        result = await talk.say("Fact 1", flush=True)
        assert result["answer"] == "Re Fact 1."
        assert result["notes"][-2:] == [
            "retain: stopped: the disk is full",
            "retain: a session stays pending, a later retain takes up what is in the log",
        ]


async def test_ten_turns_are_remembered_retained_and_answered_from(talk: Talk) -> None:
    talk.settings = {"mode": "recall", "now": DAY}
    for number in range(10):
        result = await talk.say(f"Thing {number} is in drawer {number}")
        assert result["usage"]["calls"] <= 2 + (2 if result["retained"] else 0)
    assert len((await talk.logged())[0]) == 20
    assert len(await talk.bench.facts(talk.bank)) == 6
    found = await talk.say("Thing 3 is in drawer", thread="2")
    assert found["hits"][0]["fact"]["text"] == "Thing 3 is in drawer 3"
    late = await talk.say("Thing 9 is in drawer", thread="3")
    said = [one["turn"]["text"] for one in late["turns"]]
    assert "Thing 9 is in drawer 9" in said[:2]  # it is no fact yet
