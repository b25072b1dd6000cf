"""How facts, views, turns and steps read inside a prompt: a line each, so that none fakes another.

Only a turn keeps its own lines, indented: they may be a list, and a label stands at a line's start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from forethought.memory.beliefs.types import Observation, Opinion
from forethought.memory.prospection import Step
from forethought.memory.types import Fact, Said, Turn

_INDENTED = "\n    "
_QUOTED = 1000  # characters of a turn that are shown beside facts: some are whole documents


def today(now: datetime) -> str:
    """The day of `now`, with its weekday: `2025-05-16 (Friday)`."""
    return f"{now:%Y-%m-%d} ({now:%A})"


def fact_lines(
    facts: Sequence[Fact], earlier: Mapping[str, Sequence[Fact]] | None = None
) -> tuple[str, ...]:
    """`[f…] (2024-08-14) text`, with what each one updated: `[until 2024-09-01: old text]`."""
    return tuple(
        f"[{fact.id}] {dated(fact)}{_versions((earlier or {}).get(fact.id, ()))}" for fact in facts
    )


def dated(fact: Fact) -> str:
    """`(2024-08-14) text`, with when it happened where that is another day."""
    said = f"{fact.date:%Y-%m-%d}"
    first, last = fact.occurred_from, fact.occurred_to
    if first is None or last is None or str(first) == str(last) == said:
        return f"({said}) {_on_one_line(fact.text)}"
    when = first if first == last else f"{first} to {last}"
    return f"({said}; when: {when}) {_on_one_line(fact.text)}"


def turn_line(label: str, turn: Turn, text: str) -> str:
    """`[T1] user: text`, or the speaker's name where the log has one."""
    return f"[{label}] {_speaker(turn)}: {_INDENTED.join(text.splitlines())}"


def said_lines(said: Sequence[Said]) -> tuple[str, ...]:
    """`[t…] (2024-08-14) user: text`, a long text cut short."""
    return tuple(f"[{one.turn.id}] {quoted(one)}" for one in said)


def quoted(said: Said) -> str:
    """`(2024-08-14) user: text`, a long text cut short."""
    lines = _INDENTED.join(_cut(said.turn.text).splitlines())
    return f"({said.date:%Y-%m-%d}) {_speaker(said.turn)}: {lines}"


def opinion_lines(opinions: Sequence[Opinion]) -> tuple[str, ...]:
    """`[o…] (confidence 0.70) text`."""
    return tuple(f"[{one.id}] {believed(one)}" for one in opinions)


def believed(opinion: Opinion) -> str:
    """`(confidence 0.70) text`."""
    return f"(confidence {opinion.confidence:.2f}) {_on_one_line(opinion.text)}"


def observation_lines(observations: Sequence[Observation]) -> tuple[str, ...]:
    """`[b…] (2024-08-14 to 2025-01-02) on Ana: text`, with the days that its facts span."""
    return tuple(f"[{one.id}] {_spanned(one)}{_about(one)}" for one in observations)


def message_line(role: str, text: str) -> str:
    """`user: text`, of this conversation, a long text cut short."""
    return f"{role}: {_INDENTED.join(_cut(text).splitlines())}"


def _spanned(observation: Observation) -> str:
    days = (observation.occurred_from, observation.occurred_to)
    named = list(dict.fromkeys(str(day) for day in days if day is not None))
    return f"({' to '.join(named)}) " if named else ""


def _about(observation: Observation) -> str:
    return f"on {_on_one_line(observation.title)}: {_on_one_line(observation.text)}"


def step_lines(steps: Sequence[Step]) -> tuple[str, ...]:
    """`A2 (after A1): action [constraints]`."""
    return tuple(
        f"{step.id}{f' (after {step.parent})' if step.parent else ''}: {step.action}"
        f"{f' [{step.constraints}]' if step.constraints else ''}"
        for step in steps
    )


def _versions(facts: Sequence[Fact]) -> str:
    return "".join(
        f" [until {fact.until:%Y-%m-%d}: {_on_one_line(fact.text)}]" for fact in facts if fact.until
    )


def _speaker(turn: Turn) -> str:
    return _on_one_line(turn.name or "") or turn.role


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]} …"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
