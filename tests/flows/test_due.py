"""agent: what was undertaken comes to mind when it matters, and is told once a day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from forethought.memory.embedding import Vectors
from tests.flows.bench import Bench, texts_of
from tests.flows.duties import (
    LONGER,
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
    watched_elsewhere,
)
from tests.flows.scripted import WordCounts, fact, promise, tree
from tests.flows.talk import Talk

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def talk(stores: Bench, request: pytest.FixtureRequest) -> Talk:
    """A chat with a bank of its own, of which nothing is remembered."""
    return Talk(stores, request.node.name, {"mode": "recall", "reflect": False, "remember": False})


class TestFiring:
    """On its day or at what is said, in whatever mode, and nowhere else."""

    async def test_a_promise_comes_to_mind_from_two_days_before_its_day(self, talk: Talk) -> None:
        made = await promised(talk)
        assert actions(await talk.say(LUNCH, now="2025-05-17")) == []
        assert not talk.bench.asked()[-1].fenced("commitments")
        for now, because in (
            ("2025-05-18", "its day is in 2 days"),
            ("2025-05-20", "its day is today"),
            ("2025-06-02", "its day was 13 days ago"),
        ):
            assert actions(await talk.say(LUNCH, now=now)) == [PACKET]
            assert talk.bench.asked()[-1].fenced("commitments") == [
                f"[{made.id}] (made 2025-05-10; due 2025-05-20) {PACKET}. "
                f"It comes to mind because {because}"
            ]

    async def test_a_situation_is_heard_in_one_clause_of_a_longer_turn(self, talk: Talk) -> None:
        await watched(talk)
        assert actions(await talk.say(LUNCH)) == []
        result = await talk.say(LONGER)
        (one,) = result["commitments"]
        assert (one["commitment"]["action"], one["why"]) == (QUOTE, "turn")
        assert one["cue"] == "I got the roofing quote from Acme"
        assert [call.prompt for call in talk.bench.asked()] == ["answer"] * 2  # no call of its own

    async def test_a_turn_is_embedded_once_for_it_and_for_recall(
        self, talk: Talk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await watched(talk)
        embedded: list[str] = []
        embed = WordCounts.embed

        async def noted(self: WordCounts, texts: Sequence[str]) -> Vectors:
            embedded.extend(texts)
            return await embed(self, texts)

        monkeypatch.setattr(WordCounts, "embed", noted)
        result = await talk.say(f"{LONGER} Or for supper?")
        assert actions(result) == [QUOTE]
        assert len(embedded) == len(set(embedded)) and f"{LONGER} Or for supper?" in embedded

    async def test_the_day_is_that_of_the_users_zone(self, talk: Talk) -> None:
        await promised(talk)
        late = await talk.say(LUNCH, now="2025-05-17T23:30:00-03:00")
        assert actions(late) == [PACKET]  # the bench's zone is UTC, where it is the 18th

    @pytest.mark.parametrize("mode", ["recall", "prospect"])
    async def test_its_facts_are_among_the_first_however_little_they_resemble_the_request(
        self, talk: Talk, mode: str
    ) -> None:
        facts = [fact(SAID), *(fact(f"{LUNCH} number {n}") for n in range(9))]
        talk.bench.script(
            extract=read(promise(PACKET, due="2025-05-20", facts=["F1"]), facts=facts)
        )
        await retained(talk, SAID, foresight=0)
        talk.bench.script(imagine=tree(LUNCH))
        before = await talk.say(LUNCH, now="2025-05-12", mode=mode, limit=6, max_rounds=0)
        after = await talk.say(LUNCH, now="2025-05-20", mode=mode, limit=6, max_rounds=0)
        assert SAID not in texts_of(before)
        assert SAID in texts_of(after)[:5] and len(after["hits"]) == 6
        (hit,) = [hit for hit in after["hits"] if hit["fact"]["text"] == SAID]
        assert hit["found_by"] == f"a commitment: {PACKET}"
        assert any(SAID in line for line in talk.bench.asked("answer")[-1].fenced("facts"))

    @pytest.mark.parametrize("mode", ["recall", "prospect"])
    async def test_its_facts_rank_higher_by_the_weight_that_was_set(
        self, talk: Talk, mode: str
    ) -> None:
        await promised(talk, facts=["F1"])
        talk.bench.script(imagine=tree(LUNCH))
        raised = {
            weight: (await talk.say(
                LUNCH, now="2025-05-20", mode=mode, max_rounds=0, terms={"prospective": weight}
            ))["hits"][0]
            for weight in (0, 2)
        }  # fmt: skip
        assert "prospective" not in raised[0]["terms"]
        assert raised[2]["terms"]["prospective"] == 2
        assert raised[2]["score"] > raised[0]["score"]

    async def test_a_fact_that_was_updated_since_counts_as_what_it_is_now(self, talk: Talk) -> None:
        await promised(talk, facts=["F1"])
        new = SAID.replace("Mrs Kent", "Mrs Clark")
        talk.bench.script(extract=read(facts=[fact(new, action="update", of="K1")]))
        await retained(talk, "It is Mrs Clark now", on="2025-05-12", foresight=0)
        result = await talk.say("?", now="2025-05-20", limit=1)
        assert texts_of(result) == [new]

    async def test_nothing_of_another_bank_comes_to_mind(self, talk: Talk) -> None:
        await promised(talk)
        await watched_elsewhere(talk)
        other = await talk.say(LONGER, bank=f"{talk.bank} too", thread="2", now="2025-05-20")
        assert actions(other) == [QUOTE]
        assert actions(await talk.say(LONGER, now="2025-05-20")) == [PACKET]

    async def test_the_trace_says_what_came_to_mind_and_why(self, talk: Talk) -> None:
        made = await promised(talk)
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


class TestTelling:
    """It is brought up once a day, under a heading of its own, and by a chat alone."""

    async def test_it_is_told_once_a_day(self, talk: Talk) -> None:
        await promised(talk)
        shown = []
        for now in ("2025-05-19T08:00Z", "2025-05-19T20:00Z", "2025-05-20T08:00Z"):
            result = await talk.say(LUNCH, now=now, remember=True)
            shown.append(bool(talk.bench.asked("answer")[-1].fenced("commitments")))
            assert actions(result) == [PACKET]
        assert shown == [True, False, True]
        assert (await ledger(talk))[0].told == date(2025, 5, 20)

    async def test_what_is_told_already_comes_after_what_is_not(self, talk: Talk) -> None:
        both = [promise(PACKET, due="2025-05-20"), promise(QUOTE, due="2025-05-19")]
        talk.bench.script(extract=read(*both))
        await retained(talk, SAID)
        assert actions(await talk.say(LUNCH, now="2025-05-19")) == [QUOTE, PACKET]
        quote = next(one for one in await ledger(talk) if one.action == QUOTE)
        await talk.bench.app.records.tell(talk.bank, [quote.id], on=date(2025, 5, 19))
        assert actions(await talk.say(LUNCH, now="2025-05-19")) == [PACKET, QUOTE]

    async def test_a_question_by_itself_shows_it_and_does_not_count_as_telling(
        self, talk: Talk
    ) -> None:
        await promised(talk)
        for _ in range(2):
            await talk.bench.ask(LUNCH, bank=talk.bank, mode="recall", now="2025-05-20")
            assert talk.bench.asked("answer")[-1].fenced("commitments")
        assert (await ledger(talk))[0].told is None

    async def test_it_is_told_where_nothing_else_is_known_and_may_be_cited(
        self, talk: Talk
    ) -> None:
        talk.bench.script(extract=read(promise(PACKET, due="2025-05-20"), facts=[]))
        await retained(talk, "Fine")
        (made,) = await ledger(talk)
        talk.bench.script(answer=f"The packet [{made.id}] is due [c1].")
        result = await talk.say(LUNCH, now="2025-05-20", phi="dense")
        assert (result["hits"], result["cited"]) == ([], [made.id])
        assert result["answer"] == f"The packet [{made.id}] is due."
        (call,) = talk.bench.asked("answer")
        assert call.user.index("<commitments>") and "remember nothing" not in call.user

    async def test_it_comes_before_the_facts_where_not_all_fit(self, talk: Talk) -> None:
        await promised(talk)
        await talk.say(SAID, now="2025-05-20", budget=60)
        (call,) = talk.bench.asked("answer")
        assert call.fenced("commitments") and not call.fenced("turns")
