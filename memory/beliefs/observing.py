"""Which subjects are to be summed up anew, since facts about them came or went.

An entity from five facts on (Hindsight §4.1.5), a topic, which is a cluster of facts that are near
each other in meaning, and the user (both PPRO §3.2). What observations were made from says whether
they are up to date, so a subject that was left for later is found again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime

from forethought.memory.beliefs.types import USER, About, Observation
from forethought.memory.beliefs.user import is_due, telling
from forethought.memory.consolidation import SAME_CLUSTER, TOPIC, topics
from forethought.memory.entities.roots import root_of, with_roots
from forethought.memory.indexing import Indexer
from forethought.memory.records.port import Records
from forethought.memory.types import Fact, fact_ids

ENOUGH = 5  # facts that an entity or the user is summed up from; Hindsight's published code
LATEST = 50  # facts that are read for it; Hindsight's published code
_BATCH = 500  # facts whose neighbours are asked for at once
_KNOWN = "observed"
"""Setting of a bank: the mark up to which facts were looked at, and the subjects that there are."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What observations are about: an entity's root, a topic or the user, with facts, by date.

    `names` are all of the entity's, its title first; a topic is named by who sums it up.
    """

    id: str
    about: About
    facts: tuple[str, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Known:
    """Entities and topics with enough facts, those observed or not, and those that failed last."""

    mark: int = 0
    entities: tuple[str, ...] = ()
    topics: Mapping[str, Sequence[str]] = field(default_factory=dict)
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Observer:
    """The collaborators that say what is to be summed up, and keep what comes of it."""

    indexer: Indexer

    @property
    def records(self) -> Records:
        """Where facts and observations are."""
        return self.indexer.records

    async def outdated(self, bank: str, *, now: datetime) -> list[Subject]:
        """The subjects to sum up anew: never done and longest ago first, those that failed last.

        The user comes before all, since every answer is given what is made of it. Observations on
        subjects that have too few facts left are removed.
        """
        known = await self._known(bank)
        fresh, mark = await self.records.added(bank, since=known.mark)
        stored = _made_from(await self.records.observations(bank))
        entities = await self._entities(bank, known, stored, fresh, now=now)
        clusters = await self._topics(bank, known, stored, fresh)
        user = await self._user(bank, stored.get(USER))
        found = {subject.id: subject for subject in (*user, *entities, *clusters)}
        for gone in stored.keys() - found.keys():
            await self.records.observe(bank, gone, [])
        known = replace(
            known,
            mark=mark,
            entities=tuple(sorted(one.id for one in entities)),
            topics={one.id: one.facts for one in clusters},
        )
        await self._keep(bank, known)
        never = datetime.min.replace(tzinfo=UTC)
        made = {id: one.made for id, one in stored.items()}
        return sorted(
            (one for one in found.values() if set(one.facts) != _facts_of(stored.get(one.id))),
            key=lambda one: (
                one.id in known.failed,
                one.about != "user",
                made.get(one.id, never),
                one.id,
            ),
        )

    async def facts(self, bank: str, subject: Subject) -> list[Fact]:
        """The facts of a subject that hold yet, by date; none where they have become too few."""
        found = await self.records.facts(bank, subject.facts)
        holding = [fact for fact in found if fact.until is None]
        enough = TOPIC if subject.about == "topic" else ENOUGH
        return holding if len(holding) >= enough else []

    async def observed(
        self, bank: str, subject: str, observations: Sequence[Observation]
    ) -> list[Observation]:
        """Put these in the place of those on the subject, and index them; return what is there."""
        await self.records.observe(bank, subject, observations)
        await self.indexer.catch_up(bank)
        known = await self._known(bank)
        if subject in known.failed:
            others = tuple(one for one in known.failed if one != subject)
            await self._keep(bank, replace(known, failed=others))
        return await self.records.observations(bank, [subject])

    async def failed(self, bank: str, subject: str) -> None:
        """Let this subject come after all others the next time."""
        known = await self._known(bank)
        others = (one for one in known.failed if one != subject)
        await self._keep(bank, replace(known, failed=(*others, subject)))

    async def _user(self, bank: str, made: Observation | None) -> list[Subject]:
        """The user, where there are enough facts; while nothing is due, with those it rests on."""
        facts = fact_ids(await telling(self.records, bank))
        if len(facts) < ENOUGH:
            return []
        before = made.facts if made else ()
        known = await self.records.facts(bank, before) if before else []
        updated = any(fact.succession == "update" for fact in known)
        due = is_due(before, facts, updated=updated)
        return [Subject(USER, "user", tuple(facts) if due else before)]

    async def _entities(
        self,
        bank: str,
        known: _Known,
        stored: Mapping[str, Observation],
        fresh: Sequence[Fact],
        *,
        now: datetime,
    ) -> list[Subject]:
        """Every entity with enough facts that may have changed or is known to have had enough."""
        mentions = await self.records.mentions(bank, fact_ids(fresh)) if fresh else []
        observed = (one.subject for one in stored.values() if one.about == "entity")
        seen = {*known.entities, *observed, *(one.entity for one in mentions)}
        if not seen:
            return []
        entities = await with_roots(self.records, bank, {}, sorted(seen))
        roots = sorted({root_of(id, entities) for id in seen} & entities.keys())
        last = max(now, await self.records.newest(bank) or now)  # also what is dated later
        facts = await self.records.mentioning(bank, roots, k=LATEST, now=last)
        enough = {root: some for root, some in facts.items() if len(some) >= ENOUGH}
        names = await self._names(bank, enough)
        return [
            Subject(root, "entity", tuple(reversed(some)), names[root])
            for root, some in enough.items()
        ]

    async def _names(self, bank: str, roots: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """For each root its own name, and then those of all that are joined to it."""
        every = {one.id: one for one in await self.records.entities(bank)} if roots else {}
        others: dict[str, list[str]] = {root: [every[root].name] for root in roots}
        for id, entity in every.items():
            root = root_of(id, every)
            if root in others and id != root:
                others[root].append(entity.name)
        return {root: tuple(dict.fromkeys(names)) for root, names in others.items()}

    async def _topics(
        self, bank: str, known: _Known, stored: Mapping[str, Observation], fresh: Sequence[Fact]
    ) -> list[Subject]:
        """Every topic, those near new or lost facts clustered anew."""
        observed = {id: one.facts for id, one in stored.items() if one.about == "topic"}
        before = {**observed, **known.topics}
        near = await self._near(bank, fact_ids(fresh))
        members = {id for some in before.values() for id in some} | near
        facts = {fact.id: fact for fact in await self.records.facts(bank, sorted(members))}
        holding = {id for id, fact in facts.items() if fact.until is None}
        same = {
            id: some
            for id, some in before.items()
            if id in stored and near.isdisjoint(some) and holding.issuperset(some)
        }
        touched = {id for subject, some in before.items() if subject not in same for id in some}
        universe = sorted((touched | near) & holding)
        vectors = await self.indexer.vectors(bank, "text", universe) if universe else {}
        clusters = await asyncio.to_thread(topics, [facts[id] for id in vectors], vectors)
        anew = {min(fact_ids(some)): fact_ids(some)[-LATEST:] for some in clusters}
        return [Subject(id, "topic", tuple(some)) for id, some in {**same, **anew}.items()]

    async def _near(self, bank: str, fresh: Sequence[str]) -> set[str]:
        """New facts that others are near to, and those others."""
        import numpy as np

        found: set[str] = set()
        for start in range(0, len(fresh), _BATCH):
            vectors = await self.indexer.vectors(bank, "text", fresh[start : start + _BATCH])
            if not vectors:
                continue
            probes = np.array(list(vectors.values()))
            near = await self.indexer.index.nearest(bank, "text", probes, n=LATEST)
            for id, some in zip(vectors, near, strict=True):
                alike = {one.id for one in some if one.cosine >= SAME_CLUSTER} - {id}
                found |= alike | {id} if alike else set()
        return found

    async def _known(self, bank: str) -> _Known:
        kept = await self.records.setting(bank, _KNOWN)
        if not kept:
            return _Known()
        data = json.loads(kept)
        return _Known(data["mark"], tuple(data["entities"]), data["topics"], tuple(data["failed"]))

    async def _keep(self, bank: str, known: _Known) -> None:
        await self.records.setting(bank, _KNOWN, json.dumps(asdict(known)))


def _made_from(observations: Iterable[Observation]) -> dict[str, Observation]:
    """One observation a subject: all on one are made from the same facts, at once."""
    return {one.subject: one for one in observations}


def _facts_of(observation: Observation | None) -> set[str]:
    return set(observation.facts) if observation else set()
