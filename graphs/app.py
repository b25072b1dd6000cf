"""The composition root: the only file that opens stores and models."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from langgraph.types import RetryPolicy

from forethought.graphs.models import in_use, open_embedder, open_reranker, opened_model
from forethought.graphs.settings import Settings
from forethought.memory.allocation import blank_new_memory
from forethought.memory.beliefs.evidence import Evidence
from forethought.memory.beliefs.observing import Observer
from forethought.memory.embedding import Embedder
from forethought.memory.errors import ModelUnavailable, StoreUnavailable
from forethought.memory.forgetting import Forgetter
from forethought.memory.index import ChromaIndex, Index
from forethought.memory.indexing import Indexer
from forethought.memory.learning import Learner
from forethought.memory.ledger.watch import Watch
from forethought.memory.linking import Linker
from forethought.memory.locks import BankLocks
from forethought.memory.recall.recall import Recall
from forethought.memory.recall.rerank import Identity, Reranker
from forethought.memory.recall.rewriting import Rewriter
from forethought.memory.records import neo4j
from forethought.memory.records.lock import WriterLock
from forethought.memory.records.port import Records
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.weighing import Weigher
from forethought.nodes.moment import now_of
from forethought.nodes.rewriting import ModelRewriter

if TYPE_CHECKING:
    from forethought.nodes.model import Model

RETRY = RetryPolicy(
    max_attempts=4,  # 1 + 2 + 4 s of waiting: outlasts a rate limit's short window
    initial_interval=1.0,
    retry_on=(ModelUnavailable, StoreUnavailable),
)


def _clock() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class App:
    """The collaborators of every graph, opened once and shared.

    `trained` rewrites requests in place of the model.
    """

    records: Records
    index: Index
    embedder: Embedder
    model: Model | None
    zone: tzinfo = UTC
    reranker: Reranker = field(default_factory=Identity)
    clock: Callable[[], datetime] = _clock
    retry: RetryPolicy = RETRY
    locks: BankLocks = field(default_factory=BankLocks)
    trained: Rewriter | None = None
    rewriter: Rewriter | None = field(init=False)
    recall: Recall = field(init=False)
    indexer: Indexer = field(init=False)
    forgetter: Forgetter = field(init=False)
    linker: Linker = field(init=False)
    evidence: Evidence = field(init=False)
    observer: Observer = field(init=False)
    learner: Learner = field(init=False)
    watch: Watch = field(init=False)
    weigher: Weigher = field(init=False)

    def __post_init__(self) -> None:
        """Make what only combines the others."""
        indexer = Indexer(self.records, self.index, self.embedder)
        object.__setattr__(self, "recall", Recall(indexer, self.reranker, zone=self.zone))
        object.__setattr__(self, "indexer", indexer)
        asking = ModelRewriter(self.model) if self.model else None
        object.__setattr__(self, "rewriter", self.trained or asking)
        object.__setattr__(self, "forgetter", Forgetter(self.records, indexer))
        object.__setattr__(self, "linker", Linker(indexer))
        object.__setattr__(self, "evidence", Evidence(indexer))
        object.__setattr__(self, "observer", Observer(indexer))
        object.__setattr__(self, "learner", Learner(indexer))
        object.__setattr__(self, "watch", Watch(indexer, self.recall.embedder))
        object.__setattr__(self, "weigher", Weigher(self.records, self.zone))

    def moment(self, said: str | None) -> datetime:
        """The moment as of which to answer: what the caller `said`, else the clock's."""
        return now_of(said, clock=self.clock, zone=self.zone)


@asynccontextmanager
async def open_app(settings: Settings, *, model: Model | None = None) -> AsyncIterator[App]:
    """Open the stores of `settings`, and close them in the end.

    `model` takes the place of the configured chat model. Raises BankBusy where another process
    has the data directory, StoreUnavailable where a store cannot be opened, and InvalidInput where
    the reranker's files are missing.
    """
    directory = settings.directory
    embedder = open_embedder(settings)
    reranker = await asyncio.to_thread(open_reranker, settings)  # it looks for its files
    async with (
        in_use(embedder),
        nullcontext(model) if model else opened_model(settings) as chat,
        # locking touches the disk
        await asyncio.to_thread(WriterLock.acquire, directory),
    ):
        records = await _open_records(settings)
        try:
            index = await _open_index(settings, embedder.name)
            try:
                yield App(records, index, embedder, chat, settings.tzinfo, reranker)
            finally:
                await index.close()
        finally:
            await records.close()


async def _open_records(settings: Settings) -> Records:
    if not settings.neo4j_uri:
        return await SqliteRecords.open(settings.directory)
    # The driver takes a third of a second to import, off the event loop.
    adapter = await asyncio.to_thread(lambda: neo4j.Neo4jRecords)
    password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else ""
    return await adapter.open(settings.neo4j_uri, user=settings.neo4j_user, password=password)


async def _open_index(settings: Settings, embedder: str) -> ChromaIndex:
    if settings.chroma_url:
        return await ChromaIndex.server(settings.chroma_url, embedder=embedder)
    blank_new_memory()
    return await ChromaIndex.embedded(settings.directory / "chroma", embedder=embedder)
