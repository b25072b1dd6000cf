"""A file of an earlier version of SQLite's tables is taken on, and its statements stay quick."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.dimensions import Dimensions
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.sqlite import SqliteRecords, entities, evidence, links, log, read
from forethought.memory.records.sqlite.store import FILE
from forethought.memory.types import Link, Source
from tests.contracts.samples import (
    BANK,
    NOW,
    entity,
    fact,
    learn,
    mention,
    session,
    talk,
    tie,
    weights,
)
from tests.contracts.test_records_beliefs import TEXT, judgement, observation, opinion
from tests.contracts.test_records_ledger import commitment, cue
from tests.unit.memory.records.test_sqlite_file import bytes_of

OSLO, SINGS = fact("Lives in Oslo"), fact("Sings alto", on=3)


def turn_back(directory: Path, statements: Iterable[str]) -> None:
    """Make the file one of an earlier version."""
    with closing(sqlite3.connect(directory / FILE, isolation_level=None)) as file:
        for statement in statements:
            file.execute(statement)


async def test_a_file_of_version_3_takes_entities_and_links_for_what_it_held(
    tmp_path: Path,
) -> None:
    records = await SqliteRecords.open(tmp_path)
    await learn(records, OSLO, SINGS)
    await records.close()
    turn_back(tmp_path, AS_IN_VERSION_3)
    records = await SqliteRecords.open(tmp_path)
    assert (await records.facts(BANK), await records.entities(BANK)) == ([OSLO, SINGS], [])
    near = await records.around(BANK, [OSLO.id], within=timedelta(days=9), k=5)
    assert near == {OSLO.id: [(SINGS.id, timedelta(days=2))]}
    town, link = entity("Oslo"), Link(OSLO.id, SINGS.id, "causes", 1.0)
    changes = ChangeSet(BANK, entities=(town,), mentions=mention(OSLO, town), links=(link,))
    await records.commit(changes)
    assert (await records.links(BANK), await records.mentions(BANK)) == (
        [link], list(mention(OSLO, town)),
    )  # fmt: skip
    await records.close()


async def test_a_file_of_version_5_takes_opinions_and_commitments_on_what_it_held(
    tmp_path: Path,
) -> None:
    records = await SqliteRecords.open(tmp_path)
    await learn(records, OSLO, SINGS)
    await records.close()
    turn_back(tmp_path, AS_IN_VERSION_5)
    records = await SqliteRecords.open(tmp_path)
    assert (await records.facts(BANK), await records.opinions(BANK)) == ([OSLO, SINGS], [])
    await records.hold(BANK, [opinion(TEXT, OSLO.id)])
    assert await records.opinions(BANK) == [opinion(TEXT, OSLO.id)]
    assert (await records.forget(BANK, fact=OSLO.id)).opinions == 1
    assert await records.commitments(BANK) == []
    (asked,) = await records.learn(BANK, [SINGS.id], "Who sings?", at=NOW, keep=1)
    assert await records.cues(BANK, [SINGS.id]) == [asked]
    await records.undertake(BANK, [commitment("Sing", SINGS.id)])
    assert (await records.forget(BANK, fact=SINGS.id)).commitments == 1
    await records.close()


async def test_a_file_of_version_6_takes_dimensions_and_uses_on_what_it_held(
    tmp_path: Path,
) -> None:
    records = await SqliteRecords.open(tmp_path)
    await learn(records, OSLO)
    await records.close()
    turn_back(tmp_path, AS_IN_VERSION_6)
    records = await SqliteRecords.open(tmp_path)
    assert (await records.facts(BANK), await records.uses(BANK)) == ([OSLO], [])
    felt = replace(SINGS, dimensions=Dimensions("present", "subjective", "certain"))
    await learn(records, felt)
    await records.use(BANK, [OSLO.id, felt.id], on=NOW.date())
    await records.weigh(BANK, {OSLO.id: 0.5})
    assert await records.facts(BANK, [felt.id]) == [felt]
    assert len(await records.uses(BANK)) == 2
    assert await weights(records, BANK, [OSLO.id]) == {OSLO.id: 0.5}
    await records.close()


async def test_what_came_of_a_forgotten_fact_is_in_no_byte_of_the_files(tmp_path: Path) -> None:
    records = await SqliteRecords.open(tmp_path)
    ann, other = entity("Ann"), fact("Annkept hums")
    facts = [fact(f"Secret {n} of Ann") for n in range(30)]
    await tie(records, {**dict.fromkeys(facts, (ann,)), OSLO: (), other: (ann,)})
    kept = opinion("Oslo is fine, kept", OSLO.id)
    for n, one in enumerate(facts):
        await records.hold(BANK, [opinion(f"Secret {n} is sound", one.id, entities=("Secretly",))])
        new = judgement(kept, "contradict", one.id, text=f"Oslo is a secret {n}")
        await records.hold(BANK, [kept])
        await records.judge(BANK, [new])
        seen = [observation(f"Secret {n} {more}", one.id, other.id) for more in range(3)]
        await records.observe(BANK, ann.id, seen)
        promised = commitment(f"Tell secret {n}", one.id, condition=f"if secret {n} is asked")
        await records.undertake(BANK, [promised])
        await records.remind(BANK, [cue(promised, f"Secret {n}?")], commitments=[promised.id])
        await records.learn(BANK, [one.id], f"What is secret {n}?", at=NOW, keep=1)
        await records.use(BANK, [one.id], on=date(2031, 1, n % 9 + 1))
        await records.learn(BANK, [OSLO.id], f"Is that a secret {n}?", at=NOW, keep=30)
    assert await records.unlearn(BANK, [it.id for it in await records.cues(BANK, [OSLO.id])]) == 30
    for one in facts:
        await records.forget(BANK, fact=one.id)
    assert await records.opinions(BANK) == [kept]
    raw = bytes_of(tmp_path).lower()
    await records.use(BANK, [OSLO.id], on=date(2032, 1, 1))
    assert b"2031-" not in raw and b"2032-" in bytes_of(tmp_path)
    assert b"secret" not in raw and b"annkept" in raw and b"fine, kept" in raw
    await records.close()


async def test_a_file_of_version_4_hushes_turns(tmp_path: Path) -> None:
    await (await SqliteRecords.open(tmp_path)).close()
    turn_back(tmp_path, AS_IN_VERSION_4)
    records = await SqliteRecords.open(tmp_path)
    await records.log(BANK, [talk("monday", "I moved to Oslo.")])
    (moved,) = await records.turns(BANK, session("monday"))
    await learn(records, replace(OSLO, sources=(Source(session("monday"), (moved.id,)),)))
    await records.forget(BANK, fact=OSLO.id)
    await records.log(BANK, [talk("monday", "I moved to Oslo.", "Nice weather.")])
    assert await records.said(BANK, "oslo", k=5, now=NOW) == []
    assert len(await records.said(BANK, "weather", k=5, now=NOW)) == 1
    await records.close()


async def test_a_forgotten_entity_is_in_no_byte_of_the_files(tmp_path: Path) -> None:
    records = await SqliteRecords.open(tmp_path)
    zoe, friend, bob = entity("Zoesecret Krupp"), entity("Zuzusecret"), entity("Bobkept")
    facts = [fact(f"Zoesecret sings song {n}", entities=("Zoesecret",)) for n in range(30)]
    await tie(records, {**dict.fromkeys(facts, (zoe, bob)), SINGS: (friend,), OSLO: (bob,)})
    await records.join(BANK, friend.id, zoe.id, by="user")
    await records.forget(BANK, entity=zoe.id)
    raw = bytes_of(tmp_path).lower()
    assert b"secret" not in raw and b"krupp" not in raw
    assert b"bobkept" in raw and zoe.id.encode() not in raw
    await records.close()


async def test_a_file_of_version_1_is_taken_on_with_its_log_searchable(tmp_path: Path) -> None:
    records = await SqliteRecords.open(tmp_path)
    await records.log(BANK, [talk("monday", "What is your dog called?", "Rex.")])
    before = await records.turns(BANK, session("monday"))
    await records.close()
    turn_back(tmp_path, AS_IN_VERSION_1)
    records = await SqliteRecords.open(tmp_path)
    assert await records.turns(BANK, session("monday")) == before
    assert {one.id for one in await records.unindexed(BANK, limit=9)} == {t.id for t in before}
    assert {turn.text for turn, _ in await records.said(BANK, "dogs", k=5, now=NOW)} == {
        "What is your dog called?",
        "Rex.",
    }
    await records.forget(BANK, session=session("monday"))
    await records.close()
    assert b"rex" not in bytes_of(tmp_path).lower()


async def test_a_file_of_version_2_has_its_turns_indexed_by_the_next_catching_up(
    tmp_path: Path,
) -> None:
    records = await SqliteRecords.open(tmp_path)
    said = [Utterance(role=role, text=f"from {role}") for role in ("system", "user")]
    await records.log(BANK, [Conversation(date=NOW, turns=tuple(said), key="monday")])
    before, waiting = await records.turns(BANK, session("monday")), await records.banks()
    await learn(records, OSLO)
    await records.indexed(BANK, [one.id for one in await records.unindexed(BANK, limit=9)])
    await records.close()
    turn_back(tmp_path, AS_IN_VERSION_2)
    records = await SqliteRecords.open(tmp_path)
    assert await records.turns(BANK, session("monday")) == before
    marks = await records.unindexed(BANK, limit=9)
    assert [(mark.id, mark.part) for mark in marks] == [(before[1].id, "turn")]
    assert [bank.unindexed for bank in await records.banks()] == [waiting[0].unindexed] == [1]
    assert [one.turn.id for one in await records.placed(BANK, [before[0].id])] == [before[0].id]
    assert [turn.text for turn, _ in await records.said(BANK, "user", k=5, now=NOW)] == [
        "from user"
    ]
    await records.close()


AS_IN_VERSION_6 = (
    "DROP TABLE use",
    "ALTER TABLE fact DROP COLUMN tense",
    "ALTER TABLE fact DROP COLUMN subjectivity",
    "ALTER TABLE fact DROP COLUMN certainty",
    "ALTER TABLE fact DROP COLUMN salience",
    "PRAGMA user_version = 6",
)
AS_IN_VERSION_5 = (
    *AS_IN_VERSION_6,
    "DROP INDEX cue_learned",
    "ALTER TABLE cue DROP COLUMN learned",
    "DROP TABLE reminder",
    "DROP TABLE commitment",
    "DROP TABLE evidence",
    "DROP TABLE observation",
    "DROP TABLE opinion",
    "PRAGMA user_version = 5",
)
AS_IN_VERSION_4 = (
    *AS_IN_VERSION_5,
    "DROP TRIGGER turn_said",
    """
    CREATE TRIGGER turn_said AFTER INSERT ON turn BEGIN
        INSERT INTO said (rowid, bank, words) SELECT
            new.n, bank_word(new.bank), ifnull(max(words_of(before.name, before.text)), '') || ' '
            || words_of(new.name, new.text)
        FROM turn AS before WHERE before.bank = new.bank AND before.session = new.session
            AND before.position = new.position - 1;
    END
    """,
    "PRAGMA user_version = 4",
)
AS_IN_VERSION_3 = (
    *AS_IN_VERSION_4,
    "DROP TRIGGER fact_redated",
    "DROP TABLE link",
    "DROP TABLE mention",
    "DROP TABLE beginning",
    "DROP TABLE entity",
    "DROP INDEX fact_after",
    "DROP INDEX fact_before",
    "PRAGMA user_version = 3",
)
AS_IN_VERSION_2 = (
    *AS_IN_VERSION_3,
    "DROP INDEX turn_id",
    "DROP INDEX turn_unindexed",
    "DROP INDEX source_turn",
    "ALTER TABLE turn DROP COLUMN indexed",
    "PRAGMA user_version = 2",
)
AS_IN_VERSION_1 = (
    *AS_IN_VERSION_3,
    "DROP INDEX source_turn",
    "DROP TRIGGER turn_said",
    "DROP TRIGGER turn_unsaid",
    "DROP TABLE said",
    "ALTER TABLE turn RENAME TO later",
    """
    CREATE TABLE turn (
        bank TEXT NOT NULL, session TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
        role TEXT NOT NULL, name TEXT, text TEXT NOT NULL, PRIMARY KEY (bank, session, position),
        FOREIGN KEY (bank, session) REFERENCES session (bank, id) ON DELETE CASCADE
    )
    """,
    "INSERT INTO turn SELECT bank, session, position, id, role, name, text FROM later",
    "DROP TABLE later",
    "PRAGMA user_version = 1",
)


@pytest.mark.parametrize(
    ("look_up", "given"),
    [(log._PLACED, (BANK, "[]")), (read._SUPPORTED, (BANK, "[]", ""))],
    ids=["placed", "supported"],
)
async def test_a_look_up_by_turns_takes_as_long_as_what_it_finds(
    tmp_path: Path, look_up: str, given: tuple[str, ...]
) -> None:
    await (await SqliteRecords.open(tmp_path)).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as file:
        steps = [row[3] for row in file.execute(f"EXPLAIN QUERY PLAN {look_up}", given)]
    searches = [step for step in steps if step.startswith("SEARCH")]
    assert len(searches) >= 2
    assert all(re.search(r"\((bank=\? AND )+\w+=\?", step) for step in searches), steps
    assert [step for step in steps if step.startswith("SCAN") and "json_each" not in step] == []


ONE = (BANK, '["x"]')


@pytest.mark.parametrize(
    ("look_up", "given"),
    [
        (entities._SAME, (*ONE, 5)),
        (entities._LIKE, (*ONE, 5)),
        (entities._AND_ROOTS, ONE),
        (entities.LATEST_OF_ENTITIES, (*ONE, "", 5)),
        (entities._GROUP, ONE),
        (links._LINKS, ONE),
        (links._WAYS, (*ONE, "", 5)),
        (links._AROUND, (*ONE, 5)),
        (evidence.FROM_FACTS, (*ONE, "opinion")),
        ("DELETE FROM evidence WHERE bank = ? AND fact = ?", ONE),
        ("DELETE FROM evidence WHERE bank = ? AND of = ? AND part = 'opinion'", ONE),
        ("SELECT * FROM observation WHERE bank = ? AND subject = ?", ONE),
        ("DELETE FROM commitment WHERE bank = ? AND session = ?", ONE),  # as a session does
        ("DELETE FROM reminder WHERE bank = ? AND commitment = ?", ONE),
        ("DELETE FROM link WHERE bank = ? AND source = ?", ONE),  # as a forgotten fact does
        ("DELETE FROM link WHERE bank = ? AND target = ?", ONE),
        ("DELETE FROM use WHERE bank = ? AND fact = ?", ONE),
        ("DELETE FROM mention WHERE bank = ? AND fact = ?", ONE),
        ("DELETE FROM mention WHERE bank = ? AND entity = ?", ONE),
    ],
)
async def test_a_look_up_of_ties_goes_through_no_table(
    tmp_path: Path, look_up: str, given: tuple[str, ...]
) -> None:
    await (await SqliteRecords.open(tmp_path)).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as file:
        steps = [row[3] for row in file.execute(f"EXPLAIN QUERY PLAN {look_up}", given)]
    tables = re.compile(
        r"(SCAN|SEARCH) "
        r"(fact|entity|mention|use|link|beginning|evidence|observation|commitment|reminder)\b"
    )
    touched = [step for step in steps if tables.match(step)]
    assert touched, steps
    assert all(re.search(r"\(bank=\? AND \S+[=<>]", step) for step in touched), steps
