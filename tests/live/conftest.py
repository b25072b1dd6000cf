"""The real server that the live tests share."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.relay import Relay, relay


@pytest.fixture(scope="session")
def llama(model_file: Path) -> Iterator[Relay]:
    """llama.cpp's own server in a process of its own, seen through a relay."""
    command = [sys.executable, str(Path(__file__).with_name("serve.py")), str(model_file)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin and process.stdout
        with relay(json.loads(process.stdout.readline())["url"]) as passed:
            yield passed
        process.stdin.close()
        assert process.wait(30) == 0
