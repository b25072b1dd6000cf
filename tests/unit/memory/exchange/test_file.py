"""An exported file is there whole or not at all, and leaves nothing beside it."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from forethought.memory.errors import InvalidInput
from forethought.memory.exchange.file import read_lines, write_whole


def _broken() -> Iterator[bytes]:
    yield b"secret\n" * 100_000
    raise ZeroDivisionError


def _terminated() -> Iterator[bytes]:
    yield b"secret\n" * 100_000
    os.kill(os.getpid(), signal.SIGTERM)
    yield b"more\n"


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    lines = [b"one\n", "zwei 🎈\u2028\n".encode()]
    write_whole(str(tmp_path / "file"), lines)
    assert list(read_lines(str(tmp_path / "file"))) == lines
    assert os.listdir(tmp_path) == ["file"]


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    write_whole(str(tmp_path / "file"), [b"one\n"])
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_what_fails_leaves_the_file_as_it_was_and_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"before\n")
    for lines, error in ((_broken(), ZeroDivisionError), (_terminated(), SystemExit)):
        with pytest.raises(error):
            write_whole(str(tmp_path / "file"), lines)
        assert os.listdir(tmp_path) == ["file"]
        assert (tmp_path / "file").read_bytes() == b"before\n"


def test_what_a_killed_process_left_is_removed_by_the_next_for_that_file(tmp_path: Path) -> None:
    killed = f"""
import os, signal
from forethought.memory.exchange.file import write_whole
write_whole({str(tmp_path / "file")!r}, (os.kill(os.getpid(), signal.SIGKILL) for _ in "1"))
"""
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == -signal.SIGKILL
    (left,) = os.listdir(tmp_path)
    for other in ("file2", "FILE"):
        write_whole(str(tmp_path / other), [b"one\n"])
    assert left in os.listdir(tmp_path)
    write_whole(str(tmp_path / "file"), [b"one\n"])
    assert sorted(os.listdir(tmp_path)) == ["FILE", "file", "file2"]


def test_what_another_is_still_writing_is_left_to_it(tmp_path: Path) -> None:
    name = str(tmp_path / "file")

    def lines() -> Iterator[bytes]:
        write_whole(name, [b"inner\n"])
        yield b"outer\n"

    write_whole(name, lines())
    assert list(read_lines(name)) == [b"outer\n"]
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("name", [".file.settings", ".file.", ".file.abcdefgh.forethought.bak"])
def test_a_hidden_file_of_another_name_is_nobodys_leftover(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"mine\n")
    write_whole(str(tmp_path / "file"), [b"one\n"])
    assert sorted(os.listdir(tmp_path)) == [name, "file"]


def test_a_signal_means_afterwards_what_it_meant_before(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    write_whole(str(tmp_path / "file"), [b"one\n"])
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_whole(str(tmp_path / "link"), [b"one\n"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"one\n"


def test_a_pipe_is_written_into_and_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_whole(str(tmp_path / "pipe"), [b"one\n", b"two\n"])
    reader.join(timeout=20)
    assert got == [b"one\ntwo\n"]
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("name", ["", "nowhere/file"])
def test_a_place_that_cannot_be_written_or_read_is_named(tmp_path: Path, name: str) -> None:
    place = str(tmp_path / name)
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_whole(place, [b"one\n"])
    with pytest.raises(InvalidInput, match="cannot be read"):
        list(read_lines(place))
