"""Two banks that hold the same texts share nothing: no method reads or writes the other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from forethought.memory.errors import NotFound
from forethought.memory.ids import turn_id
from forethought.memory.records.changes import ChangeSet, Progress, Repeat
from forethought.memory.records.port import Records
from forethought.memory.types import Cue, Fact, Link, Mention, Source
from tests.contracts.samples import (
    NOW,
    day,
    entity,
    fact,
    found,
    learn,
    merge,
    merged,
    session,
    talk,
)

Act = Callable[[Records], Awaitable[object]]


def oslo(bank: str) -> Fact:
    """The same id in both banks: the worst case, which hashes of the bank's name would prevent."""
    return replace(fact("Lives in Oslo", bank=bank), id="f-oslo")


def bergen(bank: str) -> Fact:
    return replace(fact("Lives in Bergen", bank=bank, on=5), id="f-bergen")


def ties(bank: str) -> ChangeSet:
    """Both facts mention Oslo, whose alias is Christiania, and one leads to the other."""
    old = replace(entity("Christiania", bank=bank), id="e-old", into="e-oslo")
    new = replace(entity("Oslo", bank=bank), id="e-oslo")
    mentions = ("f-oslo", "e-oslo"), ("f-oslo", "e-old"), ("f-bergen", "e-oslo")
    return ChangeSet(
        bank,
        entities=(old, new),
        mentions=tuple(Mention(*one) for one in mentions),
        links=(Link("f-bergen", "f-oslo", "causes", 0.5),),
    )


@pytest.fixture
async def twins(records: Records) -> Records:
    """Banks ann and bob with the same facts, versions, cues, entities, links and settings."""
    for bank in ("ann", "bob"):
        await learn(records, oslo(bank), fact("Sings alto", bank=bank))
        await learn(records, bergen(bank), replacing={"f-oslo": bergen(bank)})
        await records.foresee(bank, [Cue("f-oslo", 0, "where to ski?")], facts=["f-oslo"])
        await records.setting(bank, "mark", "1")
        await records.commit(ties(bank))
    return records


async def everything(records: Records, bank: str) -> list[object]:
    """All that the port says of a bank."""
    sessions = await records.sessions(bank)
    facts = await records.facts(bank)
    ids = [one.id for one in facts]
    # Of both banks: whoever knows another bank's ids reads nothing by them.
    said = "This was said on monday."
    turns = ["t1", *(turn_id(session("monday", bank=one), 0, said) for one in ("ann", "bob"))]
    return [
        sessions,
        [await records.turns(bank, one.id) for one in sessions],
        await records.placed(bank, turns),
        await records.supported(bank, turns, now=NOW),
        facts,
        await records.holding(bank, ids, now=NOW),
        await records.earlier(bank, ids),
        await records.added(bank, since=0),
        await records.newest(bank),
        await records.occurring(bank, (day(1).date(), day(9).date()), zone=UTC, k=9, now=NOW),
        # Which facts, not in which order: BM25 may weigh a word by the whole store.
        set(await found(records, "lives sings oslo bergen", bank=bank)),
        {turn.id for turn, _ in await records.said(bank, "said on monday x", k=9, now=NOW)},
        await records.cues(bank, ids),
        await records.entities(bank),
        await records.namesakes(bank, ["Oslo", "Chris"], k=9),
        await records.mentions(bank),
        await records.mentioning(bank, ["e-oslo", "e-old"], k=9, now=NOW),
        await records.links(bank),
        await records.neighbours(bank, ids, now=NOW, fan=9),
        await records.around(bank, ids, within=timedelta(days=99), k=9),
        await records.unforeseen(bank, limit=9),
        await records.unindexed(bank, limit=9),
        await records.unpurged(bank),
        await records.setting(bank, "mark"),
        [summary for summary in await records.banks() if summary.bank == bank],
    ]


async def test_each_bank_reads_only_its_own(twins: Records) -> None:
    for bank in ("ann", "bob"):
        assert {one.bank for one in await twins.sessions(bank)} == {bank}
        assert {one.bank for one in await twins.facts(bank)} == {bank}
        assert len(await twins.facts(bank)) == 3
        assert len(await found(twins, "lives sings", bank=bank)) == 2
        assert len(await twins.cues(bank, ["f-oslo"])) == 1
        assert len(await twins.unindexed(bank, limit=99)) == 5
        assert {one.bank for one in (await twins.added(bank, since=0))[0]} == {bank}
    assert await twins.turns("ann", session("monday", bank="bob")) == []
    assert await twins.sessions("ann", ids=[session("monday", bank="bob")]) == []


