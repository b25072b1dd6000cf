"""Commitments and their cues as the columns of a store and back, as `columns.py` has the others."""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache

from forethought.memory.ledger.types import Commitment, CommitmentCue
from forethought.memory.records.columns import Columns
from forethought.memory.records.values import (
    day_from,
    day_text,
    moment_or_none,
    stamp,
    stamp_or_none,
)
from forethought.memory.types import Source


def commitment_columns(commitment: Commitment) -> dict[str, str | int | None]:
    """What is kept of a commitment; its lists are JSON: only their whole is ever read or written.

    `session` is None, and `turns` an empty list, where it has no source.
    """
    of, source = f"commitment {commitment.id}", commitment.source
    return {
        "id": commitment.id,
        "action": commitment.action,
        "made": stamp(commitment.made, of=of),
        "condition": commitment.condition,
        "due": day_text(commitment.due),
        "status": commitment.status,
        "session": None if source is None else source.session,
        "turns": json.dumps([] if source is None else source.turns, ensure_ascii=False),
        "facts": json.dumps(commitment.facts, ensure_ascii=False),
        "closed": stamp_or_none(commitment.closed, of=of),
        "closed_by": commitment.closed_by,
        "told": day_text(commitment.told),
        "foreseen": int(commitment.foreseen),
    }


def commitment_of(columns: Columns, *, bank: str) -> Commitment:
    """A commitment of `bank`."""
    session, turns = columns["session"], _listed(columns["turns"])
    return Commitment(
        id=columns["id"],
        bank=bank,
        action=columns["action"],
        made=datetime.fromisoformat(columns["made"]),
        condition=columns["condition"],
        due=day_from(columns["due"]),
        status=columns["status"],
        source=None if session is None else Source(session, turns),
        facts=_listed(columns["facts"]),
        closed=moment_or_none(columns["closed"]),
        closed_by=columns["closed_by"],
        told=day_from(columns["told"]),
        foreseen=bool(columns["foreseen"]),
    )


@lru_cache(maxsize=4096)  # the same ledger is read at every turn
def _listed(ids: str) -> tuple[str, ...]:
    return tuple(json.loads(ids))


def reminder_columns(cue: CommitmentCue) -> dict[str, str | int]:
    """What is kept of a cue of a commitment."""
    return {
        "commitment": cue.commitment,
        "position": cue.position,
        "id": cue.id,
        "text": cue.text,
    }


def reminder_of(columns: Columns) -> CommitmentCue:
    """A cue of a commitment."""
    return CommitmentCue(columns["commitment"], columns["position"], columns["text"])
