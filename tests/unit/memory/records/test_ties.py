"""What a ChangeSet's entities, mentions and links come to: laws of the part without a store."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.records.changes import ChangeSet, Repeat, Replacement
from forethought.memory.records.plan import Known, Plan, Version, planned
from forethought.memory.records.ties import directed, joined, kept_links, leads
from forethought.memory.records.values import check_changes, content_of
from forethought.memory.types import Entity, Fact, Joiner, Link, LinkKind, Mention, Source
from tests.contracts.samples import BANK, day, entity, fact, mention, session

NAMES = ("Ana", "Ana Ruiz", "Bob", "Oslo")
FACTS = tuple(fact(text, on=on) for on, text in enumerate(("sings", "skis", "hums"), start=2))
KNOWN_FACT, OTHER = fact("lives in Oslo", on=5), "f-unknown"
ENTITIES = tuple(entity(name) for name in NAMES)

ids = st.sampled_from([one.id for one in ENTITIES])
facts = st.sampled_from([*(one.id for one in FACTS), KNOWN_FACT.id, OTHER])


days = st.just(day(9))
entities = st.builds(
    lambda one, into: replace(one, into=into), st.sampled_from(ENTITIES), st.none() | ids
)
kinds: st.SearchStrategy[LinkKind] = st.sampled_from(["temporal", "causes"])
weights = st.sampled_from([0.0, 0.5, 1.0])
# Some of the facts, repeats and updates of any, and any ties among all.
changes = st.builds(
    ChangeSet,
    st.just(BANK),
    st.lists(st.sampled_from(FACTS), unique=True).map(tuple),
    st.lists(st.builds(Repeat, facts, st.just(Source("s")), days), max_size=2).map(tuple),
    st.lists(st.builds(Replacement, facts, facts, days, st.just("update")), max_size=2).map(tuple),
    entities=st.lists(entities, max_size=5).map(tuple),
    mentions=st.lists(st.builds(Mention, facts, ids), max_size=6).map(tuple),
    links=st.lists(st.builds(Link, facts, facts, kinds, weights), max_size=4).map(tuple),
)
joiners: st.SearchStrategy[Joiner] = st.sampled_from(["rule", "user"])
joinings = st.lists(
    st.tuples(st.sampled_from(ENTITIES), st.none() | ids, joiners),
    unique_by=lambda one: one[0].id,
)


def _stored(drawn: list[tuple[Entity, str | None, Joiner]]) -> Known:
    """A stored fact and some entities that it mentions, joined to earlier ones."""
    stored: dict[str, Entity] = {}
    for one, wanted, by in drawn:
        into = wanted if wanted in stored else None
        decided = by if into or by == "user" else None
        stored[one.id] = replace(one, into=into, joined_by=decided, first=day(5), last=day(5))
    known = _knowing(KNOWN_FACT)
    return replace(
        known,
        forgotten=frozenset({content_of(FACTS[2].text)}),
        mentions={KNOWN_FACT.id: frozenset(stored)},
        entities=stored,
    )


stores = joinings.map(_stored)


def applied(known: Known, plan: Plan) -> Known:
    """What is stored after the plan was carried out."""
    mentions = {fact: set(of) for fact, of in known.mentions.items()}
    for one in plan.ties.mentions:
        mentions.setdefault(one.fact, set()).add(one.entity)
    written = {each.id: each for each in (*plan.ties.new, *plan.ties.changed)}
    return Known(
        dict(plan.versions),
        dict(plan.holding),
        known.past,
        known.forgotten,
        {fact: frozenset(of) for fact, of in mentions.items()},
        known.entities | written,
    )


@given(known=stores, change=changes)
def test_applied_twice_is_applied_once(known: Known, change: ChangeSet) -> None:
    first = planned(change, known)
    after = applied(known, first)
    again = planned(change, after)
    assert (again.ties.new, again.ties.changed) == ((), ())
    assert applied(after, again).mentions == after.mentions
    assert again.ties.links == first.ties.links


@given(known=stores, change=changes)
def test_every_tie_is_between_what_is_there(known: Known, change: ChangeSet) -> None:
    plan = planned(change, known)
    after = applied(known, plan)
    assert {one.fact for one in plan.ties.mentions} <= plan.versions.keys()
    assert FACTS[2].id not in plan.versions, "a forgotten fact comes back through no mention"
    for link in plan.ties.links:
        assert {link.source, link.target} <= plan.versions.keys()
        assert link.source != link.target
        assert link == directed(link)
    for one in after.entities.values():
        assert any(one.id in of for of in after.mentions.values()), "something mentions it"
        assert (one.into is None) or one.into in after.entities
        assert one.into is None or not leads(after.entities, one.into, to=one.id), "no circle"
        dates = [after.versions[fact].date for fact, of in after.mentions.items() if one.id in of]
        assert one.first <= min(dates) and one.last == max(dates)


@given(known=stores, change=changes)
def test_what_is_known_keeps_its_name_and_what_the_user_decided(
    known: Known, change: ChangeSet
) -> None:
    renamed = replace(
        change, entities=tuple(replace(one, name="Zoe", kind="OTHER") for one in change.entities)
    )
    for one in planned(renamed, known).ties.changed:
        before = known.entities[one.id]
        assert (one.name, one.kind) == (before.name, before.kind)
        assert one.first <= before.first and one.last >= before.last
        if before.joined_by == "user":
            assert (one.into, one.joined_by) == (before.into, "user")


def test_ties_of_a_fact_that_is_kept_as_another_go_to_that_one() -> None:
    said, ana = fact("Lives in  OSLO", said_in="tuesday", on=7), entity("Ana")
    plan = planned(
        ChangeSet(
            BANK, (said, FACTS[0]), entities=(ana,), mentions=mention(said, ana),
            links=tuple(Link(said.id, to, "causes", 0.5) for to in (FACTS[0].id, KNOWN_FACT.id)),
        ),
        _knowing(KNOWN_FACT),
    )  # fmt: skip
    assert plan.ties.mentions == (Mention(KNOWN_FACT.id, ana.id),)
    assert plan.ties.links == (Link(KNOWN_FACT.id, FACTS[0].id, "causes", 0.5),)
    assert [(one.first, one.last) for one in plan.ties.new] == [(day(7), day(7))]


def test_a_refused_fact_ties_nothing_even_where_one_of_its_id_is_stored() -> None:
    known = _knowing(KNOWN_FACT)
    forgotten = replace(known, forgotten=frozenset({session("monday")}))
    change = ChangeSet(
        BANK, (KNOWN_FACT, FACTS[0]), entities=ENTITIES[:1],
        mentions=mention(KNOWN_FACT, ENTITIES[0]),
        links=(Link(KNOWN_FACT.id, FACTS[0].id, "causes", 1),),
    )  # fmt: skip
    plan = planned(change, forgotten)
    assert plan.refused == [KNOWN_FACT.id, FACTS[0].id]
    assert (plan.ties.new, plan.ties.mentions, plan.ties.links) == ((), (), ())


def test_an_entity_without_a_name_or_a_mention_is_not_stored() -> None:
    blank = replace(ENTITIES[0], name="  ")
    plan = planned(
        ChangeSet(
            BANK, FACTS[:1], entities=(blank, ENTITIES[2]), mentions=mention(FACTS[0], blank)
        ),
        _knowing(),
    )  # fmt: skip
    assert (plan.ties.new, plan.ties.mentions) == ((), ())


def test_a_repeat_widens_the_dates_of_what_the_fact_mentions() -> None:
    ana = replace(ENTITIES[0], first=day(5), last=day(5))
    known = replace(
        _knowing(KNOWN_FACT), entities={ana.id: ana}, mentions={KNOWN_FACT.id: frozenset({ana.id})}
    )
    repeat = Repeat(KNOWN_FACT.id, Source("s"), day(20))
    (changed,) = planned(ChangeSet(BANK, repeats=(repeat,)), known).ties.changed
    assert (changed.first, changed.last) == (day(5), day(20))


def test_joinings_that_would_close_a_circle_are_left_out() -> None:
    one, two, three = (replace(ENTITIES[at], into=ENTITIES[(at + 1) % 3].id) for at in range(3))
    mentions = tuple(Mention(FACTS[0].id, each.id) for each in (one, two, three))
    change = ChangeSet(BANK, FACTS[:1], entities=(one, two, three), mentions=mentions)
    assert [each.into for each in planned(change, _knowing()).ties.new] == [two.id, three.id, None]


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_refused(weight: float) -> None:
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        check_changes(ChangeSet(BANK, links=(Link("f1", "f2", "causes", weight),)))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"bank": "bob"}, "of its own"),
        ({"first": datetime(2024, 1, 1)}, "no time zone"),
        ({"last": datetime(2024, 1, 1)}, "no time zone"),
    ],
)
def test_an_entity_that_can_only_be_a_mistake_is_refused(
    change: dict[str, object], says: str
) -> None:
    wrong = replace(ENTITIES[0], **change)  # type: ignore[arg-type] # as parametrised
    with pytest.raises(InvalidInput, match=says):
        check_changes(ChangeSet(BANK, entities=(wrong,)))


def test_of_links_that_say_the_same_the_last_counts() -> None:
    links = Link("b", "a", "semantic", 0.2), Link("a", "b", "semantic", 0.4)
    assert kept_links(links, lambda fact: fact) == (Link("a", "b", "semantic", 0.4),)


def test_a_joining_to_itself_or_in_a_circle_or_of_the_unknown_is_refused() -> None:
    ana, ruiz = replace(ENTITIES[0], into=ENTITIES[1].id, joined_by="rule"), ENTITIES[1]
    known = {ana.id: ana, ruiz.id: ruiz}
    for into, says in ((ruiz.id, "itself"), (ana.id, "joined to it already")):
        with pytest.raises(InvalidInput, match=says):
            joined(BANK, ruiz.id, into, by="user", known=known)
    for entity_, into in (("e0", ana.id), (ana.id, "e0")):
        with pytest.raises(NotFound, match="e0"):
            joined(BANK, entity_, into, by="user", known=known)
    apart = joined(BANK, ana.id, None, by="user", known=known)
    assert apart == replace(ana, into=None, joined_by="user")
    assert joined(BANK, ana.id, ruiz.id, by="rule", known={**known, ana.id: apart}) is None


def _knowing(*stored: Fact) -> Known:
    versions = {one.id: Version(content_of(one.text), one.date) for one in stored}
    holding = {version.content: fact for fact, version in versions.items()}
    return Known(versions, holding, {}, frozenset())
