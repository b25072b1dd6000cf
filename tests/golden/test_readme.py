"""What the README shows is what there is: the drawings, the settings, the commands."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import typer

from forethought.graphs.agent import build_agent
from forethought.graphs.app import App
from forethought.graphs.cli import app as command_line
from forethought.graphs.drawing import mermaid
from forethought.graphs.prospect import build_prospect
from forethought.graphs.retain import build_retain
from forethought.graphs.settings import Settings
from tests.conftest import ROOT
from tests.flows.bench import opened

README = (ROOT / "README.md").read_text("utf-8")
BUILDERS: dict[str, Any] = {
    "agent": build_agent,
    "prospect": build_prospect,
    "retain": build_retain,
}


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with opened(tmp_path) as bench:
        yield bench.app


@pytest.mark.parametrize("name", BUILDERS)
def test_each_graph_is_shown_as_langgraph_draws_it(app: App, name: str) -> None:
    drawn = mermaid(BUILDERS[name](app).compile()).strip()
    (shown,) = re.findall(rf"<!-- graph:{name} -->\n(.*?)<!-- /graph -->", README, re.DOTALL)
    assert shown == f"```mermaid\n{drawn}\n```\n"


@pytest.mark.parametrize("file", ["README.md", ".env.example"])
def test_every_setting_is_named_and_no_other(file: str) -> None:
    named = set(re.findall(r"\bFORETHOUGHT_([A-Z0-9_]+)\b", (ROOT / file).read_text("utf-8")))
    assert named == {name.upper() for name in Settings.model_fields}


def test_every_command_in_the_readme_exists() -> None:
    commands = typer.main.get_command(command_line)
    known = set(getattr(commands, "commands", {}))
    named = set(re.findall(r"^forethought (\w+)", README, re.MULTILINE))
    assert named and named <= known
