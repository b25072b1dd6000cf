"""Whole banks, drawn: any text, dates and versions."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from forethought.memory.beliefs.profile import MOST_NAME, Disposition, Profile
from forethought.memory.beliefs.types import Observation, Opinion, Step
from forethought.memory.dimensions import Dimensions
from forethought.memory.ledger.types import Commitment, CommitmentCue
from forethought.memory.records.contents import Contents
from forethought.memory.records.uses import Use
from forethought.memory.types import (
    LEARNED,
    Cue,
    Entity,
    Fact,
    Joiner,
    Link,
    Mention,
    Session,
    Source,
    Turn,
)
from tests.unit.memory.exchange.samples import ANN

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
said = text.filter(str.strip)
sure = st.floats(0, 1)
dimensions = st.builds(
    Dimensions,
    st.sampled_from([None, "past", "present", "future"]),
    st.sampled_from([None, "subjective"]),
    st.sampled_from([None, "speculative"]),
)
one_or_none = st.integers(0, 1)
joiners: st.SearchStrategy[Joiner] = st.sampled_from(["rule", "user"])
moments = st.datetimes(timezones=st.just(ANN.sessions[0].date.tzinfo))

profiles = st.builds(
    Profile,
    text.map(lambda said: said[:MOST_NAME]),
    st.builds(Disposition, *[st.integers(1, 5)] * 3, st.floats(0, 1)),
    text,
)


@st.composite
def banks(draw: st.DrawFn) -> Contents:
    """Contents in one piece, of any text, dates and versions."""
    keys = draw(st.lists(text, max_size=3, unique=True))
    turns: list[Turn] = []
    sessions = []
    for number, key in enumerate(keys):
        own = draw(st.lists(st.tuples(said, st.none() | text), max_size=3))
        turns += [
            Turn(f"t{number}.{at}", f"s{number}", at, "user", words, name)
            for at, (words, name) in enumerate(own)
        ]
        done = draw(st.integers(0, len(own)))
        error = draw(st.none() | text)
        sessions.append(Session(f"s{number}", "b", key, draw(moments), len(own), done, error))
    facts = [_drawn_fact(draw, number, len(sessions)) for number in range(draw(st.integers(0, 4)))]
    cues = [
        Cue(fact.id, position, draw(said))
        for fact in facts
        for position in draw(st.sets(st.integers(0, 9), max_size=2))
    ]
    cues += [Cue(one.id, LEARNED, draw(said), draw(moments)) for one in facts[: draw(one_or_none)]]
    marks = draw(st.lists(said, max_size=3, unique=True))
    ids = [fact.id for fact in facts]
    entities = [
        _drawn_entity(draw, number)
        for number in range(draw(st.integers(0, 3) if ids else st.just(0)))
    ]
    mentions = [Mention(draw(st.sampled_from(ids)), entity.id) for entity in entities]
    ends = st.tuples(st.sampled_from(ids), st.sampled_from(ids)).filter(lambda two: two[0] < two[1])
    links = draw(st.lists(ends, max_size=3, unique=True)) if len(ids) > 1 else []
    opinions = [_drawn_opinion(draw, n, ids) for n in range(draw(st.integers(0, 2)))]
    seen = [_drawn_observation(draw, n, ids) for n in range(draw(st.integers(0, 3)))]
    promised = [
        _drawn_commitment(draw, n, ids, len(sessions)) for n in range(draw(st.integers(0, 2)))
    ]
    reminders = [CommitmentCue(one.id, draw(st.integers(0, 9)), draw(said)) for one in promised]
    return Contents(
        "b",
        tuple(sessions),
        tuple(turns),
        tuple(facts),
        tuple(cues),
        tuple(marks),
        tuple(entities),
        tuple(mentions),
        tuple(
            Link(*two, draw(st.sampled_from(["causes", "temporal"])), draw(st.floats(0, 1)))
            for two in links
        ),
        tuple(opinions),
        tuple(seen),
        tuple(promised),
        tuple(reminders),
        tuple(Use(id, on) for id in ids for on in draw(st.sets(st.dates(), max_size=2))),
        draw(st.none() | profiles),
    ).ordered()


def _drawn_commitment(draw: st.DrawFn, number: int, facts: list[str], sessions: int) -> Commitment:
    """Open or closed, by hand or from a session, on any day or none."""
    concerned = draw(st.sets(st.sampled_from(facts))) if facts else set()
    made, closed = sorted((draw(moments), draw(moments)))
    source = Source(f"s{draw(st.integers(0, sessions - 1))}", ("t",)) if sessions else None
    when = draw(st.none() | text), draw(st.none() | st.dates())
    one = Commitment(f"c{number}", "b", draw(said), made, *when, "open", source)
    one = replace(one, facts=tuple(sorted(concerned)), told=draw(st.none() | st.dates()))
    if draw(st.booleans()):
        return replace(one, foreseen=True)
    return replace(one, status="dropped", closed=closed, closed_by=draw(st.none() | said))


def _drawn_opinion(draw: st.DrawFn, number: int, facts: list[str]) -> Opinion:
    some = st.lists(st.sampled_from(facts), max_size=2) if facts else st.just([])
    steps = tuple(
        Step(
            draw(moments),
            "weaken",
            draw(sure),
            draw(sure),
            draw(said),
            fact,
            draw(st.none() | said),
        )
        for fact in [*draw(some), None][:2]
    )
    first, now = draw(said), draw(said)
    return Opinion(
        f"o{number}",
        "b",
        first,
        draw(sure),
        draw(moments),
        now,
        draw(sure),
        tuple(draw(st.lists(text, max_size=2))),
        tuple(draw(some)),
        steps,
    )


def _drawn_observation(draw: st.DrawFn, number: int, facts: list[str]) -> Observation:
    """On one of two topics, in any order."""
    made_from = draw(st.sets(st.sampled_from(facts))) if facts else set()
    subject = draw(st.sampled_from(["x", "y"]))
    days = draw(st.none() | st.dates()), draw(st.none() | st.dates())
    given = draw(text), draw(said), tuple(sorted(made_from)), draw(moments)
    return Observation(f"b{number}", "b", subject, "topic", *given, *days)


def _drawn_entity(draw: st.DrawFn, number: int) -> Entity:
    """Later ones may be joined to earlier ones, so that no circle closes."""
    first, last = sorted((draw(moments), draw(moments)))
    into = f"e{draw(st.integers(0, number - 1))}" if number and draw(st.booleans()) else None
    by = draw(joiners) if into or draw(st.booleans()) else None
    return Entity(f"e{number}", "b", draw(said), "OTHER", first, last, into, by)


def _drawn_fact(draw: st.DrawFn, number: int, sessions: int) -> Fact:
    """Later facts may be replaced by earlier ones, so that no circle closes."""
    said_in = draw(st.sets(st.integers(0, sessions - 1))) if sessions else set()
    sources = tuple(Source(f"s{one}", (f"t{one}.0",) if one % 2 else ()) for one in sorted(said_in))
    fact = Fact(
        f"f{number}",
        "b",
        f"{number} {draw(text)}",
        "Goal",
        draw(moments),
        network=draw(st.sampled_from(["world", "experience"])),
        occurred_to=draw(st.none() | st.dates()),
        entities=tuple(draw(st.lists(text, max_size=2))),
        sources=sources,
        frequency=max(1, len(sources)),
        foreseen=draw(st.booleans()),
        dimensions=draw(dimensions),
    )
    if not number or draw(st.booleans()):
        return fact
    after = f"f{draw(st.integers(0, number - 1))}"
    return replace(fact, until=draw(moments), successor=after, succession="merge")
