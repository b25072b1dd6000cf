"""The real LangGraph server, `langgraph dev`, as a process of its own on a free port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

ROOT = Path(__file__).parents[2]
START_SECONDS = 120.0  # it takes 5 to 10 on two busy cores, more where nothing is compiled yet
STOP_SECONDS = 15.0


@dataclass(frozen=True)
class Dev:
    """The running server."""

    url: str
    log: Path

    def said(self) -> str:
        """All that it wrote so far, on either stream."""
        return self.log.read_text(encoding="utf-8", errors="replace")


@contextmanager
def langgraph_dev(folder: Path, settings: Mapping[str, str]) -> Iterator[Dev]:
    """Serve the graphs of `langgraph.json` until the block ends, with `settings` as environment.

    `folder` is where it runs and writes: so neither a developer's `.env` nor their past runs count.
    """
    port = _free_port()
    dev = Dev(f"http://127.0.0.1:{port}", folder / "server.log")
    command = [
        sys.executable, "-m", "langgraph_cli", "dev", "--config", str(ROOT / "langgraph.json"),
        "--port", str(port), "--no-browser", "--no-reload", "--n-jobs-per-worker", "2",
    ]  # fmt: skip
    environment = {**os.environ, **settings, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    with dev.log.open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL
        )
        try:
            _wait_until_it_answers(dev, process)
            yield dev
        finally:
            _stop(process)
    if process.returncode == -signal.SIGKILL:
        raise TimeoutError(
            f"the server did not stop within {STOP_SECONDS} s:\n{dev.said()[-4000:]}"
        )


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _wait_until_it_answers(dev: Dev, process: subprocess.Popen[bytes]) -> None:
    opener = build_opener(ProxyHandler({}))
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with opener.open(f"{dev.url}/ok", timeout=1) as answer:
                if answer.status == 200:
                    return
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
    state = "is not up yet" if process.poll() is None else f"ended with {process.returncode}"
    raise TimeoutError(f"the server {state}:\n{dev.said()[-8000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C, as a developer does; if that is not enough, for good."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
