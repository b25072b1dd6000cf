"""What is embedded once for each blueprint of `eval prospective`: its ledgers and its scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Day

from forethought.evals.prospective_data import VARIANTS, Case, Entry, Variant, end_of
from forethought.memory.embedding import Embedder
from forethought.memory.ledger.clauses import parts
from forethought.memory.ledger.firing import (
    At,
    Firing,
    Heard,
    Rule,
    Usual,
    Watched,
    firing,
    scored,
    usual,
)
from forethought.memory.types import Hit

_IN_PARTS = Rule(threshold=float("-inf"))  # so that no turn is heard as a whole alone


@dataclass(frozen=True, slots=True)
class Ledger:
    """The entries of one blueprint's ledger, and how nearly each open trigger fired wrongly.

    `pairs` has the score of each entry with a condition at each later turn of the dialogue, its
    clauses always counting: no threshold is known yet, and with one it can only be lower.
    """

    watched: tuple[Watched, ...]
    pairs: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A turn that should bring the constraint to mind; `hits` are the turns before it, best first.

    Their scores are cosines.
    """

    on: Day
    heard: Heard
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One blueprint, ready to be measured. `known` is what was said before the scenes."""

    case: Case
    scenes: Mapping[Variant, Scene]
    known: Usual
    extracted: Ledger
    resolved: Ledger
    ruled: Ledger

    @property
    def hard(self) -> bool:
        """Whether the constraint's rank to the clean trigger is in the bottom half (PT §4.1)."""
        hits = self.scenes["clean"].hits
        wanted = self.case.blueprint.constraint.turn
        rank = next(place for place, hit in enumerate(hits, start=1) if hit.fact.id == wanted)
        return rank > len(hits) / 2

    def fires(self, ledger: Ledger, variant: Variant, threshold: float) -> list[Firing]:
        """What fires at one of its scenes."""
        scene = self.scenes[variant]
        at = At(end_of(scene.on), scene.on)
        rule = Rule(threshold=threshold)
        return firing(ledger.watched, scene.heard, self.known, at, rule)


async def judged(case: Case, ruled: Sequence[Entry], embedder: Embedder) -> Judged:
    """Embed a blueprint; `ruled` are the entries that rules found in it."""
    texts = [turn.text for turn in case.blueprint.turns]
    known = usual(texts, await embedder.embed(texts))
    return Judged(
        case,
        {variant: await _scene(case, variant, embedder) for variant in VARIANTS},
        known,
        extracted=await _ledger(case, case.entries(), embedder),
        resolved=Ledger(await watched(case.entries(resolved=True), embedder)),
        ruled=await _ledger(case, ruled, embedder),
    )


async def watched(entries: Sequence[Entry], embedder: Embedder) -> tuple[Watched, ...]:
    """The entries with the vectors of their cues."""
    return tuple(
        [
            Watched(entry.commitment, entry.cues, await embedder.embed(entry.cues))
            for entry in entries
        ]
    )


async def heard(text: str, embedder: Embedder) -> Heard:
    """A turn with the vectors of its parts."""
    return Heard(text, await embedder.embed(parts(text)))


async def _scene(case: Case, variant: Variant, embedder: Embedder) -> Scene:
    said = case.blueprint.said(variant)
    (query,) = await embedder.embed([said.text])
    facts = case.facts()
    cosines = await embedder.embed([fact.text for fact in facts]) @ query
    hits = [Hit(fact, float(cosine)) for fact, cosine in zip(facts, cosines, strict=True)]
    best = tuple(sorted(hits, key=lambda hit: -hit.score))
    return Scene(said.date, await heard(said.text, embedder), best)


async def _ledger(case: Case, entries: Sequence[Entry], embedder: Embedder) -> Ledger:
    """Each later turn is held against what was open by then, knowing what was said before it."""
    all_watched = await watched(entries, embedder)
    texts = [turn.text for turn in case.blueprint.turns]
    vectors = await embedder.embed(texts)
    pairs: list[float] = []
    for place, text in enumerate(texts):
        there = [
            one
            for one, entry in zip(all_watched, entries, strict=True)
            if entry.place < place and one.commitment.condition
        ]
        known = usual(texts[:place], vectors[:place])
        turn = await heard(text, embedder)
        pairs += [score for score, _ in scored(there, turn, known, _IN_PARTS)]
    return Ledger(all_watched, tuple(pairs))
