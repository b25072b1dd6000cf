"""Hostile text in every place that takes text: kept or refused by a typed error, never a crash."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path

import numpy as np
import pytest

from forethought.memory.beliefs.types import Judgement
from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.embedding import MiniLM
from forethought.memory.errors import ForethoughtError, InvalidInput
from forethought.memory.index import PARTS, ChromaIndex, collection_name
from forethought.memory.indexing import Indexer
from forethought.memory.recall.recall import Recall
from forethought.memory.records.changes import ChangeSet, Progress, Unindexed
from forethought.memory.records.port import Records
from forethought.memory.records.values import content_of
from forethought.memory.types import LEARNED, Cue, Link, Mention, Source
from forethought.memory.words import name_key, storable
from tests.contracts.hostile import FULL_TEXT, HOSTILE, LONG
from tests.contracts.samples import (
    BANK,
    NOW,
    day,
    entity,
    fact,
    learn,
    log_sources,
    session,
    talk,
    tie,
)
from tests.contracts.test_records_beliefs import observation, opinion
from tests.flows.scripted import WordCounts

EVERY = {"sqlite": 1, "neo4j": 12}
"""Which of the strings are put to what takes several journeys to a server; to the rest all are."""

IDS = [text for text in HOSTILE if text and text not in LONG and storable(text) == text]
"""Those that a caller may find by its own id again; a server's index takes none of 8 kB."""

TEA, ALTO = fact("Drinks tea with ann"), fact("Drinks tea with bob", bank="bob")


async def test_any_query_is_answered_from_its_own_bank(adapter: str, records: Records) -> None:
    await learn(records, TEA)
    await learn(records, ALTO)

    async def asked(text: str) -> None:
        facts = await records.search(BANK, text, k=9, now=NOW)
        turns = await records.said(BANK, text, k=9, now=NOW)
        assert {id for id, _ in facts} <= {TEA.id}, text
        assert {turn.session for turn, _ in turns} <= {session("monday")}, text

    await _each(dict.fromkeys([*FULL_TEXT, *LONG, *HOSTILE[:: EVERY[adapter]]]), asked)


async def test_any_request_is_recalled_from_its_own_bank(
    adapter: str, records: Records, tmp_path: Path
) -> None:
    embedder = WordCounts()
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=embedder.name)
    recall = Recall(Indexer(records, index, embedder))
    for known in (TEA, ALTO):
        await learn(records, known)
        await records.foresee(known.bank, [Cue(known.id, 0, "More tea?")], facts=[known.id])

    async def asked(text: str) -> None:
        found = await recall.recall(BANK, text, now=NOW, limit=9)
        assert [hit.fact.id for hit in found.hits] == [TEA.id], text

    await asked("tea")  # and index what there is, once
    await _each(HOSTILE[:: EVERY[adapter]], asked)
    await index.close()


async def test_the_bundled_embedder_takes_any_text() -> None:
    vectors = await MiniLM().embed([*HOSTILE[::5], *LONG[:2]])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


async def test_any_key_text_and_speaker_is_logged_as_it_is(records: Records) -> None:
    said = tuple(Utterance(role="user", text=text, name=text) for text in HOSTILE)
    talks = [Conversation(date=day(1), turns=said, key="all")]
    talks += [talk(text, "hello") for text in HOSTILE]
    kept = [turn for turn in said if turn.text.strip()]
    logged = await records.log(BANK, talks)
    turns = await records.turns(BANK, session("all"))
    assert [(turn.text, turn.name) for turn in turns] == [
        (storable(one.text), storable(one.name or "")) for one in kept
    ]
    sessions = {one.id: one for one in await records.sessions(BANK)}
    assert len(sessions) == len(talks)  # those that are kept alike are two
    for one, given in zip(logged, talks, strict=True):
        assert one.session is not None and one.outcome == "new"
        assert sessions[one.session.id].key == storable(given.name)
    assert {one.outcome for one in await records.log(BANK, talks)} == {"known"}


