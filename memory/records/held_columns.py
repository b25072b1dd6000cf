"""Opinions and observations as the columns of a store and back, as `columns.py` has the others."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from forethought.memory.beliefs.types import Observation, Opinion, Step
from forethought.memory.records.columns import Columns
from forethought.memory.records.values import day_from, day_text, stamp


def opinion_columns(opinion: Opinion) -> dict[str, str | float]:
    """What is kept of an opinion; its lists are JSON: only its whole is ever read or written."""
    return {
        "id": opinion.id,
        "first": opinion.first,
        "initial": opinion.initial + 0.0,  # -0.0 is 0.0, and 1 is 1.0
        "formed": stamp(opinion.formed, of=f"opinion {opinion.id}"),
        "text": opinion.text,
        "confidence": opinion.confidence + 0.0,
        "entities": _json(opinion.entities),
        "facts": _json(opinion.facts),
        "steps": _json([_step_columns(step) for step in opinion.steps]),
    }


def opinion_of(columns: Columns, *, bank: str) -> Opinion:
    """An opinion of `bank`."""
    return Opinion(
        id=columns["id"],
        bank=bank,
        first=columns["first"],
        initial=columns["initial"],
        formed=datetime.fromisoformat(columns["formed"]),
        text=columns["text"],
        confidence=columns["confidence"],
        entities=tuple(json.loads(columns["entities"])),
        facts=tuple(json.loads(columns["facts"])),
        steps=tuple(_step(*step) for step in json.loads(columns["steps"])),
    )


def observation_columns(observation: Observation) -> dict[str, str | None]:
    """What is kept of an observation, but for its place among those on its subject."""
    return {
        "id": observation.id,
        "subject": observation.subject,
        "about": observation.about,
        "title": observation.title,
        "text": observation.text,
        "facts": _json(observation.facts),
        "made": stamp(observation.made, of=f"observation {observation.id}"),
        "occurred_from": day_text(observation.occurred_from),
        "occurred_to": day_text(observation.occurred_to),
    }


def observation_of(columns: Columns, *, bank: str) -> Observation:
    """An observation of `bank`."""
    return Observation(
        id=columns["id"],
        bank=bank,
        subject=columns["subject"],
        about=columns["about"],
        title=columns["title"],
        text=columns["text"],
        facts=tuple(json.loads(columns["facts"])),
        made=datetime.fromisoformat(columns["made"]),
        occurred_from=day_from(columns["occurred_from"]),
        occurred_to=day_from(columns["occurred_to"]),
    )


def _step_columns(step: Step) -> list[str | float | None]:
    at = stamp(step.at, of="a step")
    return [at, step.verdict, step.before, step.after, step.text, step.fact, step.source]


def _step(at: str, *rest: Any) -> Step:
    return Step(datetime.fromisoformat(at), *rest)


def _json(items: Any) -> str:
    return json.dumps(items, ensure_ascii=False)
