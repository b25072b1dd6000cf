"""What a fact weighs by itself: five components, each as a share of the bank's greatest."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.records.uses import Use
from forethought.memory.salience import (
    ACTIVATION,
    CENTRALITY,
    IMPORTANCE,
    LINKAGE,
    RECENCY,
    Grounds,
    faded,
    importance,
    saliences,
)
from forethought.memory.types import KINDS, Fact, Kind, Link, Mention, Source

TODAY = date(2030, 1, 1)
NOW = datetime(2030, 1, 1, tzinfo=UTC)


def fact(id: str, kind: Kind = "Goal", *, ago: int = 0, said_in: tuple[str, ...] = ()) -> Fact:
    sources = tuple(Source(session) for session in said_in)
    return Fact(id, "b", id, kind, NOW - timedelta(days=ago), sources=sources)


def replaced(old: Fact, by: str) -> Fact:
    return replace(old, until=NOW, successor=by, succession="update")


def test_the_weights_are_the_papers_and_sum_to_one() -> None:
    weights = (IMPORTANCE, ACTIVATION, CENTRALITY, LINKAGE, RECENCY)
    assert weights == (0.30, 0.25, 0.20, 0.15, 0.10)
    assert sum(weights) == pytest.approx(1)


def test_a_bank_of_one_fact_weighs_what_its_components_say() -> None:
    (only,) = saliences(Grounds([fact("a")]), TODAY).values()
    assert only == pytest.approx(IMPORTANCE + CENTRALITY + RECENCY)
    used = Grounds([fact("a")], uses=[Use("a", TODAY)], promised={"a"})
    assert saliences(used, TODAY) == {"a": pytest.approx(1)}


@pytest.mark.parametrize("kind", KINDS)
def test_importance_goes_by_kind_and_by_whether_it_is_over(kind: Kind) -> None:
    over = replace(fact("a", kind), occurred_from=date(2029, 1, 1), occurred_to=date(2029, 1, 2))
    passing = kind in {"Activity", "Event"}
    assert importance(fact("a", kind)) == (1.0 if kind == "Identity" else 0.6)
    assert importance(over) == (0.3 if passing else importance(fact("a", kind)))
    assert importance(replace(over, occurred_to=None)) == importance(fact("a", kind))


@given(st.dates(), st.dates())
def test_what_is_long_past_fades_and_never_goes(one: date, other: date) -> None:
    assert 0 < faded(one, other) <= 1
    assert faded(one, one) == 1
    assert faded(TODAY, TODAY - timedelta(days=3)) == 0.5


@given(st.integers(0, 23), st.integers(0, 23), st.integers(-11, 13))
def test_what_was_said_on_one_day_of_the_users_is_as_recent(
    one: int, other: int, ahead: int
) -> None:
    zone = timezone(timedelta(hours=ahead))
    day = datetime(2029, 12, 31, tzinfo=zone)
    said = (day + timedelta(hours=hour) for hour in (one, other))
    a, b = (replace(fact(id), date=at.astimezone(UTC)) for id, at in zip("ab", said, strict=True))
    before = replace(fact("c"), date=(day - timedelta(minutes=1)).astimezone(UTC))
    found = saliences(Grounds([a, b, before], zone=zone), TODAY)
    assert found["a"] == found["b"] > found["c"]


def weighed(**grounds: object) -> dict[str, float]:
    """Of three facts that are level but for these grounds."""
    facts = [fact(id) for id in ("a", "b", "c")]
    return saliences(Grounds(facts, **grounds), TODAY)  # type: ignore[arg-type] # as named


def test_activation_is_the_sum_of_uses_and_tellings_each_faded_by_its_days() -> None:
    uses = [Use("a", TODAY), Use("a", TODAY - timedelta(days=3)), Use("b", TODAY)]
    found = weighed(uses=uses)
    assert found["a"] - found["c"] == pytest.approx(ACTIVATION)
    assert found["b"] - found["c"] == pytest.approx(ACTIVATION / 1.5)
    told = [fact("a", said_in=("s1", "s2")), fact("b", said_in=("s1",)), fact("c")]
    days = {"s1": TODAY, "s2": TODAY - timedelta(days=3)}
    assert saliences(Grounds(told, days=days), TODAY) == pytest.approx(found)


def test_linkage_is_whole_for_what_is_promised_and_less_for_what_shares_an_entity() -> None:
    mentions = [Mention("a", "e1"), Mention("b", "e1"), Mention("c", "e2")]
    plain, found = weighed(mentions=mentions), weighed(mentions=mentions, promised={"a", "x"})
    gained = {id: found[id] - plain[id] for id in found}
    assert gained == pytest.approx({"a": LINKAGE, "b": 0.6 * LINKAGE, "c": 0})


def test_recency_is_the_smallest_voice() -> None:
    new, old = fact("new"), fact("old", ago=10_000)
    found = saliences(Grounds([new, old], uses=[Use("old", TODAY)]), TODAY)
    assert found["old"] > found["new"]
    assert saliences(Grounds([new, old]), TODAY)["new"] > found["new"] - 1e-9


def test_what_came_of_a_fact_that_was_replaced_counts_for_what_stands_in_its_place() -> None:
    old, older = replaced(fact("old", said_in=("s1",)), "new"), replaced(fact("older"), "old")
    new = fact("new", said_in=("s1",))
    grounds = Grounds(
        [older, old, new, fact("other")],
        uses=[Use("older", TODAY), Use("gone", TODAY)],
        days={"s1": TODAY},
        promised={"old"},
    )
    found = saliences(grounds, TODAY)
    assert found.keys() == {"new", "other"}
    assert found["new"] - found["other"] == pytest.approx(ACTIVATION + LINKAGE)
    once = saliences(replace(grounds, uses=[]), TODAY)  # the session said one thing, once
    assert once == pytest.approx(found)


ids = st.sampled_from("abcde")
days = st.dates(TODAY - timedelta(days=99), TODAY + timedelta(days=9))


@given(
    st.dictionaries(ids, st.tuples(st.sampled_from(KINDS), st.integers(-9, 99))),
    st.lists(st.builds(Use, ids, days)),
    st.lists(st.builds(Link, ids, ids, st.just("causes"), st.floats(0, 1))),
    st.lists(st.builds(Mention, ids, st.sampled_from("xyz"))),
    st.sets(ids),
)
def test_every_fact_that_holds_weighs_from_0_to_1(
    known: dict[str, tuple[Kind, int]],
    uses: list[Use],
    links: list[Link],
    mentions: list[Mention],
    promised: set[str],
) -> None:
    facts = [fact(id, kind, ago=ago) for id, (kind, ago) in known.items()]
    grounds = Grounds(facts, uses, {}, links, mentions, promised)
    found = saliences(grounds, TODAY)
    assert found.keys() == known.keys()
    assert all(0 < weight <= 1 for weight in found.values())
    more = saliences(replace(grounds, uses=[*uses, *(Use(id, TODAY) for id in known)]), TODAY)
    assert more.keys() == found.keys()
