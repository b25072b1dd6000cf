"""Banks with an entity graph, made of the data sets by rules: no model, the same each time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import combinations, pairwise
from pathlib import Path

from forethought.evals.dialogues import Dialogue, dialogues
from forethought.evals.memoryquest import Person, read_folder
from forethought.memory import ids
from forethought.memory.conversations import Conversation
from forethought.memory.records.changes import ChangeSet, Replacement
from forethought.memory.types import Entity, Fact, Link, LinkKind, Mention, Source, fact_ids
from forethought.memory.words import words

_NAME = re.compile(r"(?<=[\w,] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
"""Capitals within a sentence; where it begins, any word has one."""

_STRETCHES = 3  # commits of a bank: what is known must meet what is new
_ALIKE = 0.25  # shared words over all words of two facts
_DAY = timedelta(days=1)
_CAUSAL: tuple[LinkKind, ...] = ("causes", "enables", "prevents")


@dataclass(frozen=True, slots=True)
class Graphed:
    """A bank to be kept: its log, its changes in order, and questions with the facts they need."""

    bank: str
    log: tuple[Conversation, ...]
    changes: tuple[ChangeSet, ...]
    asked: tuple[tuple[str, tuple[frozenset[str], ...]], ...]

    @property
    def facts(self) -> list[str]:
        """Ids of all its facts."""
        return [fact.id for change in self.changes for fact in change.facts]


def mini(folder: Path) -> list[Graphed]:
    """The users of the mini set, with the facts and questions of their files."""
    return [_of_person(person) for person in read_folder(folder).people]


def locomo(folder: Path, count: int) -> list[Graphed]:
    """The first conversations of LoCoMo, with the observations published for them as facts."""
    return [_of_dialogue(talk) for talk in dialogues(folder)[:count]]


def _of_person(person: Person) -> Graphed:
    facts = person.facts()
    by_id = dict(zip((one.id for one in person.user.facts), fact_ids(facts), strict=True))
    asked = [
        (text, tuple(frozenset({by_id[str(one)]}) for one in needed))
        for text, needed in (
            *((query.query, query.needed_references) for query in person.user.queries),
            *((lookup.query, lookup.needed_references) for lookup in person.lookups),
        )
    ]
    return _graphed(person.name, person.conversations, facts, asked)


def _of_dialogue(talk: Dialogue) -> Graphed:
    sessions = {one.key.rpartition("_")[2]: one for one in talk.conversations}
    facts: dict[str, Fact] = {}
    made_from: dict[str, set[str]] = {}
    for said in talk.observed:
        number = said.turns[0].partition(":")[0].removeprefix("D")
        session = ids.session_id(talk.bank, sessions[number].key)
        one = Fact(
            id=ids.fact_id(talk.bank, session, said.text),
            bank=talk.bank,
            text=said.text,
            kind="Event",
            date=sessions[number].date,
            sources=(Source(session),),
        )
        facts[one.id] = one
        for turn in said.turns:
            made_from.setdefault(turn, set()).add(one.id)
    asked = [
        (one.text, tuple(frozenset(made_from.get(turn, ())) for turn in one.evidence))
        for one in talk.asked
    ]
    return _graphed(talk.bank, talk.conversations, list(facts.values()), asked)


def _graphed(
    bank: str,
    log: Sequence[Conversation],
    facts: Sequence[Fact],
    asked: Sequence[tuple[str, tuple[frozenset[str], ...]]],
) -> Graphed:
    """The log with a turn a session: what was said does not matter here, when it was does."""
    facts = sorted((_occurred(one, n) for n, one in enumerate(facts)), key=lambda one: one.date)
    entities = _entities(bank, facts)
    mentions = [
        Mention(one.id, entity.id)
        for one in facts
        for entity in entities
        if re.search(rf"\b{re.escape(entity.name)}\b", one.text)
    ]
    changes = _changes(bank, facts, entities, mentions)
    short = tuple(talk.model_copy(update={"turns": talk.turns[:1]}) for talk in log)
    return Graphed(bank, short, tuple(changes), tuple(asked))


def _occurred(fact: Fact, n: int) -> Fact:
    """Of every third fact it is known that it began some days before it was said."""
    return fact if n % 3 else replace(fact, occurred_from=(fact.date - n % 7 * _DAY).date())


def _entities(bank: str, facts: Sequence[Fact]) -> list[Entity]:
    """All names; one with which the next in the alphabet begins is joined to that."""
    names = sorted({name for one in facts for name in _NAME.findall(one.text)})
    named = {ids.entity_id(bank, name): name for name in names}
    longer = {
        one: other
        for (one, name), (other, next_name) in pairwise(named.items())
        if next_name.startswith(f"{name} ")
    }
    first = facts[0].date
    return [
        Entity(id, bank, name, "OTHER", first, first, into=longer.get(id))
        for id, name in named.items()
    ]


def _changes(
    bank: str, facts: Sequence[Fact], entities: Sequence[Entity], mentions: Sequence[Mention]
) -> Iterator[ChangeSet]:
    """Stretches, each with its own facts, all entities, and links to what came before."""
    links = list(_links(facts))
    size = len(facts) // _STRETCHES + 1
    known: set[str] = set()
    for start in range(0, len(facts), size):
        some = facts[start : start + size]
        known |= {one.id for one in some}
        own = {one.id for one in some}
        yield ChangeSet(
            bank,
            tuple(some),
            replacements=tuple(
                Replacement(old.id, new.id, at=new.date, how="update")
                for old, new in list(pairwise(some))[::10]
            ),
            entities=tuple(entities),
            mentions=tuple(one for one in mentions if one.fact in own),
            links=tuple(
                one
                for one in links
                if {one.source, one.target} <= known and {one.source, one.target} & own
            ),
        )


def _links(facts: Sequence[Fact]) -> Iterator[Link]:
    """Temporal between neighbours in time, semantic by shared words, causal now and then."""
    for one, other in pairwise(facts):
        days = (other.date - one.date) / _DAY
        source, target = sorted([one.id, other.id])
        yield Link(source, target, "temporal", round(1 / (1 + days), 6))
    said = [(one.id, frozenset(words(one.text))) for one in facts]
    for (one_id, those), (other_id, these) in combinations(said, 2):
        if (alike := len(those & these) / len(those | these)) >= _ALIKE:
            source, target = sorted([one_id, other_id])
            yield Link(source, target, "semantic", round(alike, 6))
    for n, (one, other) in enumerate(zip(facts, facts[5:], strict=False)):
        yield Link(one.id, other.id, _CAUSAL[n % 3], 0.5)