async def test_any_fact_and_cue_is_kept_as_it_is(records: Records) -> None:
    source = fact("x").sources[0].session
    said = [text for text in HOSTILE if text.strip()]
    distinct = {content_of(text): text for text in reversed(said)}.values()  # the first of each
    given = [
        fact(text, entities=(text,), sources=(Source(source, (text,) if text in IDS else ()),))
        for text in HOSTILE
    ]
    await log_sources(records, *given)
    done = await records.commit(ChangeSet(BANK, tuple(given)))
    kept = {one.text: one for one in await records.facts(BANK)}
    assert kept.keys() == {storable(text) for text in distinct}
    assert len(done.new) == len(kept)
    for text in map(storable, distinct):
        assert kept[text].entities == (text,)
        assert text in kept[text].sources[0].turns or text not in IDS
    of = sorted(one.id for one in kept.values())
    cues = [Cue(of[at // LEARNED], at % LEARNED, text) for at, text in enumerate(HOSTILE)]
    await records.foresee(BANK, cues, facts=of[:1])
    assert await records.cues(BANK, of) == [
        replace(cue, text=storable(cue.text)) for cue in cues if cue.text.strip()
    ]


async def test_any_entity_is_kept_as_it_is_and_found_by_its_name(
    adapter: str, records: Records
) -> None:
    """By its own id and by any at all: the same twice, joined, and forgotten."""
    given = [entity(text) for text in HOSTILE]
    given += [replace(entity("Samovar"), id=text) for text in IDS]
    first = {storable(one.id): storable(one.name) for one in reversed(given) if one.name.strip()}
    await learn(records, TEA)
    for some in (given, given[:: EVERY[adapter]]):
        mentions = tuple(Mention(TEA.id, one.id) for one in some)
        await records.commit(ChangeSet(BANK, entities=tuple(some), mentions=mentions))
    kept = await records.entities(BANK)
    assert {one.id: one.name for one in kept} == first
    assert await records.mentions(BANK) == sorted(Mention(TEA.id, id) for id in first)
    found = await records.namesakes(BANK, [one.name for one in kept[:: 5 * EVERY[adapter]]], k=1)
    assert all(name_key(one.name) == name_key(name) for name, (one,) in found.items())
    mentioning = await records.mentioning(BANK, IDS, k=9, now=NOW)
    assert mentioning == {id: [TEA.id] for id in IDS}
    into = given[0].id
    for id in IDS[1 :: 10 * EVERY[adapter]]:
        await records.join(BANK, id, into, by="user")
        assert [one.into for one in await records.entities(BANK, [id])] == [into]
    await records.forget(BANK, entity=into)
    assert (await records.entities(BANK), await records.mentions(BANK)) == ([], [])


async def test_any_id_can_be_asked_for(adapter: str, records: Records) -> None:
    await tie(records, {TEA: (entity("Ann"),)})
    before = await records.facts(BANK), await records.mentions(BANK)
    nothing: dict[str, list[object]] = {id: [] for id in HOSTILE}
    assert await records.facts(BANK, HOSTILE) == []
    assert await records.sessions(BANK, ids=HOSTILE) == []
    assert await records.cues(BANK, HOSTILE) == []
    assert await records.holding(BANK, HOSTILE, now=NOW) == {}
    assert await records.earlier(BANK, HOSTILE) == nothing
    assert await records.placed(BANK, HOSTILE) == []
    assert await records.supported(BANK, HOSTILE, now=NOW) == {}
    assert await records.entities(BANK, HOSTILE) == []
    assert await records.mentions(BANK, HOSTILE) == []
    assert await records.mentioning(BANK, HOSTILE, k=5, now=NOW) == nothing
    assert await records.links(BANK, HOSTILE) == []
    assert await records.neighbours(BANK, HOSTILE, now=NOW, fan=5) == nothing
    assert await records.opinions(BANK, HOSTILE) == []
    assert await records.observations(BANK, HOSTILE) == []
    assert await records.judge(BANK, [Judgement(id, "weaken", NOW, TEA.id) for id in HOSTILE]) == []
    await records.hold(BANK, [opinion("Tea is good", id) for id in HOSTILE])
    await records.observe(BANK, "e0", [observation("x", id, on="e0") for id in HOSTILE])
    assert (await records.opinions(BANK), await records.observations(BANK)) == ([], [])
    assert await records.around(BANK, HOSTILE, within=timedelta.max, k=5) == nothing
    marks = [Unindexed(id, part, id, NOW) for id in HOSTILE for part in PARTS]
    assert await records.outdated(BANK, marks) == [mark.id for mark in marks]
    links = [Link(id, other, "causes", 1) for id in HOSTILE[::9] for other in (id, TEA.id)]
    await records.link(BANK, links)
    await records.commit(
        ChangeSet(BANK, links=tuple(links), mentions=tuple(Mention(TEA.id, id) for id in HOSTILE))
    )
    assert await records.links(BANK) == []
    await records.foresee(BANK, [Cue(id, 0, id) for id in HOSTILE], facts=HOSTILE)
    await records.indexed(BANK, HOSTILE)
    await records.purged(BANK, HOSTILE)
    await records.commit(
        ChangeSet(BANK, progress=tuple(Progress(id, 1, id) for id in HOSTILE[::9]))
    )
    assert (await records.facts(BANK), await records.mentions(BANK)) == before
    (ann,) = await records.entities(BANK)

    async def asked(id: str) -> None:
        assert await records.turns(BANK, id) == []
        for named in ({"fact": id}, {"session": id}, {"entity": id}, {"opinion": id}):
            with pytest.raises(ForethoughtError):
                await records.forget(BANK, **named)
        for one, into in ((id, None), (id, ann.id), (ann.id, id)):
            with pytest.raises(ForethoughtError):
                await records.join(BANK, one, into, by="user")
        await records.observe(BANK, id, [observation("x", TEA.id, on=id)])
        assert await records.setting(BANK, id, id) == storable(id)

    await _each([*HOSTILE[:: 10 * EVERY[adapter]], *LONG[:3]], asked)
    assert (await records.facts(BANK), await records.mentions(BANK)) == before


async def test_any_bank_is_one_of_its_own_or_refused(adapter: str, records: Records) -> None:
    kept = [name for name in HOSTILE if name.strip() and storable(name) == name]
    used = kept[:: EVERY[adapter]]

    async def lived_in(name: str) -> None:
        await records.log(name, [talk("monday", name)])
        (turn,) = await records.turns(name, session("monday", bank=name))
        said = await records.said(name, f"tea x {name}", k=9, now=NOW)
        assert {one.id for one, _ in said} <= {turn.id}
        assert turn.text == name

    async def unknown(name: str) -> None:
        if name in kept or not name:
            assert await records.newest(name) is None
        elif name.strip():
            with pytest.raises(InvalidInput, match="bank name"):
                await records.newest(name)
        if name not in kept:
            with pytest.raises(InvalidInput, match="name"):
                await records.log(name, [talk("monday", "hello")])

    await _each(used, lived_in)
    await _each([name for name in HOSTILE if name not in kept], unknown)
    await _each(kept[1 :: EVERY[adapter]], unknown)
    assert sorted(one.bank for one in await records.banks()) == sorted(used)


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


def test_no_two_banks_share_a_collection() -> None:
    names = {collection_name(bank, part) for bank in HOSTILE for part in PARTS}
    assert len(names) == len(HOSTILE) * len(PARTS)
    assert all(name.isascii() and len(name) < 64 for name in names)


async def test_a_very_long_fact_is_kept_and_found(records: Records) -> None:
    long = fact("tea " * 50_000 + "samovar")
    await learn(records, long, TEA)
    assert [hit for hit, _ in await records.search(BANK, "samovar", k=5, now=NOW)] == [long.id]
    assert len((await records.facts(BANK, [long.id]))[0].text) == len(long.text)


async def _each(items: Iterable[str], act: Callable[[str], Awaitable[None]]) -> None:
    """Do it with each of them, some at once, as a server is used."""
    waiting = iter(items)

    async def work() -> None:
        for item in waiting:
            await act(item)

    await asyncio.gather(*(work() for _ in range(8)))
