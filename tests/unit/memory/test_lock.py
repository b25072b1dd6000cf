from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forethought.memory.errors import BankBusy, StoreUnavailable
from forethought.memory.records.lock import WriterLock
from tests.conftest import ROOT

HOLDER = """
import sys
from pathlib import Path
from forethought.memory.records.lock import WriterLock

lock = WriterLock.acquire(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def hold(directory: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the lock until it is killed, at the end if not before."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, directory],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            yield holder
        finally:
            holder.kill()


def test_a_second_process_is_told_who_has_the_directory_and_the_two_ways_out(
    tmp_path: Path,
) -> None:
    with hold(tmp_path) as holder, pytest.raises(BankBusy) as refusal:
        WriterLock.acquire(tmp_path)
    message = str(refusal.value)
    for part in (str(tmp_path), f"process {holder.pid}", "FORETHOUGHT_CHROMA_URL", "langgraph dev"):
        assert part in message


def test_a_killed_process_lets_go(tmp_path: Path) -> None:
    with hold(tmp_path) as holder:
        holder.kill()
    with WriterLock.acquire(tmp_path):
        pass


def test_the_same_process_may_not_take_it_twice(tmp_path: Path) -> None:
    with WriterLock.acquire(tmp_path), pytest.raises(BankBusy, match="this very process"):
        WriterLock.acquire(tmp_path)


def test_a_lock_that_was_released_can_be_taken_again(tmp_path: Path) -> None:
    lock = WriterLock.acquire(tmp_path)
    lock.release()
    lock.release()
    with WriterLock.acquire(tmp_path):
        pass


async def test_it_is_released_at_the_end_of_a_block_whatever_happened(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        async with WriterLock.acquire(tmp_path):
            raise KeyError
    with pytest.raises(KeyError), WriterLock.acquire(tmp_path):
        raise KeyError
    WriterLock.acquire(tmp_path).release()


def test_two_directories_are_two_locks(tmp_path: Path) -> None:
    with WriterLock.acquire(tmp_path / "a"), WriterLock.acquire(tmp_path / "new" / "b"):
        assert (tmp_path / "new" / "b").is_dir()


def test_the_holder_is_another_process_where_its_number_is_not_known(tmp_path: Path) -> None:
    with WriterLock.acquire(tmp_path):
        (tmp_path / "forethought.pid").write_text("not a number")
        with pytest.raises(BankBusy, match="another process"):
            WriterLock.acquire(tmp_path)


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="file"):
        WriterLock.acquire(tmp_path / "file" / "below")
