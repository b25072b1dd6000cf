"""Links, and what leads from a fact to others: over links, over entities, and near in time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from forethought.memory.errors import InvalidInput
from forethought.memory.records.changes import ChangeSet, Repeat
from forethought.memory.records.port import Records
from forethought.memory.types import Edge, Fact, Link, LinkKind, Source
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

RAIN, WET, SLIP, SALT = FACTS = tuple(
    fact(text, on=on) for on, text in enumerate(("It rained", "Got wet", "Slipped", "Salted"), 1)
)
ANA, RUIZ, OSLO = entity("Ana"), entity("Ana Ruiz"), entity("Oslo", kind="LOCATION")
DAY = timedelta(days=1)


def link(one: Fact, other: Fact, kind: LinkKind = "causes", weight: float = 0.5) -> Link:
    return Link(one.id, other.id, kind, weight)


@pytest.fixture
async def linked(records: Records) -> Records:
    """Four facts, the first of which causes the second, which causes the third."""
    await learn(records, *FACTS)
    await records.link(BANK, [link(RAIN, WET), link(WET, SLIP, weight=1.0)])
    return records


async def test_links_are_read_from_either_end_in_order(linked: Records) -> None:
    both = sorted([link(RAIN, WET), link(WET, SLIP, weight=1.0)])
    assert await linked.links(BANK) == both
    assert await linked.links(BANK, [WET.id]) == both
    assert await linked.links(BANK, [SLIP.id, "f-unknown"]) == [link(WET, SLIP, weight=1.0)]
    assert (await linked.links(BANK, [SALT.id]), await linked.links("bob")) == ([], [])
    (bank,) = await linked.banks()
    assert bank.links == 2


async def test_a_stored_link_takes_the_new_weight(linked: Records) -> None:
    await linked.link(BANK, [link(RAIN, WET, weight=0.9), link(RAIN, WET, "enables")])
    found = await linked.links(BANK, [RAIN.id])
    assert found == [link(RAIN, WET, weight=0.9), link(RAIN, WET, "enables")]
    await linked.commit(ChangeSet(BANK, links=(link(RAIN, WET, weight=0.1),)))
    assert link(RAIN, WET, weight=0.1) in await linked.links(BANK)


@pytest.mark.parametrize("kind", ["temporal", "semantic"])
async def test_a_link_without_direction_is_one_from_either_side(
    linked: Records, kind: LinkKind
) -> None:
    one, other = sorted([SLIP, SALT], key=lambda each: each.id)
    await linked.link(BANK, [link(other, one, kind, 0.2)])
    await linked.commit(ChangeSet(BANK, links=(link(one, other, kind, 0.4),)))
    assert await linked.links(BANK, [SALT.id]) == [link(one, other, kind, 0.4)]


async def test_a_link_of_an_unknown_fact_or_to_itself_is_left_out(linked: Records) -> None:
    before = await linked.links(BANK)
    stray = [Link(RAIN.id, "f-unknown", "causes", 1), Link("f-unknown", RAIN.id, "causes", 1)]
    await linked.link(BANK, [*stray, link(RAIN, RAIN)])
    await linked.commit(ChangeSet(BANK, links=(*stray, link(RAIN, RAIN))))
    assert await linked.links(BANK) == before


@pytest.mark.parametrize("weight", [-0.01, 1.01, float("nan")])
async def test_a_weight_outside_its_range_is_refused(linked: Records, weight: float) -> None:
    before = await linked.links(BANK)
    for refused in (
        linked.link(BANK, [link(RAIN, SALT), link(RAIN, SLIP, weight=weight)]),
        linked.commit(ChangeSet(BANK, links=(link(RAIN, SLIP, weight=weight),))),
    ):
        with pytest.raises(InvalidInput, match="from 0 to 1"):
            await refused
    assert await linked.links(BANK) == before


async def test_links_come_with_the_facts_that_they_join(linked: Records) -> None:
    same, new = fact("it  rained!", said_in="tuesday", on=5), fact("Flooded", on=6)
    await log_sources(linked, same)
    await linked.commit(ChangeSet(BANK, (same, new), links=(link(same, new), link(same, RAIN))))
    assert await linked.links(BANK, [new.id]) == [link(RAIN, new)]
    assert await linked.links(BANK, [same.id]) == []


async def test_a_link_leads_both_ways_by_its_kind_and_weight(linked: Records) -> None:
    await linked.link(BANK, [link(RAIN, SALT, "prevents", 0.3), link(RAIN, SLIP, weight=0.7)])
    found = await linked.neighbours(BANK, [RAIN.id, WET.id, "f-unknown"], now=NOW, fan=5)
    assert found == {
        RAIN.id: [
            Edge(SLIP.id, "causes", 0.7),
            Edge(WET.id, "causes", 0.5),
            Edge(SALT.id, "prevents", 0.3),
        ],
        WET.id: [Edge(RAIN.id, "caused_by", 0.5), Edge(SLIP.id, "causes", 1.0)],
        "f-unknown": [],
    }
    back = await linked.neighbours(BANK, [SALT.id], now=NOW, fan=5)
    assert back == {SALT.id: [Edge(RAIN.id, "prevents", 0.3)]}


async def test_only_facts_that_hold_are_neighbours_and_links_of_the_others_stay(
    linked: Records,
) -> None:
    dry = fact("Got dry", on=9)
    await learn(linked, dry, replacing={WET.id: dry})
    assert await linked.links(BANK, [WET.id]) == sorted(
        [link(RAIN, WET), link(WET, SLIP, weight=1.0)]
    )
    found = await linked.neighbours(BANK, [RAIN.id, WET.id, SLIP.id], now=NOW, fan=5)
    assert [found[RAIN.id], found[SLIP.id]] == [[], []]
    assert found[WET.id] == [Edge(RAIN.id, "caused_by", 0.5), Edge(SLIP.id, "causes", 1.0)]
    assert (await linked.neighbours(BANK, [RAIN.id], now=day(5), fan=5))[RAIN.id] == [
        Edge(WET.id, "causes", 0.5)
    ]
    assert await linked.neighbours(BANK, [RAIN.id], now=day(1), fan=5) == {RAIN.id: []}


async def test_an_entity_leads_to_the_latest_that_mention_it(records: Records) -> None:
    await tie(records, {RAIN: (OSLO,), WET: (ANA, OSLO), SLIP: (ANA, RUIZ), SALT: (OSLO,)})
    found = await records.neighbours(BANK, [RAIN.id, WET.id], now=NOW, fan=2)
    assert found == {
        RAIN.id: [Edge(SALT.id, "entity", 1.0, OSLO.id), Edge(WET.id, "entity", 1.0, OSLO.id)],
        WET.id: [
            Edge(SALT.id, "entity", 1.0, OSLO.id),
            Edge(SLIP.id, "entity", 1.0, ANA.id),
            Edge(RAIN.id, "entity", 1.0, OSLO.id),
        ],
    }
    assert (await records.neighbours(BANK, [RAIN.id], now=NOW, fan=1))[RAIN.id] == found[RAIN.id][
        :1
    ]
    assert (await records.neighbours(BANK, [RAIN.id], now=NOW, fan=0))[RAIN.id] == []
    assert (await records.neighbours(BANK, [RAIN.id], now=day(3), fan=2))[RAIN.id] == [
        Edge(WET.id, "entity", 1.0, OSLO.id)
    ]


async def test_what_is_joined_leads_on_as_one(records: Records) -> None:
    await tie(records, {RAIN: (ANA,), WET: (RUIZ,), SLIP: (ANA, RUIZ), SALT: (OSLO,)})
    await records.join(BANK, ANA.id, RUIZ.id, by="rule")
    found = await records.neighbours(BANK, [RAIN.id, SLIP.id], now=NOW, fan=9)
    assert found == {
        RAIN.id: [Edge(SLIP.id, "entity", 1.0, RUIZ.id), Edge(WET.id, "entity", 1.0, RUIZ.id)],
        SLIP.id: [Edge(WET.id, "entity", 1.0, RUIZ.id), Edge(RAIN.id, "entity", 1.0, RUIZ.id)],
    }
    await records.join(BANK, ANA.id, None, by="user")
    assert (await records.neighbours(BANK, [RAIN.id], now=NOW, fan=9))[RAIN.id] == [
        Edge(SLIP.id, "entity", 1.0, ANA.id)
    ]


async def test_edges_of_all_kinds_come_by_kind(records: Records) -> None:
    await tie(
        records,
        {RAIN: (OSLO,), WET: (OSLO,), SLIP: ()},
        links=(link(RAIN, WET, "temporal", 1.0), link(WET, RAIN), link(RAIN, SLIP, "enables", 0.1)),
    )
    kinds = [
        edge.kind for edge in (await records.neighbours(BANK, [RAIN.id], now=NOW, fan=9))[RAIN.id]
    ]
    assert kinds == ["caused_by", "enables", "entity", "temporal"]


async def test_a_fact_said_again_is_the_latest_to_its_neighbours(records: Records) -> None:
    await tie(records, dict.fromkeys(FACTS, (OSLO,)))
    await log_sources(records, fact("x", said_in="friday"))
    await records.commit(
        ChangeSet(BANK, repeats=(Repeat(RAIN.id, Source(session("friday")), day(20)),))
    )
    (edge,) = (await records.neighbours(BANK, [WET.id], now=NOW, fan=1))[WET.id]
    assert edge.fact == RAIN.id


async def test_what_is_near_in_time_comes_nearest_first(linked: Records) -> None:
    found = await linked.around(BANK, [WET.id, RAIN.id, "f-unknown"], within=3 * DAY, k=2)
    nearest = sorted([(RAIN.id, DAY), (SLIP.id, DAY)])
    assert found == {
        WET.id: nearest, RAIN.id: [(WET.id, DAY), (SLIP.id, 2 * DAY)], "f-unknown": [],
    }  # fmt: skip
    assert (await linked.around(BANK, [RAIN.id], within=DAY, k=9))[RAIN.id] == [(WET.id, DAY)]
    every = (await linked.around(BANK, [SALT.id], within=timedelta.max, k=9))[SALT.id]
    assert [other for other, _ in every] == [SLIP.id, WET.id, RAIN.id]
    for within, k in ((timedelta(0), 9), (-DAY, 9), (3 * DAY, 0)):
        assert await linked.around(BANK, [WET.id], within=within, k=k) == {WET.id: []}


async def test_many_looked_around_at_together_have_what_each_has_alone(records: Records) -> None:
    """Some of a crowd at one moment, some with a crowd between them, some far from all others."""
    hours = [*range(30), *[12] * 60, *range(40, 400, 11)]
    facts = [
        replace(fact(f"Fact {number}"), date=day(1) + timedelta(hours=hour))
        for number, hour in enumerate(hours)
    ]
    await learn(records, *facts)
    within, asked = timedelta(hours=11), [*facts[::3], facts[40]]

    found = await records.around(BANK, [one.id for one in asked], within=within, k=4)

    apart = {
        one.id: sorted((abs(other.date - one.date), other.id) for other in facts if other != one)
        for one in asked
    }
    assert found == {
        one: [(other, far) for far, other in some[:4] if far <= within]
        for one, some in apart.items()
    }


async def test_the_time_of_a_fact_is_the_day_it_began_where_that_is_known(records: Records) -> None:
    party = fact(
        "There was a party", on=20, occurred_from=date(2024, 1, 3), occurred_to=date(2024, 1, 9)
    )
    moved = fact("Moved house", on=21, occurred_from=date(2024, 1, 3))
    said = fact("Is tired", on=4)
    await learn(records, party, moved, said)
    found = await records.around(BANK, [party.id, said.id], within=2 * DAY, k=9)
    away = timedelta(days=1, hours=12)
    assert found[party.id] == [(moved.id, timedelta(0)), (said.id, away)]
    assert found[said.id] == sorted([(party.id, away), (moved.id, away)])


async def test_of_many_at_one_time_those_of_the_smallest_ids_are_near(records: Records) -> None:
    same = [fact(f"said at once {at}", on=5) for at in range(9)]
    after = [fact(f"said later {at}", on=6) for at in range(9)]
    await learn(records, *same, *after)
    one, *others = sorted(same, key=lambda each: each.id)
    found = await records.around(BANK, [one.id], within=3 * DAY, k=10)
    late = sorted(each.id for each in after)[:2]
    assert found[one.id] == [
        *((each.id, timedelta(0)) for each in others),
        *((id, DAY) for id in late),
    ]
    back = await records.around(BANK, [late[0]], within=3 * DAY, k=10)
    assert [other for other, _ in back[late[0]][8:]] == [one.id, others[0].id]


async def test_only_what_holds_is_near_in_time(linked: Records) -> None:
    both = merged("Rained and got wet", RAIN, WET, on=1)
    await merge(linked, both, RAIN, WET)
    found = await linked.around(BANK, [RAIN.id, SLIP.id], within=9 * DAY, k=9)
    assert [other for other, _ in found[SLIP.id]] == [SALT.id, both.id]
    assert found[RAIN.id][0] == (both.id, timedelta(0)), "one that no longer holds may be asked of"


async def test_added_facts_can_be_read_some_at_a_time(linked: Records) -> None:
    first, mark = await linked.added(BANK, since=0, limit=3)
    rest, end = await linked.added(BANK, since=mark, limit=3)
    assert [*first, *rest] == list(FACTS) and len(first) == 3
    assert (await linked.added(BANK, since=0))[1] == end
    assert await linked.added(BANK, since=end, limit=3) == ([], end)
    assert await linked.added(BANK, since=mark, limit=1) == (rest, end)
    assert await linked.added(BANK, since=mark, limit=0) == ([], mark)


async def test_mentions_and_links_leave_facts_as_they_are(linked: Records) -> None:
    before = await linked.facts(BANK)
    await linked.commit(
        ChangeSet(BANK, entities=(OSLO,), mentions=mention(RAIN, OSLO), links=(link(RAIN, SALT),))
    )
    assert await linked.facts(BANK) == before
