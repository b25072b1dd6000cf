"""Hybrid recall: facts by text and cues, moved by what every other channel says of them."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from forethought.memory.recall.channels import (
    FORESIGHT,
    GRAPH,
    GRAPH_WEIGHT,
    KEYWORD,
    SEMANTIC,
    Channels,
    Finder,
    Heard,
    Question,
    told_by_days,
    words_in,
)
from forethought.memory.recall.foresight import Foresight, Scored
from forethought.memory.recall.fusion import Channel, places
from forethought.memory.recall.graph import SEEDS, activated
from forethought.memory.recall.sample import Sample
from forethought.memory.recall.shortlist import best_first
from forethought.memory.recall.similarity import plain_weight, request_likeness
from forethought.memory.recall.turns import Log, told_by_turns
from forethought.memory.records.port import Records
from forethought.memory.types import Said

BROUGHT = 50  # facts that a channel may bring in beside those found by text and cues


@dataclass(frozen=True, slots=True)
class Standing:
    """One fact's place: `score` is its similarity and what the channels of `moved` add to it."""

    scored: Scored
    score: float
    moved: Mapping[str, float]
    ranks: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ranked:
    """All facts that a question found, the turns, best first, and what channels read in it."""

    facts: dict[str, Standing]
    said: list[Said] = field(default_factory=list)
    read: dict[str, str] = field(default_factory=dict)


class Hybrid:
    """Scores the facts of one bank for a question."""

    def __init__(self, records: Records, foresight: Foresight, log: Log) -> None:
        """`foresight` scores text and cues, `log` the turns; words are searched in `records`."""
        self._records = records
        self._foresight = foresight
        self._log = log
        self._finders: dict[str, Finder] = {KEYWORD: words_in(records)}

    async def ranked(
        self, bank: str, question: Question, sample: Sample, *, n: int, channels: Channels
    ) -> Ranked:
        """The `n` best facts by the `channels` that are asked, or more, which is not their order.

        What channels beside text and cues say is in standard deviations of the texts' cosines. It
        weighs less the more the question looks like a request for help with a plan.
        """
        own = sample if channels.foresight else sample.without_cues()
        finders = [find for name, find in self._finders.items() if getattr(channels, name)]
        (scored, linked), said, heard = await asyncio.gather(
            self._scored(bank, question, own, n=n, channels=channels),
            self._said(bank, question, channels),
            asyncio.gather(*(find(bank, question) for find in finders)),
        )
        told = [*_told(question, said), *heard, *linked]
        brought = _brought(told, scored)
        scored |= await self._foresight.exactly(bank, brought, question, own)
        unit = _unit(question, sample)
        facts = _standing(scored, [one.channel for one in told], unit)
        return Ranked(facts, said, {one.channel.name: one.read for one in told if one.read})

    async def _scored(
        self, bank: str, question: Question, own: Sample, *, n: int, channels: Channels
    ) -> tuple[dict[str, Scored], list[Heard]]:
        """Facts by text and cues, and what the graph says, which begins at the nearest texts."""
        found = await self._foresight.scored(bank, question, own, n=n)
        if not channels.graph:
            return found, []
        texts = {fact: one.text for fact, one in found.items()}
        seeds = {fact: texts[fact] for fact in best_first(texts)[:SEEDS]}
        return found, [await self._linked(bank, question, seeds)]

    async def _linked(self, bank: str, question: Question, seeds: Mapping[str, float]) -> Heard:
        """What activation reaches by an edge: that of a seed itself is its text's, counted."""
        reached = await activated(self._records, bank, seeds, now=question.now)
        scores = {fact: one.score for fact, one in reached.items() if one.edge is not None}
        return Heard(Channel(GRAPH, scores, mean=0.0, spread=1.0, weight=GRAPH_WEIGHT))

    async def _said(self, bank: str, question: Question, channels: Channels) -> list[Said]:
        return await self._log.said(bank, question) if channels.log else []


def _told(question: Question, said: Sequence[Said]) -> list[Heard]:
    """The channels that come with the question and the log."""
    told = [Heard(told_by_turns(said))] if said else []
    return [*told, told_by_days(question.timely)] if question.timely else told


def _brought(heard: Sequence[Heard], known: Mapping[str, Scored]) -> list[str]:
    """The facts that channels found and text and cues did not, of each its best."""
    best = [fact for one in heard for fact in best_first(one.channel.scores)[:BROUGHT]]
    return [fact for fact in dict.fromkeys(best) if fact not in known]


def _unit(question: Question, sample: Sample) -> float:
    """What a standard deviation of a channel counts, on the scale of cosines."""
    if not sample.texts.size:
        return 0.0
    spread = float(sample.texts.spread(question.texts[None, :])[0])
    if not sample.cues.size:
        return spread
    return spread * plain_weight(request_likeness(question.vector, sample.cues.mean))


def _standing(
    scored: Mapping[str, Scored], channels: Sequence[Channel], unit: float
) -> dict[str, Standing]:
    ranks = {one.name: places(one.scores) for one in channels}
    in_order = sorted(scored.items())  # equals keep theirs, so that a question repeats itself
    ranks[SEMANTIC] = places({fact: one.text for fact, one in in_order})
    cued = {fact: one.cue for fact, one in in_order if one.position is not None}
    ranks[FORESIGHT] = places(cued)
    facts = {}
    for fact, one in scored.items():
        moved = {
            channel.name: unit * channel.standardised(fact)
            for channel in channels
            if fact in channel.scores
        }
        where = {name: of[fact] for name, of in ranks.items() if fact in of}
        facts[fact] = Standing(one, one.joint + math.fsum(moved.values()), moved, where)
    return facts
