"""Opinions for the tests of what moves them."""

from __future__ import annotations

from typing import Any

from forethought.memory import ids
from forethought.memory.beliefs.types import Opinion
from tests.flows.bench import BANK, NOW, Bench
from tests.flows.scripted import Call, facts_said

PYTHON = "Python is the best general-purpose language for data science"
QUALIFIED = "Python is strong for data science but has trade-offs"
ECOSYSTEM = "Python has the dominant ecosystem in machine learning"
JULIA = "My team moved from Python to Julia because it runs faster"
COFFEE = "I drink coffee in the morning"


def opinion(text: str = PYTHON, sure: float = 0.7, **fields: Any) -> Opinion:
    """An opinion formed with this text."""
    named: dict[str, Any] = {"entities": ("Python",), **fields}
    return Opinion(ids.opinion_id(BANK, text), BANK, text, sure, NOW, text, sure, **named)


async def held(bench: Bench, id: str = "") -> Opinion:
    """The one opinion of the bank, or that with this id."""
    (found,) = await bench.app.records.opinions(BANK, [id] if id else None)
    return found


def python_mentioned(call: Call) -> dict[str, Any]:
    """Each turn of the user is a fact, which mentions Python where it names it."""
    said: dict[str, Any] = facts_said(call)
    for item in said["facts"]:
        if "Python" in item["text"]:
            item["entities"] = [{"name": "Python", "kind": "PRODUCT"}]
    return said
