"""One LoCoMo conversation as a bank with all that ranking terms go by, made without a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from forethought.evals.banks import import_facts
from forethought.evals.dialogues import Asked, Dialogue
from forethought.evals.locomo_methods import Log, log_of
from forethought.evals.tagging import dimensions_of
from forethought.graphs.app import App
from forethought.memory import ids
from forethought.memory.beliefs.types import USER, Observation
from forethought.memory.ledger.firing import At
from forethought.memory.ledger.rules import noticed
from forethought.memory.ledger.types import Commitment
from forethought.memory.recall.fusion import named_in
from forethought.memory.salience import saliences
from forethought.memory.types import Fact, Source
from forethought.memory.weighing import Weigher


@dataclass(frozen=True, slots=True)
class Bank:
    """A conversation in the stores of `app`: its log, its published facts, what follows from them.

    `speakers` has the facts that were made from what each said; `promised` counts the commitments
    that rules found.
    """

    app: App
    talk: Dialogue
    log: Log
    speakers: Mapping[str, tuple[Fact, ...]]
    promised: int

    @classmethod
    async def filled(cls, app: App, talk: Dialogue) -> Bank:
        """Retain the facts with their dimensions, link them, and enter what rules notice."""
        tagged = [replace(fact, dimensions=dimensions_of(fact.text)) for fact in talk.facts()]
        await import_facts(app, talk.bank, tagged, talk.conversations)
        await app.indexer.catch_up(talk.bank)
        await app.linker.catch_up(talk.bank)
        facts = await app.records.facts(talk.bank)  # what was observed twice is one
        log = log_of(talk, facts)
        promised = await app.records.undertake(talk.bank, _promises(talk, log))
        said: dict[str, list[Fact]] = {turn.speaker: [] for turn in talk.turns}
        for fact in facts:
            for speaker in {log.speakers[turn] for turn in log.sources[fact.id]}:
                said[speaker].append(fact)
        speakers = {name: tuple(some) for name, some in said.items()}
        return cls(app, talk, log, speakers, len(promised))

    @property
    def now(self) -> datetime:
        """When all has been said."""
        return max(talk.date for talk in self.talk.conversations)

    def named(self, asked: Asked) -> str | None:
        """The speaker whom a question names; None if it names both or none."""
        return named_in(asked.text, self.speakers)

    async def weigh(self, components: Mapping[str, float]) -> None:
        """Have the facts weigh what these components of salience, so weighted, say."""
        grounds = await Weigher(self.app.records, self.app.zone).grounds(self.talk.bank)
        found = saliences(grounds, self.now.date(), weights=components)
        await self.app.records.weigh(self.talk.bank, found)

    async def profile(self, speaker: str | None) -> None:
        """Have the user's profile say all that was observed of one speaker, or of both."""
        every = {fact.id: fact for some in self.speakers.values() for fact in some}
        facts = self.speakers[speaker] if speaker else tuple(every.values())
        stated = [self._statement(fact) for fact in facts]
        await self.app.records.observe(self.talk.bank, USER, stated)
        await self.app.indexer.catch_up(self.talk.bank)

    async def firing(self, asked: Asked) -> frozenset[str]:
        """The facts of commitments that the question brings up.

        Those that fire by their day do so for ever, since no rule closes them: they are left out.
        """
        at = At(self.now, self.now.date())
        fired = await self.app.watch.firing(self.talk.bank, asked.text, at)
        brought = [one.commitment for one in fired if one.why == "turn"]
        return frozenset(fact for commitment in brought for fact in commitment.facts)

    def _statement(self, fact: Fact) -> Observation:
        name = ids.observation_id(self.talk.bank, USER, fact.text)
        return Observation(
            name, self.talk.bank, USER, "user", "The user", fact.text, (fact.id,), self.now
        )


def _promises(talk: Dialogue, log: Log) -> list[Commitment]:
    """What rules notice in each turn, of the facts that were made from it."""
    logged = talk.logged()
    found = []
    for said, session in zip(talk.conversations, talk.sessions, strict=True):
        for turn in session:
            facts = tuple(fact for fact, turns in log.sources.items() if turn.id in turns)
            source = Source(ids.session_id(talk.bank, said.name), (logged[turn.id],))
            found += noticed(turn.text, bank=talk.bank, at=said.date, source=source, facts=facts)
    return found
