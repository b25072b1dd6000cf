"""What all tests share: a clean environment, no network beyond this machine, the data sets."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.contracts.neo4j_server import Address, Server

ROOT = Path(__file__).parents[1]

# A developer's own settings and keys must not change what a test does, nor be spent by one.
_PRIVATE = ("FORETHOUGHT_", "LANGCHAIN_", "LANGGRAPH_", "LANGSMITH_", "OPENAI_", "AZURE_OPENAI_")
_QUIET = {
    "ANONYMIZED_TELEMETRY": "False",  # Chroma
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGSMITH_TRACING": "false",
}

_refused: list[str] = []


class NetworkRefused(ConnectionRefusedError):
    """A test tried to reach another machine."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Have golden files written anew, to be read as a diff before they are committed."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


def pytest_configure() -> None:
    """Clean the environment and set the guard before any test module is imported."""
    for name in [name for name in os.environ if name.startswith(_PRIVATE)]:
        if not name.startswith("FORETHOUGHT_TEST_"):
            del os.environ[name]
    os.environ.update(_QUIET)
    sys.addaudithook(_refuse_other_machines)
    if "CI" not in os.environ:  # there, Hypothesis chooses its own profile for CI
        settings.register_profile("here", deadline=None)  # a busy machine is not a failure
        settings.load_profile("here")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the live tests uncollected where none is to run: they import what only they need."""
    deselected = config.option.markexpr.startswith("not live")
    return True if deselected and collection_path == ROOT / "tests" / "live" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Neo4j's tests first: so one worker of pytest-xdist has them, and but one starts a server.

    Of those, the ones that may kill it last: a server that was started again has all to plan anew.
    """
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    given = getattr(item, "callspec", None)
    fixtures = getattr(item, "fixturenames", ())
    if "own_neo4j" in fixtures:
        return 1
    uses = "neo4j_address" in fixtures or (given and given.params.get("adapter") == "neo4j")
    return 0 if uses else 2


def _refuse_other_machines(event: str, args: tuple[object, ...]) -> None:
    """Audit hook: it sees each socket that Python opens, whichever library opens it."""
    if event == "socket.getaddrinfo":
        host = args[0]
    elif event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        address = args[1]
        host = address[0] if isinstance(address, tuple) else None  # else a path, or none
    else:
        return
    if not _is_this_machine(host):
        _refused.append(str(host))
        raise NetworkRefused(f"tests reach no other machine, and this one tried {host!r}")


def _is_this_machine(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if not isinstance(name, str) or name in {"", "localhost"}:
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


@pytest.fixture(autouse=True)
def refused_connections() -> Iterator[list[str]]:
    """Hosts that were refused so far: a test that leaves one here fails, though its code coped."""
    yield _refused
    hosts, _refused[:] = sorted(set(_refused)), []
    assert not hosts, f"tried to reach {', '.join(hosts)}: tests reach no other machine"


@pytest.fixture(autouse=True, scope="session")
def _no_memory_at_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever opens the default data directory opens an empty one."""
    os.environ["FORETHOUGHT_DATA_DIR"] = str(tmp_path_factory.mktemp("forethought"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of the data sets that lie beside the checkout (not all are ours to ship)."""
    folder = Path(os.environ.get("FORETHOUGHT_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        is_missing(
            f"there are no data sets in {folder}: name their folder in FORETHOUGHT_TEST_DATA"
        )
    return folder


@pytest.fixture(scope="session")
def model_file() -> Path:
    """GGUF file of the small chat model that the live test serves."""
    file = os.environ.get("FORETHOUGHT_TEST_GGUF", "")
    if not file:
        is_missing(
            "no model to serve: `make live` fetches it and names it in FORETHOUGHT_TEST_GGUF"
        )
    return Path(file)


@pytest.fixture(scope="session")
def own_neo4j(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Neo4j started here, which a test may kill and start again (`Server.down`)."""
    from tests.contracts.neo4j_server import missing, neo4j_server

    if lacking := missing():
        is_missing(lacking)
    with neo4j_server(tmp_path_factory.mktemp("neo4j")) as server:
        yield server


@pytest.fixture(scope="session")
def neo4j_address(request: pytest.FixtureRequest) -> Iterator[Address]:
    """A Neo4j: the one that FORETHOUGHT_TEST_NEO4J_URI names, else the one started here."""
    from tests.contracts.neo4j_server import named

    if address := named():
        yield address
        return
    server = request.getfixturevalue("own_neo4j")
    with pytest.MonkeyPatch.context() as environment:
        for name in ("URI", "USER", "PASSWORD"):  # by these, a test's own processes find it, too
            value = getattr(server.address, name.lower())
            environment.setenv(f"FORETHOUGHT_TEST_NEO4J_{name}", value)
        yield server.address


def is_missing(what: str) -> NoReturn:
    """Skip; but fail where all that the tests need is promised to be there, as in CI."""
    if os.environ.get("FORETHOUGHT_TEST_REQUIRE_ALL"):
        pytest.fail(what)
    pytest.skip(what)
