from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from forethought.evals.data import GivenFact
from forethought.evals.matching import NEAR, standing
from forethought.memory.embedding import Thresholds, Vectors
from forethought.memory.types import Fact

VECTORS = {
    "Has a cat": (1.0, 0.0),
    "Owns a cat": (NEAR + 0.01, (1 - (NEAR + 0.01) ** 2) ** 0.5),
    "Has a dog": (NEAR - 0.01, (1 - (NEAR - 0.01) ** 2) ** 0.5),
}


class Planar:
    name = "test:planar"
    thresholds = Thresholds(probe=0.2, strict=0.5, subject=0.3)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([VECTORS[text] for text in texts], dtype=np.float32)


def stored(name: str, text: str) -> Fact:
    return Fact(name, "u1", text, "Identity", datetime(2025, 1, 1, tzinfo=UTC))


async def test_an_id_stands_for_the_fact_of_that_text_and_nothing_near_it() -> None:
    date = datetime(2025, 1, 1, tzinfo=UTC)
    given = [GivenFact(id="f1", info="Has a cat.", type="Identity", session_id="s", date=date)]
    facts = [stored("a", "Has a cat"), stored("b", "Owns a cat")]
    assert await standing(["f1"], facts, given, Planar()) == [{"a"}]


async def test_an_extracted_fact_stands_for_what_it_equals_or_is_near_to() -> None:
    facts = [stored("a", "Has a cat"), stored("b", "Owns a cat"), stored("c", "Has a dog")]
    references = [("2025-01-01", "Has a cat")]
    assert await standing(references, facts, [], Planar()) == [{"a", "b"}]


async def test_nothing_stands_for_a_reference_in_an_empty_bank() -> None:
    assert await standing([("2025-01-01", "Has a cat")], [], [], Planar()) == [frozenset()]
