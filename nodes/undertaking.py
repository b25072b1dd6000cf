"""From what a model wrote of commitments to those that are kept, and what settles open ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as Day
from datetime import datetime
from typing import Any

from forethought.memory.ledger.types import OUTCOMES, Commitment, Settlement, named
from forethought.memory.records.port import Records
from forethought.memory.times.resolving import resolved
from forethought.memory.types import Source
from forethought.memory.words import words
from forethought.nodes.labels import fact_named, labelled
from forethought.prompts.extract import SaidCommitment, SaidSettlement

_NAMED = 80  # characters of an action in a note


@dataclass(frozen=True, slots=True)
class Reading:
    """The stretch that was read: `turns` as (id, role), `open` ids of the commitments shown."""

    bank: str
    session: str
    date: datetime
    turns: Sequence[Sequence[str]]
    open: Sequence[str]


@dataclass(frozen=True, slots=True)
class Undertaken:
    """What was made and what was settled; `notes` name whatever was dropped."""

    made: tuple[Commitment, ...]
    settled: tuple[Settlement, ...]
    notes: list[str]


async def undertaken(
    said: Mapping[str, Any], reading: Reading, facts: Mapping[str, str], *, records: Records
) -> Undertaken:
    """Check every label and day; `facts` are the ids of facts by their labels.

    One that was made before, and is closed by now, is made anew: it has another id then.
    """
    notes: list[str] = []
    made: dict[str, Commitment] = {}
    for data in said.get("commitments", ()):
        one = await _made(SaidCommitment.model_validate(data), reading, facts, notes)
        if one is not None:
            made.setdefault(one.id, one)
    settled = _settled(said.get("settled", ()), reading, notes)
    known = await records.commitments(reading.bank, list(made)) if made else []
    closed = {one.id for one in known if one.status != "open"}
    fresh = [_again(one) if one.id in closed else one for one in made.values()]
    return Undertaken(tuple(fresh), settled, notes)


async def _made(
    said: SaidCommitment, reading: Reading, facts: Mapping[str, str], notes: list[str]
) -> Commitment | None:
    turn = labelled(said.turn or "", "T", reading.turns)
    if turn is None or not words(said.action):
        why = "no turn says it" if turn is None else "it says nothing"
        notes.append(f"commitment dropped, {why}: {said.action[:_NAMED]}")
        return None
    due = await _day(said, reading, notes)
    concerned = {label: fact_named(label, facts) for label in said.facts}
    unknown = [label for label, fact in concerned.items() if fact is None]
    if unknown:
        notes.append(f"commitment without {', '.join(unknown)}, no facts: {said.action[:_NAMED]}")
    return Commitment(
        named(reading.bank, said.action, due=due, condition=said.condition),
        reading.bank,
        said.action,
        reading.date,
        condition=said.condition,
        due=due,
        source=Source(reading.session, (turn[0],)),
        facts=tuple(dict.fromkeys(fact for fact in concerned.values() if fact is not None)),
    )


async def _day(said: SaidCommitment, reading: Reading, notes: list[str]) -> Day | None:
    """The first day of what is said, counted from the day of the session."""
    if said.due is None:
        return None
    # dateparser loads its languages on first use: half a second that must not block the loop
    days = await asyncio.to_thread(resolved, said.due, on=reading.date, ahead=True)
    if days is None:
        notes.append(f"commitment without a day, {said.due!r} is none: {said.action[:_NAMED]}")
    return days[0] if days else None


def _again(one: Commitment) -> Commitment:
    session = one.source.session if one.source else ""
    id = named(one.bank, one.action, due=one.due, condition=one.condition, apart=session)
    return replace(one, id=id)


def _settled(said: Iterable[Any], reading: Reading, notes: list[str]) -> tuple[Settlement, ...]:
    """The first that is said of each open commitment."""
    found: dict[str, Settlement] = {}
    for data in said:
        one = SaidSettlement.model_validate(data)
        commitment = labelled(one.of or "", "C", reading.open)
        turn = labelled(one.turn or "", "T", reading.turns)
        outcome = next((known for known in OUTCOMES if known == one.outcome), None)
        if commitment is None or turn is None or outcome is None:
            what = f"{one.of or 'nothing'} {one.outcome or 'somehow'} by {one.turn or 'no turn'}"
            notes.append(f"settlement dropped, it closes no open commitment: {what}")
        else:
            settlement = Settlement(commitment, outcome, reading.date, turn[0])
            found.setdefault(commitment, settlement)
    return tuple(found.values())
