"""Fill a bank for an evaluation through the real stores and the real retain graph."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from forethought.evals.recorded import RecordedChatModel, Reply, cue_reply
from forethought.graphs.app import App, open_app
from forethought.graphs.retain import build_retain
from forethought.graphs.settings import Settings
from forethought.memory.conversations import Conversation
from forethought.memory.embedding import Embedder, Thresholds, Vectors
from forethought.memory.records.changes import ChangeSet, Progress
from forethought.memory.types import Fact
from forethought.nodes.context import Context
from forethought.nodes.model import Model

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

_STEPS: RunnableConfig = {
    "recursion_limit": 100_000
}  # of one retain run: a node a session and a batch of facts


@dataclass(frozen=True, slots=True)
class Kept:
    """An embedder that keeps each text's vector, so that an evaluation embeds a text once."""

    embedder: Embedder
    vectors: dict[str, Vectors] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """See `Embedder.name`."""
        return self.embedder.name

    @property
    def thresholds(self) -> Thresholds:
        """See `Embedder.thresholds`."""
        return self.embedder.thresholds

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        import numpy as np

        new = [text for text in dict.fromkeys(texts) if text not in self.vectors]
        if new:
            self.vectors.update(zip(new, await self.embedder.embed(new), strict=True))
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        return np.stack([self.vectors[text] for text in texts])


@asynccontextmanager
async def open_apart(settings: Settings, *, neo4j_uri: str | None = None) -> AsyncIterator[App]:
    """An App as configured, but over a data directory of its own that is deleted in the end.

    It never touches the user's memory: neither their directory nor their servers, unless
    `neo4j_uri` names one to keep banks in. It has no chat model; `dataclasses.replace` gives it
    one. Nor has it a reranker: methods are measured as they are named.
    """
    with TemporaryDirectory(prefix="forethought-eval-") as folder:
        apart = settings.embedded(Path(folder)).model_copy(
            update={"model": None, "reranker": None, "neo4j_uri": neo4j_uri}
        )
        async with open_app(apart) as app:
            yield replace(app, embedder=Kept(app.embedder))


def unremembering(app: App) -> App:
    """The same, but a text that comes again is embedded again: for measuring time."""
    kept = app.embedder
    return replace(app, embedder=kept.embedder) if isinstance(kept, Kept) else app


def recorded(replies: Mapping[str, Reply]) -> Model:
    """A model that answers from recordings."""
    return Model(RecordedChatModel(replies=replies), name="recorded", timeout=30)


def recorded_cues(cues: Mapping[str, Sequence[str]]) -> Model:
    """A model that has recorded cues for facts, by their text, to answer `foresee` with."""
    return recorded({"foresee": cue_reply({text: list(some) for text, some in cues.items()})})


async def import_facts(
    app: App, bank: str, facts: Sequence[Fact], conversations: Sequence[Conversation] = ()
) -> None:
    """Log the conversations and commit `facts` as what was extracted from them."""
    logged = await app.records.log(bank, conversations)
    done = tuple(Progress(at.session.id, at.session.turns) for at in logged if at.session)
    await app.records.commit(ChangeSet(bank, facts=tuple(facts), progress=done))


async def foresee(app: App, bank: str, model: Model | None) -> list[str]:
    """Index the bank and let `model` imagine cues for its facts; return what failed."""
    return await retain(app, bank, model, [])


async def retain(
    app: App,
    bank: str,
    model: Model | None,
    conversations: Sequence[Conversation],
    *,
    cues: int = 5,
) -> list[str]:
    """Run the retain graph, with `cues` for each fact; return the notes of what it did not do."""
    graph = build_retain(replace(app, model=model)).compile()
    sessions = [talk.model_dump(mode="json") for talk in conversations]
    context = Context(bank=bank, foresight=cues, consolidate_after=0, observe=0)
    result = await graph.ainvoke({"sessions": sessions}, _STEPS, context=context)
    failed = [f"{at['key']}: {at['error']}" for at in result["report"] if at.get("error")]
    return [*result.get("notes", []), *failed]
