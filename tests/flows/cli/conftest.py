"""The command line over fresh stores, with a scripted model behind HTTP or with none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.cli.bench import Cli, obedient
from tests.flows.openai_stub import OpenAIStub, openai_stub
from tests.flows.scripted import WordCounts


@pytest.fixture
def stub() -> Iterator[OpenAIStub]:
    with openai_stub(obedient) as stub:
        yield stub


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    """An embedder that needs no loading, in this process."""
    for place in (
        "forethought.graphs.app.open_embedder",
        "forethought.graphs.models.open_embedder",
    ):
        monkeypatch.setattr(place, lambda settings: WordCounts())


@pytest.fixture
def cli(tmp_path: Path, stub: OpenAIStub, words: None, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)  # where no .env lies
    return Cli(tmp_path / "data", stub)


@pytest.fixture
def modelless(cli: Cli) -> Cli:
    """The same data directory, with no model configured."""
    return Cli(cli.directory)
