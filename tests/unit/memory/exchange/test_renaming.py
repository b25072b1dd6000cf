"""Under another name a bank has the ids that it would have had there."""

from __future__ import annotations

from dataclasses import replace

from forethought.memory.exchange.renaming import renamed
from forethought.memory.ids import (
    commitment_id,
    entity_id,
    fact_id,
    observation_id,
    opinion_id,
    session_id,
)
from forethought.memory.records.contents import Contents
from forethought.memory.records.flaws import check_whole
from forethought.memory.types import Fact, Mention, Session, Source, Turn
from tests.unit.memory.exchange.samples import (
    ANN,
    CAR,
    MONDAY,
    NEW,
    OLD,
    RENT,
    SAID,
    SEEN,
    SELL,
    SURE,
    day,
)


def test_under_its_own_name_nothing_changes() -> None:
    assert renamed(ANN, "ann") is ANN


def test_ids_are_those_of_a_retain_under_the_new_name() -> None:
    bob = renamed(ANN, "bob")
    check_whole(bob)
    monday, tuesday = (session_id("bob", key) for key in ("monday", "tuesday"))
    assert [one.id for one in bob.sessions] == [monday, tuesday]
    old, new = fact_id("bob", monday, OLD.text), fact_id("bob", tuesday, NEW.text)
    assert [(one.id, one.successor) for one in bob.facts] == [(old, new), (new, None)]
    assert {cue.fact for cue in bob.cues} == {use.fact for use in bob.uses} == {new}
    assert [use.on for use in bob.uses] == [use.on for use in ANN.uses]
    assert {one.bank for one in bob.sessions} == {one.bank for one in bob.facts} == {"bob"}
    turns = {turn.id for turn in bob.turns}
    assert {turn for one in bob.facts for source in one.sources for turn in source.turns} <= turns


def test_entities_are_those_of_their_names_and_of_the_sessions_that_told_them_apart() -> None:
    bob = renamed(ANN, "bob")
    car = entity_id("bob", "Car")
    beetle = entity_id("bob", "Beetle", session_id("bob", "monday"))
    assert [(one.id, one.into) for one in bob.entities] == [(beetle, car), (car, None)]
    old, new = (fact.id for fact in bob.facts)
    assert set(bob.mentions) == {Mention(old, car), Mention(old, beetle), Mention(new, car)}
    assert {one.kind: one.weight for one in bob.links} == {"causes": 0.25, "semantic": 1.0}
    assert all({one.source, one.target} == {old, new} for one in bob.links)


def test_an_entity_of_a_program_or_of_a_forgotten_session_is_made_from_its_old_id() -> None:
    own = replace(CAR, id="e-own")
    mention = Mention(NEW.id, own.id)
    bank = replace(ANN, entities=(own,), mentions=(mention,))
    assert [one.id for one in renamed(bank, "bob").entities] == [entity_id("bob", "Car", "e-own")]


def test_opinions_and_observations_are_those_of_their_texts_and_of_the_new_facts() -> None:
    bob = renamed(ANN, "bob")
    (sure,), (old, new), car = bob.opinions, (one.id for one in bob.facts), entity_id("bob", "Car")
    assert (sure.id, sure.bank) == (opinion_id("bob", SURE.first), "bob")
    assert (sure.facts, sure.steps[0].fact) == ((old,), new)
    assert sure.steps[0].source == session_id("bob", "tuesday")
    assert [(one.subject, one.facts) for one in bob.observations] == [(car, (old, new))] * 2
    assert [one.id for one in bob.observations] == [
        observation_id("bob", car, one.text) for one in SEEN
    ]


def test_a_topic_is_named_by_the_new_id_of_its_fact() -> None:
    topic = replace(SEEN[0], id="b-own", subject=OLD.id, about="topic")
    (bob,) = renamed(replace(ANN, observations=(topic,)), "bob").observations
    old = renamed(ANN, "bob").facts[0].id
    assert (bob.subject, bob.id) == (old, observation_id("bob", old, "b-own"))


def test_commitments_are_those_of_their_actions_and_of_the_new_facts() -> None:
    bob = renamed(ANN, "bob")
    (sell, rent), (old, new) = bob.commitments, (one.id for one in bob.facts)
    assert sell.id == commitment_id("bob", SELL.action, "2024-01-02 once it is washed")
    assert rent.id == commitment_id("bob", RENT.action)
    assert (sell.facts, sell.closed_by, sell.bank) == ((old, new), bob.turns[2].id, "bob")
    assert sell.source == Source(session_id("bob", "monday"), (bob.turns[0].id,))
    assert [one.commitment for one in bob.reminders] == [sell.id, sell.id]


def test_a_commitment_made_again_in_a_session_is_named_by_its_new_id() -> None:
    when = f"{SELL.due} {SELL.condition} {MONDAY}"
    again = replace(SELL, id=commitment_id("ann", SELL.action, when), closed_by="t-gone")
    own = replace(RENT, id="c-own")
    bob = renamed(replace(ANN, commitments=(again, own), reminders=()), "bob")
    when = f"{SELL.due} {SELL.condition} {session_id('bob', 'monday')}"
    assert bob.commitments[0].id == commitment_id("bob", SELL.action, when)
    assert bob.commitments[0].closed_by == "t-gone"
    assert bob.commitments[1].id == commitment_id("bob", "c-own")


def test_nothing_keeps_an_id_of_the_old_name() -> None:
    bob = renamed(ANN, "bob")
    parts = ("sessions", "turns", "facts", "entities", "opinions", "observations", "commitments")
    for part in parts:
        ids = [{one.id for one in getattr(contents, part)} for contents in (ANN, bob)]
        assert ids[0].isdisjoint(ids[1]) and len(ids[0]) == len(ids[1])


def test_there_and_back_is_the_same_bank() -> None:
    assert renamed(renamed(ANN, "bob"), "ann") == ANN


def test_an_id_that_no_content_gives_is_made_from_the_old_one_and_stays_unique() -> None:
    facts = tuple(Fact(f"f{at}", "ann", "Runs", "Goal", day(1), until=day(2), successor="f9",
                       succession="merge") for at in range(3))  # fmt: skip
    last = Fact("f9", "ann", "Runs thrice", "Goal", day(2))
    sessions = tuple(Session(f"s{at}", "ann", "a\ufffd", day(1), 1, 0) for at in range(2))
    turns = tuple(Turn(f"t{at}", f"s{at}", 0, "user", "Hm") for at in range(2))
    bob = renamed(Contents("ann", sessions, turns, (*facts, last)).ordered(), "bob")
    check_whole(bob)
    assert len({one.id for one in bob.facts}) == 4 and len({one.id for one in bob.sessions}) == 2
    assert bob == renamed(Contents("ann", sessions, turns, (*facts, last)).ordered(), "bob")


def test_a_hushed_turn_is_marked_by_its_new_id() -> None:
    hushed = replace(ANN, tombstones=(*ANN.tombstones, SAID[0].id)).ordered()
    bob = renamed(hushed, "bob")
    first = next(turn for turn in bob.turns if turn.text == SAID[0].text)
    assert set(bob.tombstones) == {*ANN.tombstones, first.id}
    assert first.id != SAID[0].id and renamed(bob, "ann") == hushed


def test_marks_of_what_was_forgotten_stay_as_they_are() -> None:
    assert renamed(ANN, "bob").tombstones == ANN.tombstones
    assert renamed(replace(ANN, tombstones=()), "bob").tombstones == ()
