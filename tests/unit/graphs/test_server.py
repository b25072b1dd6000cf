from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from forethought.graphs import server
from forethought.graphs.server import CannotServe, Served
from forethought.graphs.settings import Settings
from forethought.memory.errors import BankBusy, InvalidInput
from forethought.memory.records.lock import WriterLock


@pytest.fixture
def served(tmp_path: Path) -> Served:
    return Served(lambda: Settings(data_dir=tmp_path / "data"))


def test_all_who_ask_get_the_graphs_of_one_app(served: Served) -> None:
    async def ask() -> None:
        first, *others = await asyncio.gather(*(served.graphs() for _ in range(10)))
        assert all(graphs is first for graphs in [*others, await served.graphs()])
        assert [graph.name for graph in (first.prospect, first.retain, first.agent)] == [
            "prospect", "retain", "agent",
        ]  # fmt: skip
        assert first.agent.checkpointer is None

    asyncio.run(ask())


def test_the_stores_are_closed_when_their_loop_ends(served: Served, tmp_path: Path) -> None:
    first = asyncio.run(served.graphs())
    with WriterLock.acquire(tmp_path / "data"):
        assert not list((tmp_path / "data").glob("*-wal"))
    assert asyncio.run(served.graphs()) is not first


def test_who_asks_while_the_directory_is_in_use_is_told_and_may_ask_again(
    served: Served, tmp_path: Path
) -> None:
    async def ask() -> None:
        with WriterLock.acquire(tmp_path / "data"):
            told = await asyncio.gather(
                *(served.graphs() for _ in range(3)), return_exceptions=True
            )
            assert [type(error) for error in told] == [BankBusy] * 3
        assert (await served.graphs()).retain.name == "retain"

    asyncio.run(ask())


def test_one_who_gives_up_waiting_does_not_end_it_for_the_others(served: Served) -> None:
    async def ask() -> None:
        impatient, patient = (asyncio.create_task(served.graphs()) for _ in range(2))
        await asyncio.sleep(0)
        impatient.cancel()
        assert (await patient).agent.name == "agent"

    asyncio.run(ask())


def test_a_second_event_loop_is_refused_while_the_first_runs(served: Served) -> None:
    async def ask() -> None:
        await served.graphs()
        with pytest.raises(InvalidInput, match="BG_JOB_ISOLATED_LOOPS"):
            await asyncio.to_thread(asyncio.run, served.graphs())

    asyncio.run(ask())


@pytest.mark.parametrize("factory", [server.prospect, server.retain, server.agent])
def test_the_server_is_given_the_reason_as_the_kind_of_error_it_shows(
    factory: Callable[[], Coroutine[Any, Any, Any]],
    served: Served,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "_SERVED", served)
    with WriterLock.acquire(tmp_path / "data"), pytest.raises(CannotServe) as told:
        asyncio.run(factory())
    assert isinstance(told.value, ValueError)
    assert str(told.value).startswith("BankBusy: the data directory")
