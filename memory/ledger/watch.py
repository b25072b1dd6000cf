"""Hold turns against a bank's open commitments: what that takes is kept between turns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from forethought.memory.embedding import Embedder
from forethought.memory.indexing import Indexer
from forethought.memory.ledger.clauses import parts
from forethought.memory.ledger.firing import (
    At,
    Firing,
    Heard,
    Scores,
    Usual,
    Watched,
    fired,
    hiding,
    measured,
    spelled,
    standing,
    usual,
)
from forethought.memory.ledger.types import Commitment
from forethought.memory.recall.sample import outgrown

if TYPE_CHECKING:
    from forethought.memory.embedding import Vectors

_Held: TypeAlias = "dict[str, list[tuple[str, Vectors]]]"
"""By the id of each commitment its cues, each with its vector."""

_SAID = 24  # turns of the user, the latest: measured with up to 14 (`firing.Usual`)
# Of the turns: so many more are held against a ledger until the log is counted anew, which takes
# Chroma 2 ms of 10,000. Each brings two, and what is usual is read anew once the log grew by 2 %.
_UNCOUNTED = 0.01


@dataclass(frozen=True, slots=True)
class _Said:
    """What is usual in a log of so many `turns`, and how many calls wait until it is counted."""

    usual: Usual
    turns: int
    waits: int


class Watch:
    """The open commitments of each bank with the vectors of their cues; no model is called.

    The commitments themselves are read anew each time, so that nothing settled, told or forgotten
    is overlooked; the vectors of those that were there before are not.
    """

    def __init__(self, indexer: Indexer, embedder: Embedder) -> None:
        """Read from the stores of `indexer`; `embedder` is for turns and may remember them."""
        self._indexer = indexer
        self._records = indexer.records
        self._embedder = embedder
        self._kept: dict[str, dict[str, Watched]] = {}
        self._usual: dict[str, _Said] = {}

    async def firing(
        self, bank: str, turn: str | None, at: At, *, past: bool = False
    ) -> list[Firing]:
        """What `turn` and the day of `at` bring to mind (`ledger.firing.firing`).

        `past` looks at those closed by now too, which may have been open then.
        """
        watched, whole = await asyncio.gather(
            self._watched(bank, past=past), self._early(bank, turn)
        )
        there = standing(watched, at)
        scores = None
        if turn and any(entry.commitment.condition for entry in there):
            scores = await self._scored(bank, there, turn, whole)
        return fired(there, scores, at)

    async def near(
        self, bank: str, texts: Sequence[str], *, by: datetime, most: int
    ) -> list[Commitment]:
        """The open commitments made by then that are nearest to any of `texts`, by date made."""
        there = [one for one in await self._watched(bank) if one.commitment.made <= by]
        if len(there) > most:
            said = await self._embedder.embed(texts)
            there.sort(key=lambda entry: _nearness(entry, said), reverse=True)
        chosen = [entry.commitment for entry in there[:most]]
        return sorted(chosen, key=lambda one: (one.made, one.id))

    async def _early(self, bank: str, turn: str | None) -> Vectors | None:
        """The vector of the turn [1, d], while the ledger is read, if it had a condition before."""
        had = any(entry.commitment.condition for entry in self._kept.get(bank, {}).values())
        return await self._embedder.embed([turn]) if turn and had else None

    async def _scored(
        self, bank: str, there: Sequence[Watched], turn: str, whole: Vectors | None
    ) -> Scores:
        """As `firing.scored` would, embedding the clauses of the turn only where they count.

        `whole` is its vector, where it is known.
        """
        if whole is None:
            whole = await self._embedder.embed([turn])
        known = await self._usually(bank)
        scores = measured(there, Heard(turn, whole), known)
        clauses = parts(turn)[1:]
        if not clauses or not hiding(there, scores):
            return scores
        vectors = _stacked([*whole, *await self._embedder.embed(clauses)])
        return measured(there, Heard(turn, vectors), known)

    async def _watched(self, bank: str, *, past: bool = False) -> list[Watched]:
        found = await self._records.commitments(bank, status=None if past else "open")
        kept = self._kept.get(bank, {})
        new = [
            one
            for one in found
            if one.id not in kept or kept[one.id].commitment.foreseen != one.foreseen
        ]
        kept = {**kept, **await self._read(bank, new)} if new else kept
        entries = {one.id: _with(kept[one.id], one) for one in found}
        self._kept[bank] = entries
        return list(entries.values())

    async def _read(self, bank: str, new: Sequence[Commitment]) -> dict[str, Watched]:
        """Those with the vectors of their cues; of those that have none, of what they say."""
        held = await self._cued(bank, [one.id for one in new if one.foreseen])
        plain = [one for one in new if one.id not in held]
        texts = [text for one in plain for text in spelled(one)]
        if texts:
            vectors = iter(await self._indexer.embedder.embed(texts))
            held |= {one.id: [(cue, next(vectors)) for cue in spelled(one)] for one in plain}
        # stemming their words takes milliseconds each, and loading the stemmer more
        return await asyncio.to_thread(_entries, new, held)

    async def _cued(self, bank: str, foreseen: Sequence[str]) -> _Held:
        held: _Held = {}
        if foreseen:
            cues = await self._records.reminders(bank, foreseen)
            vectors = await self._indexer.vectors(bank, "reminder", [cue.id for cue in cues])
            for cue in cues:
                if cue.id in vectors:
                    held.setdefault(cue.commitment, []).append((cue.text, vectors[cue.id]))
        return held

    async def _usually(self, bank: str) -> Usual:
        """What the user usually says, by the latest turns; refreshed as the log grows."""
        known = self._usual.get(bank)
        if known is not None and known.waits > 0:
            self._usual[bank] = replace(known, waits=known.waits - 1)
            return known.usual
        count = await self._indexer.index.count(bank, "turn")
        if known is None or outgrown(known.turns, count):
            known = _Said(await self._latest(bank), count, 0)
        self._usual[bank] = replace(known, waits=int(_UNCOUNTED * count))
        return known.usual

    async def _latest(self, bank: str) -> Usual:
        texts: dict[str, str] = {}
        for session in reversed(await self._records.sessions(bank)):
            turns = await self._records.turns(bank, session.id)
            texts |= {turn.id: turn.text for turn in turns if turn.role == "user"}
            if len(texts) >= _SAID:
                break
        vectors = await self._indexer.index.vectors(bank, "turn", list(texts))
        if not vectors:
            return Usual()
        return usual([texts[id] for id in vectors], _stacked(vectors.values()))


def _entries(new: Sequence[Commitment], held: _Held) -> dict[str, Watched]:
    return {
        one.id: Watched(
            one,
            tuple(text for text, _ in held[one.id]),
            _stacked(vector for _, vector in held[one.id]),
        )
        for one in new
    }


def _with(entry: Watched, commitment: Commitment) -> Watched:
    """The entry with the commitment as it is now."""
    return entry if entry.commitment == commitment else replace(entry, commitment=commitment)


def _nearness(entry: Watched, said: Vectors) -> float:
    return float((said @ entry.vectors.T).max()) if len(entry.cues) else -1.0


def _stacked(vectors: Iterable[Vectors]) -> Vectors:
    import numpy as np

    return np.stack(list(vectors))
