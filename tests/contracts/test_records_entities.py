"""Entities and mentions: stored once, found by name, joined, kept apart, dated by their facts."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.records.changes import ChangeSet, Repeat
from forethought.memory.records.port import Records
from forethought.memory.types import Entity, Mention, Source
from tests.contracts.samples import (
    BANK,
    NOW,
    day,
    entity,
    fact,
    learn,
    log_sources,
    mention,
    merge,
    merged,
    session,
    tie,
)

SINGS, SKIS = fact("Ana sings alto", on=2), fact("Ana Ruiz skis in Oslo", on=4)
HUMS = fact("Ana hums", said_in="tuesday", on=6)
ANA, RUIZ, OSLO = entity("Ana"), entity("Ana Ruiz"), entity("Oslo", kind="LOCATION")


@pytest.fixture
async def sung(records: Records) -> Records:
    """Two facts: one mentions Ana, the other Ana Ruiz and Oslo."""
    await tie(records, {SINGS: (ANA,), SKIS: (RUIZ, OSLO)})
    return records


async def known(records: Records, one: Entity) -> Entity:
    """The one entity of that id."""
    (found,) = await records.entities(one.bank, [one.id])
    return found


async def joining(records: Records, one: Entity) -> tuple[str | None, str | None]:
    """What it is joined to, and who decided that."""
    found = await known(records, one)
    return found.into, found.joined_by


async def test_an_entity_is_dated_by_the_facts_that_mention_it(sung: Records) -> None:
    assert await sung.entities(BANK) == [
        replace(ANA, first=day(2), last=day(2)),
        replace(RUIZ, first=day(4), last=day(4)),
        replace(OSLO, first=day(4), last=day(4)),
    ]
    await tie(sung, {HUMS: (ANA,)})
    assert await known(sung, ANA) == replace(ANA, first=day(2), last=day(6))
    monday, tuesday = (Source(session(key)) for key in ("monday", "tuesday"))
    await sung.commit(ChangeSet(BANK, repeats=(Repeat(SKIS.id, tuesday, day(9)),)))
    assert (await known(sung, RUIZ)).last == (await known(sung, OSLO)).last == day(9)
    await sung.commit(ChangeSet(BANK, repeats=(Repeat(SKIS.id, monday, day(3)),)))
    assert (await known(sung, RUIZ)).first == day(4)


async def test_mentions_and_entities_are_read_by_fact_and_by_id(sung: Records) -> None:
    assert await sung.mentions(BANK, [SINGS.id, "f-unknown"]) == [Mention(SINGS.id, ANA.id)]
    every = sorted([*mention(SINGS, ANA), *mention(SKIS, RUIZ, OSLO)])
    assert await sung.mentions(BANK) == every
    found = await sung.entities(BANK, [OSLO.id, "e-unknown", ANA.id])
    assert [one.name for one in found] == ["Oslo", "Ana"]
    assert (await sung.entities("bob"), await sung.mentions("bob")) == ([], [])


async def test_what_is_said_twice_is_stored_once(sung: Records) -> None:
    before = await sung.entities(BANK), await sung.mentions(BANK)
    again = replace(ANA, name="ANA!", kind="OTHER")
    await tie(sung, {SINGS: (again,), SKIS: (RUIZ, OSLO)})
    assert (await sung.entities(BANK), await sung.mentions(BANK)) == before


async def test_an_entity_that_no_stored_fact_mentions_is_not_stored(records: Records) -> None:
    await records.commit(
        ChangeSet(BANK, entities=(ANA, OSLO), mentions=(Mention("f-unknown", ANA.id),))
    )
    await tie(records, {fact("  "): (RUIZ,)})
    assert (await records.entities(BANK), await records.mentions(BANK)) == ([], [])


async def test_a_forgotten_fact_mentions_nothing_when_it_is_said_again(sung: Records) -> None:
    await sung.forget(BANK, fact=SINGS.id)
    await tie(sung, {SINGS: (ANA,)})
    assert await sung.entities(BANK, [ANA.id]) == []


async def test_a_mention_by_a_fact_that_is_kept_as_another_goes_to_that_one(sung: Records) -> None:
    again = fact("ana  sings alto.", said_in="tuesday", on=8)
    choir = entity("Choir", kind="ORGANIZATION")
    await tie(sung, {again: (choir,)})
    assert await sung.mentions(BANK, [again.id]) == []
    assert await sung.mentions(BANK, [SINGS.id]) == sorted(mention(SINGS, ANA, choir))
    assert ((await known(sung, choir)).first, (await known(sung, ANA)).last) == (day(8), day(8))


async def test_a_mention_may_be_added_to_what_is_stored(sung: Records) -> None:
    await sung.commit(ChangeSet(BANK, mentions=mention(SINGS, OSLO)))
    assert await sung.mentions(BANK, [SINGS.id]) == sorted(mention(SINGS, ANA, OSLO))
    assert ((await known(sung, OSLO)).first, (await known(sung, OSLO)).last) == (day(2), day(4))


async def test_concurrent_commits_of_one_entity_store_it_once(records: Records) -> None:
    facts = [fact(f"Ana sings {song}", on=on) for on, song in enumerate("abcd", start=1)]
    await log_sources(records, *facts)
    await asyncio.gather(
        *(
            records.commit(ChangeSet(BANK, (one,), entities=(ANA,), mentions=mention(one, ANA)))
            for one in facts
        )
    )
    assert await records.entities(BANK) == [replace(ANA, first=day(1), last=day(4))]
    assert len(await records.mentions(BANK)) == 4


async def test_a_new_version_mentions_what_is_said_of_it_alone(sung: Records) -> None:
    new = fact("Ana Ruiz skis in Bergen", on=9)
    await learn(sung, new, replacing={SKIS.id: new})
    assert await sung.mentions(BANK, [new.id]) == []
    assert await sung.mentions(BANK, [SKIS.id]) == sorted(mention(SKIS, RUIZ, OSLO))


async def test_the_rule_joins_what_the_user_has_not_decided(sung: Records) -> None:
    by_rule = replace(ANA, into=RUIZ.id)
    await sung.commit(ChangeSet(BANK, entities=(by_rule,)))
    assert await joining(sung, ANA) == (RUIZ.id, "rule")
    await sung.commit(ChangeSet(BANK, entities=(ANA,)))
    assert (await known(sung, ANA)).into == RUIZ.id
    await sung.join(BANK, ANA.id, None, by="user")
    await sung.commit(ChangeSet(BANK, entities=(by_rule,)))
    assert await joining(sung, ANA) == (None, "user")
    await sung.join(BANK, ANA.id, RUIZ.id, by="rule")
    assert await joining(sung, ANA) == (None, "user")
    await sung.join(BANK, ANA.id, RUIZ.id, by="user")
    await sung.join(BANK, ANA.id, None, by="rule")
    assert await joining(sung, ANA) == (RUIZ.id, "user")


async def test_new_entities_are_joined_as_they_come(records: Records) -> None:
    await tie(
        records, {SINGS: (replace(ANA, into=RUIZ.id),), SKIS: (RUIZ, replace(OSLO, into="e0"))}
    )
    assert (await known(records, ANA)).into == RUIZ.id
    assert ((await known(records, OSLO)).into, (await known(records, OSLO)).joined_by) == (
        None,
        None,
    )


async def test_no_joining_closes_a_circle(sung: Records) -> None:
    await sung.join(BANK, ANA.id, RUIZ.id, by="rule")
    await sung.join(BANK, RUIZ.id, OSLO.id, by="rule")
    for into in (ANA.id, RUIZ.id, OSLO.id):
        with pytest.raises(InvalidInput):
            await sung.join(BANK, OSLO.id, into, by="user")
        await sung.commit(ChangeSet(BANK, entities=(replace(OSLO, into=into),)))
    assert (await known(sung, OSLO)).into is None


@pytest.mark.parametrize("pair", [("e0", None), ("e0", ANA.id), (ANA.id, "e0")])
async def test_what_is_not_there_is_joined_to_nothing(
    sung: Records, pair: tuple[str, str | None]
) -> None:
    with pytest.raises(NotFound, match=r"'e0' in bank 'ann'"):
        await sung.join(BANK, *pair, by="user")
    with pytest.raises(NotFound):
        await sung.join("bob", ANA.id, None, by="user")


async def test_what_is_joined_is_mentioned_as_one_and_can_be_kept_apart_again(
    sung: Records,
) -> None:
    ask = [ANA.id, RUIZ.id, OSLO.id, "e-unknown"]
    assert await sung.mentioning(BANK, ask, k=9, now=NOW) == {
        ANA.id: [SINGS.id], RUIZ.id: [SKIS.id], OSLO.id: [SKIS.id], "e-unknown": [],
    }  # fmt: skip
    before = await sung.mentions(BANK)
    await sung.join(BANK, ANA.id, RUIZ.id, by="rule")
    await sung.join(BANK, RUIZ.id, OSLO.id, by="rule")
    both = [SKIS.id, SINGS.id]
    assert await sung.mentioning(BANK, ask[:3], k=9, now=NOW) == dict.fromkeys(ask[:3], both)
    await sung.join(BANK, RUIZ.id, None, by="user")
    found = await sung.mentioning(BANK, ask[:3], k=9, now=NOW)
    assert found == {ANA.id: both, RUIZ.id: both, OSLO.id: [SKIS.id]}
    assert await sung.mentions(BANK) == before


async def test_the_latest_that_hold_mention_it_first(records: Records) -> None:
    facts = [fact(f"Ana was in town {at}", on=on) for at, on in enumerate((3, 1, 5, 5, 9))]
    await tie(records, dict.fromkeys(facts, (ANA,)))
    same_day = sorted([facts[2].id, facts[3].id])
    latest = [facts[4].id, *same_day, facts[0].id, facts[1].id]

    async def found(k: int, on: int = 25) -> list[str]:
        return (await records.mentioning(BANK, [ANA.id], k=k, now=day(on)))[ANA.id]

    assert [await found(9), await found(2), await found(0)] == [latest, latest[:2], []]
    assert await found(9, on=4) == [facts[0].id, facts[1].id]
    new = fact("Ana lives in town 4", on=20)
    await learn(records, new, replacing={facts[4].id: new})
    assert await found(2) == same_day
    assert (await found(2, on=15))[0] == facts[4].id, "it held then"
    friday = Source(session("friday"))
    await log_sources(records, fact("x", said_in="friday"))
    await records.commit(ChangeSet(BANK, repeats=(Repeat(facts[1].id, friday, day(21)),)))
    assert (await found(1)) == [facts[1].id], "it was said again"


async def test_an_entity_of_a_merged_fact_is_found_by_what_holds(sung: Records) -> None:
    both = merged("Ana Ruiz sings and skis", SINGS, SKIS, on=5)
    await merge(sung, both, SINGS, SKIS)
    assert await sung.mentioning(BANK, [RUIZ.id], k=9, now=NOW) == {RUIZ.id: []}
    await sung.commit(ChangeSet(BANK, mentions=mention(both, RUIZ)))
    assert await sung.mentioning(BANK, [RUIZ.id], k=9, now=NOW) == {RUIZ.id: [both.id]}


async def test_namesakes_are_of_the_same_name_first_then_the_latest(records: Records) -> None:
    names = ("Ana", "Anabel", "Ana Ruiz", "Bob Anders", "Rui", "Oslo")
    named = {name: entity(name) for name in names}
    other_ana = replace(ANA, id="e-other", name="ÁNA")
    mentions = {
        fact(f"about {one.name}", on=on): (one,)
        for on, one in enumerate((*named.values(), other_ana), start=1)
    }
    await tie(records, mentions)

    async def found(name: str, k: int = 9) -> list[str]:
        return [one.name for one in (await records.namesakes(BANK, [name], k=k))[name]]

    assert await found("ana") == ["ÁNA", "Ana", "Ana Ruiz", "Anabel"]
    assert [await found("ana", k=3), await found("ana", k=0)] == [["ÁNA", "Ana", "Ana Ruiz"], []]
    assert await found("Ana Ruiz") == ["Ana Ruiz", "ÁNA", "Rui", "Anabel", "Ana"]
    assert await found("Anderson, B.") == ["Bob Anders"]
    assert [await found("Zoe"), await found(""), await found("?!")] == [[], [], []]
    await records.join(BANK, ANA.id, named["Ana Ruiz"].id, by="rule")
    (_, joined, *_) = (await records.namesakes(BANK, ["ana", "Zoe"], k=9))["ana"]
    assert joined == replace(
        ANA, first=day(1), last=day(1), into=named["Ana Ruiz"].id, joined_by="rule"
    )
    later = fact("about Ana again", on=20)
    await tie(records, {later: (ANA,)})
    assert (await found("ana"))[0] == "Ana"


async def test_names_of_any_script_have_namesakes(records: Records) -> None:
    names = ("山田太郎", "Øst", "Мария", "🎈")
    await tie(records, {fact(f"about {name}"): (entity(name),) for name in names})
    found = await records.namesakes(BANK, ["山田", "мария петровна", "🎈", "ost"], k=5)
    assert [[one.name for one in of] for of in found.values()] == [
        ["山田太郎"],
        ["Мария"],
        ["🎈"],
        [],
    ]


async def test_a_bank_counts_its_entities_and_links(sung: Records) -> None:
    (bank,) = await sung.banks()
    assert (bank.entities, bank.links) == (3, 0)
    await sung.join(BANK, ANA.id, RUIZ.id, by="rule")
    (bank,) = await sung.banks()
    assert bank.entities == 2
