"""An exported file is there whole or not at all, and leaves nothing beside it."""

from __future__ import annotations

import os
import signal
import stat
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
