"""An embedder behind OpenAI's API through the real client: what its endpoint does wrong."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from forethought.graphs.models import in_use, open_embedder
from forethought.graphs.settings import load_settings
from forethought.memory.embedding import Vectors
from forethought.memory.errors import InvalidInput, StoreUnavailable
from tests.flows.openai_stub import Said, openai_stub

NAME = "openai:text-embedding-3-small"


async def _embedded(url: str, *texts: str, **settings: object) -> Vectors:
    given = load_settings(embedder=NAME, base_url=url, api_key="k", **settings)
    embedder = open_embedder(given)
    async with in_use(embedder):
        return await embedder.embed(texts)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<html>Welcome to the hotel</html>",
        "null",
        "[]",
        "{}",
        '{"object": "list", "data": []}',
        '{"object": "list", "data": [{"index": 0, "embedding": [1.0]}]}',
        '{"object": "list", "data": [{"embedding": [1.0]}, {"embedding": [1.0, 0.0]}]}',
    ],
)
async def test_what_is_no_embedding_of_each_text_is_an_error_that_names_the_settings(
    body: str,
) -> None:
    with (
        openai_stub(lambda schema, request: Said(raw=body)) as stub,
        pytest.raises(InvalidInput, match="FORETHOUGHT_EMBEDDER and FORETHOUGHT_BASE_URL"),
    ):
        await _embedded(stub.url, "tea", "cake")


async def test_an_embedder_that_is_not_there_may_be_later_and_says_why() -> None:
    with pytest.raises(StoreUnavailable, match="attempts failed"):
        await _embedded("http://127.0.0.1:9/v1", "tea")


async def test_an_embedder_that_takes_too_long_is_given_up_after_the_timeout() -> None:
    given_up = Event()
    with openai_stub(lambda schema, request: Said(raw=str(given_up.wait(20)))) as stub:
        with pytest.raises(StoreUnavailable, match="timed out"):
            await _embedded(stub.url, "tea", timeout=0.2)
        given_up.set()


def test_an_embedder_serves_one_event_loop_after_the_other() -> None:
    body = '{"object": "list", "data": [{"index": 0, "embedding": [3.0, 4.0]}]}'
    with openai_stub(lambda schema, request: Said(raw=body)) as stub:
        embedder = open_embedder(load_settings(embedder=NAME, base_url=stub.url, api_key="k"))

        async def embedded() -> Vectors:
            async with in_use(embedder):
                return await embedder.embed(["tea"])

        for _ in range(2):
            assert asyncio.run(embedded()).tolist() == [pytest.approx([0.6, 0.8])]
