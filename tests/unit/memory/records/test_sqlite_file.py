"""The SQLite adapter's own file: whose it is, what is left in it, and how its failures read."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from forethought.memory.errors import InvalidInput, StoreUnavailable
from forethought.memory.records.changes import ChangeSet
from forethought.memory.records.sqlite import SqliteRecords, database, schema
from forethought.memory.records.sqlite.store import FILE
from forethought.memory.types import Cue, Fact
from tests.conftest import ROOT
from tests.contracts.samples import BANK, fact, learn, log_sources, session, stored, talk

OSLO = fact("Lives in Oslo")


@pytest.fixture
async def records(tmp_path: Path) -> AsyncIterator[SqliteRecords]:
    opened = await SqliteRecords.open(tmp_path)
    yield opened
    await opened.close()


def bytes_of(directory: Path) -> bytes:
    """All that is in the directory's files."""
    return b"".join(path.read_bytes() for path in directory.iterdir())


async def test_the_directory_is_made_with_its_parents(tmp_path: Path) -> None:
    records = await SqliteRecords.open(tmp_path / "new" / "data")
    await records.close()
    assert (tmp_path / "new" / "data" / FILE).is_file()


def test_two_event_loops_one_after_the_other_work_on_one_file(tmp_path: Path) -> None:
    async def remember(text: str) -> int:
        records = await SqliteRecords.open(tmp_path)
        await asyncio.gather(*(learn(records, fact(f"{text} {n}")) for n in range(5)))
        kept = len(await records.facts(BANK))
        await records.close()
        return kept

    assert [asyncio.run(remember("one")), asyncio.run(remember("two"))] == [5, 10]


