"""What the linker links, whatever was replaced among the nearest."""

from __future__ import annotations

from pathlib import Path

from forethought.memory.index import ChromaIndex
from forethought.memory.indexing import Indexer
from forethought.memory.linking import Linker
from forethought.memory.links import MOST_SIMILAR
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.types import Fact
from tests.contracts.samples import BANK, fact, learn
from tests.flows.scripted import WordCounts

SAID = "ana walks her old dog along the quiet river every single morning before a very long day"


def _alike(differing: int) -> Fact:
    """The less like SAID, the more words it has beside it."""
    return fact(" ".join([SAID, *(f"word{differing}{n}" for n in range(differing))]), on=differing)


async def test_a_fact_is_linked_to_the_most_alike_of_those_that_hold(tmp_path: Path) -> None:
    embedder = WordCounts()
    records = await SqliteRecords.open(tmp_path)
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=embedder.name)
    linker = Linker(Indexer(records, index, embedder))
    near = [_alike(differing) for differing in range(1, MOST_SIMILAR + 4)]
    said, other = fact(SAID, on=20), fact("nothing of that is so", on=10)
    await learn(records, *near)
    await learn(records, other, replacing={one.id: other for one in near[:2]})
    await linker.indexer.catch_up(BANK)
    await linker.catch_up(BANK)
    await learn(records, said)
    await linker.indexer.catch_up(BANK)
    await linker.catch_up(BANK)
    links = [one for one in await records.links(BANK, [said.id]) if one.kind == "semantic"]
    linked = {end for one in links for end in (one.source, one.target)} - {said.id}
    assert linked == {one.id for one in near[2 : 2 + MOST_SIMILAR]}
    await index.close()
    await records.close()
