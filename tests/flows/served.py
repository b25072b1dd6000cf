"""Real servers as processes of their own on a free port: `langgraph dev`, and the web chat."""

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
START_SECONDS = 180.0  # they take 5 to 10 on two cores, over a minute on very busy ones
STOP_SECONDS = 15.0


@dataclass(frozen=True)
class Served:
    """A running server."""

    url: str
    log: Path

    def said(self) -> str:
        """All that it wrote so far, on either stream."""
        return self.log.read_text(encoding="utf-8", errors="replace")


@contextmanager
def langgraph_dev(folder: Path, settings: Mapping[str, str]) -> Iterator[Served]:
    """Serve the graphs of `langgraph.json` until the block ends, with `settings` as environment."""
    command = ["-m", "langgraph_cli", "dev", "--config", str(ROOT / "langgraph.json"),
               "--no-browser", "--no-reload", "--n-jobs-per-worker", "2", "--port"]  # fmt: skip
    with _served(command, "/ok", folder, settings) as dev:
        yield dev


@contextmanager
def web_chat(folder: Path, settings: Mapping[str, str]) -> Iterator[Served]:
    """Serve the web chat until the block ends, with `settings` as environment."""
    command = [str(ROOT / "examples" / "web_chat.py")]
    with _served(command, "/", folder, settings) as chat:
        yield chat


@contextmanager
def _served(
    command: list[str], alive: str, folder: Path, settings: Mapping[str, str]
) -> Iterator[Served]:
    """Run Python with `command` and a port, once it answers at the path `alive`.

    `folder` is where it runs and writes: so neither a developer's `.env` nor their past runs count.
    """
    port = _free_port()
    server = Served(f"http://127.0.0.1:{port}", folder / "server.log")
    environment = {**os.environ, **settings, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    with server.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *command, str(port)], cwd=folder, env=environment,
            stdout=log, stderr=log, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            _wait_until_it_answers(server, alive, process)
            yield server
        finally:
            _stop(process)
    if process.returncode == -signal.SIGKILL:
        raise TimeoutError(
            f"the server did not stop within {STOP_SECONDS} s:\n{server.said()[-4000:]}"
        )


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _wait_until_it_answers(server: Served, alive: str, process: subprocess.Popen[bytes]) -> None:
    opener = build_opener(ProxyHandler({}))
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with opener.open(server.url + alive, timeout=1) as answer:
                if answer.status == 200:
                    return
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
    state = "is not up yet" if process.poll() is None else f"ended with {process.returncode}"
    raise TimeoutError(f"the server {state}:\n{server.said()[-8000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C, as a developer does; if that is not enough, for good."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