def test_a_process_that_forgets_to_close_ends_all_the_same(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path\n"
        "from forethought.memory.records.sqlite import SqliteRecords\n"
        "records = asyncio.run(SqliteRecords.open(Path(sys.argv[1])))\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    assert subprocess.run(command, cwd=ROOT, timeout=30, check=False).returncode == 0


def test_the_package_is_light_until_the_adapter_is_asked_for() -> None:
    program = (
        "import sys, forethought.memory.records.sqlite as adapter\n"
        "assert 'aiosqlite' not in sys.modules\n"
        "adapter.SqliteRecords\n"
        "assert 'aiosqlite' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_the_package_has_nothing_else_to_offer() -> None:
    with pytest.raises(ImportError):
        from forethought.memory.records.sqlite import Nothing  # noqa: F401 that is the test


async def test_a_file_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    await (await SqliteRecords.open(tmp_path)).close()
    with sqlite3.connect(tmp_path / FILE) as file:
        file.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    file.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(InvalidInput, match="newer") as refusal:
        await SqliteRecords.open(tmp_path)
    assert str(tmp_path / FILE) in str(refusal.value)
    assert (tmp_path / FILE).read_bytes() == before


async def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(InvalidInput, match="not a database") as refusal:
        await SqliteRecords.open(tmp_path)
    assert str(tmp_path / FILE) in str(refusal.value)
    assert (tmp_path / FILE).read_bytes() == b"Dear diary, " * 1000


async def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as file:
        file.execute("CREATE TABLE recipe (name TEXT)")
    file.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(InvalidInput, match="another program"):
        await SqliteRecords.open(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


async def test_an_empty_file_is_taken_for_a_new_one(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    records = await SqliteRecords.open(tmp_path)
    assert await records.banks() == []
    await records.close()


async def test_a_directory_that_cannot_be_made_or_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="file"):
        await SqliteRecords.open(tmp_path / "file")
    (tmp_path / "taken" / FILE).mkdir(parents=True)
    with pytest.raises(StoreUnavailable, match="taken") as refusal:
        await SqliteRecords.open(tmp_path / "taken")
    assert "writable" in str(refusal.value)


async def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    records = await SqliteRecords.open(tmp_path)
    await learn(records, *(fact(f"Ann has been to town {n}") for n in range(300)))
    await records.close()
    content = bytearray((tmp_path / FILE).read_bytes())
    content[8192:] = random.Random(1).randbytes(len(content) - 8192)
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(StoreUnavailable, match="backup") as refusal:
        damaged = await SqliteRecords.open(tmp_path)
        try:
            await damaged.facts(BANK)
        finally:
            await damaged.close()
    assert str(tmp_path / FILE) in str(refusal.value)


async def test_a_file_that_another_program_locks_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BUSY_SECONDS", 0.01)
    records = await SqliteRecords.open(tmp_path)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="close that one, or try again") as refusal:
        await learn(records, OSLO)
    assert str(tmp_path / FILE) in str(refusal.value)
    assert await records.facts(BANK) == []
    other.close()
    await learn(records, OSLO)
    assert await records.facts(BANK) == [OSLO]
    await records.close()


async def test_a_full_disk_is_named_and_nothing_is_half_written(records: SqliteRecords) -> None:
    many = [fact(f"Ann has been to town {n}") for n in range(500)]
    await log_sources(records, *many)
    writer = records._db._writer
    await writer.execute_fetchall("PRAGMA max_page_count = 60")  # SQLite's own "disk full"
    with pytest.raises(StoreUnavailable, match="free some disk space"):
        await records.commit(ChangeSet(BANK, tuple(many)))
    assert await records.facts(BANK) == []
    await writer.execute_fetchall("PRAGMA max_page_count = 100000")
    await records.commit(ChangeSet(BANK, tuple(many)))
    assert len(await records.facts(BANK)) == 500


def test_a_disk_that_fails_is_named_with_what_to_do(tmp_path: Path) -> None:
    broken = sqlite3.OperationalError("disk I/O error")
    broken.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE  # of a disk full before the file opens
    with (
        pytest.raises(StoreUnavailable, match=f"{FILE}: disk I/O error: .*has space left"),
        database._failures_named(tmp_path / FILE),
    ):
        raise broken


async def test_a_closed_store_says_so(records: SqliteRecords) -> None:
    await records.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await records.facts(BANK)
    with pytest.raises(StoreUnavailable, match="closed"):
        await learn(records, OSLO)


async def test_a_cancelled_commit_is_applied_whole_or_not_at_all(records: SqliteRecords) -> None:
    batches = [[fact(f"town {batch} {n}") for n in range(5)] for batch in range(60)]
    await log_sources(records, *batches[0])
    for steps, batch in enumerate(batches):
        committing = asyncio.create_task(records.commit(ChangeSet(BANK, tuple(batch))))
        for _ in range(steps):
            await asyncio.sleep(0)
        committing.cancel()
        await asyncio.wait([committing])
        kept = await records.facts(BANK, [one.id for one in batch])
        assert len(kept) in {0, 5}
    await learn(records, OSLO)
    assert await stored(records, OSLO) == OSLO


@pytest.mark.parametrize(("seed", "together"), [(3, False), (23, True)])
async def test_what_was_forgotten_is_in_no_byte_of_the_files(
    tmp_path: Path, seed: int, together: bool
) -> None:
    """Rows move between pages as a bank grows, and what they leave behind must go as well.

    With these seeds SQLite's `secure_delete` alone leaves a forgotten text in the file.
    """
    records, chance = await SqliteRecords.open(tmp_path), random.Random(seed)
    kept: list[Fact] = []
    gone: list[str] = []
    for step in range(25):
        markers = [f"marker{step:03}x{n:03}q" for n in range(chance.randint(1, 40))]
        facts = [fact(f"{one} " + "x" * chance.choice([5, 40, 200, 1500])) for one in markers]
        await learn(records, *facts)
        kept += facts
        most = chance.choice([1, 3, 6, 20] if together else [1, 3, 6])
        some = chance.sample(kept, min(len(kept), most))
        for named in [some] if together else [[one] for one in some]:
            await records.forget(BANK, fact=[one.id for one in named])
        kept = [one for one in kept if one not in some]
        gone += [one.text.split()[0] for one in some]
    raw = bytes_of(tmp_path)
    assert [marker for marker in gone if marker.encode() in raw] == []
    assert all(one.text.encode() in raw for one in kept)
    await records.close()


async def test_a_forgotten_session_or_bank_is_in_no_byte_of_the_files(tmp_path: Path) -> None:
    records = await SqliteRecords.open(tmp_path)
    await records.log(BANK, [talk("monday", "turnsecretA", "yes"), talk("tuesday", "turnsecretB")])
    said = fact("factsecretA", entities=("entitysecretA",)), fact("factsecretB", said_in="tuesday")
    await learn(records, *said)
    cues = [Cue(one.id, 0, f"cuesecret{one.text[-1]}") for one in said]
    await records.foresee(BANK, cues, facts=[one.id for one in said])
    await records.setting(BANK, "note", "settingsecretB")
    await records.log("zoe", [talk("x", "otherbank")])
    await records.forget(BANK, session=session("monday"))
    raw = bytes_of(tmp_path).lower()  # keyword search keeps words in lower case
    assert b"secreta" not in raw
    assert raw.count(b"secretb") >= 3
    await records.forget(BANK)
    raw = bytes_of(tmp_path).lower()
    assert b"secret" not in raw
    assert b"otherbank" in raw
    await records.close()


async def test_many_are_forgotten_by_rewriting_the_file_once(records: SqliteRecords) -> None:
    some = [fact(f"Ann has been to town {n}") for n in range(30)]
    await learn(records, *some)
    statements: list[str] = []
    await records._db._writer.set_trace_callback(statements.append)
    await records.forget(BANK, fact=[one.id for one in some[:20]])
    assert (statements.count("VACUUM"), statements.count("COMMIT")) == (1, 1)
    assert {one.id for one in await records.facts(BANK)} == {one.id for one in some[20:]}


async def test_erasing_waits_for_a_reader_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BUSY_SECONDS", 0.01)
    records = await SqliteRecords.open(tmp_path)
    await learn(records, fact("factsecret"))
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM fact").fetchall()
    with pytest.raises(StoreUnavailable, match="not erased yet"):
        await records.forget(BANK, fact=fact("factsecret").id)
    assert await records.facts(BANK) == []
    await records.close()
    assert b"factsecret" in bytes_of(tmp_path)
    other.close()
    await (await SqliteRecords.open(tmp_path)).close()
    assert b"factsecret" not in bytes_of(tmp_path)


async def test_erasing_that_a_crash_cut_short_is_done_on_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def free_pages() -> int:
        with closing(sqlite3.connect(tmp_path / FILE)) as file:
            return int(file.execute("PRAGMA freelist_count").fetchone()[0])

    async def crash(_: database.Database) -> None:
        raise RuntimeError

    records = await SqliteRecords.open(tmp_path)
    await learn(records, *(fact(f"Ann has been to town {n}") for n in range(300)))
    with monkeypatch.context() as patched, pytest.raises(RuntimeError):
        patched.setattr(database.Database, "_erase_if_asked", crash)
        await records.forget(BANK)
    await records.close()
    assert free_pages() > 0
    records = await SqliteRecords.open(tmp_path)
    assert free_pages() == 0
    assert await records.facts(BANK) == []
    await records.close()
