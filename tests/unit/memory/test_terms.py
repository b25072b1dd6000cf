"""What of the Neo4j adapter needs no server: its terms, and that its driver is imported late."""

from __future__ import annotations

import subprocess
import sys

import pytest

from forethought.memory.terms import terms
from tests.conftest import ROOT

_TERM_LIMIT = 255  # characters, at which Lucene's whitespace tokenizer cuts a word in two


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who runs marathons?", ["who", "run", "marathon"]),
        ("not AND or", ["not", "and", "or"]),
        ("乌龙茶", ["乌龙", "龙茶"]),
        ('"tea" +words:(x) ~2 \x00', ["tea", "word", "x", "2"]),
        ("Jamón 🥨", ["jamon", "🥨"]),
        ("?!…", []),
    ],
)
def test_terms_are_words_without_endings(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_a_word_of_any_length_is_one_term_that_lucene_keeps_whole() -> None:
    (one,), (other,) = terms("a" * 100_000), terms("a" * 99_999)
    assert one != other
    assert len(one) < _TERM_LIMIT


def test_the_driver_is_imported_when_the_adapter_is_asked_for() -> None:
    script = (
        "import sys, forethought.memory.records.neo4j as adapter\n"
        "assert 'neo4j' not in sys.modules\n"
        "adapter.Neo4jRecords\n"
        "assert 'neo4j' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
    with pytest.raises(ImportError):
        from forethought.memory.records.neo4j import Nothing  # noqa: F401 that is the test
