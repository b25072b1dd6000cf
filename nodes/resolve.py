"""retain: turn drafts into one ChangeSet: facts (new, update or repeat of one) and commitments."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from langgraph.runtime import Runtime

from forethought.memory import ids
from forethought.memory.dimensions import Dimensions
from forethought.memory.embedding import Embedder
from forethought.memory.entities.gathering import resolved as resolved_names
from forethought.memory.entities.naming import distinct
from forethought.memory.entities.resolution import Said, Stretch
from forethought.memory.links import causal
from forethought.memory.plain import to_plain
from forethought.memory.records.changes import ChangeSet, Progress, Repeat, Replacement
from forethought.memory.records.port import Records
from forethought.memory.times.resolving import resolved
from forethought.memory.types import Fact, Link, Source
from forethought.memory.words import words
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.labels import as_label, fact_named, labelled
from forethought.nodes.retain_state import RetainState
from forethought.nodes.undertaking import Reading, Undertaken, undertaken
from forethought.prompts.extract import ExtractedFact, SaidLink


@dataclass(slots=True)
class _Draft:
    """What is being gathered for the ChangeSet of one stretch."""

    bank: str
    session: str
    date: datetime
    turns: Sequence[Sequence[str]]
    known: dict[str, Fact]
    facts: dict[str, Fact] = field(default_factory=dict)
    repeats: list[Repeat] = field(default_factory=list)
    replacements: list[Replacement] = field(default_factory=list)
    named: list[Said] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    relations: list[tuple[str, SaidLink]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def labelled(self) -> dict[str, str]:
        """The ids of known facts and of drafts, by their labels."""
        return {**{label: fact.id for label, fact in self.known.items()}, **self.labels}


async def resolve(
    state: RetainState, runtime: Runtime[Context], *, records: Records, embedder: Embedder
) -> dict[str, Any]:
    """Check every label and date of the drafts; what does not hold is named in `notes`."""
    watch = Stopwatch()
    bank = context_of(runtime).bank
    stretch = state.get("stretch") or {}
    failure = state.get("failure")
    if failure or "turns" not in stretch:  # nothing was read
        emit(runtime, "resolve", watch, new=0, updates=0, repeats=0, refused=[])
        failed = await records.sessions(bank, ids=[stretch["session"]]) if failure else []
        progress = tuple(Progress(item.id, item.extracted, error=failure) for item in failed)
        return {"changes": to_plain(ChangeSet(bank, progress=progress))}
    shown = {fact.id: fact for fact in await records.facts(bank, stretch["known"])}
    known = {  # by the places they were shown in, whatever was forgotten meanwhile
        f"K{number}": shown[id]
        for number, id in enumerate(stretch["known"], start=1)
        if id in shown
    }
    date = datetime.fromisoformat(stretch["date"])
    draft = _Draft(bank, stretch["session"], date, stretch["turns"], known)
    for number, data in enumerate(state["drafts"], start=1):
        item = ExtractedFact.model_validate(data)
        fact = await _add(draft, item, embedder)
        if fact is not None:
            _note_names(draft, item, fact, number)
    links = _links(draft)
    names = Stretch(bank, draft.session, date, tuple(draft.named))
    people = await resolved_names(records, names)
    duties = await _duties(state, draft, records)
    changes = ChangeSet(
        bank,
        facts=tuple(draft.facts.values()),
        repeats=tuple(draft.repeats),
        replacements=tuple(draft.replacements),
        progress=(Progress(draft.session, stretch["extracted"]),),
        entities=people.entities,
        mentions=people.mentions,
        links=links,
        commitments=duties.made,
        settlements=duties.settled,
    )
    emit(
        runtime, "resolve", watch, new=len(draft.facts) - len(draft.replacements),
        updates=len(draft.replacements), repeats=len(draft.repeats),
        entities=len(people.entities), mentions=len(people.mentions), links=len(links),
        commitments=len(duties.made), settled=len(duties.settled),
        refused=draft.notes,
    )  # fmt: skip
    return {"changes": to_plain(changes), "notes": draft.notes}


async def _add(draft: _Draft, item: ExtractedFact, embedder: Embedder) -> str | None:
    """Take up a draft; the id of the fact that it is or repeats, None if it is dropped."""
    support = _support(item.turns, draft.turns)
    if not support or not words(item.text):
        why = "no turn supports it" if not support else "it says nothing"
        draft.notes.append(f"dropped, {why}: {item.text[:80]}")
        return None
    source = Source(draft.session, tuple(turn for turn, _ in support))
    known = draft.known.get(as_label(item.of or "", "K"))
    if item.action != "new" and known is None:
        draft.notes.append(
            f"kept as new, {item.of or 'nothing'} is no known fact: {item.text[:80]}"
        )
    alone = all(role == "assistant" for _, role in support)
    if item.action == "repeat" and known is not None:
        if not _echoes(known, alone=alone):
            draft.repeats.append(Repeat(known.id, source, draft.date))
        return known.id
    fact = await _fact(draft, item, source)
    if alone:
        fact = replace(fact, network="experience")
    if fact.id in draft.facts:  # said twice: one fact that names all the turns that say it
        both = (*draft.facts[fact.id].sources[0].turns, *source.turns)
        fact = replace(fact, sources=(Source(draft.session, tuple(dict.fromkeys(both))),))
    draft.facts[fact.id] = fact
    if item.action == "update" and known is not None:
        if _echoes(known, alone=alone):
            draft.notes.append(f"kept beside, only the assistant said it: {fact.text[:80]}")
        else:
            await _update(draft, fact, known, embedder)
    return fact.id


def _echoes(known: Fact, *, alone: bool) -> bool:
    """Whether the assistant alone said what is known of the world, having been reminded of it.

    That is no second source for it, and no news of it either.
    """
    return alone and known.network == "world"


async def _update(draft: _Draft, fact: Fact, known: Fact, embedder: Embedder) -> None:
    if await _same_respect(fact, known, embedder):
        draft.replacements.append(Replacement(known.id, fact.id, draft.date, "update"))
    else:
        draft.notes.append(f"kept beside, not instead of, {known.text[:60]!r}: {fact.text[:80]}")


def _note_names(draft: _Draft, item: ExtractedFact, fact: str, number: int) -> None:
    """What the draft calls itself, names, and brings about, for once all drafts are known."""
    draft.labels.setdefault(as_label(item.id or f"F{number}", "F"), fact)
    draft.named += [Said(fact, entity.name, entity.kind) for entity in item.entities]
    draft.relations += [(fact, link) for link in item.links]


async def _duties(state: RetainState, draft: _Draft, records: Records) -> Undertaken:
    """The commitments of this stretch and what it settles; what does not hold is noted."""
    stretch = state["stretch"]
    reading = Reading(
        draft.bank, draft.session, draft.date, stretch["turns"], stretch.get("open", [])
    )
    said = state.get("duties") or {}
    duties = await undertaken(said, reading, draft.labelled, records=records)
    draft.notes += duties.notes
    return duties


def _links(draft: _Draft) -> tuple[Link, ...]:
    """The causal links that hold between two facts; the others are named in the notes."""
    facts = draft.labelled
    links: dict[Link, None] = {}
    for fact, said in draft.relations:
        other = fact_named(said.of, facts)
        link = causal(fact, said.kind.strip().lower(), other) if other else None
        if link:
            links[link] = None
        else:
            what = f"{said.kind or 'linked to'} {said.of or 'nothing'}"
            draft.notes.append(f"link dropped, it joins no two facts: {what}")
    return tuple(links)


async def _fact(draft: _Draft, item: ExtractedFact, source: Source) -> Fact:
    occurred = None
    if item.when:
        # dateparser loads its languages on first use: half a second that must not block the loop
        occurred = await asyncio.to_thread(resolved, item.when, on=draft.date)
    return Fact(
        id=ids.fact_id(draft.bank, draft.session, item.text),
        bank=draft.bank,
        text=item.text,
        kind=item.kind,
        date=draft.date,
        network=item.network,
        occurred_from=occurred[0] if occurred else None,
        occurred_to=occurred[1] if occurred else None,
        entities=distinct(entity.name for entity in item.entities),
        sources=(source,),
        dimensions=Dimensions(item.tense, item.subjectivity, item.certainty),
    )


def _support(labels: Sequence[str], turns: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Ids and roles of the turns that these labels name; labels beyond the list name none."""
    named = [labelled(said, "T", turns) for said in labels]
    return list({turn: role for turn, role in (one for one in named if one is not None)}.items())


async def _same_respect(new: Fact, old: Fact, embedder: Embedder) -> bool:
    one, two = await embedder.embed([new.text, old.text])
    return float(one @ two) >= embedder.thresholds.subject
