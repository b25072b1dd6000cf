"""`forget opinion`, `opinions`, and what of them a forgotten fact takes along."""

from __future__ import annotations

import asyncio

import pytest

from forethought.memory.records.sqlite import SqliteRecords
from tests.contracts.samples import BANK, tie
from tests.contracts.test_records_beliefs import ANN, OSLO, SINGS, observation, opinion
from tests.flows.cli.bench import Cli, everything

FINE, JOY = opinion("Oslo is a zephyr", OSLO.id), opinion("Song is xylophone", SINGS.id)


@pytest.fixture
def known(modelless: Cli) -> Cli:
    """Two opinions, on a fact each, and an observation."""
    asyncio.run(_told(modelless))
    modelless("reindex")
    return modelless


def test_opinions_are_listed_and_counted(known: Cli) -> None:
    assert [one["id"] for one in known.json("opinions")["opinions"]] == sorted([FINE.id, JOY.id])
    shown = known("opinions").stdout
    assert "0.50" in shown and "Oslo is a zephyr" in shown
    (bank,) = known.json("show", "banks")["banks"]
    assert (bank["entities"], bank["opinions"], bank["observations"]) == (1, 2, 1)
    assert all(name in known("show", "banks").stdout for name in ("opinions", "observations"))
    assert "formed no opinion yet" in known("opinions", "--bank", "nobody").stderr


def test_a_forgotten_opinion_goes_from_every_store_with_what_it_said(known: Cli) -> None:
    asked = known("forget", "opinion", FINE.id, input="n\n", code=1)
    assert "the opinion 'Oslo is a zephyr'" in asked.stderr
    gone = known.json("forget", "opinion", FINE.id, "--yes")["forgotten"]
    assert (gone["opinions"], gone["facts"], gone["vectors"]) == (1, 0, 1)
    left = everything(known.directory)
    assert b"zephyr" not in left and b"xylophone" in left
    assert "forethought opinions" in known("forget", "opinion", FINE.id, "--yes", code=1).stderr


def test_a_forgotten_fact_takes_its_opinions_and_observations(known: Cli) -> None:
    told = known("forget", "fact", SINGS.id, "--yes").stdout
    assert "1 opinions" in told and "1 observations" in told
    left = everything(known.directory)
    assert b"xylophone" not in left and b"harps" not in left and b"zephyr" in left


async def _told(cli: Cli) -> None:
    records = await SqliteRecords.open(cli.directory)
    try:
        await tie(records, {OSLO: (), SINGS: (ANN,)})
        await records.hold(BANK, [FINE, JOY])
        await records.observe(BANK, ANN.id, [observation("Ann harps", SINGS.id)])
    finally:
        await records.close()
