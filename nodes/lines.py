"""How facts, duties, views, turns and steps read in a prompt: a line each; none fakes another.

Only a turn keeps its own lines, indented: they may be a list, and a label stands at a line's start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date as Day

from forethought.memory.beliefs.types import Observation, Opinion
from forethought.memory.ledger.firing import Firing
from forethought.memory.ledger.types import Commitment
from forethought.memory.prospection import Step
from forethought.memory.types import Fact, Said, Turn

_INDENTED = "\n    "
_QUOTED = 1000  # characters of a turn that are shown beside facts: some are whole documents


def today(now: Day) -> str:
    """The day, or that of a moment, with its weekday: `2025-05-16 (Friday)`."""
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


def profile_lines(observations: Sequence[Observation]) -> tuple[str, ...]:
    """`[b…] text`: what the user is like is of no one day."""
    return tuple(f"[{one.id}] {_on_one_line(one.text)}" for one in observations)


def undertaken(commitment: Commitment) -> str:
    """`(made 2025-03-01; due 2025-03-15; when: the quote has arrived) action`."""
    return f"({'; '.join(_terms(commitment))}) {_on_one_line(commitment.action)}"


def duty_lines(fired: Sequence[Firing], on: Day) -> tuple[str, ...]:
    """`[c…] (made 2025-03-01; due 2025-03-15) action. It comes to mind because …`."""
    return tuple(
        f"[{one.commitment.id}] {undertaken(one.commitment).rstrip('. ')}. "
        f"It comes to mind because {why(one, on)}"
        for one in fired
    )


def why(fired: Firing, on: Day) -> str:
    """Why it comes to mind: its day, as seen from the day `on`, or what was said."""
    due = fired.commitment.due
    if fired.why == "turn" or due is None:
        return "of what was just said"
    days = (due - on).days
    if not days:
        return "its day is today"
    count = f"{abs(days)} day{'s' if abs(days) > 1 else ''}"
    return f"its day is in {count}" if days > 0 else f"its day was {count} ago"


def message_line(role: str, text: str) -> str:
    """`user: text`, of this conversation, a long text cut short."""
    return f"{role}: {_INDENTED.join(_cut(text).splitlines())}"


def _terms(commitment: Commitment) -> list[str]:
    terms = [f"made {commitment.made:%Y-%m-%d}"]
    if commitment.due:
        terms.append(f"due {commitment.due}")
    if commitment.condition:
        terms.append(f"when: {_on_one_line(commitment.condition)}")
    return terms


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
