from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from forethought.graphs.journal import Happened, JournalFile, Place, Run, read_header, read_journal
from forethought.graphs.runs import FILE, KEPT, RunStore, chat_thread, journal, new_run_id, runs
from forethought.memory.errors import InvalidInput, NotFound, StoreUnavailable

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECRET = "xylophone"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[RunStore]:
    async with RunStore.open(tmp_path) as store:
        yield store


def run(id: str, **fields: Any) -> Run:
    known = {"machine": "agent", "bank": "ann", "query": "What?", "context": {"bank": "ann"}}
    return Run(**{"id": id, "started": NOW, "thread": id, **known, **fields})


async def kept(store: RunStore, run: Run) -> None:
    """A run with a journal and two checkpoints, whose content is the run's question."""
    store.file(run.id).begin(run)
    config: Any = {"configurable": {"thread_id": run.thread, "checkpoint_ns": ""}}
    for _ in range(2):
        checkpoint = {**empty_checkpoint(), "channel_values": {"query": run.query}}
        config = await store.saver.aput(config, checkpoint, {"step": 1}, {})  # type: ignore[arg-type]  # a checkpoint of ours
        await store.saver.aput_writes(config, [("query", run.query)], task_id="t")


async def threads(store: RunStore) -> list[str]:
    """The threads of all checkpoints."""
    return [item.config["configurable"]["thread_id"] async for item in store.saver.alist(None)]


def test_a_run_is_named_by_its_day_and_a_token() -> None:
    assert new_run_id(NOW, "7f3a2cffff") == "r20261130-7f3a2c"


async def test_a_write_that_was_broken_off_leaves_the_file_unlocked(tmp_path: Path) -> None:
    async with RunStore.open(tmp_path) as store:
        kept_by_a_traceback = await store.saver.conn.execute(
            "INSERT INTO writes (thread_id, checkpoint_id, task_id, idx, channel) "
            "VALUES ('t', 'c', 'k', 0, 'query') RETURNING thread_id"
        )
    with closing(sqlite3.connect(tmp_path / FILE, timeout=0)) as other:
        assert other.execute("SELECT count(*) FROM writes").fetchone() == (0,)
        other.execute("BEGIN IMMEDIATE")
    del kept_by_a_traceback