async def moved(records: Records) -> object:
    tromso = fact("Lives in Tromsø", on=9)
    return await learn(records, tromso, replacing={"f-bergen": tromso})


async def repeated(records: Records) -> object:
    source = Source(session("monday"), ("t1",))
    return await records.commit(ChangeSet("ann", repeats=(Repeat("f-bergen", source, day(20)),)))


async def consolidated(records: Records) -> object:
    facts = [one for one in await records.facts("ann") if one.until is None]
    return await merge(records, merged("Sings in Bergen", *facts), *facts)


async def named(records: Records) -> object:
    mentions = (Mention("f-bergen", "e-new"),)
    new = replace(entity("Bergen", bank="ann"), id="e-new", into="e-oslo")
    return await records.commit(ChangeSet("ann", entities=(new,), mentions=mentions))


WRITES: dict[str, Act] = {
    "log": lambda records: records.log("ann", [talk("monday", "This was said on monday.", "x")]),
    "progress": lambda records: records.commit(
        ChangeSet("ann", progress=(Progress(session("monday"), 1), Progress("s-unknown", 1)))
    ),
    "update": moved,
    "repeat": repeated,
    "merge": consolidated,
    "foresee": lambda records: records.foresee("ann", [Cue("f-oslo", 0, "y")], facts=["f-bergen"]),
    "indexed": lambda records: records.indexed("ann", ["f-oslo", "f-bergen", "f-oslo:0"]),
    "reindex": lambda records: records.reindex("ann"),
    "setting": lambda records: records.setting("ann", "mark", "2"),
    "forget a fact": lambda records: records.forget("ann", fact="f-oslo"),
    "forget a session": lambda records: records.forget("ann", session=session("monday")),
    "name": named,
    "link": lambda records: records.link("ann", [Link("f-bergen", "f-oslo", "causes", 0.9)]),
    "join": lambda records: records.join("ann", "e-old", None, by="user"),
    "forget an entity": lambda records: records.forget("ann", entity="e-old"),
    "forget the bank": lambda records: records.forget("ann"),
}


@pytest.mark.parametrize("write", WRITES)
async def test_a_write_to_one_bank_leaves_the_other_as_it_was(twins: Records, write: str) -> None:
    await twins.indexed("bob", ["f-oslo"])
    ann, bob = await everything(twins, "ann"), await everything(twins, "bob")
    await WRITES[write](twins)
    assert await everything(twins, "bob") == bob
    assert await everything(twins, "ann") != ann or write == "reindex"  # all was unindexed before


async def test_purging_in_one_bank_purges_nothing_in_the_other(twins: Records) -> None:
    for bank in ("ann", "bob"):
        await twins.forget(bank, fact="f-oslo")
    await twins.purged("ann", await twins.unpurged("ann"))
    assert await twins.unpurged("ann") == []
    assert await twins.unpurged("bob") == ["f-bergen", "f-oslo", "f-oslo:0"]


async def test_a_tombstone_holds_for_its_own_bank_only(records: Records) -> None:
    await learn(records, oslo("ann"))
    await records.forget("ann", fact="f-oslo")
    assert (await learn(records, oslo("bob"))).new == ("f-oslo",)
    assert (await learn(records, oslo("ann"))).refused == ("f-oslo",)


async def test_another_banks_fact_or_session_cannot_be_forgotten(records: Records) -> None:
    mine = fact("Lives in Oslo", bank="bob")
    await learn(records, mine)
    with pytest.raises(NotFound):
        await records.forget("ann", fact=mine.id)
    with pytest.raises(NotFound):
        await records.forget("ann", session=session("monday", bank="bob"))
    with pytest.raises(NotFound):
        await records.forget("ann", entity="e-oslo")
    assert await records.facts("bob") == [mine]


async def test_names_that_look_alike_are_different_banks(records: Records) -> None:
    names = ["ann", "Ann", "ann ", " ann", "ánn", "a\u0301nn", "ann%", "a_n", "ann\u200b", "ａnn"]
    for name in names:
        await learn(records, fact("Lives in Oslo", bank=name))
    assert sorted(bank.bank for bank in await records.banks()) == sorted(names)
    await records.forget("ann")
    assert [len(await records.facts(name)) for name in names] == [0, *[1] * 9]
