"""An imagined future as a tree of steps, made sound whatever the model wrote (PGR §3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from forethought.memory.ids import same_text
from forethought.memory.words import words as words_of

MAX_STEPS = 24  # twice the dozen asked for; more would only dilute the probes

_THINKING = (
    "imagin anticipat think consider plan decid evaluat assess review verif reflect contemplat"
)
BANNED_FIRST_WORDS = frozenset(
    stem + ending for stem in _THINKING.split() for ending in ("", "e", "y", "ing", "ning", "ying")
)
"""Words that make a step about thinking, not about what happens (PGR App. A)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One concrete future step. `parent` is the id of the step it follows from, None for a root."""

    id: str
    action: str
    constraints: str = ""
    parent: str | None = None

    @property
    def probe(self) -> str:
        """The text with which this step searches memory."""
        return f"{self.action}: {self.constraints}" if self.constraints else self.action


@dataclass(frozen=True, slots=True)
class Prospection:
    """Sound steps in the model's order, and what had to be repaired to make them so."""

    steps: tuple[Step, ...]
    repairs: tuple[str, ...] = ()


def repaired(steps: Sequence[Step]) -> Prospection:
    """`steps` as a forest: no doubles, no dangling parents, no cycles, no banned first words.

    Nothing usable gives no steps; the caller then goes on with the request alone.
    """
    repairs: list[str] = []
    sound = _connected(_distinct([_concrete(step, repairs) for step in steps], repairs), repairs)
    if len(sound) > MAX_STEPS:
        repairs.append(f"kept the first {MAX_STEPS} of {len(sound)} steps")
        sound = _connected(sound[:MAX_STEPS], [])
    return Prospection(tuple(sound), tuple(repairs))


def _concrete(step: Step, repairs: list[str]) -> Step:
    words = step.action.split()
    while words and words[0].casefold().strip(".,:;") in BANNED_FIRST_WORDS:
        repairs.append(f"step {step.id}: dropped its first word {words[0]!r}")
        words = words[1:]
    return replace(step, action=" ".join(words), constraints=" ".join(step.constraints.split()))


def _distinct(steps: Sequence[Step], repairs: list[str]) -> list[Step]:
    kept: list[Step] = []
    ids: set[str] = set()
    said: set[str] = set()
    for step in steps:
        text = same_text(step.probe)
        empty = not words_of(step.action)
        if empty or text in said:
            repairs.append(f"step {step.id}: dropped, {'empty' if empty else 'a double'}")
            continue
        name = step.id.strip() or f"A{len(kept) + 1}"
        if name in ids:
            repairs.append(f"step {name}: renamed, its id was taken")
            name = _free(name, ids)
        ids.add(name)
        said.add(text)
        kept.append(replace(step, id=name))
    return kept


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}.{number}" in taken:
        number += 1
    return f"{name}.{number}"


def _connected(steps: Sequence[Step], repairs: list[str]) -> list[Step]:
    parents = {step.id: step.parent for step in steps}
    connected: list[Step] = []
    for step in steps:
        parent = parents[step.id]
        if parent is not None and parent not in parents:
            repairs.append(f"step {step.id}: its parent {parent!r} does not exist")
            parents[step.id] = None
        elif _in_cycle(step.id, parents):
            repairs.append(f"step {step.id}: cut a cycle at it")
            parents[step.id] = None
        connected.append(replace(step, parent=parents[step.id]))
    return connected


def _in_cycle(start: str, parents: dict[str, str | None]) -> bool:
    seen: set[str] = set()
    at = parents[start]
    while at is not None and at not in seen:
        if at == start:
            return True
        seen.add(at)
        at = parents.get(at)
    return False
