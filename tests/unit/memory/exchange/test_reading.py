"""What is read is what was written; what is damaged is named by its line, and refused whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput
from forethought.memory.exchange.reading import contents_of
from forethought.memory.records.contents import Contents
from forethought.memory.types import Cue, Fact, Session, Source, Turn
from tests.unit.memory.exchange.samples import ANN, MONDAY, NEW, OLD, file_of

FILE = file_of()
SESSION, FACT, TOMBSTONE = 1, 3, 5  # places of the first of each in FILE

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
said = text.filter(str.strip)
moments = st.datetimes(timezones=st.just(ANN.sessions[0].date.tzinfo))


def test_reading_gives_what_was_written() -> None:
    assert contents_of(FILE, name="x") == ANN


def test_writing_what_was_read_gives_the_same_bytes() -> None:
    assert file_of(contents_of(FILE, name="x")) == FILE


def test_a_file_is_one_line_for_each_thing_whatever_was_said() -> None:
    assert len(FILE) == 1 + 2 + 2 + 2
    assert all(line.count(b"\n") == 1 and line.endswith(b"\n") for line in FILE)


def test_lines_may_come_in_any_order_after_the_first_with_blank_ones_and_a_byte_order_mark() -> (
    None
):
    mixed = [b"\xef\xbb\xbf" + FILE[0], *reversed(FILE[1:]), b"\r\n", b"  \n"]
    assert contents_of(mixed, name="x") == ANN


def test_dates_of_any_zone_are_read_as_utc() -> None:
    shifted = OLD.date.astimezone(timezone(timedelta(hours=5, minutes=30)))
    moved = _changed(FACT, lambda fact: fact.update(date=shifted.isoformat()))
    assert contents_of(moved, name="x") == ANN


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
    marks = draw(st.lists(said, max_size=3, unique=True))
    return Contents(
        "b", tuple(sessions), tuple(turns), tuple(facts), tuple(cues), tuple(marks)
    ).ordered()


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
        network=draw(st.sampled_from(["world", "observation"])),
        occurred_to=draw(st.none() | st.dates()),
        entities=tuple(draw(st.lists(text, max_size=2))),
        sources=sources,
        frequency=max(1, len(sources)),
        foreseen=draw(st.booleans()),
    )
    if not number or draw(st.booleans()):
        return fact
    after = f"f{draw(st.integers(0, number - 1))}"
    return replace(fact, until=draw(moments), successor=after, succession="merge")


@given(contents=banks())
def test_any_bank_is_read_as_it_was_written(contents: Contents) -> None:
    assert contents_of(file_of(contents), name="x") == contents
    lines = b"".join(file_of(contents)).splitlines(keepends=True)
    assert contents_of(lines, name="x") == contents


@given(place=st.integers(0, 400), byte=st.integers(0, 255), line=st.integers(0, len(FILE) - 1))
def test_any_changed_byte_is_refused_by_name_and_line_or_changes_only_what_it_says(
    place: int, byte: int, line: int
) -> None:
    damaged = bytearray(FILE[line])
    damaged[place % len(damaged)] = byte
    lines = [*FILE[:line], bytes(damaged), *FILE[line + 1 :]]
    try:
        read = contents_of(lines, name="ann.jsonl")
    except InvalidInput as error:
        assert str(error).startswith("ann.jsonl, line ") and "expected" in str(error)
    else:
        assert read.counts == ANN.counts


@pytest.mark.parametrize("kept", range(len(FILE)))
def test_a_file_that_was_cut_short_is_refused(kept: int) -> None:
    with pytest.raises(InvalidInput, match="line 1: .*expected"):
        contents_of(FILE[:kept], name="x")
    with pytest.raises(InvalidInput, match="line"):
        contents_of([*FILE[:kept], FILE[kept][:-3]], name="x")


DAMAGE: dict[str, tuple[int, Callable[[dict[str, Any]], object], str]] = {
    "no kind of ours": (FACT, lambda fact: fact.update(kind="Rumour"), "line 4: fact.kind: "),
    "a naive date": (FACT, lambda fact: fact.update(date="2024-01-01T00:00:00"), "fact.date: "),
    "year 0 in UTC": (FACT, lambda fact: fact.update(date="0001-01-01T00:00:00+09:00"), "year"),
    "a number for a text": (FACT, lambda fact: fact.update(text=3), "fact.text: "),
    "a blank text": (FACT, lambda fact: fact.update(text="  "), "fact.text: .*not blank"),
    "a NUL": (FACT, lambda fact: fact.update(text="a\0b"), "fact.text: .*without NUL"),
    "half a surrogate pair": (FACT, lambda fact: fact.update(text="a\ud800"), "line 4: "),
    "no field of ours": (FACT, lambda fact: fact.update(mood="sad"), "line 4: fact.mood: "),
    "a field that is missing": (SESSION, lambda one: one.pop("key"), "line 2: session.key: "),
    "a role of nobody": (
        SESSION,
        lambda one: one["turns"][1].update(role="cat"),
        r"turns\.1\.role",
    ),
    "extracted beyond its turns": (SESSION, lambda one: one.update(extracted=3), "line 2: .*more"),
    "an id given twice": (FACT, lambda fact: fact.update(id=NEW.id), "line 5: .*line 4 too"),
    "an unknown session": (
        FACT,
        lambda fact: fact["sources"][0].update(session="s0"),
        "line 4: .*not there, 's0'",
    ),
    "a session named twice": (
        FACT,
        lambda fact: fact["sources"][1].update(session=MONDAY),
        "line 4: .*source twice",
    ),
    "an unknown successor": (FACT, lambda fact: fact.update(successor="f0"), "line 4: .*'f0'"),
    "its own successor": (FACT, lambda fact: fact.update(successor=OLD.id), "line 4: .*itself"),
    "an end without a successor": (FACT, lambda fact: fact.update(successor=None), "all or none"),
    "the same text holding twice": (
        FACT,
        lambda fact: fact.update(text="has no  CAR.", until=None, successor=None, succession=None),
        "line 5: .*says the same",
    ),
    "two cues in one place": (
        FACT + 1,
        lambda fact: fact["cues"][1].update(position=0),
        "line 5: .*position 0",
    ),
    "a position beyond all stores": (
        FACT + 1,
        lambda fact: fact["cues"][1].update(position=2**63),
        "line 5: fact.cues.1.position: ",
    ),
    "a type of ours not": (TOMBSTONE, lambda one: one.update(type="opinion"), "line 6: "),
    "another program's file": (0, lambda one: one.update(format="vcard"), "line 1: format: "),
    "a newer version": (0, lambda one: one.update(version=2), "line 1: .*upgrade"),
    "no version": (0, lambda one: one.pop("version"), "line 1: version: "),
    "other counts": (0, lambda one: one["counts"].update(facts=9), "line 1: 9 facts .*2 follow"),
    "a bank without a name": (0, lambda one: one.update(bank=" "), "line 1: bank: "),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_named_with_its_line_and_what_was_expected(what: str) -> None:
    place, damage, says = DAMAGE[what]
    with pytest.raises(InvalidInput, match=says) as refusal:
        contents_of(_changed(place, damage), name="ann.jsonl")
    assert str(refusal.value).startswith("ann.jsonl, line ")
    assert str(refusal.value).endswith("Nothing was imported")


@pytest.mark.parametrize("line", [b"{\n", b"\xff\n", b"[]\n", b"null\n", b"[" * 100_000, b"{}\n"])
def test_what_is_no_line_of_ours_is_refused(line: bytes) -> None:
    with pytest.raises(InvalidInput, match="x, line 3: .*expected"):
        contents_of([*FILE[:2], line, *FILE[2:]], name="x")
    with pytest.raises(InvalidInput, match="x, line 1: .*expected"):
        contents_of([line, *FILE], name="x")


def test_an_error_shows_nothing_of_what_was_said() -> None:
    with pytest.raises(InvalidInput) as refusal:
        contents_of(_changed(FACT, lambda fact: fact.update(text="secret\0")), name="x")
    assert "secret" not in str(refusal.value)


def _changed(place: int, change: Callable[[dict[str, Any]], object]) -> list[bytes]:
    line = json.loads(FILE[place])
    change(line)
    return [*FILE[:place], json.dumps(line).encode() + b"\n", *FILE[place + 1 :]]
