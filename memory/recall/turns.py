"""The log: which turns a question resembles, by meaning and by words (ARCHITECTURE, "The log")."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain

from forethought.memory.conversations import embedded
from forethought.memory.index import Index
from forethought.memory.recall.channels import LOG, TEMPORAL, TIMELY_WEIGHT, Question
from forethought.memory.recall.fusion import (
    Channel,
    Fused,
    against_best,
    best_first,
    fuse,
    inherited,
    with_neighbours,
    with_speaker,
)
from forethought.memory.recall.sample import Moments, Samples
from forethought.memory.records.port import Records
from forethought.memory.types import Hit, Placed, Said, Turn

DEPTH = 100  # turns read of each search: LoCoMo, turns@20 .794; all of them .795, 50 of each .792
# Standard deviations for the best match by words; LoCoMo, turns@10: 5 and 6 give .74, 8 .73.
BEST_WORDS = 5.0


class Log:
    """Searches the turns of a bank."""

    def __init__(self, records: Records, index: Index, samples: Samples) -> None:
        """`samples` of the turns in `index` are what their cosines are standardised against."""
        self._records = records
        self._index = index
        self._samples = samples

    async def said(self, bank: str, question: Question) -> list[Said]:
        """The turns of the user and the assistant that were said by then, best first.

        Those among the best of either search count, up to twice `DEPTH`; each with the facts that
        it supports.
        """
        moments, near, by_words = await asyncio.gather(
            self._samples.turns(bank),
            self._near(bank, question),
            self._records.said(bank, question.text, k=DEPTH, now=question.now),
        )
        words = {turn.id: score for turn, score in by_words if _uttered(turn)}
        placed, facts = await self._placed(bank, question, _once(near, words))
        if any(one.date > question.now for one in placed):
            near = await self._near(bank, question, until=question.now)
            placed, facts = await self._placed(bank, question, _once(near, words))
        if not (ids := [one.turn.id for one in placed]):
            return []
        cosines = await self._cosines(bank, question, ids, near)
        fused = _fused(question, placed, _meaning(question, cosines, moments), words)
        places = {one.turn.id: one for one in placed}
        return [_said(one, places[one.member], facts.get(one.member, ())) for one in fused]

    async def _placed(
        self, bank: str, question: Question, turns: Sequence[str]
    ) -> tuple[list[Placed], dict[str, list[str]]]:
        """Those of these turns that may be found, and the facts that each supports."""
        return await asyncio.gather(
            self._records.placed(bank, turns),
            self._records.supported(bank, turns, now=question.now),
        )

    async def _near(
        self, bank: str, question: Question, *, until: datetime | None = None
    ) -> dict[str, float]:
        """Cosines of the nearest turns; a filter by date is slow, so it is used where needed."""
        (found,) = await self._index.nearest(
            bank, "turn", question.vector[None, :], n=DEPTH, until=until
        )
        return {one.id: one.cosine for one in found}

    async def _cosines(
        self, bank: str, question: Question, ids: Sequence[str], near: Mapping[str, float]
    ) -> dict[str, float]:
        """Those that the search found, and of the others, which their words found, the exact."""
        vectors = await self._index.vectors(bank, "turn", [id for id in ids if id not in near])
        return {**near, **{id: float(question.vector @ of) for id, of in vectors.items()}}


def _once(*found: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(chain(*found)))


def _uttered(turn: Turn) -> bool:
    """Whether it may be shown: no system prompt and no tool's output was said by anybody."""
    return embedded(turn.role, turn.text)


def _meaning(question: Question, cosines: Mapping[str, float], moments: Moments) -> Channel:
    if not moments.size:
        return Channel("meaning", cosines, 0.0, 0.0)
    mean = float(question.vector @ moments.mean)
    spread = float(moments.spread(question.vector[None, :])[0])
    return Channel("meaning", cosines, mean, spread, absent=mean)


def _fused(
    question: Question, placed: Sequence[Placed], meaning: Channel, words: Mapping[str, float]
) -> list[Fused]:
    channels = [meaning, against_best("words", words, weight=BEST_WORDS)]
    turns = fuse([one.turn.id for one in placed], channels)
    speakers = {one.turn.id: one.turn.name for one in placed}
    turns = with_speaker(with_neighbours(turns, _pairs(placed)), speakers, question.text)
    return best_first(_in_time(question, turns, placed))


def _in_time(
    question: Question, turns: Sequence[Fused], placed: Sequence[Placed]
) -> Sequence[Fused]:
    """Raise the turns of the days that the question names."""
    if question.timely is None:
        return turns
    of = question.timely.sessions
    near = {one.turn.id: of[one.turn.session] for one in placed if one.turn.session in of}
    return [
        one.moved(TEMPORAL, TIMELY_WEIGHT * near[one.member]) if one.member in near else one
        for one in turns
    ]


def _pairs(placed: Sequence[Placed]) -> Iterator[tuple[str, str]]:
    """Those of these turns that follow each other."""
    at = {(one.turn.session, one.turn.position): one.turn.id for one in placed}
    for (session, position), turn in at.items():
        if before := at.get((session, position - 1)):
            yield before, turn


def _said(one: Fused, placed: Placed, facts: Sequence[str]) -> Said:
    terms = {name: round(value, 3) for name, value in one.terms.items()}
    return Said(
        placed.turn, placed.key, placed.date, round(one.score, 4), terms, dict(one.ranks),
        tuple(facts),
    )  # fmt: skip


def told_by_turns(said: Sequence[Said]) -> Channel:
    """The log as a channel of facts: each has the score of the best of the turns it came from."""
    turns: dict[str, list[str]] = {}
    for one in said:
        for fact in one.facts:
            turns.setdefault(fact, []).append(one.turn.id)
    return inherited(LOG, [Fused(one.turn.id, one.score) for one in said], turns)


def beside(said: Sequence[Said], hits: Sequence[Hit]) -> list[Said]:
    """The turns that say something else than `hits` do: none of their facts is among those."""
    there = {hit.fact.id for hit in hits}
    return [one for one in said if there.isdisjoint(one.facts)]
