"""The course of `eval mini`: fill a person's bank, ask every method all of their questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from forethought.evals.banks import foresee, import_facts, recorded, recorded_cues, retain
from forethought.evals.matching import standing
from forethought.evals.memoryquest import Folder, Person
from forethought.evals.methods import Asker, Method
from forethought.evals.metrics import ranks
from forethought.evals.mini_report import Outcome
from forethought.evals.recorded import Reply, chain_reply, tree_reply
from forethought.graphs.app import App
from forethought.memory.types import Fact
from forethought.nodes.context import Context, Shape
from forethought.nodes.model import Model

_RECORDED_ROUNDS = 1  # two trees were recorded; a third round would probe with the second again

Progress = Callable[[str, int, int], None]
"""Called with what was done, how many parts are done, and how many there are."""


@dataclass(slots=True)
class Measuring:
    """One evaluation in progress, person by person."""

    data: Folder
    methods: tuple[Method, ...]
    model: Model | None
    progress: Progress
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    done: int = 0

    async def measure(self, app: App, person: Person) -> None:
        """Fill the person's bank, then ask every method all of their questions."""
        await self._fill(app, person)
        self._step(f"{person.name}: retained")
        facts = await app.records.facts(person.name)
        asker = Asker(app, person.name, self._models(person), rounds=self._rounds())
        for method in self.methods:
            await self._plans(asker, method, person, facts)
            if method.how != "prospect" and self.data.lookups:
                await self._lookups(asker, method, person, facts)
            self._step(f"{person.name}: {method.name}")

    async def _fill(self, app: App, person: Person) -> None:
        foresight = any(method.foresight for method in self.methods)
        if not person.user.facts:
            cues = Context().foresight if foresight else 0
            notes = await retain(app, person.name, self.model, person.conversations, cues=cues)
            self.skipped += [f"{person.name}: {note}" for note in notes]
            return
        await import_facts(app, person.name, person.facts(), person.conversations)
        imagining = self._cue_model(person) if foresight else None
        self.skipped += [
            f"{person.name}: {note}" for note in await foresee(app, person.name, imagining)
        ]

    def _cue_model(self, person: Person) -> Model | None:
        if self.data.cues is None:
            return self.model
        named = [(fact.info, f"{person.name}/{fact.id}") for fact in person.user.facts]
        return recorded_cues(
            {text: self.data.cues[name].cues for text, name in named if name in self.data.cues}
        )

    def _models(self, person: Person) -> dict[Shape, Model | None]:
        """Who imagines: the recordings of this person alone, or the model."""
        if self.data.prospections is None:
            return {"tree": self.model, "chain": self.model}
        first: dict[str, list[dict[str, Any]]] = {}
        second: dict[str, list[dict[str, Any]]] = {}
        for query in person.user.queries:
            if (known := self.data.prospections.get(f"{person.name}/{query.id}")) is None:
                self.skipped.append(f"{person.name}/{query.id}: no prospection was recorded")
                continue
            first[query.query] = [step.model_dump() for step in known.phase1]
            second[query.query] = [step.model_dump() for step in known.phase2]
        replies: dict[Shape, dict[str, Reply]] = {
            "tree": {"imagine": tree_reply(first), "refine": tree_reply(second)},
            "chain": {"imagine": chain_reply(first), "refine": chain_reply(second)},
        }
        return {shape: recorded(some) for shape, some in replies.items()}

    def _rounds(self) -> int:
        return Context().max_rounds if self.data.prospections is None else _RECORDED_ROUNDS

    async def _plans(
        self, asker: Asker, method: Method, person: Person, facts: Sequence[Fact]
    ) -> None:
        outcome = self.outcomes.setdefault(method.name, Outcome())
        for query in person.user.queries:
            needed = await standing(
                query.needed_references, facts, person.user.facts, asker.app.embedder
            )
            found = await asker.ask(method, query.query, query.date)
            outcome.plans.append(ranks(found.facts, needed))
            outcome.found.append(found.found)
            outcome.calls.append(found.calls)
            outcome.ahead.append(found.ahead)

    async def _lookups(
        self, asker: Asker, method: Method, person: Person, facts: Sequence[Fact]
    ) -> None:
        """Look-ups have no date: they are asked as of the bank's latest fact."""
        now = max(fact.date for fact in facts)
        for item in person.lookups:
            needed = await standing(
                item.needed_references, facts, person.user.facts, asker.app.embedder
            )
            found = await asker.ask(method, item.query, now)
            outcome = self.outcomes[method.name]
            outcome.lookups.append(ranks(found.facts, needed))
            outcome.lookups_ahead.append(found.ahead)

    def _step(self, what: str) -> None:
        self.done += 1
        self.progress(what, self.done, len(self.data.people) * (1 + len(self.methods)))
