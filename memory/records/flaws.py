"""Where the contents of a bank contradict themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from forethought.memory.beliefs.types import Observation, Opinion
from forethought.memory.errors import InvalidInput
from forethought.memory.ids import same_text
from forethought.memory.ledger.types import Commitment
from forethought.memory.records.contents import Contents
from forethought.memory.records.held import confidences, evidence
from forethought.memory.records.ties import directed
from forethought.memory.records.uses import Use
from forethought.memory.types import LEARNED, Entity, Fact, Link, Mention, Session

_Owned = Session | Fact | Entity | Opinion | Observation | Commitment


@dataclass(frozen=True, slots=True)
class Flaw:
    """What cannot be: a session or a fact, say, its id, and what is wrong with it."""

    sort: str
    id: str
    says: str


def check_whole(contents: Contents) -> None:
    """Raise InvalidInput where the contents contradict themselves."""
    for flaw in flaws(contents):
        raise InvalidInput(f"bank {contents.bank!r}: the {flaw.sort} {flaw.id!r} {flaw.says}")


def flaws(contents: Contents) -> Iterator[Flaw]:
    """Everything in the contents that no sequence of retains and forgets leads to."""
    yield from _identity_flaws(contents)
    yield from _session_flaws(contents)
    yield from _fact_flaws(contents)
    yield from _version_flaws(contents)
    yield from _cue_flaws(contents)
    yield from _entity_flaws(contents)
    yield from _mention_flaws(contents)
    yield from _link_flaws(contents)
    yield from _opinion_flaws(contents)
    yield from _observation_flaws(contents)
    yield from _commitment_flaws(contents)
    yield from _reminder_flaws(contents)
    yield from _use_flaws(contents)


def _identity_flaws(contents: Contents) -> Iterator[Flaw]:
    """What is there twice, or is of another bank."""
    sorts: dict[str, Sequence[_Owned]] = {
        "session": contents.sessions,
        "fact": contents.facts,
        "entity": contents.entities,
        "opinion": contents.opinions,
        "observation": contents.observations,
        "commitment": contents.commitments,
    }
    for sort, items in sorts.items():
        seen: set[str] = set()
        for one in items:
            if one.id in seen:
                yield Flaw(sort, one.id, "is there twice")
            if one.bank != contents.bank:
                yield Flaw(sort, one.id, f"is of another bank, {one.bank!r}")
            seen.add(one.id)


def _session_flaws(contents: Contents) -> Iterator[Flaw]:
    positions: dict[str, list[int]] = {}
    for turn in contents.turns:
        positions.setdefault(turn.session, []).append(turn.position)
    for session in contents.sessions:
        if sorted(positions.pop(session.id, [])) != list(range(session.turns)):
            yield Flaw("session", session.id, f"has not the {session.turns} turns that it counts")
        if not 0 <= session.extracted <= session.turns:
            yield Flaw("session", session.id, "has more turns extracted than it has turns")
    for unknown in positions:
        yield Flaw("session", unknown, "has turns but is not there")


def _fact_flaws(contents: Contents) -> Iterator[Flaw]:
    sessions = {session.id for session in contents.sessions}
    holding: dict[str, str] = {}
    for fact in contents.facts:
        said_in = [source.session for source in fact.sources]
        for unknown in set(said_in) - sessions:
            yield Flaw("fact", fact.id, f"was said in a session that is not there, {unknown!r}")
        if len(set(said_in)) < len(said_in):
            yield Flaw("fact", fact.id, "names one session as its source twice")
        if any(len(set(source.turns)) < len(source.turns) for source in fact.sources):
            yield Flaw("fact", fact.id, "names one turn as its source twice")
        if fact.until is None:
            first = holding.setdefault(same_text(fact.text), fact.id)
            if first != fact.id:
                yield Flaw("fact", fact.id, f"holds, and so does {first!r}, which says the same")


def _version_flaws(contents: Contents) -> Iterator[Flaw]:
    successors = {fact.id: fact.successor for fact in contents.facts}
    for fact in contents.facts:
        if len({fact.until is None, fact.successor is None, fact.succession is None}) > 1:
            yield Flaw("fact", fact.id, "has not all or none of until, successor and succession")
        if fact.successor is not None and fact.successor not in successors:
            yield Flaw("fact", fact.id, f"has a successor that is not there, {fact.successor!r}")
    for fact_id in _circling(successors):
        yield Flaw("fact", fact_id, "succeeds itself, by way of its successors")


def _circling(steps: Mapping[str, str | None]) -> Iterator[str]:
    """Those from which the steps come to no end, one for each circle and each way into it."""
    ending: set[str] = set()  # those from which they are known to come to an end, or were told
    for start in steps:
        path: dict[str, None] = {}
        step: str | None = start
        while step is not None and step not in ending and step not in path:
            path[step] = None
            step = steps.get(step)
        if step in path:
            yield start
        ending.update(path)


def _cue_flaws(contents: Contents) -> Iterator[Flaw]:
    facts = {fact.id for fact in contents.facts}
    seen: set[tuple[str, int]] = set()
    for cue in contents.cues:
        if cue.fact not in facts:
            yield Flaw("fact", cue.fact, "has cues but is not there")
        if (cue.fact, cue.position) in seen:
            yield Flaw("fact", cue.fact, f"has two cues at position {cue.position}")
        if (cue.position < LEARNED) is not (cue.learned is None):
            which = "an imagined" if cue.learned is None else "a learned"
            yield Flaw("fact", cue.fact, f"has {which} cue at position {cue.position}")
        seen.add((cue.fact, cue.position))


def _entity_flaws(contents: Contents) -> Iterator[Flaw]:
    joinings = {entity.id: entity.into for entity in contents.entities}
    mentioned = {mention.entity for mention in contents.mentions}
    for entity in contents.entities:
        if entity.id not in mentioned:
            yield Flaw("entity", entity.id, "is mentioned by no fact")
        if entity.first > entity.last:
            yield Flaw("entity", entity.id, "was first mentioned after it was last mentioned")
        if entity.into is not None and entity.into not in joinings:
            yield Flaw("entity", entity.id, f"is joined to one that is not there, {entity.into!r}")
        if entity.into is not None and entity.joined_by is None:
            yield Flaw("entity", entity.id, "is joined to another by nobody")
    for entity_id in _circling(joinings):
        yield Flaw("entity", entity_id, "is joined to itself, by way of what it is joined to")


def _mention_flaws(contents: Contents) -> Iterator[Flaw]:
    facts = {fact.id for fact in contents.facts}
    entities = {entity.id for entity in contents.entities}
    seen: set[Mention] = set()
    for mention in contents.mentions:
        if mention.fact not in facts:
            yield Flaw("mention", mention_name(mention), "is by a fact that is not there")
        if mention.entity not in entities:
            yield Flaw("mention", mention_name(mention), "is of an entity that is not there")
        if mention in seen:
            yield Flaw("mention", mention_name(mention), "is there twice")
        seen.add(mention)


def _link_flaws(contents: Contents) -> Iterator[Flaw]:
    facts = {fact.id for fact in contents.facts}
    seen: set[str] = set()
    for link in contents.links:
        name = link_name(link)
        if not {link.source, link.target} <= facts:
            yield Flaw("link", name, "is from or to a fact that is not there")
        if link.source == link.target:
            yield Flaw("link", name, "is from a fact to itself")
        if not 0 <= link.weight <= 1:  # nor is NaN
            yield Flaw("link", name, "has a weight outside 0 to 1")
        if link != directed(link):
            yield Flaw("link", name, "has no direction and is not from the smaller id")
        if name in seen:
            yield Flaw("link", name, "is there twice")
        seen.add(name)


def _opinion_flaws(contents: Contents) -> Iterator[Flaw]:
    facts = {fact.id for fact in contents.facts}
    for opinion in contents.opinions:
        for unknown in evidence(opinion) - facts:
            yield Flaw("opinion", opinion.id, f"is from a fact that is not there, {unknown!r}")
        if not all(0 <= sure <= 1 for sure in confidences(opinion)):  # nor is NaN
            yield Flaw("opinion", opinion.id, "has a confidence outside 0 to 1")


def _observation_flaws(contents: Contents) -> Iterator[Flaw]:
    facts = {fact.id for fact in contents.facts}
    entities = {entity.id for entity in contents.entities}
    for one in contents.observations:
        for unknown in set(one.facts) - facts:
            yield Flaw("observation", one.id, f"is from a fact that is not there, {unknown!r}")
        if one.about == "entity" and one.subject not in entities:
            yield Flaw("observation", one.id, "is about an entity that is not there")


def _commitment_flaws(contents: Contents) -> Iterator[Flaw]:
    facts = {fact.id for fact in contents.facts}
    sessions = {session.id for session in contents.sessions}
    for one in contents.commitments:
        for unknown in set(one.facts) - facts:
            yield Flaw("commitment", one.id, f"concerns a fact that is not there, {unknown!r}")
        if one.source is not None and one.source.session not in sessions:
            said_in = one.source.session
            yield Flaw("commitment", one.id, f"was made in a session not there, {said_in!r}")
        if (one.status == "open") is not (one.closed is None):
            yield Flaw("commitment", one.id, "is open and was closed, or neither")
        if one.closed_by is not None and one.closed is None:
            yield Flaw("commitment", one.id, "was closed by a turn, and is open")
        if one.closed is not None and one.closed < one.made:
            yield Flaw("commitment", one.id, "was closed before it was made")


def _reminder_flaws(contents: Contents) -> Iterator[Flaw]:
    commitments = {one.id for one in contents.commitments}
    seen: set[str] = set()
    for cue in contents.reminders:
        if cue.commitment not in commitments:
            yield Flaw("commitment", cue.commitment, "has cues but is not there")
        if cue.id in seen:
            yield Flaw("commitment", cue.commitment, f"has two cues at position {cue.position}")
        seen.add(cue.id)


def _use_flaws(contents: Contents) -> Iterator[Flaw]:
    facts = {fact.id for fact in contents.facts}
    seen: set[Use] = set()
    for use in contents.uses:
        if use.fact not in facts:
            yield Flaw("fact", use.fact, "was used but is not there")
        if use in seen:
            yield Flaw("fact", use.fact, f"was used twice on {use.on}")
        seen.add(use)


def mention_name(mention: Mention) -> str:
    """What a `Flaw` calls a mention, which has no id of its own."""
    return f"{mention.fact} of {mention.entity}"


def link_name(link: Link) -> str:
    """What a `Flaw` calls a link, which has no id of its own."""
    return f"{link.source} {link.kind} {link.target}"
