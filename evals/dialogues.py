"""LoCoMo's conversations as banks: their logs, the facts published for them, their questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from forethought.evals.evidence import Sample, Samples
from forethought.evals.reading import read_json
from forethought.memory import ids
from forethought.memory.conversations import Conversation, spoken
from forethought.memory.errors import InvalidInput
from forethought.memory.formats.files import read
from forethought.memory.records.values import turns_of
from forethought.memory.types import Fact, Source

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
    """A published fact, its session, and the dialogue ids of the turns that it was made from."""

    session: str
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

    def logged(self) -> dict[str, str]:
        """The ids that its turns have in the log, by dialogue id."""
        found: dict[str, str] = {}
        for talk, session in zip(self.conversations, self.sessions, strict=True):
            log = turns_of(talk, ids.session_id(self.bank, talk.name))
            found.update(zip((said.id for said in session), (turn.id for turn in log), strict=True))
        return found

    def facts(self) -> list[Fact]:
        """The published facts as if extracted from their turns, in order. Raises InvalidInput."""
        turns, talks = self.logged(), {talk.key: talk for talk in self.conversations}
        return [self._fact(one, talks, turns) for one in self.observed]

    def _fact(
        self, one: Observed, talks: Mapping[str, Conversation], turns: Mapping[str, str]
    ) -> Fact:
        key = f"{self.bank}/{one.session}"
        if key not in talks:
            raise InvalidInput(f"{FILE}: {self.bank}: facts of {one.session}, but no such session")
        session = ids.session_id(self.bank, key)
        source = Source(session, tuple(turns[turn] for turn in one.turns if turn in turns))
        name = ids.fact_id(self.bank, session, one.text)
        return Fact(name, self.bank, one.text, "Activity", talks[key].date, sources=(source,))


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
    observed = (Observed(*fact) for fact in sample.observations())
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
