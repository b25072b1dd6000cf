"""`forget entity`: by its name or id, under all its names, with every fact that mentions it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from forethought.memory.ids import entity_id
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.types import Entity, Fact
from tests.contracts.samples import BANK, entity, fact, tie
from tests.flows.cli.bench import Cli, everything

MOG, MOGGY = entity("Mog"), entity("Moggy Krupp")
OTHER = replace(entity("mog", kind="PRODUCT"), id=entity_id(BANK, "Mog", "s1"))


@pytest.fixture
def known(modelless: Cli) -> Cli:
    """A cat under two names, over two facts."""
    facts: dict[Fact, tuple[Entity, ...]] = {
        fact("Mog drinks tea", entities=("Mog",)): (replace(MOG, into=MOGGY.id),),
        fact("Moggy Krupp bites"): (MOGGY,),
        fact("Ann sings", said_in="tuesday"): (),
    }
    asyncio.run(_tied(modelless, facts))
    modelless("reindex")
    return modelless


@pytest.mark.parametrize("name", ["mog", "Moggy Krupp", MOG.id, MOGGY.id])
def test_an_entity_goes_by_any_of_its_names_and_its_id(known: Cli, name: str) -> None:
    gone = known.json("forget", "entity", name, "--yes")["forgotten"]
    assert (gone["facts"], gone["entities"], gone["vectors"]) == (2, 2, 2)
    assert [one["text"] for one in known.json("show", "facts")["facts"]] == ["Ann sings"]
    left = everything(known.directory).lower()
    assert b"krupp" not in left and b"drinks tea" not in left


def test_a_name_of_two_is_refused_with_their_ids(known: Cli) -> None:
    asyncio.run(_tied(known, {fact("The mog is a lamp"): (OTHER,)}))
    refusal = known("forget", "entity", "Mog", "--yes", code=2).stderr
    assert MOG.id in refusal and OTHER.id in refusal
    assert known.json("forget", "entity", OTHER.id, "--yes")["forgotten"]["entities"] == 1


def test_forgetting_an_entity_asks_first(known: Cli) -> None:
    asked = known("forget", "entity", "moggy krupp", input="n\n", code=1)
    assert "Moggy Krupp, under all its names" in asked.stderr
    assert len(known.json("show", "facts")["facts"]) == 3
    assert "nowhere" in known("forget", "entity", "nowhere", "--yes", code=1).stderr


async def _tied(cli: Cli, facts: dict[Fact, tuple[Entity, ...]]) -> None:
    records = await SqliteRecords.open(cli.directory)
    try:
        await tie(records, facts)
    finally:
        await records.close()
