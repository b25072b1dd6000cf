"""What a ChangeSet comes to, given what is stored: pure, and the same when it is applied again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from forethought.memory.records.changes import ChangeSet, Committed, Repeat, Replacement
from forethought.memory.records.ties import Facts, Ties, kept_links, tied
from forethought.memory.records.values import content_of
from forethought.memory.types import Entity, Fact, Mention, Source, Succession


@dataclass(frozen=True, slots=True)
class Version:
    """As much of a fact as decides what a change does to it."""

    content: str
    date: datetime
    until: datetime | None = None
    successor: str | None = None
    succession: Succession | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of that which a ChangeSet names.

    `versions` by id, with whatever succeeded them; `holding` maps a content to the fact that
    holds; `past` to those that no longer do, with the sessions that said them; `forgotten` are
    tombstones: contents and session ids. `mentions` has the entities that these facts mention,
    `entities` those, the ones that the ChangeSet names, and all that either are joined to.
    """

    versions: dict[str, Version]
    holding: dict[str, str]
    past: dict[str, dict[str, frozenset[str]]]
    forgotten: frozenset[str]
    mentions: dict[str, frozenset[str]] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)


@dataclass(slots=True)
class Plan:
    """The writes that a ChangeSet comes to, as `planned` finds them.

    `hushed` are turns that say what was forgotten, so that nothing may find them.
    """

    versions: dict[str, Version]
    holding: dict[str, str]
    past: dict[str, dict[str, frozenset[str]]]
    forgotten: frozenset[str]
    inserted: dict[str, Fact] = field(default_factory=dict)
    sources: list[tuple[str, Source]] = field(default_factory=list)
    said: dict[str, datetime] = field(default_factory=dict)
    redated: set[str] = field(default_factory=set)
    replaced: dict[str, None] = field(default_factory=dict)
    revived: set[str] = field(default_factory=set)
    repeated: dict[str, None] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    hushed: set[str] = field(default_factory=set)
    kept_as: dict[str, str] = field(default_factory=dict)
    ties: Ties = field(default_factory=Ties)

    @property
    def committed(self) -> Committed:
        """Fact ids by outcome; a repeat of a fact that is new here is not counted again."""
        repeated = tuple(fact for fact in self.repeated if fact not in self.inserted)
        new, replaced = tuple(self.inserted), tuple(self.replaced)
        return Committed(new, repeated, replaced, tuple(self.refused))

    def as_stored(self, fact: Fact) -> Fact:
        """An inserted fact as the rest of the ChangeSet left it."""
        now = self.versions[fact.id]
        return replace(
            fact,
            date=now.date,
            until=now.until,
            successor=now.successor,
            succession=now.succession,
        )

    def kept(self, fact: str) -> str | None:
        """The id that a fact is stored under; None for one that is refused here, or unknown."""
        kept = self.kept_as.get(fact, None if fact in self.refused else fact)
        return kept if kept in self.versions else None

    def tie(self, changes: ChangeSet, known: Known) -> None:
        """What the ChangeSet says of entities, mentions and links, once its facts are settled."""
        redated = [
            Mention(fact, one) for fact in self.redated for one in known.mentions.get(fact, ())
        ]
        entities, mentions = tied(
            changes.entities,
            changes.mentions,
            known=known.entities,
            redated=redated,
            facts=Facts(self.kept, lambda fact: self.versions[fact].date),
        )
        self.ties = Ties(
            tuple(one for one in entities.values() if one.id not in known.entities),
            tuple(entities[id] for id, one in known.entities.items() if one != entities[id]),
            tuple(mentions),
            kept_links(changes.links, self.kept),
        )

    def add(self, fact: Fact, *, originals: tuple[str, ...]) -> None:
        """A fact that is new, a repeat of one that is stored, or refused.

        Refused is what was forgotten, and what comes only from it: from forgotten sessions, or,
        if it is merged and not a retry, from an original that does not hold: it was forgotten, or
        somebody else merged it at the same time. The turns that say again what was forgotten are
        hushed; what is merged says nothing by itself.
        """
        content = content_of(fact.text)
        sources = self._remembered(fact.sources)
        retried = fact.id in self.versions
        lost = any(not self._holds(self.kept_as.get(old, old)) for old in originals) and not retried
        orphaned = bool(fact.sources) and not sources
        if lost or orphaned or content in self.forgotten or not fact.text.strip():
            self.refused.append(fact.id)
            if content in self.forgotten and not originals:
                self._hush(sources)
            return
        kept = self._same(fact, content)
        if kept is None:
            kept = fact.id
            self.inserted[kept] = fact
            self.versions[kept] = Version(
                content, fact.date, fact.until, fact.successor, fact.succession
            )
            if fact.until is None:
                self.holding[content] = kept
        else:
            self._say_again(kept, fact.date)
        self.kept_as[fact.id] = kept
        self.sources += [(kept, source) for source in sources]

    def repeat(self, repeat: Repeat) -> None:
        """A stored fact said again; nothing if the session was forgotten.

        If the fact was forgotten since it was read, the turns that say it again are hushed.
        """
        fact = self.kept_as.get(repeat.fact, repeat.fact)
        sources = self._remembered((repeat.source,))
        if fact not in self.versions:
            self._hush(sources)
        elif sources:
            self._say_again(fact, repeat.date)
            self.sources += [(fact, source) for source in sources]

    def replace(self, change: Replacement) -> None:
        """Retire a fact that holds, unless the one that updates it is the older of the two."""
        old = self.kept_as.get(change.old, change.old)
        new = self.kept_as.get(change.new, change.new)
        if old == new or new not in self.versions or not self._holds(old):
            return
        if change.how == "update" and self.versions[new].date < self.versions[old].date:
            if self._holds(new):
                self._retire(new, by=old, at=self.versions[old].date, how="update")
            return
        if self._was_replaced_by(new, old):
            # Said again in the session that said it first, and so under its first id.
            new = self.holding.setdefault(self.versions[new].content, new)
            if new == old:
                return
            self._revive(new)
        self._retire(old, by=new, at=change.at, how=change.how)

    def _same(self, fact: Fact, content: str) -> str | None:
        """The stored fact that this one is, if it is one.

        One that no longer holds is the same if the same session said it: this is a retry then.
        """
        if fact.id in self.versions:
            return fact.id
        sessions = {source.session for source in fact.sources}
        for past, said_in in self.past.get(content, {}).items():
            if sessions and sessions <= said_in:
                return past
        return None if fact.until else self.holding.get(content)

    def _remembered(self, sources: tuple[Source, ...]) -> tuple[Source, ...]:
        return tuple(source for source in sources if source.session not in self.forgotten)

    def _hush(self, sources: tuple[Source, ...]) -> None:
        self.hushed.update(turn for source in sources for turn in source.turns)

    def _holds(self, fact: str) -> bool:
        return fact in self.versions and self.versions[fact].until is None

    def _say_again(self, fact: str, date: datetime) -> None:
        """Note it; a fact that holds was last said at the later of its dates."""
        self.repeated[fact] = None
        self.said[fact] = max(date, self.said.get(fact, date))
        if self._holds(fact):
            self._redate(fact)

    def _redate(self, fact: str) -> None:
        version = self.versions[fact]
        if (said := self.said.get(fact, version.date)) > version.date:
            self.versions[fact] = replace(version, date=said)
            self.redated.add(fact)

    def _retire(self, fact: str, *, by: str, at: datetime, how: Succession) -> None:
        version = self.versions[fact]
        self.versions[fact] = replace(version, until=at, successor=by, succession=how)
        self.holding.pop(version.content, None)
        self.replaced[fact] = None
        self.revived.discard(fact)

    def _revive(self, fact: str) -> None:
        if not self._holds(fact):
            version = self.versions[fact]
            self.versions[fact] = Version(version.content, version.date)
            self.revived.add(fact)
            self.replaced.pop(fact, None)
            self._redate(fact)

    def _was_replaced_by(self, fact: str, later: str) -> bool:
        """Whether `later` is among what succeeded `fact`."""
        seen: set[str] = set()
        step: str | None = fact
        while step in self.versions and step not in seen:
            seen.add(step)
            step = self.versions[step].successor
        return later in seen or step == later


def planned(changes: ChangeSet, known: Known) -> Plan:
    """Facts first, those merged from others last of them, then repeats, then replacements."""
    plan = Plan(dict(known.versions), dict(known.holding), known.past, known.forgotten)
    originals: dict[str, tuple[str, ...]] = {}
    for change in changes.replacements:
        if change.how == "merge":
            originals[change.new] = (*originals.get(change.new, ()), change.old)
    for fact in sorted(changes.facts, key=lambda fact: fact.id in originals):
        plan.add(fact, originals=originals.get(fact.id, ()))
    for repeat in changes.repeats:
        plan.repeat(repeat)
    for change in changes.replacements:
        plan.replace(change)
    plan.tie(changes, known)
    return plan
