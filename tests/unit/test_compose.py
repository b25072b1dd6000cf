"""The servers of compose.yaml are those that the code, the tests and the README speak of."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from forethought.graphs.settings import Settings
from tests.conftest import ROOT
from tests.contracts import neo4j_server

TEXT = (ROOT / "compose.yaml").read_text("utf-8")
SERVICES: dict[str, Any] = yaml.safe_load(TEXT)["services"]
URLS = {"chroma": "FORETHOUGHT_CHROMA_URL", "neo4j": "FORETHOUGHT_NEO4J_URI"}


def test_the_chroma_server_has_the_version_of_the_client() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))
    (locked,) = [one["version"] for one in lock["package"] if one["name"] == "chromadb"]
    assert SERVICES["chroma"]["image"] == f"chromadb/chroma:{locked}"
    assert version("chromadb") == locked, "install what uv.lock says"


def test_the_neo4j_server_is_of_the_release_that_the_tests_start() -> None:
    release = neo4j_server.VERSION.rpartition(".")[0]
    assert SERVICES["neo4j"]["image"] == f"neo4j:{release}-community"


@pytest.mark.parametrize("file", ["README.md", ".env.example"])
@pytest.mark.parametrize("service", URLS)
def test_each_server_is_where_the_documentation_says(service: str, file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    (url,) = set(re.findall(rf"{URLS[service]}=(\w+://\S+)", text))
    ports = SERVICES[service]["ports"]
    assert [port.rpartition(":")[0] for port in ports] == [urlsplit(url).netloc]


@pytest.mark.parametrize("service", SERVICES)
def test_each_server_is_of_this_machine_alone_keeps_its_data_and_says_whether_it_is_well(
    service: str,
) -> None:
    told = SERVICES[service]
    assert all(port.startswith("127.0.0.1:") for port in told["ports"])
    assert [place.partition(":")[0] for place in told["volumes"]] == [service]
    assert service in yaml.safe_load(TEXT)["volumes"]
    assert {"test", "interval", "timeout", "retries"} <= told["healthcheck"].keys()


def test_the_password_is_taken_from_the_setting_and_must_be_there() -> None:
    named = set(re.findall(r"\$\{FORETHOUGHT_(\w+)", TEXT))
    assert {name.lower() for name in named} == {"neo4j_password"} <= Settings.model_fields.keys()
    assert SERVICES["neo4j"]["environment"]["NEO4J_AUTH"].startswith(
        f"{Settings.model_fields['neo4j_user'].default}/${{FORETHOUGHT_NEO4J_PASSWORD:?"
    )


def test_no_server_reports_home() -> None:
    assert SERVICES["chroma"]["environment"]["ANONYMIZED_TELEMETRY"] == "False"
    settings = {
        _setting(name): value
        for name, value in SERVICES["neo4j"]["environment"].items()
        if name != "NEO4J_AUTH"
    }
    assert settings["dbms.usage_report.enabled"] == "false"
    tried = dict(line.split("=", 1) for line in neo4j_server.CONF.splitlines())
    sized = {name for name in settings if name.startswith("server.memory.")}  # tests need less
    told = {name: value for name, value in settings.items() if name not in sized}
    assert told.items() <= tried.items(), "a server of the tests was started with each of them"
    assert {name for name in tried if "cypher" in name} <= told.keys(), "what planning costs"
    assert sized == {
        "server.memory.heap.initial_size",
        "server.memory.heap.max_size",
        "server.memory.pagecache.size",
    }


def _setting(variable: str) -> str:
    """As the image reads its environment: one underscore is a full stop, two are one."""
    dotted = variable.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".")
    return dotted.replace("\0", "_")
