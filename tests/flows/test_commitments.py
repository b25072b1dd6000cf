"""retain: what was undertaken is kept, gets cues, and is closed by what settles it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError

from tests.flows.bench import Bench
from tests.flows.duties import (
    CONDITION,
    CUES,
    LUNCH,
    PACKET,
    QUOTE,
    SAID,
    actions,
    ledger,
    promised,
    read,
    retained,
    watched,
)
from tests.flows.scripted import Call, fact, facts_said, promise, reminders
from tests.flows.talk import Talk

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def talk(stores: Bench, request: pytest.FixtureRequest) -> Talk:
    """A chat with a bank of its own, of which nothing is remembered."""
    return Talk(stores, request.node.name, {"mode": "recall", "reflect": False, "remember": False})


class TestExtracting:
    """What was undertaken is found as the facts are, and kept with them."""

    async def test_a_promise_is_kept_with_its_day_its_turn_and_its_facts(self, talk: Talk) -> None:
        made = await promised(talk, facts=["F1"])
        (logged,) = await talk.bench.app.records.sessions(talk.bank)
        (turn,) = await talk.bench.app.records.turns(talk.bank, logged.id)
        (known,) = await talk.bench.facts(talk.bank)
        assert (made.action, made.due, made.status) == (PACKET, date(2025, 5, 20), "open")
        assert made.made == logged.date and made.facts == (known.id,)
        assert made.source is not None
        assert (made.source.session, made.source.turns) == (logged.id, (turn.id,))

    async def test_a_day_in_words_counts_from_the_day_of_the_session(self, talk: Talk) -> None:
        talk.bench.script(extract=read(promise(PACKET, due="in 4 days")))
        await retained(talk, SAID, on="2024-02-26")
        (made,) = await ledger(talk)
        assert made.due == date(2024, 3, 1)

    async def test_open_commitments_are_shown_and_one_said_again_stays_one(
        self, talk: Talk
    ) -> None:
        await promised(talk)
        await retained(talk, SAID, on="2025-05-11")
        (shown,) = talk.bench.asked("extract")[-1].fenced("commitments")
        assert shown == f"[C1] (made 2025-05-10; due 2025-05-20) {PACKET}"
        assert len(await ledger(talk)) == 1

    async def test_of_many_the_twenty_nearest_are_shown(self, talk: Talk) -> None:
        many = [promise(f"Water the plant number {n}", condition=f"it is {n}") for n in range(12)]
        more = [promise(f"Feed the goose number {n}", condition=f"it is {n}") for n in range(11)]
        for batch in (many, more):
            talk.bench.script(extract=read(*batch))
            await retained(talk, f"I promise, {len(batch)}")
        await retained(talk, "The goose is hungry, and every goose eats")
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
        talk.bench.script(extract=read(*bad, settled=unsound))
        result = await retained(talk, SAID)
        (made,) = await ledger(talk)
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
        await retained(talk, SAID)
        assert await talk.bench.texts(talk.bank) == [SAID]
        assert len(talk.bench.asked("extract")) == 1


class TestReminding:
    """A dozen cues for each, imagined once."""

    async def test_cues_are_imagined_once_and_indexed(self, talk: Talk) -> None:
        made = await watched(talk)
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
            extract=read(promise(QUOTE, condition=CONDITION)), remind=ModelConnectionError("gone")
        )
        result = await retained(talk, "Once the roofing quote arrives I have to reconcile it")
        assert any("cues are still missing" in note and "gone" in note for note in result["notes"])
        said = await talk.say(f"Good news, {CONDITION}, reconcile it", remember=False)
        assert actions(said) == [QUOTE]
        talk.bench.script(remind=reminders(*CUES))
        await talk.bench.run_retain({}, bank=talk.bank)
        assert (await ledger(talk))[0].foreseen

    async def test_a_bad_reply_halves_the_batch_until_only_the_culprit_is_left_out(
        self, talk: Talk
    ) -> None:
        many = [promise(f"Water the plant number {n}", condition=f"it is {n}") for n in range(4)]
        good = reminders("It is hot")
        talk.bench.script(
            extract=read(*many),
            remind=lambda call: "no" if "number 2" in call.user else good(call),
        )
        result = await retained(talk, "I promise")
        assert [one.action for one in await ledger(talk) if not one.foreseen] == [
            "Water the plant number 2"
        ]
        assert any("cues are still missing" in note for note in result["notes"])

    async def test_none_are_imagined_where_none_are_wanted(self, talk: Talk) -> None:
        talk.bench.script(extract=read(promise(QUOTE, condition=CONDITION)))
        await retained(talk, "I promise", foresight=0)
        assert not talk.bench.asked("remind")


class TestSettling:
    """A later turn closes it, and only it; by hand it opens again."""

    async def test_a_turn_that_settles_one_closes_that_one_alone(self, talk: Talk) -> None:
        both = [promise(PACKET, due="2025-05-20"), promise(QUOTE, due="2025-05-20")]
        talk.bench.script(extract=read(*both))
        await retained(talk, SAID)

        def settling(call: Call) -> dict[str, Any]:
            labels = [line[1:3] for line in call.fenced("commitments") if PACKET in line]
            settled = [{"of": label, "outcome": "Kept", "turn": "T1"} for label in labels]
            return {**facts_said(call), "settled": settled}

        talk.bench.script(extract=settling)
        await retained(talk, "I sent the packet yesterday", on="2025-05-15")
        packet = next(one for one in await ledger(talk) if one.action == PACKET)
        later = (await talk.bench.app.records.sessions(talk.bank))[-1]
        (turn,) = await talk.bench.app.records.turns(talk.bank, later.id)
        assert (packet.status, packet.closed, packet.closed_by) == ("kept", later.date, turn.id)
        assert actions(await talk.say(LUNCH)) == [QUOTE]

    async def test_as_of_a_moment_before_it_was_settled_it_still_comes_to_mind(
        self, talk: Talk
    ) -> None:
        await promised(talk)
        done = [{"of": "C1", "outcome": "kept", "turn": "T1"}]
        talk.bench.script(extract=read(settled=done))
        await retained(talk, "I sent the packet yesterday", on="2025-05-19")
        assert actions(await talk.say(LUNCH, now="2025-05-18")) == [PACKET]
        assert actions(await talk.say(LUNCH, now="2025-05-20")) == []

    async def test_a_day_that_is_moved_drops_the_old_one_and_makes_a_new_one(
        self, talk: Talk
    ) -> None:
        await promised(talk)
        moved = [{"of": "C1", "outcome": "dropped", "turn": "T1"}]
        talk.bench.script(extract=read(promise(PACKET, due="2025-05-27"), settled=moved))
        await retained(talk, "The packet may wait until the 27th", on="2025-05-15")
        assert [(one.due, one.status) for one in await ledger(talk)] == [
            (date(2025, 5, 20), "dropped"), (date(2025, 5, 27), "open"),
        ]  # fmt: skip

    async def test_what_was_kept_and_is_promised_again_is_open_again_as_another(
        self, talk: Talk
    ) -> None:
        await watched(talk)
        done = [{"of": "C1", "outcome": "kept", "turn": "T1"}]
        talk.bench.script(extract=read(settled=done))
        await retained(talk, "I reconciled it", on="2025-05-15")
        talk.bench.script(extract=read(promise(QUOTE, condition=CONDITION)))
        await retained(talk, "Next time the same, please", on="2025-05-16")
        assert [one.status for one in await ledger(talk)] == ["kept", "open"]

    async def test_forgetting_the_fact_that_it_concerns_forgets_it(self, talk: Talk) -> None:
        await promised(talk, facts=["F1"])
        (known,) = await talk.bench.facts(talk.bank)
        assert actions(await talk.say(LUNCH, now="2025-05-20")) == [PACKET]
        await talk.bench.app.forgetter.forget(talk.bank, fact=known.id)
        assert actions(await talk.say(LUNCH, now="2025-05-20")) == []
        assert await talk.bench.app.index.ids(talk.bank, "reminder") == set()
        (call,) = talk.bench.asked("answer")[-1:]
        assert "packet" not in call.user
