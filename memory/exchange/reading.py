"""From the lines of a file to the contents of a bank: all of them, or an error that names one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError

from forethought.memory.beliefs.profile import Disposition, Profile
from forethought.memory.beliefs.types import Observation, Opinion, Step
from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.errors import InvalidInput
from forethought.memory.exchange.headers import (
    EARLIER,
    FORMAT,
    VERSION,
    Header,
    Mark,
    ProfilePart,
    as_now,
)
from forethought.memory.exchange.lines import (
    AnyLine,
    Belief,
    CommitmentLine,
    DimensionsPart,
    EntityLine,
    FactLine,
    Following,
    LinkLine,
    MentionLine,
    ObservationPart,
    OpinionLine,
    SessionLine,
    SubjectLine,
    Tie,
    TombstoneLine,
)
from forethought.memory.ledger.types import Commitment, CommitmentCue
from forethought.memory.records.contents import Contents
from forethought.memory.records.flaws import flaws, link_name, mention_name
from forethought.memory.records.uses import Use
from forethought.memory.types import Cue, Entity, Fact, Link, Mention, Session, Source, Turn

_LINE: TypeAdapter[Following] = TypeAdapter(AnyLine)
_BOM = b"\xef\xbb\xbf"


def contents_of(lines: Iterable[bytes], *, name: str) -> Contents:
    """The bank that a file called `name` holds.

    Raises InvalidInput with the first line that is damaged, contradicts another or is missing.
    """
    reader = _Reader(name)
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(_BOM) if number == 1 else line
        if reader.header is None:
            reader.header = reader.first(text)
        elif text.strip():
            reader.add(number, text)
    return reader.contents()


@dataclass(slots=True)
class _Reader:
    name: str
    header: Header | None = None
    sessions: list[Session] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    cues: list[Cue] = field(default_factory=list)
    tombstones: list[str] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    opinions: list[Opinion] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    commitments: list[Commitment] = field(default_factory=list)
    reminders: list[CommitmentCue] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    places: dict[tuple[str, str], int] = field(default_factory=dict)

    def first(self, text: bytes) -> Header:
        expected = f"the first line of an export of Forethought, format {FORMAT!r}, was expected"
        try:
            version = Mark.model_validate_json(text).version
        except ValidationError as error:
            raise self._damaged(1, f"{_said(error)}; {expected}") from None
        if version > VERSION:
            raise self._damaged(
                1, f"this is version {version} of the format, by a newer Forethought; version "
                f"{VERSION} was expected: upgrade Forethought"
            )  # fmt: skip
        try:
            if version in EARLIER:
                return as_now(EARLIER[version].model_validate_json(text))
            return Header.model_validate_json(text)
        except ValidationError as error:
            raise self._damaged(1, f"{_said(error)}; {expected}") from None

    def add(self, number: int, text: bytes) -> None:
        try:
            line = _LINE.validate_json(text, strict=True)
        except ValidationError as error:
            raise self._damaged(
                number,
                f"{_said(error)}; a session, fact, entity, mention, link, opinion, subject, "
                "commitment or tombstone was expected",
            ) from None
        assert self.header is not None
        match line:
            case SessionLine():
                self._place("session", line.id, number)
                self._session(line, self.header.bank)
            case FactLine():
                self._place("fact", line.id, number)
                self._fact(line, self.header.bank)
            case TombstoneLine():
                self._place("tombstone", line.mark, number)
                self.tombstones.append(line.mark)
            case CommitmentLine():
                self._place("commitment", line.id, number)
                self._commitment(line, self.header.bank)
            case OpinionLine() | SubjectLine():
                self._believe(line, number, self.header.bank)
            case _:
                self._tie(line, number)

    def _believe(self, line: Belief, number: int, bank: str) -> None:
        if isinstance(line, OpinionLine):
            self._place("opinion", line.id, number)
            self.opinions.append(_opinion(line, bank))
            return
        self._place("subject", line.id, number)
        for part in line.observations:
            self.places.setdefault(("observation", part.id), number)
            self.observations.append(_observation(part, line.id, bank))

    def _tie(self, line: Tie, number: int) -> None:
        assert self.header is not None
        match line:
            case EntityLine():
                self._place("entity", line.id, number)
                self.entities.append(_entity(line, self.header.bank))
            case MentionLine():
                mention = Mention(line.fact, line.entity)
                self._place("mention", mention_name(mention), number)
                self.mentions.append(mention)
            case LinkLine():
                link = Link(line.source, line.target, line.kind, line.weight)
                self._place("link", link_name(link), number)
                self.links.append(link)

    def contents(self) -> Contents:
        """All that was added, in order and found to be whole."""
        if self.header is None:
            raise self._damaged(1, f"the file is empty; an export, format {FORMAT!r}, was expected")
        contents = Contents(
            self.header.bank,
            tuple(self.sessions),
            tuple(self.turns),
            tuple(self.facts),
            tuple(self.cues),
            tuple(self.tombstones),
            tuple(self.entities),
            tuple(self.mentions),
            tuple(self.links),
            tuple(self.opinions),
            tuple(self.observations),
            tuple(self.commitments),
            tuple(self.reminders),
            tuple(self.uses),
            _profile(self.header.profile),
        ).ordered()
        for what, expected in self.header.counts.model_dump().items():
            if (there := contents.counts[what]) != expected:
                raise self._damaged(
                    1, f"{expected} {what} were expected by these counts, and {there} follow: the "
                    "file was cut short or changed"
                )  # fmt: skip
        for flaw in flaws(contents):
            raise self._damaged(
                self.places.get((flaw.sort, flaw.id), 1),
                f"the {flaw.sort} {flaw.id!r} {flaw.says}; a bank in one piece was expected",
            )
        return contents

    def _place(self, sort: str, id: str, number: int) -> None:
        first = self.places.setdefault((sort, id), number)
        if first != number:
            raise self._damaged(
                number, f"the {sort} {id!r} stands in line {first} too; each was expected once"
            )

    def _session(self, line: SessionLine, bank: str) -> None:
        count = len(line.turns)
        self.sessions.append(
            Session(line.id, bank, line.key, line.date, count, line.extracted, line.error)
        )
        self.turns += [
            Turn(turn.id, line.id, position, turn.role, turn.text, turn.name)
            for position, turn in enumerate(line.turns)
        ]

    def _fact(self, line: FactLine, bank: str) -> None:
        self.facts.append(
            Fact(
                id=line.id,
                bank=bank,
                text=line.text,
                kind=line.kind,
                date=line.date,
                network=line.network,
                occurred_from=line.occurred_from,
                occurred_to=line.occurred_to,
                entities=line.entities,
                sources=tuple(Source(source.session, source.turns) for source in line.sources),
                frequency=max(1, len(line.sources)),
                until=line.until,
                successor=line.successor,
                succession=line.succession,
                foreseen=line.foreseen,
                dimensions=_dimensions(line.dimensions),
            )
        )
        self.cues += [Cue(line.id, cue.position, cue.text, cue.learned) for cue in line.cues]
        self.uses += [Use(line.id, day) for day in line.uses]

    def _commitment(self, line: CommitmentLine, bank: str) -> None:
        fields = line.model_dump(exclude={"type", "source", "cues"})
        at = line.source
        source = None if at is None else Source(at.session, at.turns)
        self.commitments.append(Commitment(**fields, bank=bank, source=source))
        self.reminders += [CommitmentCue(line.id, cue.position, cue.text) for cue in line.cues]

    def _damaged(self, number: int, what: str) -> InvalidInput:
        return InvalidInput(f"{self.name}, line {number}: {what}. Nothing was imported")


def _dimensions(part: DimensionsPart | None) -> Dimensions:
    return UNSAID if part is None else Dimensions(part.tense, part.subjectivity, part.certainty)


def _profile(part: ProfilePart | None) -> Profile | None:
    if part is None:
        return None
    disposition = Disposition(part.skepticism, part.literalism, part.empathy, part.bias)
    return Profile(part.name, disposition, part.background)


def _entity(line: EntityLine, bank: str) -> Entity:
    return Entity(
        id=line.id,
        bank=bank,
        name=line.name,
        kind=line.kind,
        first=line.first,
        last=line.last,
        into=line.into,
        joined_by=line.joined_by,
    )


def _opinion(line: OpinionLine, bank: str) -> Opinion:
    fields = line.model_dump(exclude={"type", "steps"})
    return Opinion(**fields, bank=bank, steps=tuple(Step(**dict(step)) for step in line.steps))


def _observation(part: ObservationPart, subject: str, bank: str) -> Observation:
    return Observation(**part.model_dump(), subject=subject, bank=bank)


def _said(error: ValidationError) -> str:
    """Where in the line, and what is wrong; never the text that stands there."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(step) for step in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]
