"""Commitments with made-up unit vectors, for tests of what fires."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import numpy as np

from forethought.memory.embedding import Vectors
from forethought.memory.ledger.firing import At, Heard, Watched
from forethought.memory.ledger.types import Commitment

MADE = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOW = At(datetime(2026, 3, 10, 12, tzinfo=UTC), date(2026, 3, 10))


def commitment(name: str = "c1", **changes: Any) -> Commitment:
    given: dict[str, Any] = {"id": name, "bank": "b", "action": "reconcile the quote", "made": MADE}
    return Commitment(**(given | changes))


def axis(number: int, rows: int = 1) -> Vectors:
    """So many times the unit vector along one of eight axes."""
    vectors = np.zeros((rows, 8), dtype=np.float32)
    vectors[:, number] = 1
    return vectors


def watched(of: Commitment, *, number: int = 0, cues: int = 12) -> Watched:
    """Watched by cues that all lie along one axis."""
    return Watched(of, tuple(f"cue {n}" for n in range(cues)), axis(number, cues))


def heard(number: int = 0, text: str = "xyzzy") -> Heard:
    return Heard(text, axis(number))
