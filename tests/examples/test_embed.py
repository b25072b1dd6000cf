"""The script that embeds the agent, run as it stands."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.flows.scripted import WordCounts


def test_the_script_prints_a_cited_answer_and_the_opinion_formed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # where no .env lies
    monkeypatch.setattr("forethought.graphs.app.open_embedder", lambda settings: WordCounts())
    runpy.run_path(str(ROOT / "examples" / "embed.py"), run_name="__main__")
    question, answer, *cited, opinion = capsys.readouterr().out.splitlines()
    assert question.endswith("in R or in Python?")
    assert [fact[:15] in answer for fact in cited] == [True] * 3
    assert opinion.startswith("I now think (0.75): Python is the better choice")