async def test_a_write_that_nobody_waits_for_is_over_before_the_file_is_closed(
    tmp_path: Path,
) -> None:
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": "c"}}
    async with RunStore.open(tmp_path) as store:
        writing = asyncio.create_task(store.saver.aput_writes(config, [("query", "")], "k"))
        while not store.saver.lock.locked():
            await asyncio.sleep(0)  # until it has begun
    await writing
    with closing(sqlite3.connect(tmp_path / FILE, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")


def test_a_journal_tells_what_was_written_into_it(tmp_path: Path) -> None:
    file = JournalFile(tmp_path / "r1.jsonl")
    asked = run("r1", query="Mitä kissa juo? 🐈")
    file.begin(asked)
    file.add(Place(1, "c1", "listen"))
    file.add(Happened(1, {"node": "listen"}))
    assert read_journal(file.path).usage is None
    paid = {"calls": 2, "input_tokens": 9, "output_tokens": 3}
    file.fail("it broke", usage=paid, lost={**paid, "calls": 1})
    unfinished = read_journal(file.path)
    assert unfinished.result is None and unfinished.failures == ("it broke",)
    assert (unfinished.usage, unfinished.lost["calls"]) == (paid, 1)
    file.end({"answer": "teetä"})
    told = read_journal(file.path)
    assert told.run == asked == read_header(file.path)
    assert told.places == (Place(1, "c1", "listen"),) and told.last == 1
    assert told.events == (Happened(1, {"node": "listen"}),)
    assert told.result == {"answer": "teetä"}
    assert "teetä" in file.path.read_text("utf-8")


def test_a_line_that_a_crash_tore_costs_only_itself(tmp_path: Path) -> None:
    file = JournalFile(tmp_path / "r1.jsonl")
    file.begin(run("r1"))
    file.add(Happened(1, {"node": "listen"}))
    whole = file.path.read_bytes()
    for cut in range(1, len(whole)):
        file.path.write_bytes(whole[:cut])
        if cut < whole.index(b"\n"):
            assert read_header(file.path) is None
            continue
        assert read_journal(file.path).run == run("r1")
        file.add(Happened(2, {"node": "augment"}))
        assert read_journal(file.path).events[-1] == Happened(2, {"node": "augment"})


def test_reading_a_run_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="r20200101-abc"):
        journal(tmp_path, "r20200101-abc")
    for name in ("../secrets", "/etc/passwd", "r1/../../x", ""):
        with pytest.raises(InvalidInput):
            journal(tmp_path, name)


async def test_runs_are_listed_newest_first_and_by_bank(store: RunStore) -> None:
    for number in (1, 3, 2):
        await kept(store, run(f"r{number}", started=NOW + timedelta(minutes=number)))
    await kept(store, run("r4", bank="bob"))
    assert [item.id for item in runs(store.directory, "ann")] == ["r3", "r2", "r1"]
    assert len(runs(store.directory)) == 4


async def test_a_purged_bank_leaves_no_byte_of_its_runs(store: RunStore) -> None:
    await kept(store, run("r1", query=SECRET * 1000))
    await kept(store, run("r2", query="Bob's", bank="bob"))
    store.file("r3").path.write_text('{"run": {"query": "' + SECRET)  # a crash tore its first line
    assert await store.purge("ann") == 1
    for file in store.directory.rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes()
    assert set(await threads(store)) == {"r2"}
    assert await store.purge("ann") == 0


async def test_checkpoints_stay_while_any_run_needs_them(store: RunStore) -> None:
    for number in range(KEPT):
        await kept(store, run(f"r{number:02}", started=NOW + timedelta(minutes=number)))
    branch = run("r99", thread="r00", started=NOW + timedelta(days=1))
    await store.make_room("ann", "agent")
    store.file("r99").begin(branch)
    assert len(runs(store.directory, "ann")) == KEPT
    assert "r00" not in await threads(store)
    await kept(store, run("r98", thread="r01", started=NOW + timedelta(days=1)))
    await store.make_room("ann", "agent")
    await store.make_room("ann", "agent")
    left = {item.id for item in runs(store.directory, "ann")}
    assert len(left) == KEPT - 1 and {"r98", "r99"} <= left and "r01" not in left
    assert "r01" in await threads(store)


async def test_other_machines_and_banks_do_not_count_when_room_is_made(store: RunStore) -> None:
    for number in range(KEPT - 1):
        store.file(f"r{number}").begin(run(f"r{number}"))
    store.file("r70").begin(run("r70", machine="retain"))
    store.file("r71").begin(run("r71", bank="bob"))
    await store.make_room("ann", "agent")
    assert len(runs(store.directory)) == KEPT + 1


async def test_the_last_turn_of_each_chat_stays_for_the_chat_to_go_on_from(store: RunStore) -> None:
    for number, chat in enumerate(("old@1", "old@1", *["main@2"] * KEPT)):
        began = NOW + timedelta(minutes=number)
        await kept(store, run(f"r{number:02}", machine="chat", thread=chat, started=began))
    await store.make_room("ann", "chat")
    left = {item.id for item in runs(store.directory, "ann")}
    assert len(left) == KEPT and "r01" in left and "r00" not in left
    assert set(await threads(store)) == {"old@1", "main@2"}
    assert chat_thread(store.directory, "ann", "old") == "old@1"
    assert chat_thread(store.directory, "bob", "old") is None


async def test_a_trimmed_thread_keeps_its_last_checkpoints_with_their_writes(
    store: RunStore,
) -> None:
    for _ in range(3):
        await kept(store, run("r1"))
    before = [item async for item in store.saver.alist(None)]
    await store.trim("r1")
    after = [item async for item in store.saver.alist(None)]
    assert after == before[:2] and after[0].pending_writes


async def test_only_retains_without_a_result_are_interrupted(store: RunStore) -> None:
    for number, machine in enumerate(("retain", "retain", "agent", "retain")):
        begun = run(f"r{number}", machine=machine, started=NOW + timedelta(minutes=number))
        store.file(begun.id).begin(begun)
    store.file("r0").end({})
    assert [item.run.id for item in store.interrupted("ann")] == ["r1", "r3"]
    assert store.interrupted("bob") == []


async def test_a_damaged_run_store_says_which_file_and_that_no_memory_is_lost(
    tmp_path: Path,
) -> None:
    (tmp_path / "runs.db").write_text("this is no database, and long enough to be sure of it")
    with pytest.raises(StoreUnavailable, match=r"runs\.db.*no memory"):
        async with RunStore.open(tmp_path):
            pass


def test_a_journal_that_is_not_ours_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "r1.jsonl").write_text(json.dumps(["something", "else"]))
    assert runs(tmp_path) == []
