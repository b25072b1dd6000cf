"""A real Chroma server on a free port of this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

_STARTS_WITHIN = 240  # seconds; 1 to 5 on a quiet machine


@contextmanager
def chroma_server(path: Path) -> Iterator[str]:
    """Its URL, until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [str(Path(sys.executable).parent / "chroma"), "run", "--path", str(path)]
        + ["--host", "127.0.0.1", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/api/v2/heartbeat", server)
        yield url
    finally:
        server.terminate()
        server.wait(10)


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    latest = time.monotonic() + _STARTS_WITHIN
    while time.monotonic() < latest and server.poll() is None:
        with suppress(OSError), urlopen(url, timeout=1):
            return
        time.sleep(0.1)
    raise AssertionError("the Chroma server did not start")
