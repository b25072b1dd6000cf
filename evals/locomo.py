"""`eval locomo`: which share of the evidence turns each method finds, over a real store's log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forethought.evals.banks import import_facts, open_apart
from forethought.evals.dialogues import Dialogue, dialogues
from forethought.evals.keyword import Keyword
from forethought.evals.locomo_methods import METHODS, Log, Ranking, Searched, log_of
from forethought.evals.measuring import Progress
from forethought.evals.metrics import mean, ranks, recall_at
from forethought.evals.reach import LOCOMO, Figures
from forethought.evals.report import table
from forethought.graphs.app import App
from forethought.graphs.settings import Settings
from forethought.memory.embedding import Vectors, unit
from forethought.memory.types import Fact

if TYPE_CHECKING:
    from rich.table import Table

_READ = 20  # turns and facts, the most that is measured
COLUMNS = ("turns@10", "turns@20", "facts@20")


@dataclass(frozen=True, slots=True)
class LocomoReport:
    """Recall by method and column. `ceiling` is the share of evidence that any fact covers."""

    methods: dict[str, dict[str, float]]
    conversations: int
    questions: int
    ceiling: float

    @property
    def measured(self) -> Figures:
        """See `reach.Reported`."""
        return self.methods

    @property
    def wanted(self) -> Figures:
        """What the hybrid must reach."""
        return LOCOMO

    def plain(self) -> dict[str, Any]:
        """As JSON-able data; `methods` first, figures rounded to four digits."""
        return {
            "methods": self.methods,
            "conversations": self.conversations,
            "questions": self.questions,
            "ceiling": self.ceiling,
        }

    def table(self) -> Table:
        """One row a method, and what is to be reached."""
        note = (
            f"{self.questions} questions on {self.conversations} conversations. Facts are the "
            f"published observations; they cover {self.ceiling:.3f} of the evidence."
        )
        rows = {**self.methods, "reach": LOCOMO["hybrid"]}
        return table("LoCoMo: share of evidence turns found", rows, COLUMNS, note=note)


async def run_locomo(
    path: Path, *, settings: Settings, progress: Progress | None = None
) -> LocomoReport:
    """Measure every method on the conversations in `path`; no model is called.

    Words are searched in a store of its own that the sessions were logged in. Raises InvalidInput.
    """
    talks = dialogues(path)
    tally = _Tally()
    async with open_apart(settings) as app:
        for done, talk in enumerate(talks, start=1):
            await _measure(app, talk, tally)
            if progress:
                progress(talk.bank, done, len(talks))
    return tally.report(len(talks))


@dataclass(frozen=True, slots=True)
class _Tally:
    """Recalls so far by method and column."""

    recalls: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    covered: list[float] = field(default_factory=list)

    def add(self, method: str, ranking: Ranking, needed: Sequence[str], log: Log) -> None:
        """Count what `method` found; a fact finds each of the turns it was made from."""
        turns = ranks(ranking.turns, [{turn} for turn in needed])
        found = {"turns@10": recall_at(10, turns), "turns@20": recall_at(20, turns)}
        if ranking.facts is not None:
            facts = ranks(ranking.facts, log.facts_of(needed))
            found["facts@20"] = recall_at(20, facts)
        for column, recall in found.items():
            self.recalls.setdefault(method, {}).setdefault(column, []).append(recall)

    def report(self, conversations: int) -> LocomoReport:
        """The means."""
        methods = {
            method: {column: round(mean(values), 4) for column, values in columns.items()}
            for method, columns in self.recalls.items()
        }
        ceiling = round(mean(self.covered), 4)
        return LocomoReport(methods, conversations, len(self.covered), ceiling)


async def _measure(app: App, talk: Dialogue, tally: _Tally) -> None:
    await import_facts(app, talk.bank, talk.facts(), talk.conversations)
    facts = await app.records.facts(talk.bank)  # what was observed twice is one
    names = {turn: name for name, turn in talk.logged().items()}
    log = log_of(talk, facts)
    with _searching(talk, facts) as words:
        search = _Search(app, talk, log, names, words, await _Embedded.of(app, talk, facts))
        for asked in talk.asked:
            found = await search.searched(asked.text)
            for name, method in METHODS.items():
                tally.add(name, method(log, found), asked.evidence, log)
            covered = [bool(some) for some in log.facts_of(asked.evidence)]
            tally.covered.append(mean(covered))


@dataclass(frozen=True, slots=True)
class _Embedded:
    """Unit vectors: of turns, of each with the turn before, of facts."""

    turns: Vectors
    pairs: Vectors
    facts: Vectors

    @classmethod
    async def of(cls, app: App, talk: Dialogue, known: Sequence[Fact]) -> _Embedded:
        """Embed the turns and facts; a pair's vector is the mean of its two turns' vectors."""
        turns = await app.embedder.embed([turn.spoken for turn in talk.turns])
        facts = await app.embedder.embed([fact.text for fact in known])
        pairs, row = turns.copy(), 0
        for session in talk.sessions:
            pairs[row + 1 : row + len(session)] += turns[row : row + len(session) - 1]
            row += len(session)
        return cls(turns, unit(pairs), facts)


@dataclass(frozen=True, slots=True)
class _Words:
    """The keyword searches that the store does not offer."""

    plain: Callable[[str], dict[int, float]]
    stemmed: Callable[[str], dict[int, float]]
    facts: Callable[[str], dict[int, float]]


@contextmanager
def _searching(talk: Dialogue, known: Sequence[Fact]) -> Iterator[_Words]:
    turns = [turn.spoken for turn in talk.turns]
    facts = [fact.text for fact in known]
    with (
        closing(Keyword(turns, stemmed=False)) as plain,
        closing(Keyword(turns, stemmed=True)) as stemmed,
        closing(Keyword(facts, stemmed=True)) as observed,
    ):
        yield _Words(plain.scores, stemmed.scores, observed.scores)


@dataclass(frozen=True, slots=True)
class _Search:
    """All searches of one conversation; `names` are the dialogue ids of its turns."""

    app: App
    talk: Dialogue
    log: Log
    names: Mapping[str, str]
    words: _Words
    embedded: _Embedded

    @property
    def now(self) -> datetime:
        """When all has been said."""
        return max(talk.date for talk in self.talk.conversations)

    async def searched(self, query: str) -> Searched:
        """Scores by dialogue id and by fact."""
        (vector,) = await self.app.embedder.embed([query])
        turns, facts = self.log.turns, list(self.log.sources)
        return Searched(
            query,
            turns=_by_name(turns, self.embedded.turns @ vector),
            pairs=_by_name(turns, self.embedded.pairs @ vector),
            plain={turns[n]: score for n, score in self.words.plain(query).items()},
            stemmed={turns[n]: score for n, score in self.words.stemmed(query).items()},
            said=await self._said(query),
            facts=_by_name(facts, self.embedded.facts @ vector),
            fact_words={facts[n]: score for n, score in self.words.facts(query).items()},
            recalled=await self._recalled(query),
        )

    async def _said(self, query: str) -> dict[str, float]:
        hits = await self.app.records.said(
            self.talk.bank, query, k=len(self.log.turns), now=self.now
        )
        return {self.names[turn.id]: score for turn, score in hits}

    async def _recalled(self, query: str) -> Ranking:
        recall, bank = self.app.recall, self.talk.bank
        found = await recall.recall(bank, query, now=self.now, limit=_READ)
        said = await recall.said(bank, query, now=self.now, limit=_READ)
        return Ranking(
            [self.names[one.turn.id] for one in said], [hit.fact.id for hit in found.hits]
        )


def _by_name(names: Sequence[str], scores: Vectors) -> dict[str, float]:
    return dict(zip(names, scores.tolist(), strict=True))
