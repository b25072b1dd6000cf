from __future__ import annotations

import ast
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT

ALLOWED_SECONDS = 0.150  # beyond the bare interpreter
ROUNDS = 20
PACKAGES = ("graphs", "nodes", "memory", "prompts")  # evals may read it
READERS_OF_THE_ENVIRONMENT = {Path("graphs/settings.py")}
HEAVY = {
    "aiosqlite",
    "chromadb",
    "dateparser",
    "httpx",
    "langchain_core",
    "langchain_openai",
    "langgraph",
    "neo4j",
    "numpy",
    "onnxruntime",
    "openai",
    "pydantic_settings",
    "rich",
    "sqlite3",
    "ssl",
    "tokenizers",
    "typer",
}

# Prints what importing brought in, and what it did to the world outside the process.
WATCHED_IMPORT = """
import json, sys
did = []
def watch(event, args):
    writes = event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")
    if writes or event.startswith(("socket.", "subprocess.", "os.system", "os.mkdir")):
        did.append(f"{event} {args}")
sys.addaudithook(watch)
import forethought
print(json.dumps({"modules": sorted(sys.modules), "did": did}))
"""


@pytest.fixture(scope="module")
def imported() -> dict[str, list[str]]:
    command = [sys.executable, "-B", "-c", WATCHED_IMPORT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    result: dict[str, list[str]] = json.loads(done.stdout)
    return result


def test_importing_forethought_loads_nothing_heavy(imported: dict[str, list[str]]) -> None:
    loaded = {module.partition(".")[0] for module in imported["modules"]}
    assert "forethought" in loaded
    assert loaded & HEAVY == set()


def test_importing_forethought_touches_nothing_outside(imported: dict[str, list[str]]) -> None:
    assert imported["did"] == []


def test_importing_forethought_is_quick() -> None:
    bare, importing = float("inf"), float("inf")
    for _ in range(ROUNDS):  # the least of several is what it costs on a machine that is not busy
        bare = min(bare, _seconds("pass"))
        importing = min(importing, _seconds("import forethought"))
        if importing - bare < ALLOWED_SECONDS:
            return
    pytest.fail(f"import forethought takes {importing - bare:.3f} s, {ALLOWED_SECONDS} are allowed")


def _seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    return time.perf_counter() - start


def test_only_the_settings_read_the_environment() -> None:
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    assert files
    readers = {
        file.relative_to(ROOT) for file in files if reads_environment(file.read_text("utf-8"))
    }
    assert readers - READERS_OF_THE_ENVIRONMENT == set()


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.environ['HOME']",
        "import os\ndef home():\n    return os.getenv('HOME')",
        "import os as system\nsystem.environ",
        "from os import environ",
        "from os import getenv as read",
        "from pydantic_settings import BaseSettings",
        "import dotenv",
    ],
)
def test_reading_the_environment_is_noticed(source: str) -> None:
    assert reads_environment(source)


def test_other_use_of_os_is_no_reading_of_the_environment() -> None:
    assert not reads_environment("import os\nos.replace('a', 'b')\nenviron = 1")


def reads_environment(source: str) -> bool:
    return any(_reads(node) for node in ast.walk(ast.parse(source)))


def _reads(node: ast.AST) -> bool:
    names = {"environ", "environb", "getenv", "getenvb"}
    libraries = {"dotenv", "pydantic_settings"}
    match node:
        case ast.Attribute(attr=name):
            return name in names
        case ast.ImportFrom(module=module, names=imported):
            return module in libraries or (
                module == "os" and any(n.name in names for n in imported)
            )
        case ast.Import(names=imported):
            return any(n.name in libraries for n in imported)
    return False
