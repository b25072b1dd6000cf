"""Open the chat model and the embedder that the settings name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from forethought.memory.embedding import (
    Embedder,
    MiniLM,
    Vectors,
    check_name,
    thresholds_of,
    unit,
)
from forethought.memory.errors import InvalidInput, StoreUnavailable
from forethought.memory.onnx import encodable
from forethought.memory.recall.cross_encoder import CrossEncoder
from forethought.memory.recall.rerank import Identity, Reranker
from forethought.nodes.failures import because
from forethought.nodes.model import Model

if TYPE_CHECKING:
    from httpx import AsyncClient
    from langchain_core.language_models import BaseChatModel

    from forethought.graphs.settings import Settings


@asynccontextmanager
async def opened_model(settings: Settings) -> AsyncIterator[Model | None]:
    """The configured chat model over connections of its own, closed in the end.

    langchain-openai's default client is one for the whole process, bound to the event loop that
    first used it: in the next loop its connections are dead.
    """
    if settings.model is None:
        yield None
        return
    from httpx import AsyncClient

    async with AsyncClient(timeout=settings.timeout, follow_redirects=True) as client:
        # a model's client takes a second to import
        yield await asyncio.to_thread(open_model, settings, client)


def open_model(settings: Settings, client: AsyncClient | None = None) -> Model | None:
    """The configured chat model at the boundary; None where none is configured."""
    if settings.model is None:
        return None
    from openai import OpenAIError

    try:
        chat = _chat(settings, client)
    except (OpenAIError, ValueError) as error:
        raise InvalidInput(
            f"the chat model {settings.model!r} could not be set up: {error} (its key is read from "
            "FORETHOUGHT_API_KEY or the provider's own variable)"
        ) from error
    return Model(chat, name=settings.model, timeout=settings.timeout)


def open_embedder(settings: Settings) -> Embedder:
    """The configured embedder. Nothing is loaded before its first use."""
    provider, model = check_name(settings.embedder)
    if provider == "onnx":
        return MiniLM()
    endpoint = {"timeout": settings.timeout, **_endpoint(settings)}
    return OpenAIEmbedder(settings.embedder, model, endpoint=endpoint)


@asynccontextmanager
async def in_use(embedder: Embedder) -> AsyncIterator[None]:
    """While `embedder` is used: in the end its connections, where it has any, are closed."""
    try:
        yield
    finally:
        if isinstance(embedder, OpenAIEmbedder):
            await embedder.close()


def open_reranker(settings: Settings) -> Reranker:
    """The configured reranker. Raises InvalidInput where its files are missing."""
    if settings.reranker is None:
        return Identity()
    return CrossEncoder(settings.reranker.expanduser())


class OpenAIEmbedder:
    """An embedding model behind OpenAI's API, through langchain-openai, which batches the texts."""

    def __init__(self, name: str, model: str, *, endpoint: dict[str, Any]) -> None:
        """`endpoint`: seconds for a call; base URL and key, if they are not the environment's."""
        self.name = name
        self.thresholds = thresholds_of(name)
        self._model = model
        self._endpoint = endpoint
        self._client: Any = None
        self._connections: AsyncClient | None = None

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`; a rejected request (a bad key) is InvalidInput."""
        import numpy as np
        from openai import APIConnectionError, InternalServerError, OpenAIError, RateLimitError

        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        try:
            self._client = self._client or self._opened()
            rows = await self._client.aembed_documents([encodable(text) for text in texts])
            vectors = np.asarray(rows, dtype=np.float32).reshape(len(texts), -1)
        except (APIConnectionError, InternalServerError, RateLimitError) as error:
            raise StoreUnavailable(
                f"the embedder {self.name} did not answer: {because(error)}"
            ) from error
        except OpenAIError as error:
            raise InvalidInput(f"the embedder {self.name} refused: {error}") from error
        except (ValueError, TypeError, LookupError, AttributeError) as error:  # HTML, say
            raise InvalidInput(
                f"the embedder {self.name}: what came back is no embedding of each text "
                f"({type(error).__name__}: {error}): check FORETHOUGHT_EMBEDDER and "
                "FORETHOUGHT_BASE_URL"
            ) from error
        return unit(vectors)

    async def close(self) -> None:
        """Close its connections; the next `embed` opens others."""
        if self._connections is not None:
            await self._connections.aclose()
        self._client = self._connections = None

    def _opened(self) -> Any:
        from httpx import AsyncClient
        from langchain_openai import OpenAIEmbeddings

        timeout = self._endpoint["timeout"]
        self._connections = AsyncClient(timeout=timeout, follow_redirects=True)
        # a server of one's own takes text, not the token numbers of OpenAI's vocabulary
        own = {"check_embedding_ctx_length": "base_url" not in self._endpoint}
        given = {**own, **self._endpoint, "http_async_client": self._connections}
        return OpenAIEmbeddings(model=self._model, **given)


def _chat(settings: Settings, client: AsyncClient | None) -> BaseChatModel:
    provider, _, name = (settings.model or "").partition(":")
    # our graphs retry, by type and once: the client must not retry on its own as well
    common = {"max_retries": 0, "timeout": settings.timeout, **_limit(settings)}
    common["http_async_client"] = client
    if provider == "azure":
        from langchain_openai import AzureChatOpenAI

        return AzureChatOpenAI(azure_deployment=name, **common)
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model=name, stream_usage=True, **common, **_endpoint(settings))


def _limit(settings: Settings) -> dict[str, Any]:
    """The bound on a reply. ChatOpenAI sends it by OpenAI's newer name, which few others know."""
    if settings.max_tokens is None:
        return {}
    if settings.base_url:
        return {"extra_body": {"max_tokens": settings.max_tokens}}
    return {"max_tokens": settings.max_tokens}


def _endpoint(settings: Settings) -> dict[str, Any]:
    """Where to call and with which key; a server of one's own needs none but the client does."""
    key = settings.api_key.get_secret_value() if settings.api_key else None
    if settings.base_url:
        return {"base_url": settings.base_url, "api_key": key or "none"}
    return {"api_key": key} if key else {}
