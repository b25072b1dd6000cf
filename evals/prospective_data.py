"""Prospective-memory blueprints as they lie on disk: dialogues, triggers, what was extracted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from forethought.evals.reading import Given, read_json, read_lines
from forethought.memory import ids
from forethought.memory.errors import InvalidInput
from forethought.memory.ledger.firing import spelled
from forethought.memory.ledger.types import Commitment, Outcome, close
from forethought.memory.types import Fact

FILE, EXTRACTIONS = "blueprints.json", "extractions.jsonl"

Kind = Literal["dated", "trigger"]
Variant = Literal["clean", "overloaded", "paraphrase"]
VARIANTS: tuple[Variant, ...] = ("clean", "overloaded", "paraphrase")


class Spoken(Given):
    """Something that the user says on a day."""

    date: date
    text: Annotated[str, Field(min_length=1)]


class DialogueTurn(Spoken):
    """A turn of the dialogue before the trigger."""

    id: str


class Constraint(Given):
    """The commitment that one turn states, as the blueprint's author wrote it down."""

    turn: str
    action: str
    kind: Kind
    due: date | None = None
    condition: str | None = None


class Resolution(Spoken):
    """The turn that settles the constraint, put in after another."""

    insert_after: str


class Blueprint(Given):
    """One dialogue, its constraint, and the turns in which that should come to mind."""

    id: str
    turns: Annotated[tuple[DialogueTurn, ...], Field(min_length=1)]
    constraint: Constraint
    trigger: Spoken
    overloaded: Spoken
    paraphrase: Spoken
    resolution: Resolution

    def said(self, variant: Variant) -> Spoken:
        """The turn that should bring the constraint to mind."""
        return {
            "clean": self.trigger,
            "overloaded": self.overloaded,
            "paraphrase": self.paraphrase,
        }[variant]

    def position(self, turn: str) -> int:
        """Place of a turn in the dialogue, from 0. Raises InvalidInput for one that it lacks."""
        for place, candidate in enumerate(self.turns):
            if candidate.id == turn:
                return place
        raise InvalidInput(f"{FILE}: {self.id}: has no turn {turn!r}")


class ExtractedCommitment(Given):
    """One commitment that a model extracted, with imagined later turns."""

    turn: str
    action: str
    kind: Kind
    due: date | None = None
    condition: str | None = None
    cues: tuple[str, ...] = ()


class Settled(Given):
    """What the resolution turn does to a commitment, by its place in the list."""

    commitment: int
    state: Outcome


class Extraction(Given):
    """All that was extracted from one dialogue (`id` is the blueprint's)."""

    id: str
    commitments: tuple[ExtractedCommitment, ...]
    resolution_settles: tuple[Settled, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A commitment in the ledger of one blueprint, with its cues and the place of its turn."""

    commitment: Commitment
    cues: tuple[str, ...]
    place: int


@dataclass(frozen=True, slots=True)
class Case:
    """A blueprint with what a model extracted from it."""

    blueprint: Blueprint
    extraction: Extraction

    @property
    def place(self) -> int:
        """Place of the turn that states the constraint."""
        return self.blueprint.position(self.blueprint.constraint.turn)

    def entries(self, *, resolved: bool = False) -> list[Entry]:
        """What was extracted, open, or with those closed that the resolution settles."""
        found = [self._entry(one) for one in self.extraction.commitments]
        if not resolved:
            return found
        at, said = end_of(self.blueprint.resolution.date), "resolution"
        for settled in self.extraction.resolution_settles:
            entry = found[settled.commitment]
            shut = close(entry.commitment, settled.state, at=at, turn=said)
            found[settled.commitment] = replace(entry, commitment=shut)
        return found

    def oracle(self) -> Commitment:
        """The author's commitment, as the resolution leaves it."""
        given, bank = self.blueprint.constraint, self.blueprint.id
        made = end_of(self.blueprint.turns[self.place].date)
        named = ids.commitment_id(bank, given.action)
        stated = Commitment(named, bank, given.action, made, given.condition, given.due)
        return close(stated, "kept", at=end_of(self.blueprint.resolution.date))

    def facts(self) -> list[Fact]:
        """The dialogue's turns as facts of their own, in order."""
        turns = self.blueprint.turns
        return [
            Fact(turn.id, self.blueprint.id, turn.text, "Event", end_of(turn.date))
            for turn in turns
        ]

    def _entry(self, one: ExtractedCommitment) -> Entry:
        bank, place = self.blueprint.id, self.blueprint.position(one.turn)
        made = end_of(self.blueprint.turns[place].date)
        when = one.condition or str(one.due or "")
        commitment = Commitment(
            ids.commitment_id(bank, one.action, when), bank, one.action, made,
            condition=one.condition, due=one.due, facts=(one.turn,), foreseen=bool(one.cues),
        )  # fmt: skip
        return Entry(commitment, one.cues or spelled(commitment), place)


def end_of(day: date) -> datetime:
    """The last moment of a day: what is said on it is known."""
    return datetime.combine(day, time(23, 59, 59), UTC)


def read_cases(data: Path) -> list[Case]:
    """The blueprints of a folder, or of a file with the extractions beside it.

    Raises InvalidInput for a damaged file, and where a blueprint has no extraction.
    """
    file = data / FILE if data.is_dir() else data
    blueprints = read_json(file, tuple[Blueprint, ...])
    extracted = {one.id: one for one in read_lines(file.parent / EXTRACTIONS, Extraction)}
    return list(_joined(blueprints, extracted, file.parent / EXTRACTIONS))


def _joined(
    blueprints: Sequence[Blueprint], extracted: Mapping[str, Extraction], file: Path
) -> Iterator[Case]:
    if not blueprints:
        raise InvalidInput(f"{file.parent / FILE}: expected at least one blueprint")
    for blueprint in blueprints:
        if (extraction := extracted.get(blueprint.id)) is None:
            raise InvalidInput(f"{file}: has no line for the blueprint {blueprint.id!r}")
        for settled in extraction.resolution_settles:
            if not 0 <= settled.commitment < len(extraction.commitments):
                raise InvalidInput(
                    f"{file}: {blueprint.id}: has no commitment {settled.commitment}"
                )
        yield Case(blueprint, extraction)
