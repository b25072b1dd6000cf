"""retain and agent: what was undertaken comes to mind when it matters, until it is settled."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import date
from typing import Any

import pytest
import pytest_asyncio
from langchain_core.exceptions import ModelConnectionError

from forethought.memory.embedding import Vectors
from forethought.memory.ledger.types import Commitment
from tests.flows.bench import Bench, opened, session, texts_of
from tests.flows.scripted import Call, WordCounts, fact, facts_said, promise, reminders, tree
from tests.flows.talk import Talk

pytestmark = pytest.mark.asyncio(loop_scope="module")

PACKET = "Send the housing packet to Mrs Kent"
SAID = "The housing packet must be with Mrs Kent by the 20th of May"
QUOTE = "Reconcile the roofing quote with the budget"
CONDITION = "the roofing quote from Acme has arrived"
CUES = tuple(f"{opening} the roofing quote from Acme" for opening in
             ("Here is", "I got", "There came", "I read", "I opened"))  # fmt: skip
LONGER = "Good morning to you! I got the roofing quote from Acme, and what shall I cook for lunch?"
LUNCH = "What shall I cook for lunch with my cousin?"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stores(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    async with opened(tmp_path_factory.mktemp("duties")) as bench:
        yield bench


@pytest.fixture
def talk(stores: Bench, request: pytest.FixtureRequest) -> Talk:
    """A chat with a bank of its own, of which nothing is remembered."""
    return Talk(stores, request.node.name, {"mode": "recall", "reflect": False, "remember": False})


def _read(*commitments: Any, settled: Any = (), facts: Any = None) -> Any:
    """A reply to `extract`: a fact of each turn, and these commitments and settlements."""

    def reply(call: Call) -> dict[str, Any]:
        said = facts_said(call) if facts is None else {"facts": facts}
        return {**said, "commitments": list(commitments), "settled": list(settled)}

    return reply


async def _retain(talk: Talk, *said: str, on: str = "2025-05-10", **settings: Any) -> Any:
    given = session(*said, on=f"{on}T12:00:00Z")
    return await talk.bench.retain(given, bank=talk.bank, **settings)


async def _ledger(talk: Talk) -> list[Commitment]:
    return await talk.bench.app.records.commitments(talk.bank)


async def _promised(talk: Talk, **fields: Any) -> Commitment:
    """The packet is promised, due on the 20th of May 2025."""
    talk.bench.script(extract=_read(promise(PACKET, due="2025-05-20", **fields)))
    await _retain(talk, SAID)
    (made,) = await _ledger(talk)
    talk.bench.chat.calls.clear()
    return made


async def _watched(talk: Talk) -> Commitment:
    """The quote is to be reconciled once it has arrived."""
    talk.bench.script(extract=_read(promise(QUOTE, condition=CONDITION)), remind=reminders(*CUES))
    await _retain(talk, "Once the roofing quote arrives I have to reconcile it")
    (made,) = await _ledger(talk)
    talk.bench.chat.calls.clear()
    return made


def _actions(result: dict[str, Any]) -> list[str]:
    return [one["commitment"]["action"] for one in result["commitments"]]


class TestExtracting:
    """What was undertaken is found as the facts are, and kept with them."""

    async def test_a_promise_is_kept_with_its_day_its_turn_and_its_facts(self, talk: Talk) -> None:
        made = await _promised(talk, facts=["F1"])
        (logged,) = await talk.bench.app.records.sessions(talk.bank)
        (turn,) = await talk.bench.app.records.turns(talk.bank, logged.id)
        (known,) = await talk.bench.facts(talk.bank)
        assert (made.action, made.due, made.status) == (PACKET, date(2025, 5, 20), "open")
        assert made.made == logged.date and made.facts == (known.id,)
        assert made.source is not None
        assert (made.source.session, made.source.turns) == (logged.id, (turn.id,))

    async def test_a_day_in_words_counts_from_the_day_of_the_session(self, talk: Talk) -> None:
        talk.bench.script(extract=_read(promise(PACKET, due="in 4 days")))
        await _retain(talk, SAID, on="2024-02-26")
        (made,) = await _ledger(talk)
        assert made.due == date(2024, 3, 1)

    async def test_open_commitments_are_shown_and_one_said_again_stays_one(
        self, talk: Talk
    ) -> None:
        await _promised(talk)
        await _retain(talk, SAID, on="2025-05-11")
        (shown,) = talk.bench.asked("extract")[-1].fenced("commitments")
        assert shown == f"[C1] (made 2025-05-10; due 2025-05-20) {PACKET}"
        assert len(await _ledger(talk)) == 1

    async def test_of_many_the_twenty_nearest_are_shown(self, talk: Talk) -> None:
        many = [promise(f"Water the plant number {n}", condition=f"it is {n}") for n in range(12)]
        more = [promise(f"Feed the goose number {n}", condition=f"it is {n}") for n in range(11)]
        for batch in (many, more):
            talk.bench.script(extract=_read(*batch))
            await _retain(talk, f"I promise, {len(batch)}")
        await _retain(talk, "The goose is hungry, and every goose eats")
        shown = talk.bench.asked("extract")[-1].fenced("commitments")
        assert len(shown) == 20
        assert sum("goose" in line for line in shown) == 11

    async def test_what_does_not_hold_is_dropped_and_named_and_costs_nothing_else(
        self, talk: Talk
    ) -> None:
        bad = [
            "no object", 7, {"due": "2025-05-20"}, promise("…"), promise(QUOTE, turn="T9"),
            promise(PACKET, due="?!", turn=["T1"], facts=["F1", "K7", None]),
        ]  # fmt: skip
        unsound = [
            {"of": "C1", "outcome": "kept", "turn": "T1"}, {"of": None, "outcome": 3}, "C1", [],
        ]  # fmt: skip
        talk.bench.script(extract=_read(*bad, settled=unsound))
        result = await _retain(talk, SAID)
        (made,) = await _ledger(talk)
        (known,) = await talk.bench.facts(talk.bank)
        assert (made.action, made.due, made.facts) == (PACKET, None, (known.id,))
        assert result["notes"] == [
            "commitment dropped, no turn says it: ",
            "commitment dropped, it says nothing: …",
            f"commitment dropped, no turn says it: {QUOTE}",
            f"commitment without a day, '?!' is none: {PACKET}",
            f"commitment without K7, no facts: {PACKET}",
            "settlement dropped, it closes no open commitment: C1 kept by T1",
            "settlement dropped, it closes no open commitment: nothing 3 by no turn",
        ]
        assert [call.prompt for call in talk.bench.asked("extract")] == ["extract"]

    @pytest.mark.parametrize("odd", ["none", 3, {"action": PACKET, "turn": "T1"}, None, [[]]])
    async def test_whatever_stands_for_the_lists_the_facts_are_kept(
        self, talk: Talk, odd: Any
    ) -> None:
        reply = {"facts": [fact(SAID)], "commitments": odd, "settled": odd}
        talk.bench.script(extract=reply)
        await _retain(talk, SAID)
        assert await talk.bench.texts(talk.bank) == [SAID]
        assert len(talk.bench.asked("extract")) == 1


class TestReminding:
    """A dozen cues for each, imagined once."""

    async def test_cues_are_imagined_once_and_indexed(self, talk: Talk) -> None:
        made = await _watched(talk)
        records, index = talk.bench.app.records, talk.bench.app.index
        cues = await records.reminders(talk.bank, [made.id])
        assert [cue.text for cue in cues] == list(CUES)
        assert await index.ids(talk.bank, "reminder") == {cue.id for cue in cues}
        await talk.bench.run_retain({}, bank=talk.bank)
        assert not talk.bench.asked("remind")

    async def test_a_model_that_is_away_leaves_it_to_its_own_words_and_to_the_next_retain(
        self, talk: Talk
    ) -> None:
        talk.bench.script(
            extract=_read(promise(QUOTE, condition=CONDITION)), remind=ModelConnectionError("gone")
        )
        result = await _retain(talk, "Once the roofing quote arrives I have to reconcile it")
        assert any("cues are still missing" in note and "gone" in note for note in result["notes"])
        said = await talk.say(f"Good news, {CONDITION}, reconcile it", remember=False)
        assert _actions(said) == [QUOTE]
        talk.bench.script(remind=reminders(*CUES))
        await talk.bench.run_retain({}, bank=talk.bank)
        assert (await _ledger(talk))[0].foreseen

    async def test_a_bad_reply_halves_the_batch_until_only_the_culprit_is_left_out(
        self, talk: Talk
    ) -> None:
        many = [promise(f"Water the plant number {n}", condition=f"it is {n}") for n in range(4)]
        good = reminders("It is hot")
        talk.bench.script(
            extract=_read(*many),
            remind=lambda call: "no" if "number 2" in call.user else good(call),
        )
        result = await _retain(talk, "I promise")
        assert [one.action for one in await _ledger(talk) if not one.foreseen] == [
            "Water the plant number 2"
        ]
        assert any("cues are still missing" in note for note in result["notes"])

    async def test_none_are_imagined_where_none_are_wanted(self, talk: Talk) -> None:
        talk.bench.script(extract=_read(promise(QUOTE, condition=CONDITION)))
        await _retain(talk, "I promise", foresight=0)
        assert not talk.bench.asked("remind")


class TestFiring:
    """On its day or at what is said, in whatever mode, and nowhere else."""

    async def test_a_promise_comes_to_mind_from_two_days_before_its_day(self, talk: Talk) -> None:
        made = await _promised(talk)
        assert _actions(await talk.say(LUNCH, now="2025-05-17")) == []
        assert not talk.bench.asked()[-1].fenced("commitments")
        for now, because in (
            ("2025-05-18", "its day is in 2 days"),
            ("2025-05-20", "its day is today"),
            ("2025-06-02", "its day was 13 days ago"),
        ):
            assert _actions(await talk.say(LUNCH, now=now)) == [PACKET]
            assert talk.bench.asked()[-1].fenced("commitments") == [
                f"[{made.id}] (made 2025-05-10; due 2025-05-20) {PACKET}. "
                f"It comes to mind because {because}"
            ]

    async def test_a_situation_is_heard_in_one_clause_of_a_longer_turn(self, talk: Talk) -> None:
        await _watched(talk)
        assert _actions(await talk.say(LUNCH)) == []
        result = await talk.say(LONGER)
        (one,) = result["commitments"]
        assert (one["commitment"]["action"], one["why"]) == (QUOTE, "turn")
        assert one["cue"] == "I got the roofing quote from Acme"
        assert [call.prompt for call in talk.bench.asked()] == ["answer"] * 2  # no call of its own

    async def test_a_turn_is_embedded_once_for_it_and_for_recall(
        self, talk: Talk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await _watched(talk)
        embedded: list[str] = []
        embed = WordCounts.embed

        async def noted(self: WordCounts, texts: Sequence[str]) -> Vectors:
            embedded.extend(texts)
            return await embed(self, texts)

        monkeypatch.setattr(WordCounts, "embed", noted)
        result = await talk.say(f"{LONGER} Or for supper?")
        assert _actions(result) == [QUOTE]
        assert len(embedded) == len(set(embedded)) and f"{LONGER} Or for supper?" in embedded

    async def test_the_day_is_that_of_the_users_zone(self, talk: Talk) -> None:
        await _promised(talk)
        late = await talk.say(LUNCH, now="2025-05-17T23:30:00-03:00")
        assert _actions(late) == [PACKET]  # the bench's zone is UTC, where it is the 18th

    @pytest.mark.parametrize("mode", ["recall", "prospect"])
    async def test_its_facts_are_among_the_first_however_little_they_resemble_the_request(
        self, talk: Talk, mode: str
    ) -> None:
        facts = [fact(SAID), *(fact(f"{LUNCH} number {n}") for n in range(9))]
        talk.bench.script(
            extract=_read(promise(PACKET, due="2025-05-20", facts=["F1"]), facts=facts)
        )
        await _retain(talk, SAID, foresight=0)
        talk.bench.script(imagine=tree(LUNCH))
        before = await talk.say(LUNCH, now="2025-05-12", mode=mode, limit=6, max_rounds=0)
        after = await talk.say(LUNCH, now="2025-05-20", mode=mode, limit=6, max_rounds=0)
        assert SAID not in texts_of(before)
        assert SAID in texts_of(after)[:5] and len(after["hits"]) == 6
        (hit,) = [hit for hit in after["hits"] if hit["fact"]["text"] == SAID]
        assert hit["found_by"] == f"a commitment: {PACKET}"
        assert any(SAID in line for line in talk.bench.asked("answer")[-1].fenced("facts"))

    async def test_a_fact_that_was_updated_since_counts_as_what_it_is_now(self, talk: Talk) -> None:
        await _promised(talk, facts=["F1"])
        new = SAID.replace("Mrs Kent", "Mrs Clark")
        talk.bench.script(extract=_read(facts=[fact(new, action="update", of="K1")]))
        await _retain(talk, "It is Mrs Clark now", on="2025-05-12", foresight=0)
        result = await talk.say("?", now="2025-05-20", limit=1)
        assert texts_of(result) == [new]

    async def test_nothing_of_another_bank_comes_to_mind(self, talk: Talk) -> None:
        await _promised(talk)
        await _watched_elsewhere(talk)
        other = await talk.say(LONGER, bank=f"{talk.bank} too", thread="2", now="2025-05-20")
        assert _actions(other) == [QUOTE]
        assert _actions(await talk.say(LONGER, now="2025-05-20")) == [PACKET]

    async def test_the_trace_says_what_came_to_mind_and_why(self, talk: Talk) -> None:
        made = await _promised(talk)
        stream = talk.graph.astream(
            {"messages": [{"role": "user", "content": LUNCH}]},
            talk.thread(),
            context=talk.context(now="2025-05-20"),
            stream_mode="custom",
        )
        (event,) = [event async for event in stream if event["node"] == "due"]
        assert event["untold"] == 1
        assert event["commitments"] == [
            {
                "id": made.id, "action": PACKET, "because": "its day is today", "score": 0.0,
                "cue": None, "told": False,
            }
        ]  # fmt: skip


async def _watched_elsewhere(talk: Talk) -> None:
    """The quote is to be reconciled, in a bank beside that of `talk`."""
    talk.bench.script(extract=_read(promise(QUOTE, condition=CONDITION)), remind=reminders(*CUES))
    given = session("Once the quote arrives I have to reconcile it", on="2025-05-10T12:00:00Z")
    await talk.bench.retain(given, bank=f"{talk.bank} too")


class TestTelling:
    """It is brought up once a day, under a heading of its own, and by a chat alone."""

    async def test_it_is_told_once_a_day(self, talk: Talk) -> None:
        await _promised(talk)
        shown = []
        for now in ("2025-05-19T08:00Z", "2025-05-19T20:00Z", "2025-05-20T08:00Z"):
            result = await talk.say(LUNCH, now=now, remember=True)
            shown.append(bool(talk.bench.asked("answer")[-1].fenced("commitments")))
            assert _actions(result) == [PACKET]
        assert shown == [True, False, True]
        assert (await _ledger(talk))[0].told == date(2025, 5, 20)

    async def test_what_is_told_already_comes_after_what_is_not(self, talk: Talk) -> None:
        both = [promise(PACKET, due="2025-05-20"), promise(QUOTE, due="2025-05-19")]
        talk.bench.script(extract=_read(*both))
        await _retain(talk, SAID)
        assert _actions(await talk.say(LUNCH, now="2025-05-19")) == [QUOTE, PACKET]
        quote = next(one for one in await _ledger(talk) if one.action == QUOTE)
        await talk.bench.app.records.tell(talk.bank, [quote.id], on=date(2025, 5, 19))
        assert _actions(await talk.say(LUNCH, now="2025-05-19")) == [PACKET, QUOTE]

    async def test_a_question_by_itself_shows_it_and_does_not_count_as_telling(
        self, talk: Talk
    ) -> None:
        await _promised(talk)
        for _ in range(2):
            await talk.bench.ask(LUNCH, bank=talk.bank, mode="recall", now="2025-05-20")
            assert talk.bench.asked("answer")[-1].fenced("commitments")
        assert (await _ledger(talk))[0].told is None

    async def test_it_is_told_where_nothing_else_is_known_and_may_be_cited(
        self, talk: Talk
    ) -> None:
        talk.bench.script(extract=_read(promise(PACKET, due="2025-05-20"), facts=[]))
        await _retain(talk, "Fine")
        (made,) = await _ledger(talk)
        talk.bench.script(answer=f"The packet [{made.id}] is due [c1].")
        result = await talk.say(LUNCH, now="2025-05-20", phi="dense")
        assert (result["hits"], result["cited"]) == ([], [made.id])
        assert result["answer"] == f"The packet [{made.id}] is due."
        (call,) = talk.bench.asked("answer")
        assert call.user.index("<commitments>") and "remember nothing" not in call.user

    async def test_it_comes_before_the_facts_where_not_all_fit(self, talk: Talk) -> None:
        await _promised(talk)
        await talk.say(SAID, now="2025-05-20", budget=60)
        (call,) = talk.bench.asked("answer")
        assert call.fenced("commitments") and not call.fenced("turns")


class TestSettling:
    """A later turn closes it, and only it; by hand it opens again."""

    async def test_a_turn_that_settles_one_closes_that_one_alone(self, talk: Talk) -> None:
        both = [promise(PACKET, due="2025-05-20"), promise(QUOTE, due="2025-05-20")]
        talk.bench.script(extract=_read(*both))
        await _retain(talk, SAID)

        def settling(call: Call) -> dict[str, Any]:
            labels = [line[1:3] for line in call.fenced("commitments") if PACKET in line]
            settled = [{"of": label, "outcome": "Kept", "turn": "T1"} for label in labels]
            return {**facts_said(call), "settled": settled}

        talk.bench.script(extract=settling)
        await _retain(talk, "I sent the packet yesterday", on="2025-05-15")
        packet = next(one for one in await _ledger(talk) if one.action == PACKET)
        later = (await talk.bench.app.records.sessions(talk.bank))[-1]
        (turn,) = await talk.bench.app.records.turns(talk.bank, later.id)
        assert (packet.status, packet.closed, packet.closed_by) == ("kept", later.date, turn.id)
        assert _actions(await talk.say(LUNCH)) == [QUOTE]

    async def test_as_of_a_moment_before_it_was_settled_it_still_comes_to_mind(
        self, talk: Talk
    ) -> None:
        await _promised(talk)
        done = [{"of": "C1", "outcome": "kept", "turn": "T1"}]
        talk.bench.script(extract=_read(settled=done))
        await _retain(talk, "I sent the packet yesterday", on="2025-05-19")
        assert _actions(await talk.say(LUNCH, now="2025-05-18")) == [PACKET]
        assert _actions(await talk.say(LUNCH, now="2025-05-20")) == []

    async def test_a_day_that_is_moved_drops_the_old_one_and_makes_a_new_one(
        self, talk: Talk
    ) -> None:
        await _promised(talk)
        moved = [{"of": "C1", "outcome": "dropped", "turn": "T1"}]
        talk.bench.script(extract=_read(promise(PACKET, due="2025-05-27"), settled=moved))
        await _retain(talk, "The packet may wait until the 27th", on="2025-05-15")
        assert [(one.due, one.status) for one in await _ledger(talk)] == [
            (date(2025, 5, 20), "dropped"), (date(2025, 5, 27), "open"),
        ]  # fmt: skip

    async def test_what_was_kept_and_is_promised_again_is_open_again_as_another(
        self, talk: Talk
    ) -> None:
        await _watched(talk)
        done = [{"of": "C1", "outcome": "kept", "turn": "T1"}]
        talk.bench.script(extract=_read(settled=done))
        await _retain(talk, "I reconciled it", on="2025-05-15")
        talk.bench.script(extract=_read(promise(QUOTE, condition=CONDITION)))
        await _retain(talk, "Next time the same, please", on="2025-05-16")
        assert [one.status for one in await _ledger(talk)] == ["kept", "open"]

    async def test_forgetting_the_fact_that_it_concerns_forgets_it(self, talk: Talk) -> None:
        await _promised(talk, facts=["F1"])
        (known,) = await talk.bench.facts(talk.bank)
        assert _actions(await talk.say(LUNCH, now="2025-05-20")) == [PACKET]
        await talk.bench.app.forgetter.forget(talk.bank, fact=known.id)
        assert _actions(await talk.say(LUNCH, now="2025-05-20")) == []
        assert await talk.bench.app.index.ids(talk.bank, "reminder") == set()
        (call,) = talk.bench.asked("answer")[-1:]
        assert "packet" not in call.user
