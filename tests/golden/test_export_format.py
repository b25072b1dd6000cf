"""What docs/EXPORT.md shows is a file that can be imported, as `export` would write it."""

from __future__ import annotations

import re
from typing import get_args

from forethought.memory.exchange import lines
from forethought.memory.exchange.reading import contents_of
from forethought.memory.exchange.writing import lines_of
from tests.conftest import ROOT

DOCUMENT = (ROOT / "docs" / "EXPORT.md").read_text("utf-8")


def test_the_example_is_an_export() -> None:
    (example,) = re.findall(r"```jsonl\n(.*?)```", DOCUMENT, re.DOTALL)
    contents = contents_of(example.encode().splitlines(keepends=True), name="docs/EXPORT.md")
    assert b"".join(lines_of(contents)).decode() == example


def test_every_field_of_every_line_is_described() -> None:
    table = "\n".join(line for line in DOCUMENT.splitlines() if line.startswith("|"))
    for line in get_args(lines.Following):
        for name in line.model_fields.keys() - {"type"}:
            assert f"`{name}`" in table, name
