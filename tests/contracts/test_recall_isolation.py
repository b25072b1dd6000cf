"""Every channel of recall over two banks with the same texts: neither sees a thing of the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path

import numpy as np

from forethought.memory.beliefs.types import Observation, Opinion
from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.forgetting import Forgetter
from forethought.memory.index import ChromaIndex, Entries, Index
from forethought.memory.indexing import Indexer
from forethought.memory.linking import Linker
from forethought.memory.prospection import Step
from forethought.memory.recall.channels import Channels
from forethought.memory.recall.probing import Probing
from forethought.memory.recall.recall import Recall
from forethought.memory.recall.terms import NAMES, PLAIN, Bearing, Weights
from forethought.memory.types import Cue, Hit
from tests.contracts.adapters import OpenRecords
from tests.contracts.samples import NOW, day, fact, found, learn, methods
from tests.flows.scripted import WordCounts

BANKS = ("ann", "bob")
TEXTS = {"f-oslo": "Lives in Oslo", "f-sings": "Sings alto in Oslo", "f-tea": "Drinks tea"}
ALIKE = Dimensions(tense="past")
ASKED = "Where in Oslo is tea sung?"


@dataclass(frozen=True, slots=True)
class Place:
    """A bank of an installation, with whatever asks about it."""

    indexer: Indexer
    recall: Recall
    bank: str

    @property
    def index(self) -> Index:
        return self.indexer.index

    async def know(self, *ids: str) -> None:
        """These facts, each with a cue, under the same ids in every bank.

        Only in bob's have they dimensions, and only there does each of them weigh something.
        """
        like, heavy = (ALIKE, ids) if self.bank == "bob" else (UNSAID, ids[:1])
        made = [fact(TEXTS[id], bank=self.bank, dimensions=like) for id in ids]
        facts = [replace(one, id=id) for one, id in zip(made, ids, strict=True)]
        await learn(self.indexer.records, *facts)
        await self.indexer.records.weigh(self.bank, dict.fromkeys(heavy, 0.5))
        cues = [Cue(id, 0, f"Is it good in Oslo, {id}?") for id in ids]
        await self.indexer.records.foresee(self.bank, cues, facts=ids)
        await self.indexer.records.hold(self.bank, [_opinion(self.bank, id) for id in ids])
        seen = [_observation(self.bank, id, ids[0]) for id in ids]
        await self.indexer.records.observe(self.bank, ids[0], seen)
        await self.indexer.catch_up(self.bank)
        await Linker(self.indexer).catch_up(self.bank)

    async def raised(self) -> object:
        bearing = Bearing(Weights(3, 3, 0.5, 1), frozenset(TEXTS), dimensions=ALIKE)
        found = await self.recall.recall(self.bank, ASKED, now=NOW, limit=99, bearing=bearing)
        return {(h.fact.id, *sorted(h.terms.keys() & set(NAMES))) for h in self._own(found.hits)}

    async def found(self, channels: Channels) -> object:
        asked = f"{ASKED} Since 2020?"
        recalled = await self.recall.recall(self.bank, asked, now=NOW, limit=99, channels=channels)
        turns = {one.turn.id for one in recalled.turns}
        return {(hit.fact.id, *sorted(hit.ranks)) for hit in self._own(recalled.hits)} | turns

    async def views(self) -> object:
        views = await self.recall.views(self.bank, ASKED, now=NOW)
        return {one.id for one in views.opinions} | {one.id for one in views.observations}

    async def said(self) -> object:
        said = await self.recall.said(self.bank, "said monday", now=NOW, limit=99)
        return {one.turn.id for one in said}

    async def probed(self) -> object:
        steps = [Step("A1", "Drink tea"), Step("A2", "Sing in Oslo")]
        probing = Probing(self.bank, ASKED, NOW, k=9, limit=99)
        round = await self.recall.probe(probing, steps, {})
        return [(one.step, set(one.facts)) for one in round.probed], set(round.candidates)

    async def ranked(self) -> object:
        probing = Probing(self.bank, ASKED, NOW, k=9, limit=99)
        round = await self.recall.probe(probing, [Step("A1", "Drink tea")], {})
        placed = await self.recall.ranked(probing, round.candidates, PLAIN)
        return {fact: one.at.cue for fact, one in placed.items()}

    def _own(self, hits: list[Hit]) -> list[Hit]:
        assert {hit.fact.bank for hit in hits} <= {self.bank}
        return hits


NONE = Channels(**{channel.name: False for channel in fields(Channels)})
ALONE = {channel.name: replace(NONE, **{channel.name: True}) for channel in fields(Channels)}

Case = Callable[[Place], Awaitable[object]]

CHANNELS: dict[str, Case] = {
    "Recall.recall": lambda at: at.found(Channels()),
    **{f"Recall.recall: {name}": partial(Place.found, channels=one) for name, one in ALONE.items()},
    "Recall.recall: terms": lambda at: at.raised(),
    "Recall.said": lambda at: at.said(),
    "Recall.reading": lambda at: at.recall.reading(at.bank, f"Is it good in Oslo? {ASKED}"),
    "Recall.views": lambda at: at.views(),
    "Recall.ranked": lambda at: at.ranked(),
    "Recall.related": lambda at: at.recall.related(at.bank, [ASKED], k=9, limit=99),
    "Recall.sure": lambda at: at.recall.sure(at.bank, ASKED, now=NOW, k=9, floor=0.1),
    "Recall.probe": lambda at: at.probed(),
    "Records.search": lambda at: _ids(found(at.indexer.records, ASKED, bank=at.bank)),
    "Records.said": lambda at: _ids(at.indexer.records.said(at.bank, "said monday", k=9, now=NOW)),
    "Index.nearest": lambda at: at.index.nearest(at.bank, "text", _axes(), n=99),
    "Index.nearest: cues": lambda at: at.index.nearest(at.bank, "cue", _axes(), n=99),
    "Index.nearest: until": lambda at: at.index.nearest(at.bank, "cue", _axes(), n=9, until=NOW),
    "Index.vectors": lambda at: _keys(at.index.vectors(at.bank, "text", list(TEXTS))),
    "Index.sample": lambda at: _rows(at.index.sample(at.bank, "text", limit=99)),
    "Index.count": lambda at: at.index.count(at.bank, "cue"),
    "Index.ids": lambda at: at.index.ids(at.bank, "text"),
}
WRITES: dict[str, Case] = {
    "Index.put": lambda at: at.index.put(at.bank, "text", Entries(["f-x"], _axes()[:1], [day(1)])),
    "Index.remove": lambda at: at.index.remove(at.bank, ["f-oslo", "f-tea:0"]),
    "forgetting a fact": lambda at: _forgetter(at).forget(at.bank, fact="f-sings"),
    "indexing anew": lambda at: at.indexer.rebuild(at.bank),
    "Index.drop": lambda at: at.index.drop(at.bank),
    "forgetting the bank": lambda at: _forgetter(at).forget(at.bank),
}


def test_every_method_that_finds_or_keeps_something_has_a_case() -> None:
    cases = {name.partition(":")[0] for name in (*CHANNELS, *WRITES)}
    for port in (Index, Recall):
        assert {f"{port.__name__}.{name}" for name in methods(port) - {"close"}} <= cases


async def test_no_channel_finds_or_loses_anything_by_what_another_bank_holds(
    open_records: OpenRecords, tmp_path: Path
) -> None:
    async with (
        _installed(open_records, tmp_path / "shared") as (ann, bob),
        _installed(open_records, tmp_path / "alone") as (alone, _),
    ):
        await bob.know(*TEXTS)
        assert not any([await CHANNELS[name](ann) for name in ("Recall.recall", "Index.ids")])
        await ann.know("f-oslo", "f-sings")
        await alone.know("f-oslo", "f-sings")
        expected = await _told(alone)
        assert all(expected.values())
        assert await _told(ann) == expected
        for name, write in WRITES.items():
            before = await _told(bob)
            await write(bob)
            assert await _told(bob) != before, name
            assert await _told(ann) == expected, name


@asynccontextmanager
async def _installed(open_records: OpenRecords, folder: Path) -> AsyncIterator[list[Place]]:
    embedder = WordCounts()
    records = await open_records(folder)
    index = await ChromaIndex.embedded(folder / "chroma", embedder=embedder.name)
    indexer = Indexer(records, index, embedder)
    yield [Place(indexer, Recall(indexer), bank) for bank in BANKS]
    await index.close()
    await records.close()


async def _told(at: Place) -> dict[str, object]:
    return {name: await channel(at) for name, channel in CHANNELS.items()}


def _opinion(bank: str, id: str) -> Opinion:
    text = f"Tea in Oslo suits who {TEXTS[id]}"
    return Opinion(f"o-{id}", bank, text, 0.5, day(1), text, 0.5, ("Oslo",), (id,))


def _observation(bank: str, id: str, subject: str) -> Observation:
    text = f"In Oslo tea is sung of: {TEXTS[id]}"
    return Observation(f"b-{id}", bank, subject, "topic", "Oslo", text, (id,), day(1))


def _forgetter(at: Place) -> Forgetter:
    return Forgetter(at.indexer.records, at.indexer)


def _axes() -> np.ndarray:
    return np.eye(2, 256, dtype=np.float32)


async def _ids(read: Awaitable[Sequence[object]]) -> object:
    """Which ones, in any order and whatever their scores: a word may weigh by the whole store."""
    return {one[0] if isinstance(one, tuple) else one for one in await read}


async def _keys(read: Awaitable[Mapping[str, object]]) -> object:
    return set(await read)


async def _rows(read: Awaitable[np.ndarray]) -> object:
    return (await read).tolist()
