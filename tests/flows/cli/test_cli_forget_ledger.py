"""`forget commitment`, `forget cue`, and what of both a forgotten fact takes along."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date

import pytest

from forethought.memory.dimensions import Dimensions
from forethought.memory.records.sqlite import SqliteRecords
from forethought.memory.types import LEARNED, Cue
from tests.contracts.samples import BANK, NOW, tie
from tests.contracts.test_records_beliefs import OSLO, SINGS
from tests.contracts.test_records_ledger import commitment, cue
from tests.flows.cli.bench import Cli, everything

SKI, SING = commitment("Go and zephyr", OSLO.id), commitment("Play the xylophone", SINGS.id)
ASKED = f"{OSLO.id}:{LEARNED}"


@pytest.fixture
def known(modelless: Cli) -> Cli:
    """Two commitments with a cue each, and an imagined and a learned cue of a fact."""
    asyncio.run(_told(modelless))
    modelless("reindex")
    return modelless


def test_a_forgotten_commitment_goes_from_every_store_with_its_cues(known: Cli) -> None:
    (bank,) = known.json("show", "banks")["banks"]
    assert (bank["commitments"], bank["cues"], bank["unindexed"]) == (2, 2, 0)
    assert "commitments" in known("show", "banks").stdout
    assert "vectors" in known("doctor").stdout
    asked = known("forget", "commitment", SKI.id, input="n\n", code=1)
    assert "the commitment 'Go and zephyr', which is open" in asked.stderr
    gone = known.json("forget", "commitment", SKI.id, "--yes")["forgotten"]
    assert (gone["commitments"], gone["facts"], gone["vectors"]) == (1, 0, 1)
    left = everything(known.directory)
    assert b"zephyr" not in left and b"gale" not in left and b"xylophone" in left
    again = known("forget", "commitment", SKI.id, "--yes", code=1)
    assert "commitments list" in again.stderr
    told = known.json("forget", "fact", SINGS.id, "--yes")["forgotten"]
    assert told["commitments"] == 1 and b"xylophone" not in everything(known.directory)


def test_a_cue_is_shown_with_its_id_and_forgotten_by_it(known: Cli) -> None:
    shown = known("show", OSLO.id).stdout
    assert f"you asked before: Is it a gnu? ({ASKED})" in shown
    assert f"you may one day ask: Where is a yak? ({OSLO.id}:0)" in shown
    data = known.json("show", OSLO.id)
    assert (data["cue_ids"], data["learned"]) == ([f"{OSLO.id}:0", ASKED], [ASKED])
    asked = known("forget", "cue", ASKED, input="n\n", code=1)
    assert "comes to mind with 'Is it a gnu?'" in asked.stderr
    gone = known.json("forget", "cue", ASKED, "--yes")["forgotten"]
    assert (gone["cues"], gone["facts"], gone["vectors"]) == (1, 0, 1)
    assert known.json("show", OSLO.id)["cues"] == ["Where is a yak?"]
    left = everything(known.directory)
    assert b"gnu" not in left and b"a yak" in left
    assert "no cue" in known("forget", "cue", ASKED, "--yes", code=1).stderr
    known("forget", "cue", f"{OSLO.id}:0", "--yes")
    assert b"a yak" not in everything(known.directory)


def test_a_fact_is_shown_with_how_it_is_meant_and_what_it_was_of_use_for(known: Cli) -> None:
    shown, data = known("show", OSLO.id).stdout, known.json("show", OSLO.id)
    assert "past, speculative" in shown
    assert "of use on 2 day(s), last 2030-01-01" in shown and "salience 0.25" in shown
    assert (data["uses"], data["salience"]) == (["2029-01-01", "2030-01-01"], 0.25)
    shown, data = known("show", SINGS.id).stdout, known.json("show", SINGS.id)
    assert "of use" not in shown and "salience" not in shown
    assert (data["uses"], data["salience"]) == ([], None)


async def _told(cli: Cli) -> None:
    records = await SqliteRecords.open(cli.directory)
    try:
        meant = Dimensions("past", certainty="speculative")
        await tie(records, {replace(OSLO, dimensions=meant): (), SINGS: ()})
        for on in (NOW.date(), date(2029, 1, 1)):
            await records.use(BANK, [OSLO.id], on=on)
        await records.weigh(BANK, {OSLO.id: 0.25})
        await records.foresee(BANK, [Cue(OSLO.id, 0, "Where is a yak?")], facts=[OSLO.id])
        await records.learn(BANK, [OSLO.id], "Is it a gnu?", at=NOW, keep=3)
        await records.undertake(BANK, [SKI, SING])
        cues = [cue(SKI, "A gale?"), cue(SING, "Xylophones?")]
        await records.remind(BANK, cues, commitments=[SKI.id, SING.id])
    finally:
        await records.close()
