"""Forgetting an entity, and what a forgotten fact, session or bank leaves of entities and links."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.records.changes import Purge
from forethought.memory.records.port import Records
from forethought.memory.types import Link, Mention
from tests.contracts.samples import (
    BANK,
    NOW,
    day,
    entity,
    fact,
    found,
    learn,
    mention,
    merge,
    merged,
    session,
    tie,
)

SINGS, SKIS = fact("Ana sings alto", on=2), fact("Ana Ruiz skis in Oslo", on=4)
LIVES = fact("Bob lives in Oslo", said_in="tuesday", on=6)
ANA, RUIZ, BOB = entity("Ana"), entity("Ana Ruiz"), entity("Bob")
OSLO = entity("Oslo", kind="LOCATION")
LINK = Link(SINGS.id, LIVES.id, "causes", 0.5)


@pytest.fixture
async def known(records: Records) -> Records:
    """Ana, who is Ana Ruiz, and Bob, both with Oslo; the first fact of three leads to the last."""
    mentions = {SINGS: (replace(ANA, into=RUIZ.id),), SKIS: (RUIZ, OSLO), LIVES: (BOB, OSLO)}
    await tie(records, mentions, links=(LINK,))
    return records


async def test_a_forgotten_entity_goes_with_its_aliases_and_all_that_mentions_them(
    known: Records,
) -> None:
    purge = await known.forget(BANK, entity=ANA.id)
    assert purge == Purge(facts=purge.facts, entities=2)
    assert set(purge.facts) == {SINGS.id, SKIS.id}
    assert await known.facts(BANK) == [LIVES]
    assert await known.entities(BANK) == [
        replace(BOB, first=day(6), last=day(6)),
        replace(OSLO, first=day(6), last=day(6)),
    ]
    assert await known.mentions(BANK) == sorted(mention(LIVES, BOB, OSLO))
    assert (await known.links(BANK), await found(known, "ana")) == ([], [])
    assert await known.namesakes(BANK, ["Ana"], k=9) == {"Ana": []}
    assert set(await known.unpurged(BANK)) == set(purge.facts)


async def test_what_mentioned_a_forgotten_entity_is_refused_when_it_is_said_again(
    known: Records,
) -> None:
    await known.forget(BANK, entity=RUIZ.id)
    again = fact("ana  sings alto", said_in="friday", on=9)
    done = await tie(known, {SKIS: (RUIZ,), again: (ANA,)})
    assert done.refused == (SKIS.id, again.id)
    assert await known.entities(BANK, [ANA.id, RUIZ.id]) == []


async def test_a_version_of_a_fact_that_mentions_a_forgotten_entity_goes_too(
    known: Records,
) -> None:
    moved, both = fact("He lives in Bergen", on=8), merged("They sing and ski", SINGS, SKIS, on=7)
    await learn(known, moved, replacing={LIVES.id: moved})
    await merge(known, both, SINGS, SKIS)
    await known.forget(BANK, entity=BOB.id)
    assert {one.id for one in await known.facts(BANK)} == {SINGS.id, SKIS.id, both.id}
    assert (await learn(known, moved)).refused == (moved.id,)


async def test_forgetting_the_alias_of_a_merged_fact_lets_no_part_of_it_stand(
    known: Records,
) -> None:
    both = merged("They sing and ski", SINGS, SKIS, on=7)
    await merge(known, both, SINGS, SKIS)
    await known.join(BANK, ANA.id, None, by="user")
    purge = await known.forget(BANK, entity=ANA.id)
    assert (set(purge.facts), purge.revived, purge.entities) == ({SINGS.id, both.id}, (SKIS.id,), 1)
    assert {one.id for one in await known.facts(BANK)} == {SKIS.id, LIVES.id}
    assert await known.mentioning(BANK, [RUIZ.id], k=9, now=NOW) == {RUIZ.id: [SKIS.id]}


async def test_what_was_joined_to_an_entity_that_goes_stands_for_itself(known: Records) -> None:
    await known.join(BANK, RUIZ.id, OSLO.id, by="user")
    assert (await known.forget(BANK, fact=SKIS.id)).entities == 1
    (ana,) = await known.entities(BANK, [ANA.id])
    assert ana == replace(ANA, first=day(2), last=day(2))
    (oslo,) = await known.entities(BANK, [OSLO.id])
    assert (oslo.first, oslo.last) == (day(6), day(6))
    assert await known.mentioning(BANK, [OSLO.id], k=9, now=NOW) == {OSLO.id: [LIVES.id]}


async def test_a_forgotten_fact_takes_its_mentions_links_and_nobody_elses_entities(
    known: Records,
) -> None:
    purge = await known.forget(BANK, fact=LIVES.id)
    assert purge == Purge(facts=(LIVES.id,), entities=1)
    assert [one.name for one in await known.entities(BANK)] == ["Ana", "Ana Ruiz", "Oslo"]
    assert (await known.links(BANK), await known.mentions(BANK, [LIVES.id])) == ([], [])
    assert await known.neighbours(BANK, [SINGS.id], now=NOW, fan=5) == {
        SINGS.id: (await known.neighbours(BANK, [SINGS.id], now=day(5), fan=5))[SINGS.id]
    }


async def test_a_forgotten_session_takes_what_only_its_facts_mention(known: Records) -> None:
    again = replace(SINGS, sources=fact("x", said_in="tuesday").sources)
    await learn(known, again)
    purge = await known.forget(BANK, session=session("monday"))
    assert (purge.facts, purge.entities) == ((SKIS.id,), 1)
    (ana, bob, oslo) = await known.entities(BANK)
    assert (ana.into, ana.joined_by, bob.name, oslo.first) == (None, None, "Bob", day(6))
    assert await known.mentions(BANK, [SINGS.id]) == [Mention(SINGS.id, ANA.id)]
    assert await known.links(BANK) == [LINK]


async def test_a_forgotten_bank_leaves_no_entity(known: Records) -> None:
    await known.join(BANK, RUIZ.id, BOB.id, by="user")
    purge = await known.forget(BANK)
    assert purge.entities == 4
    assert (await known.entities(BANK), await known.mentions(BANK)) == ([], [])
    assert await known.links(BANK) == []
    await tie(known, {SINGS: (ANA,)})
    assert await known.entities(BANK) == [replace(ANA, first=day(2), last=day(2))]


async def test_an_entity_that_is_not_there_or_beside_another_thing_is_not_forgotten(
    known: Records,
) -> None:
    with pytest.raises(NotFound, match=r"'e0' in bank 'ann'"):
        await known.forget(BANK, entity="e0")
    with pytest.raises(NotFound):
        await known.forget("bob", entity=ANA.id)
    for other in ({"fact": SINGS.id}, {"session": session("monday")}):
        with pytest.raises(InvalidInput, match="one thing"):
            await known.forget(BANK, entity=ANA.id, **other)
    assert len(await known.facts(BANK)) == 3
