"""From the contents of a bank to the lines of its file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby

from forethought.memory.beliefs.profile import Profile
from forethought.memory.beliefs.types import Observation, Opinion
from forethought.memory.dimensions import UNSAID
from forethought.memory.exchange.headers import FORMAT, VERSION, Counts, Header, ProfilePart
from forethought.memory.exchange.lines import (
    CommitmentLine,
    CuePart,
    DimensionsPart,
    EntityLine,
    FactLine,
    Line,
    LinkLine,
    MentionLine,
    ObservationPart,
    OpinionLine,
    ReminderPart,
    SessionLine,
    SourcePart,
    SubjectLine,
    TombstoneLine,
    TurnPart,
)
from forethought.memory.ledger.types import Commitment, CommitmentCue
from forethought.memory.records.contents import Contents
from forethought.memory.records.uses import Use
from forethought.memory.types import Cue, Fact, Session, Turn


def lines_of(contents: Contents) -> Iterator[bytes]:
    """The file's lines in UTF-8, each with its end; equal contents give equal bytes."""
    for line in _lines(contents.ordered()):
        yield line.model_dump_json().encode() + b"\n"


def _lines(contents: Contents) -> Iterator[Line]:
    counts = Counts(**contents.counts)
    profile = _profile(contents.profile) if contents.profile else None
    yield Header(format=FORMAT, version=VERSION, bank=contents.bank, counts=counts, profile=profile)
    turns = {
        session: list(said) for session, said in groupby(contents.turns, lambda turn: turn.session)
    }
    for session in contents.sessions:
        yield _session(session, turns.get(session.id, []))
    cues = {fact: list(own) for fact, own in groupby(contents.cues, lambda cue: cue.fact)}
    uses = {fact: list(own) for fact, own in groupby(contents.uses, lambda use: use.fact)}
    for fact in contents.facts:
        yield _fact(fact, cues.get(fact.id, []), uses.get(fact.id, []))
    yield from _ties(contents)
    for opinion in contents.opinions:
        yield _opinion(opinion)
    for subject, observations in groupby(contents.observations, lambda one: one.subject):
        parts = tuple(_observation(one) for one in observations)
        yield SubjectLine(type="subject", id=subject, observations=parts)
    reminders = {
        commitment: list(own)
        for commitment, own in groupby(contents.reminders, lambda cue: cue.commitment)
    }
    for commitment in contents.commitments:
        yield _commitment(commitment, reminders.get(commitment.id, []))
    for mark in contents.tombstones:
        yield TombstoneLine(type="tombstone", mark=mark)


def _profile(profile: Profile) -> ProfilePart:
    disposition = asdict(profile.disposition)
    return ProfilePart(name=profile.name, background=profile.background, **disposition)


def _ties(contents: Contents) -> Iterator[Line]:
    for one in contents.entities:
        yield EntityLine(
            type="entity",
            id=one.id,
            name=one.name,
            kind=one.kind,
            first=one.first,
            last=one.last,
            into=one.into,
            joined_by=one.joined_by,
        )
    for mention in contents.mentions:
        yield MentionLine(type="mention", fact=mention.fact, entity=mention.entity)
    for link in contents.links:
        yield LinkLine(
            type="link",
            source=link.source,
            target=link.target,
            kind=link.kind,
            weight=link.weight,
        )


def _session(session: Session, turns: Sequence[Turn]) -> SessionLine:
    return SessionLine(
        type="session",
        id=session.id,
        key=session.key,
        date=session.date,
        extracted=session.extracted,
        error=session.error,
        turns=tuple(
            TurnPart(id=turn.id, role=turn.role, name=turn.name, text=turn.text) for turn in turns
        ),
    )


def _fact(fact: Fact, cues: Sequence[Cue], uses: Sequence[Use]) -> FactLine:
    said = fact.dimensions != UNSAID
    return FactLine(
        type="fact",
        id=fact.id,
        text=fact.text,
        kind=fact.kind,
        network=fact.network,
        date=fact.date,
        occurred_from=fact.occurred_from,
        occurred_to=fact.occurred_to,
        entities=fact.entities,
        sources=tuple(SourcePart(session=s.session, turns=s.turns) for s in fact.sources),
        until=fact.until,
        successor=fact.successor,
        succession=fact.succession,
        foreseen=fact.foreseen,
        dimensions=DimensionsPart(**asdict(fact.dimensions)) if said else None,
        cues=tuple(
            CuePart(position=cue.position, text=cue.text, learned=cue.learned) for cue in cues
        ),
        uses=tuple(use.on for use in uses),
    )


def _opinion(opinion: Opinion) -> OpinionLine:
    """Its fields are the line's, but for the bank that the first line names."""
    fields = asdict(opinion)
    del fields["bank"]
    return OpinionLine(type="opinion", **fields)


def _observation(observation: Observation) -> ObservationPart:
    fields = asdict(observation)
    del fields["bank"], fields["subject"]
    return ObservationPart(**fields)


def _commitment(commitment: Commitment, cues: Sequence[CommitmentCue]) -> CommitmentLine:
    """As an opinion, with the cues that are its own."""
    fields = asdict(commitment)
    del fields["bank"]
    parts = tuple(ReminderPart(position=cue.position, text=cue.text) for cue in cues)
    return CommitmentLine(type="commitment", **fields, cues=parts)
