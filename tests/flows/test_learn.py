"""agent: what was asked is found by again, once its answer cited facts; without a model."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from forethought.memory.errors import StoreUnavailable
from forethought.memory.types import Cue, Fact
from tests.flows.bench import Bench, session
from tests.flows.talk import Talk

pytestmark = pytest.mark.asyncio(loop_scope="module")

MASK = "I sleep with a breathing machine"
OTHERS = ("My cat is called Miso", "I live in the city of Oslo", "Weekend mornings are for rowing")
FIRST = "Plan a camping weekend beside some lake"
SECOND = "Suggest how to spend a camping weekend beside another lake"
DAY = "2025-05-16T12:00:00+00:00"


@pytest.fixture
def talk(stores: Bench, request: pytest.FixtureRequest) -> Talk:
    """A chat with a bank of its own, which forms no opinions."""
    return Talk(stores, request.node.name, {"mode": "recall", "reflect": False, "now": DAY})


async def _knowing(talk: Talk, *, cues: int = 2) -> Fact:
    """The fact that the answers cite, in a bank that knows others too."""
    await talk.bench.retain(session(MASK, *OTHERS), bank=talk.bank, foresight=cues)
    (mask,) = [fact for fact in await talk.bench.facts(talk.bank) if fact.text == MASK]
    talk.bench.script(answer=f"Mind the machine [{mask.id}].")
    talk.bench.chat.calls.clear()
    return mask


async def _learned(talk: Talk, fact: Fact | None = None) -> list[Cue]:
    facts = [one.id for one in await talk.bench.facts(talk.bank) if fact in (None, one)]
    cues = await talk.bench.app.records.cues(talk.bank, facts)
    return [cue for cue in cues if cue.learned is not None]


def _cues(result: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """By fact the cue that was nearest to the request, and how near its cues were."""
    return {hit["fact"]["id"]: (hit["cue"], hit["terms"].get("cue")) for hit in result["hits"]}


class TestLearning:
    """A request becomes a cue of what its answer cited, and of nothing else."""

    async def test_a_similar_request_finds_them_first_and_says_why(self, talk: Talk) -> None:
        mask = await _knowing(talk)
        before = await talk.say(FIRST)
        assert before["hits"][0]["fact"]["text"] != MASK
        after = await talk.say(SECOND, thread="2")
        assert after["hits"][0]["fact"]["id"] == mask.id
        assert after["hits"][0]["found_by"] == f"you asked before: {FIRST}"
        assert after["hits"][0]["cue"] == FIRST
        assert after["notes"] == []

    async def test_no_model_is_called_for_it(self, talk: Talk) -> None:
        mask = await _knowing(talk)
        said = await talk.say(FIRST)
        assert [call.prompt for call in talk.bench.asked()] == ["answer"]
        assert said["usage"]["calls"] == 1
        (cue,) = await _learned(talk)
        assert (cue.fact, cue.text, cue.learned) == (mask.id, FIRST, datetime.fromisoformat(DAY))
        assert cue.id in await talk.bench.app.index.ids(talk.bank, "cue")

    async def test_prospection_finds_by_it_too(self, talk: Talk) -> None:
        mask = await _knowing(talk)
        await talk.say(FIRST, mode="prospect")
        found = await talk.bench.app.recall.recall(
            talk.bank, SECOND, now=datetime.fromisoformat(DAY), limit=9
        )
        assert found.hits[0].fact.id == mask.id
        after = await talk.say(SECOND, thread="2", mode="prospect")
        (hit,) = [hit for hit in after["hits"] if hit["fact"]["id"] == mask.id]
        assert hit["found_by"] == f"you asked before: {FIRST}"

    @pytest.mark.parametrize("mode", ["recall", "prospect"])
    async def test_a_request_as_of_an_earlier_day_is_not_found_by_it(
        self, talk: Talk, mode: str
    ) -> None:
        mask = await _knowing(talk)
        asking = {"bank": talk.bank, "mode": mode}
        before = await talk.bench.ask(SECOND, now=DAY, **asking)
        await talk.say(FIRST, now="2025-06-01T12:00:00+00:00")
        then = await talk.bench.ask(SECOND, now=DAY, **asking)
        assert _cues(then) == _cues(before)
        after = await talk.bench.ask(SECOND, now="2025-06-02T12:00:00+00:00", **asking)
        assert _cues(after)[mask.id][0] == FIRST

    async def test_what_was_not_cited_learns_nothing(self, talk: Talk) -> None:
        mask = await _knowing(talk)
        await talk.say(FIRST)
        assert {cue.fact for cue in await _learned(talk)} == {mask.id}
        talk.bench.script(answer="Whatever you like [f0123456789ab], or [tdeadbeef0123].")
        await talk.say("Choose some novel to read next")
        assert [cue.text for cue in await _learned(talk)] == [FIRST]

    async def test_the_oldest_gives_way(self, talk: Talk) -> None:
        mask = await _knowing(talk)
        asked = [f"Plan holiday number{n} somewhere abroad" for n in range(5)]
        for day, request in enumerate(asked, start=1):
            await talk.say(request, now=f"2025-06-0{day}T12:00:00+00:00")
        assert {cue.text for cue in await _learned(talk, mask)} == set(asked[-3:])
        cues = await talk.bench.app.records.cues(talk.bank, [mask.id])
        assert len(cues) == 5  # the imagined ones stay
        indexed = await talk.bench.app.index.ids(talk.bank, "cue")
        assert {cue.id for cue in cues} <= indexed
        assert len([id for id in indexed if id.startswith(mask.id)]) == 5

    async def test_the_same_request_again_changes_nothing(self, talk: Talk) -> None:
        await _knowing(talk)
        await talk.say(FIRST)
        once = await _learned(talk)
        await talk.go_on(None, await talk.before("learn"))
        await talk.say(FIRST, thread="2", now="2025-06-01T12:00:00+00:00")
        assert await _learned(talk) == once

    async def test_forgetting_the_fact_forgets_what_was_learned_of_it(self, talk: Talk) -> None:
        mask = await _knowing(talk)
        await talk.say(FIRST)
        (cue,) = await _learned(talk)
        await talk.bench.app.forgetter.forget(talk.bank, fact=mask.id)
        assert await _learned(talk) == []
        assert cue.id not in await talk.bench.app.index.ids(talk.bank, "cue")

    async def test_forgetting_what_was_said_in_the_request_forgets_the_request(
        self, talk: Talk
    ) -> None:
        await _knowing(talk)
        await talk.say(FIRST, flush=True)  # which is then a fact of its own
        (said,) = [fact for fact in await talk.bench.facts(talk.bank) if fact.text == FIRST]
        (cue,) = await _learned(talk)
        await talk.bench.app.forgetter.forget(talk.bank, fact=said.id)
        assert await _learned(talk) == []
        assert cue.id not in await talk.bench.app.index.ids(talk.bank, "cue")

    async def test_the_fact_is_learned_of_and_imagined_for_side_by_side(self, talk: Talk) -> None:
        mask = await _knowing(talk)
        await talk.say(FIRST)
        await talk.bench.run_retain({"sessions": []}, bank=talk.bank, foresight=3)
        assert [cue.text for cue in await _learned(talk, mask)] == [FIRST]


class TestNotLearning:
    """What leaves nothing behind, or could help nobody, is not learned."""

    @pytest.mark.parametrize(
        ("request_", "settings"),
        [
            (FIRST, {"remember": False}),
            (FIRST, {"foresight": 0}),
            ("And that one?", {}),
            (f"{MASK}, do you know?", {}),  # its text is found by this as it is
        ],
    )
    async def test_nothing_is_learned(
        self, talk: Talk, request_: str, settings: dict[str, Any]
    ) -> None:
        mask = await _knowing(talk)
        assert mask.id in (await talk.say(request_, **settings))["cited"]
        assert await _learned(talk) == []

    async def test_a_session_that_was_forgotten_taught_nothing_and_never_will(
        self, talk: Talk
    ) -> None:
        await _knowing(talk)
        await talk.say("Name somewhere for another holiday")
        assert len(await _learned(talk)) == 1
        (chat,) = [
            one
            for one in await talk.bench.app.records.sessions(talk.bank)
            if one.key.startswith("chat ")
        ]
        await talk.bench.app.forgetter.forget(talk.bank, session=chat.id)
        said = await talk.say(FIRST)
        assert any("was forgotten" in note for note in said["notes"])
        assert await _learned(talk) == []


async def test_a_failure_costs_neither_the_answer_nor_what_follows(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _knowing(talk)

    async def down(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(type(talk.bench.app.records), "learn", down)
    said = await talk.say(FIRST, flush=True)
    assert "Mind the machine" in said["answer"]
    assert said["notes"] == ["learn: left out: the disk is full"]
    assert [entry["status"] for entry in said["retained"]] == ["extracted"]
    assert await _learned(talk) == []


async def test_a_bug_in_it_is_not_hidden(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    await _knowing(talk)

    async def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(type(talk.bench.app.records), "learn", broken)
    with pytest.raises(ZeroDivisionError):
        await talk.say(FIRST)
