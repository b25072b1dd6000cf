"""A made-up life: sessions whose turns each say one fact that mentions somebody somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from forethought.evals.bench_data import facts, named_in
from forethought.memory import ids
from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.records.changes import ChangeSet, Progress
from forethought.memory.types import Cue, Entity, Fact, Mention, Source

_SEED = 7
_SESSION = 50  # turns; the whole is cut at multiples of it
_SHARING = 20  # facts about one house


@dataclass(frozen=True, slots=True)
class Life:
    """Facts in the order of their saying, each from the turn of its number."""

    bank: str
    facts: tuple[Fact, ...]
    turns: tuple[str, ...]

    def part(self, start: int, end: int) -> Life:
        """The facts from `start` to before `end`; both begin a session."""
        return Life(self.bank, self.facts[start:end], self.turns[start:end])

    @property
    def cues(self) -> list[Cue]:
        """One cue for each fact."""
        return [Cue(fact.id, 0, f"A later request about {fact.id}") for fact in self.facts]

    @property
    def conversations(self) -> list[Conversation]:
        """What was said."""
        return [
            Conversation(
                key=_key(first),
                date=some[0].date,
                turns=tuple(Utterance(role="user", text=fact.text) for fact in some),
            )
            for first, some in self._sessions()
        ]

    @property
    def changes(self) -> ChangeSet:
        """The facts, whom they mention, and that all was extracted."""
        mentions = [(fact, name) for fact in self.facts for name in fact.entities]
        entities = {ids.entity_id(self.bank, name): (fact, name) for fact, name in mentions}
        return ChangeSet(
            self.bank,
            facts=self.facts,
            progress=tuple(
                Progress(some[0].sources[0].session, len(some)) for _, some in self._sessions()
            ),
            entities=tuple(
                Entity(id, self.bank, name, "OTHER", fact.date, fact.date)
                for id, (fact, name) in entities.items()
            ),
            mentions=tuple(
                Mention(fact.id, ids.entity_id(self.bank, name)) for fact, name in mentions
            ),
        )

    def _sessions(self) -> Iterator[tuple[Fact, tuple[Fact, ...]]]:
        for start in range(0, len(self.facts), _SESSION):
            some = self.facts[start : start + _SESSION]
            yield some[0], some


def life(count: int, *, bank: str) -> Life:
    """The same `count` facts each time, for `bank`."""
    said = facts(bank, count, Random(_SEED))
    sessions = [ids.session_id(bank, _key(said[n - n % _SESSION])) for n in range(len(said))]
    turns = [
        ids.turn_id(session, number % _SESSION, fact.text)
        for number, (fact, session) in enumerate(zip(said, sessions, strict=True))
    ]
    told = [
        replace(
            fact,
            sources=(Source(session, (turn,)),),
            entities=(*named_in(fact.text), f"house {number // _SHARING}"),
        )
        for number, (fact, session, turn) in enumerate(zip(said, sessions, turns, strict=True))
    ]
    return Life(bank, tuple(told), tuple(turns))


def _key(first: Fact) -> str:
    return f"session of {first.id}"
