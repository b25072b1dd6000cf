"""Hostile text in every place that takes text: kept or refused by a typed error, never a crash."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.errors import ForethoughtError, InvalidInput
from forethought.memory.records.changes import ChangeSet, Progress
from forethought.memory.records.port import Records
from forethought.memory.types import Cue, Link, Mention, Source
from forethought.memory.words import storable
from tests.contracts.samples import BANK, NOW, day, entity, fact, learn, log_sources, talk, tie

# Lone surrogates, NUL, format and control characters included.
anything = st.text(st.characters(), max_size=30) | st.sampled_from(
    ["\x00", "a\x00b", "\ud800", "a\udfff", "'", '"', "); --", "%", "\u202e", "f:0", ":", "1e9"]
)
hostile = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@hostile
@given(bank=anything, key=anything, text=anything)
async def test_any_conversation_is_logged_as_it_is_or_refused(
    records: Records, bank: str, key: str, text: str
) -> None:
    given_talk = Conversation(
        date=day(1), turns=(Utterance(role="user", text=text, name=key),), key=key
    )
    try:
        (logged,) = await records.log(bank, [given_talk])
    except InvalidInput:
        assert not bank.strip() or storable(bank) != bank
        return
    if logged.session is None:
        assert (logged.outcome, text.strip()) == ("empty", "")
        return
    (turn,) = await records.turns(bank, logged.session.id)
    assert (turn.text, turn.name) == (storable(text), storable(key))
    assert logged.session.key == storable(given_talk.name)
    (again,) = await records.log(bank, [given_talk])
    assert again.outcome == "known"
    await records.forget(bank)


@hostile
@given(text=anything, entity=anything, turn=anything, cue=anything)
async def test_any_fact_is_kept_as_it_is_but_for_what_cannot_be_kept(
    records: Records, text: str, entity: str, turn: str, cue: str
) -> None:
    monday = fact("x").sources[0].session
    one = fact(text, entities=(entity,), sources=(Source(monday, (turn,) if turn else ()),))
    await learn(records, one)
    for kept in await records.facts(BANK, [one.id]):
        assert (kept.text, kept.entities) == (storable(text), (storable(entity),))
        assert kept.sources == (Source(monday, (storable(turn),) if turn else ()),)
        await records.foresee(BANK, [Cue(one.id, 0, cue)], facts=[one.id])
        cues = [kept.text for kept in await records.cues(BANK, [one.id])]
        assert cues == ([storable(cue)] if cue.strip() else [])
    if await records.facts(BANK):
        await records.forget(BANK)


@hostile
@given(name=anything, other=anything, id=anything)
async def test_any_entity_is_kept_as_it_is_but_for_what_cannot_be_kept(
    records: Records, name: str, other: str, id: str
) -> None:
    """By its own id and by any at all: the same twice, found by its name, joined, and forgotten."""
    one = fact("Ann drinks tea")
    named = entity(name), replace(entity(other), id=id)
    for _ in range(2):
        await tie(records, {one: named}, links=(Link(one.id, id, "causes", 1),))
    kept = {storable(each.id): storable(each.name) for each in reversed(named) if each.name.strip()}
    assert {each.id: each.name for each in await records.entities(BANK)} == kept
    assert await records.mentions(BANK, [one.id]) == sorted(Mention(one.id, each) for each in kept)
    if name.strip():
        assert storable(name) in {
            each.name for each in (await records.namesakes(BANK, [name], k=9))[name]
        }
    if len(kept) == 2 and id in kept:
        await records.join(BANK, id, named[0].id, by="rule")
        assert await records.mentioning(BANK, [named[0].id], k=9, now=NOW) == {
            named[0].id: [one.id]
        }
    await records.forget(BANK)


@hostile
@given(bank=anything, name=anything)
async def test_any_name_and_id_can_be_asked_for(records: Records, bank: str, name: str) -> None:
    await learn(records, fact("Ann drinks tea"))
    try:
        await records.sessions(bank, ids=[name])
        assert await records.facts(bank, [name]) == []
        assert await records.turns(bank, name) == []
        assert await records.holding(bank, [name], now=NOW) == {}
        assert await records.earlier(bank, [name]) == {name: []}
        assert await records.cues(bank, [name]) == []
        assert await records.entities(bank, [name]) == []
        assert await records.mentions(bank, [name]) == []
        assert await records.namesakes(bank, [name], k=5) == {name: []}
        assert await records.mentioning(bank, [name], k=5, now=NOW) == {name: []}
        assert await records.links(bank, [name]) == []
        assert await records.neighbours(bank, [name], now=NOW, fan=5) == {name: []}
        assert await records.around(bank, [name], within=timedelta.max, k=5) == {name: []}
        assert await records.placed(bank, [name]) == []
        assert await records.supported(bank, [name], now=NOW) == {}
        await records.foresee(bank, [Cue(name, 0, name)], facts=[name])
        await records.indexed(bank, [name])
        await records.purged(bank, [name])
        assert await records.setting(bank, name, name) == storable(name)
        await records.commit(ChangeSet(bank, progress=(Progress(name, 1, name),)))
        await records.link(bank, [Link(name, name, "causes", 1)])
        await records.forget(bank, fact=name)
    except ForethoughtError as error:
        assert str(error)
    assert len(await records.facts(BANK)) == 1


@pytest.mark.parametrize("bank", ["\x00", "ann\x00", "ann\ud800", "\udfff"])
async def test_a_bank_name_that_cannot_be_kept_is_refused_everywhere(
    records: Records, bank: str
) -> None:
    """Made storable, two such names would become one bank."""
    for refused in (
        records.log(bank, [talk("chat", "hello")]),
        records.facts(bank),
        records.search(bank, "tea", k=5, now=NOW),
        records.occurring(bank, (NOW.date(), NOW.date()), zone=UTC, k=5, now=NOW),
        records.commit(ChangeSet(bank)),
        records.entities(bank),
        records.join(bank, "e1", None, by="user"),
        records.link(bank, []),
        records.forget(bank),
    ):
        with pytest.raises(InvalidInput, match="bank name"):
            await refused


async def test_two_keys_that_are_kept_alike_are_two_sessions(records: Records) -> None:
    logged = await records.log(BANK, [talk("a\ud800", "one"), talk("a\udfff", "two")])
    assert [one.outcome for one in logged] == ["new", "new"]
    assert len(await records.sessions(BANK)) == 2


async def test_a_very_long_fact_is_kept_and_found(records: Records) -> None:
    long = fact("tea " * 50_000 + "samovar")
    await learn(records, long, fact("Ann drinks tea"))
    assert [hit for hit, _ in await records.search(BANK, "samovar", k=5, now=NOW)] == [long.id]
    await log_sources(records, long)
    assert len((await records.facts(BANK, [long.id]))[0].text) == len(long.text)
