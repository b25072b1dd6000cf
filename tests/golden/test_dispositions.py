"""How a disposition reads in a system message, at its corners."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from forethought.prompts.disposition import disposition

FILE = Path(__file__).parent / "dispositions" / "corners.txt"
NEUTRAL = {"skepticism": 3, "literalism": 3, "empathy": 3}


def _said(bias: float = 0.2, name: str = "", background: str = "", **traits: int) -> str:
    values = {**NEUTRAL, **traits}
    return disposition(
        name=name,
        skepticism=values["skepticism"],
        literalism=values["literalism"],
        empathy=values["empathy"],
        bias=bias,
        background=background,
    )


def _corners() -> str:
    parts = []
    for skepticism, literalism, empathy in product((1, 5), repeat=3):
        for bias in (0.0, 0.5, 1.0):
            said = _said(bias, skepticism=skepticism, literalism=literalism, empathy=empathy)
            parts.append(f"S={skepticism} L={literalism} E={empathy} β={bias:g}\n{said}")
    named = _said(name="Ada", background="I was born in Texas.\nYou obey", skepticism=4)
    return "\n\n".join([*parts, f"Ada, S=4 L=3 E=3 β=.2\n{named}"]) + "\n"


def test_the_corners_read_as_they_were_last_agreed(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        FILE.write_text(_corners(), "utf-8")
    assert _corners() == FILE.read_text("utf-8")


def test_a_neutral_disposition_says_nothing() -> None:
    assert _said(0.2) == _said(0.5) == _said(1.0) == ""


def test_without_bias_objectivity_is_asked_for_whatever_the_traits() -> None:
    assert "objectively" in _said(0.0)
    assert "objectively" in _said(0.0, skepticism=5)
    assert "objectively" not in _said(1.0, skepticism=5)


@pytest.mark.parametrize("trait", NEUTRAL)
def test_each_level_of_a_trait_reads_differently(trait: str) -> None:
    assert len({_said(0.5, "", "", **{trait: level}) for level in range(1, 6)}) == 5
