"""Short ways to say what is retained: conversations, facts, and both at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Generic, Protocol

from forethought.memory import ids
from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.records.changes import ChangeSet, Committed, Replacement, Unindexed
from forethought.memory.records.port import Records
from forethought.memory.types import (
    Entity,
    EntityKind,
    Fact,
    Link,
    Mention,
    Source,
    Succession,
)

BANK = "ann"
NOW = datetime(2030, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    """Noon of the day `number` days after 31 December 2023."""
    return datetime(2024, 1, number, 12, tzinfo=UTC)


def talk(key: str, *texts: str, on: int = 1) -> Conversation:
    said = tuple(Utterance(role="user", text=text) for text in texts)
    return Conversation(date=day(on), turns=said, key=key)


def session(key: str, *, bank: str = BANK) -> str:
    return ids.session_id(bank, key)


def fact(
    text: str, *, said_in: str = "monday", on: int = 1, bank: str = BANK, **fields: Any
) -> Fact:
    said = session(said_in, bank=bank)
    return Fact(
        id=ids.fact_id(bank, said, text),
        bank=bank,
        text=text,
        date=day(on),
        **{"kind": "Preference", "sources": (Source(said),), **fields},
    )


def entity(name: str, *, bank: str = BANK, kind: EntityKind = "PERSON", on: int = 1) -> Entity:
    """One that `commit` dates by the facts that mention it."""
    return Entity(ids.entity_id(bank, name), bank, name, kind, first=day(on), last=day(on))


def mention(of: Fact, *entities: Entity) -> tuple[Mention, ...]:
    return tuple(Mention(of.id, one.id) for one in entities)


def merged(text: str, *originals: Fact, on: int = 1) -> Fact:
    """A fact that consolidation made from others; its sources are the union of theirs."""
    sources = tuple(source for original in originals for source in original.sources)
    return replace(fact(text, on=on, bank=originals[0].bank), sources=sources)


def replaced(old: Fact, new: Fact, how: Succession = "update") -> Replacement:
    return Replacement(old.id, new.id, at=new.date, how=how)


async def learn(
    records: Records, *facts: Fact, replacing: dict[str, Fact] | None = None
) -> Committed:
    """Log the sessions that support the facts, then commit them.

    `replacing` maps the id of what is updated to the fact that updates it.
    """
    bank = facts[0].bank
    changes = tuple(
        Replacement(old, new.id, at=new.date, how="update")
        for old, new in (replacing or {}).items()
    )
    await log_sources(records, *facts)
    return await records.commit(ChangeSet(bank, facts, replacements=changes))


async def tie(
    records: Records,
    mentions: Mapping[Fact, tuple[Entity, ...]],
    links: tuple[Link, ...] = (),
) -> Committed:
    """Log and commit these facts with what each of them mentions."""
    facts = tuple(mentions)
    await log_sources(records, *facts)
    return await records.commit(
        ChangeSet(
            facts[0].bank,
            facts,
            entities=tuple({one.id: one for of in mentions.values() for one in of}.values()),
            mentions=tuple(one for fact, of in mentions.items() for one in mention(fact, *of)),
            links=links,
        )
    )


async def merge(records: Records, into: Fact, *originals: Fact) -> Committed:
    changes = tuple(replaced(original, into, "merge") for original in originals)
    return await records.commit(ChangeSet(into.bank, (into,), replacements=changes))


async def log_sources(records: Records, *facts: Fact) -> None:
    """Log a session for each key in KEYS that supports one of the facts."""
    bank = facts[0].bank
    named = {source.session for fact in facts for source in fact.sources}
    keys = [key for key in KEYS if session(key, bank=bank) in named]
    await records.log(bank, [talk(key, f"This was said on {key}.") for key in keys])


KEYS = ("monday", "tuesday", "wednesday", "thursday", "friday")


async def stored(records: Records, fact: Fact) -> Fact:
    """The one fact of that id."""
    (found,) = await records.facts(fact.bank, [fact.id])
    return found


async def unindexed(records: Records, *, bank: str = BANK) -> list[Unindexed]:
    """The facts and cues that the index lacks; test_records_turns.py is about the log's turns."""
    return [one for one in await records.unindexed(bank, limit=99) if one.part != "turn"]


async def found(records: Records, text: str, *, bank: str = BANK, now: datetime = NOW) -> list[str]:
    """Ids that a keyword search finds, best first."""
    return [fact for fact, _ in await records.search(bank, text, k=10, now=now)]


def methods(port: type) -> set[str]:
    """The names of a port's methods, its parts' among them."""
    parts = [part for part in port.__mro__ if part not in (Protocol, Generic, object)]
    members = [item for part in parts for item in vars(part).items()]
    return {name for name, member in members if callable(member) and name[0] != "_"}


async def weights(records: Records, bank: str, facts: Sequence[str]) -> dict[str, float]:
    """The salience of those of these facts that have one."""
    traits = await records.traits(bank, facts)
    return {fact: its.salience for fact, its in traits.items() if its.salience is not None}
