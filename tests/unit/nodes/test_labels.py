"""Labels name what was shown, however a model writes them, and nothing beyond it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.nodes.labels import labelled

SHOWN = ["one", "two"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [("F1", "one"), ("[f2]", "two"), ("2", "two"), (" F2. ", "two"), ("(F1):", "one"),
     ("F0", None), ("F3", None), ("O1", None), ("", None), ("F", None), ("F²", None),
     ("F-1", None), ("FF1", None)],
)  # fmt: skip
def test_examples(said: str, meant: str | None) -> None:
    assert labelled(said, "F", SHOWN) == meant


@given(st.text())
def test_any_text_names_something_shown_or_nothing(said: str) -> None:
    assert labelled(said, "F", SHOWN) in {*SHOWN, None}
