"""LoCoMo's conversations as banks: their logs, the facts published for them, their questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from forethought.evals.evidence import Sample, Samples
from forethought.evals.reading import read_json
from forethought.memory.conversations import Conversation, spoken
from forethought.memory.errors import InvalidInput
from forethought.memory.formats.files import read

FILE = "locomo10.json"
_ADVERSARIAL = 5  # the category of questions that nothing answers


@dataclass(frozen=True, slots=True)
class Utterance:
    """A turn under its dialogue id ("D1:3"), with what is embedded of it: who said what."""

    id: str
    speaker: str
    text: str

    @property
    def spoken(self) -> str:
        """As `conversations.spoken` gives it."""
        return spoken(self.text, by=self.speaker)


@dataclass(frozen=True, slots=True)
class Observed:
    """A published fact and the dialogue ids of the turns that it was made from."""

    text: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the dialogue ids of the turns that hold its evidence; one or more."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One conversation of many sessions. `sessions` holds the turns of each in order."""

    bank: str
    conversations: tuple[Conversation, ...]
    sessions: tuple[tuple[Utterance, ...], ...]
    observed: tuple[Observed, ...]
    asked: tuple[Asked, ...]

    @property
    def turns(self) -> list[Utterance]:
        """All turns, in order."""
        return [turn for session in self.sessions for turn in session]


def dialogues(path: Path) -> list[Dialogue]:
    """The conversations in LoCoMo's file, or in a folder with it, as `locomo10.json`.

    Of a question's evidence only turns that are there count; a question left without any, and one
    of the adversarial category, is dropped. Raises InvalidInput.
    """
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise InvalidInput(f"{file}: no such file: give LoCoMo's {FILE} with --data")
    samples = read_json(file, Samples)
    talks = read(file, zone=UTC).conversations
    found = [dialogue(sample, talks) for sample in samples]
    if not any(one.asked for one in found):
        raise InvalidInput(f"{file}: has no question whose evidence is among its turns")
    return found


def dialogue(sample: Sample, talks: Sequence[Conversation]) -> Dialogue:
    """The conversation of `sample`, whose sessions are among `talks`."""
    own = tuple(talk for talk in talks if talk.key.rpartition("/")[0] == sample.sample_id)
    sessions = tuple(tuple(_utterances(talk)) for talk in own)
    there = {turn.id for session in sessions for turn in session}
    observed = (Observed(text, turns) for _, text, turns in sample.observations())
    return Dialogue(sample.sample_id, own, sessions, tuple(observed), tuple(_asked(sample, there)))


def _utterances(talk: Conversation) -> Iterator[Utterance]:
    number = talk.key.rpartition("_")[2]
    for position, turn in enumerate(talk.turns, start=1):
        yield Utterance(f"D{number}:{position}", turn.name or "", turn.text)


def _asked(sample: Sample, there: set[str]) -> Iterator[Asked]:
    for item in sample.qa:
        evidence = tuple(turn for turn in item.evidence if turn in there)
        if evidence and item.category != _ADVERSARIAL:
            yield Asked(item.question, evidence)
