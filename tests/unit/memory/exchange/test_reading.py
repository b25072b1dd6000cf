"""What is read is what was written; what is damaged is named by its line, and refused whole."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forethought.memory.beliefs.profile import Profile
from forethought.memory.dimensions import UNSAID
from forethought.memory.errors import InvalidInput
from forethought.memory.exchange.reading import contents_of
from forethought.memory.records.contents import Contents
from tests.unit.memory.exchange.drawn import banks
from tests.unit.memory.exchange.samples import (
    ANN,
    BEETLE,
    CAR,
    MONDAY,
    NEW,
    OLD,
    RENT,
    SEEN,
    file_of,
)

FILE = file_of()
# Places of the first of each in FILE.
SESSION, FACT, ENTITY, MENTION, LINK, OPINION, SUBJECT = 1, 3, 5, 7, 10, 12, 13
COMMITMENT, TOMBSTONE = 14, 16


def test_reading_gives_what_was_written() -> None:
    assert contents_of(FILE, name="x") == ANN


def test_writing_what_was_read_gives_the_same_bytes() -> None:
    assert file_of(contents_of(FILE, name="x")) == FILE


def test_a_file_is_one_line_for_each_thing_whatever_was_said() -> None:
    assert len(FILE) == 1 + 2 + 2 + 2 + 3 + 2 + 1 + 1 + 2 + 2
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


# As version 3 wrote it: it knew of no dimensions and no uses.
IN_VERSION_3 = [
    re.sub(rb',"dimensions":(null|\{.*?\})|,"uses":\[.*?\]', b"", line) for line in FILE
]
OF_VERSION_3 = replace(
    ANN, facts=tuple(replace(fact, dimensions=UNSAID) for fact in ANN.facts), uses=()
)
LATER = ("opinions", "observations", "commitments", "reminders", "uses")
# As an earlier Forethought wrote it: it knew of no learned cue and wrote no `learned`.
EARLIER = [re.sub(rb',"learned":null|,\{"position":101.*?\}', b"", line) for line in IN_VERSION_3]
BEFORE = replace(
    OF_VERSION_3,
    cues=ANN.cues[:2],
    opinions=(),
    observations=(),
    commitments=(),
    reminders=(),
)


def test_a_file_of_version_1_is_read_as_a_bank_without_entities() -> None:
    header = _of_version(1, "entities", "mentions", "links", *LATER)
    lines = [header, *EARLIER[1:ENTITY], *FILE[TOMBSTONE:]]
    before = replace(BEFORE, entities=(), mentions=(), links=())
    assert contents_of(lines, name="x") == before
    with pytest.raises(InvalidInput, match="line 1: 0 entities were expected"):
        contents_of([header, *EARLIER[1:]], name="x")


def test_a_file_of_version_2_is_read_as_a_bank_without_opinions_and_commitments() -> None:
    header = _of_version(2, *LATER)
    lines = [header, *EARLIER[1:OPINION], *FILE[TOMBSTONE:]]
    assert b"learned" not in b"".join(lines)
    assert contents_of(lines, name="x") == BEFORE
    with pytest.raises(InvalidInput, match="line 1: 0 opinions were expected"):
        contents_of([header, *EARLIER[1:COMMITMENT], *FILE[TOMBSTONE:]], name="x")
    with pytest.raises(InvalidInput, match="line 1: 0 commitments were expected"):
        contents_of([*lines, *FILE[COMMITMENT:TOMBSTONE]], name="x")
    with pytest.raises(InvalidInput, match="line 1: counts.links: "):
        contents_of([_of_version(2, "links", *LATER)], name="x")


def test_a_file_of_version_3_is_read_as_a_bank_whose_facts_were_never_used() -> None:
    header = json.loads(file_of(replace(ANN, profile=Profile("Vega")))[0])
    del header["counts"]["uses"]
    lines = [json.dumps({**header, "version": 3}).encode(), *IN_VERSION_3[1:]]
    assert b'"dimensions"' not in b"".join(lines) and b'"uses"' not in b"".join(lines)
    assert contents_of(lines, name="x") == replace(OF_VERSION_3, profile=Profile("Vega"))
    with pytest.raises(InvalidInput, match="line 1: 0 uses were expected"):
        contents_of([lines[0], *FILE[1:]], name="x")


def _of_version(version: int, *later: str) -> bytes:
    """A first line without the counts that came later."""
    header = json.loads(FILE[0])
    del header["profile"]
    counts = {what: number for what, number in header["counts"].items() if what not in later}
    counts["cues"] = len(BEFORE.cues)
    return json.dumps({**header, "version": version, "counts": counts}).encode()


@settings(max_examples=40)  # whole banks are slow to draw
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
    "a type of ours not": (TOMBSTONE, lambda one: one.update(type="rumour"), "line 17: "),
    "no confidence": (OPINION, lambda one: one.update(confidence=1.5), "opinion.confidence: "),
    "a step to no confidence": (
        OPINION,
        lambda one: one["steps"][0].update(before=math.nan),
        r"line 13: opinion.steps.0.before: ",
    ),
    "no verdict": (OPINION, lambda one: one["steps"][0].update(verdict="like"), "verdict: "),
    "an opinion on nothing": (OPINION, lambda one: one.update(facts=["f0"]), "line 13: .*'f0'"),
    "moved by nothing": (OPINION, lambda one: one["steps"][0].update(fact="f0"), "13: .*'f0'"),
    "an observation of nothing": (
        SUBJECT,
        lambda one: one["observations"][1].update(facts=["f0"]),
        "line 14: .*observation .*'f0'",
    ),
    "an observation on nobody": (SUBJECT, lambda one: one.update(id="e0"), "14: .*not there"),
    "an observation given twice": (
        SUBJECT,
        lambda one: one["observations"][1].update(id=SEEN[0].id),
        "line 14: .*twice",
    ),
    "no tense of ours": (
        FACT + 1,
        lambda fact: fact["dimensions"].update(tense="soon"),
        "line 5: fact.dimensions.tense: ",
    ),
    "used twice on one day": (
        FACT + 1,
        lambda fact: fact.update(uses=fact["uses"][:1] * 2),
        "line 5: .*used twice on 2024-01-04",
    ),
    "used on no day": (FACT, lambda fact: fact.update(uses=["soon"]), "line 4: fact.uses.0: "),
    "a learned cue too low": (
        FACT + 1,
        lambda fact: fact["cues"][2].update(position=9),
        "line 5: .*a learned cue at position 9",
    ),
    "an imagined cue too high": (
        FACT + 1,
        lambda fact: fact["cues"][2].update(learned=None),
        "line 5: .*an imagined cue at position 101",
    ),
    "no status": (COMMITMENT, lambda one: one.update(status="done"), "commitment.status: "),
    "nothing to do": (COMMITMENT, lambda one: one.update(action=" "), "commitment.action: "),
    "a commitment given twice": (
        COMMITMENT,
        lambda one: one.update(id=RENT.id),
        "line 16: .*line 15 too",
    ),
    "concerned with nothing": (COMMITMENT, lambda one: one.update(facts=["f0"]), "15: .*'f0'"),
    "made nowhere": (
        COMMITMENT,
        lambda one: one["source"].update(session="s0"),
        "line 15: .*'s0'",
    ),
    "open and closed": (COMMITMENT, lambda one: one.update(status="open"), "line 15: .*closed"),
    "neither open nor closed": (COMMITMENT, lambda one: one.update(closed=None), "15: .*closed"),
    "closed by a turn and open": (
        COMMITMENT + 1,
        lambda one: one.update(closed_by="t1"),
        "line 16: .*closed by a turn",
    ),
    "closed before it was made": (
        COMMITMENT,
        lambda one: one.update(closed="2023-01-01T00:00:00Z"),
        "line 15: .*before",
    ),
    "two reminders in one place": (
        COMMITMENT,
        lambda one: one["cues"][1].update(position=0),
        "line 15: .*position 0",
    ),
    "a reminder that was learned": (
        COMMITMENT,
        lambda one: one["cues"][1].update(learned=None),
        "cues.1.learned: ",
    ),
    "no kind of entity": (ENTITY, lambda one: one.update(kind="GHOST"), "line 6: entity.kind: "),
    "an entity without a name": (ENTITY, lambda one: one.update(name=" "), "entity.name: "),
    "an entity given twice": (ENTITY, lambda one: one.update(id=CAR.id), "line 7: .*line 6 too"),
    "an entity that nothing mentions": (
        MENTION,
        lambda one: one.update(fact=NEW.id, entity=CAR.id),
        "line 10: .*too",
    ),
    "a mention by nobody": (MENTION, lambda one: one.update(fact="f0"), "line 8: .*not there"),
    "a mention of nobody": (
        MENTION,
        lambda one: one.update(entity="e0"),
        "line .*not there|no fact",
    ),
    "joined to nobody": (ENTITY, lambda one: one.update(into="e0"), "line 6: .*'e0'"),
    "joined by nobody": (ENTITY, lambda one: one.update(joined_by=None), "line 6: .*by nobody"),
    "joined to itself": (ENTITY, lambda one: one.update(into=BEETLE.id), "line 6: .*itself"),
    "joined in a circle": (
        ENTITY + 1,
        lambda one: one.update(into=BEETLE.id, joined_by="rule"),
        "line 6: .*itself",
    ),
    "last before first": (
        ENTITY,
        lambda one: one.update(last="2023-01-01T00:00:00Z"),
        "line 6: .*first mentioned",
    ),
    "no kind of link": (LINK, lambda one: one.update(kind="caused_by"), "line 11: link.kind: "),
    "too great a weight": (LINK, lambda one: one.update(weight=1.5), "line 11: link.weight: "),
    "no number for a weight": (LINK, lambda one: one.update(weight=math.nan), "link.weight: "),
    "a link to nobody": (LINK, lambda one: one.update(target="f0"), "line 11: .*not there"),
    "a link to itself": (
        LINK,
        lambda one: one.update(source=NEW.id, target=NEW.id),
        "line 11: .*itself",
    ),
    "a link the wrong way round": (
        LINK,
        lambda one: one.update(
            kind="temporal", source=max(OLD.id, NEW.id), target=min(OLD.id, NEW.id)
        ),
        "line 11: .*smaller id",
    ),
    "another program's file": (0, lambda one: one.update(format="vcard"), "line 1: format: "),
    "a newer version": (0, lambda one: one.update(version=5), "line 1: .*upgrade"),
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
