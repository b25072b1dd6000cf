"""The watch over real stores: what it reads again, what it keeps, and what it embeds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.embedding import Vectors
from forethought.memory.index import ChromaIndex
from forethought.memory.indexing import Indexer
from forethought.memory.ledger.clauses import parts
from forethought.memory.ledger.firing import At
from forethought.memory.ledger.types import Commitment, CommitmentCue, Settlement
from forethought.memory.ledger.watch import Watch
from forethought.memory.records.sqlite import SqliteRecords
from tests.flows.scripted import WordCounts

BANK = "ann"
MADE = datetime(2026, 3, 1, tzinfo=UTC)
AT = At(datetime(2026, 3, 10, tzinfo=UTC), date(2026, 3, 10))
CUES = [f"{opening} the quote from Acme" for opening in ("I got", "I have", "I read", "I saw")]
TURN = "I got the quote from Acme. What shall I cook for lunch today?"
QUOTE = Commitment("c1", BANK, "Reconcile it", MADE, condition="the quote has come")


class Counting(WordCounts):
    """Remembers what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return await super().embed(texts)


@dataclass
class Kept:
    """A watch over fresh stores; `embedder` is the one for turns."""

    indexer: Indexer
    embedder: Counting = field(default_factory=Counting)

    def __post_init__(self) -> None:
        self.watch = Watch(self.indexer, self.embedder)

    async def undertake(self, *commitments: Commitment, cues: Sequence[str] = ()) -> None:
        records = self.indexer.records
        await records.undertake(BANK, commitments)
        for one in commitments if cues else ():
            texts = [CommitmentCue(one.id, place, text) for place, text in enumerate(cues)]
            await records.remind(BANK, texts, commitments=[one.id])

    async def fired(self, turn: str | None = TURN, *, past: bool = False) -> list[str]:
        found = await self.watch.firing(BANK, turn, AT, past=past)
        return [one.commitment.id for one in found]


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Kept]:
    records = await SqliteRecords.open(tmp_path)
    index = await ChromaIndex.embedded(tmp_path / "chroma", embedder=WordCounts.name)
    yield Kept(Indexer(records, index, Counting()))
    await index.close()
    await records.close()


def _embedded(kept: Kept) -> list[str]:
    embedder = kept.indexer.embedder
    assert isinstance(embedder, Counting)
    return embedder.texts


async def test_cues_are_embedded_once_and_of_each_turn_only_its_parts(kept: Kept) -> None:
    await kept.undertake(QUOTE, cues=CUES)
    for _ in range(3):
        assert await kept.fired() == ["c1"]
    assert sorted(_embedded(kept)) == sorted(CUES)
    assert kept.embedder.texts[0] == TURN and CUES[0] not in kept.embedder.texts[1:]
    assert len(kept.embedder.texts) == 3 * len(set(kept.embedder.texts))


async def test_the_clauses_of_a_turn_are_embedded_only_where_its_whole_comes_near(
    kept: Kept,
) -> None:
    await kept.undertake(QUOTE, cues=CUES)
    far = "Where is my umbrella today? It rains so much, the street is a river."
    assert await kept.fired(far) == []
    assert kept.embedder.texts == [far]
    assert await kept.fired() == ["c1"]
    assert kept.embedder.texts[1:] == parts(TURN)


async def test_a_turn_is_not_embedded_where_no_open_condition_could_be_met(kept: Kept) -> None:
    assert await kept.fired() == []
    await kept.undertake(Commitment("c2", BANK, "Pay", MADE, due=AT.on))
    assert await kept.fired() == ["c2"]
    assert kept.embedder.texts == []


async def test_without_a_turn_only_days_count(kept: Kept) -> None:
    await kept.undertake(QUOTE, Commitment("c2", BANK, "Pay", MADE, due=AT.on), cues=CUES)
    assert await kept.fired(None) == ["c2"]
    assert await kept.fired() == ["c1", "c2"]


async def test_what_changes_between_two_turns_counts_at_once(kept: Kept) -> None:
    await kept.undertake(QUOTE)
    assert await kept.fired() == []  # its own words are not those of the turn
    await kept.indexer.records.remind(
        BANK, [CommitmentCue("c1", n, text) for n, text in enumerate(CUES)], commitments=["c1"]
    )
    assert await kept.fired() == ["c1"]
    await kept.indexer.records.settle(BANK, [Settlement("c1", "kept", AT.now)])
    assert await kept.fired() == []
    await kept.indexer.records.reopen(BANK, "c1")
    assert await kept.fired() == ["c1"]


async def test_what_was_closed_since_the_moment_asked_for_fires_only_in_the_past(
    kept: Kept,
) -> None:
    await kept.undertake(QUOTE, cues=CUES)
    later = AT.now.replace(month=4)
    await kept.indexer.records.settle(BANK, [Settlement("c1", "dropped", later)])
    assert await kept.fired() == []
    assert await kept.fired(past=True) == ["c1"]


async def test_what_the_user_says_every_day_brings_it_up_less(kept: Kept) -> None:
    await kept.undertake(QUOTE, cues=CUES)
    (before,) = await kept.watch.firing(BANK, TURN, AT)
    turns = tuple(Utterance(role="user", text=f"{CUES[n % 4]}, again") for n in range(24))
    await kept.indexer.records.log(BANK, [Conversation(date=MADE, turns=turns, key="chat")])
    await kept.indexer.catch_up(BANK)
    after = await kept.watch.firing(BANK, TURN, AT)
    assert max((one.score for one in after), default=0.0) < before.score - 0.3


async def test_only_commitments_made_by_then_are_near(kept: Kept) -> None:
    await kept.undertake(QUOTE, Commitment("c2", BANK, "Pay the rent", AT.now))
    near = await kept.watch.near(BANK, ["Rent"], by=MADE, most=9)
    assert [one.id for one in near] == ["c1"]
    nearest = await kept.watch.near(BANK, ["The rent"], by=AT.now, most=1)
    assert [one.id for one in nearest] == ["c2"]
