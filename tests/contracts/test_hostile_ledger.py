"""Hostile text in commitments, learned cues and what is used: kept as it is, gone with its fact."""

from __future__ import annotations

from dataclasses import replace

from forethought.memory.errors import InvalidInput
from forethought.memory.ids import same_text
from forethought.memory.ledger.types import CommitmentCue, Settlement
from forethought.memory.records.port import Records
from forethought.memory.records.uses import Use
from forethought.memory.types import Source
from forethought.memory.words import storable
from tests.contracts.hostile import HOSTILE
from tests.contracts.samples import BANK, NOW, session, tie, weights
from tests.contracts.test_hostile import IDS, TEA
from tests.contracts.test_records_ledger import commitment


async def test_any_commitment_is_kept_as_it_is(records: Records) -> None:
    """By its own id and by any at all; settled by any turn, and forgotten with its fact."""
    await tie(records, {TEA: ()})
    given = [commitment(text, TEA.id, condition=text, source=_said(text)) for text in HOSTILE]
    given += [replace(commitment("Have tea", TEA.id), id=id) for id in IDS]
    first = {storable(one.id): one for one in reversed(given) if one.action.strip()}
    assert set(await records.undertake(BANK, given)) == first.keys()
    await records.settle(BANK, [Settlement(id, "kept", NOW, id) for id in IDS])
    kept = await records.commitments(BANK)
    assert {one.id: one.action for one in kept} == {
        id: storable(one.action) for id, one in first.items()
    }
    assert all(one.condition == one.action for one in kept if one.source is not None)
    assert all(one.closed_by == one.id for one in kept if one.status == "kept")
    assert [one.id for one in await records.commitments(BANK, list(first))] == list(first)
    cues = [CommitmentCue(id, 0, one.action) for id, one in first.items()]
    await records.remind(BANK, cues, commitments=IDS)
    told = await records.reminders(BANK, list(first))
    assert {cue.commitment: cue.text for cue in told} == {one.id: one.action for one in kept}
    assert len(told) == len({cue.id for cue in told})
    assert (await records.forget(BANK, fact=TEA.id)).commitments == len(kept)


async def test_any_request_is_learned_as_it_is(records: Records) -> None:
    """Each tenth, since each is a transaction."""
    await tie(records, {TEA: ()})
    first: dict[str, str] = {}
    for text in HOSTILE[::10]:
        await records.learn(BANK, [TEA.id, *IDS], text, at=NOW, keep=len(HOSTILE))
        if text.strip():
            first.setdefault(same_text(storable(text)), storable(text))
    learned = await records.cues(BANK, [TEA.id])
    assert [cue.text for cue in learned] == list(first.values())
    assert await records.unlearn(BANK, [*IDS, *(cue.id for cue in learned)]) == len(learned)


async def test_a_use_or_a_salience_of_any_id_is_of_a_known_fact_alone(records: Records) -> None:
    await tie(records, {TEA: ()})
    await records.use(BANK, [*HOSTILE, TEA.id], on=NOW.date())
    await records.weigh(BANK, {**dict.fromkeys(HOSTILE, 0.5), TEA.id: 0.25})
    assert await records.uses(BANK, [*HOSTILE, TEA.id]) == [Use(TEA.id, NOW.date())]
    assert await records.uses(BANK) == [Use(TEA.id, NOW.date())]
    assert await weights(records, BANK, [*HOSTILE, TEA.id]) == {TEA.id: 0.25}
    for name in HOSTILE[::10]:
        try:
            await records.use(name, [TEA.id], on=NOW.date())
        except InvalidInput:
            continue
        assert await records.uses(name) == []


def _said(turn: str) -> Source:
    return Source(session("monday"), (turn,))
