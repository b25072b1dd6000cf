"""A bank out of the stores and into them: read whole, written whole, and then indexed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from shlex import quote

from forethought.memory.beliefs.evidence import Evidence
from forethought.memory.beliefs.profile import keep_profile, profile_set
from forethought.memory.conversations import embedded
from forethought.memory.errors import InvalidInput
from forethought.memory.indexing import Indexer
from forethought.memory.records.contents import Contents
from forethought.memory.records.flaws import check_whole
from forethought.memory.records.port import Records
from forethought.memory.types import Cue, fact_ids

Report = Callable[[int, int], None]
"""Told how many of how many are done."""

_BATCH = 1000  # facts whose cues are read at once


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: `new` if it wrote, else all was there already; `vectors` it added."""

    new: bool
    vectors: int


async def gathered(records: Records, bank: str, report: Report | None = None) -> Contents:
    """All that the bank holds, in order. An unknown bank is empty.

    Raises InvalidInput if somebody else wrote to the bank in the meantime and no two parts fit.
    """
    sessions = await records.sessions(bank)
    turns = []
    for done, session in enumerate(sessions, start=1):
        turns += await records.turns(bank, session.id)
        if report:
            report(done, len(sessions))
    facts = await records.facts(bank)
    ids = fact_ids(facts)
    cues: list[Cue] = []
    for start in range(0, len(ids), _BATCH):
        cues += await records.cues(bank, ids[start : start + _BATCH])
    commitments = await records.commitments(bank)
    contents = Contents(
        bank,
        tuple(sessions),
        tuple(turns),
        tuple(facts),
        tuple(cues),
        tuple(await records.tombstones(bank)),
        tuple(await records.entities(bank)),
        tuple(await records.mentions(bank)),
        tuple(await records.links(bank)),
        tuple(await records.opinions(bank)),
        tuple(await records.observations(bank)),
        tuple(commitments),
        tuple(await records.reminders(bank, [one.id for one in commitments])),
        tuple(await records.uses(bank)),
        await profile_set(records, bank),
    ).ordered()
    check_whole(contents)
    return contents


async def brought_in(
    indexer: Indexer, contents: Contents, report: Report | None = None
) -> Imported:
    """Write the contents into their bank, if it is empty, and index them.

    If the bank holds exactly them already, only what the index lacks is added. Into a bank that
    holds anything else nothing is written, and InvalidInput is raised: merging would have to choose
    between versions, and could bring back what one of the two was told to forget.
    """
    present = await gathered(indexer.records, contents.bank)
    if present.empty:
        await indexer.records.restore(contents)
        await Evidence(indexer).settle(contents.bank)  # its facts were weighed where it is from
    elif replace(present, profile=None) != replace(contents.ordered(), profile=None):
        raise InvalidInput(_refusal(present))
    if contents.profile:  # a setting, which a crash after `restore` leaves to the next call
        await keep_profile(indexer.records, contents.bank, contents.profile)
    vectors = await indexer.catch_up(contents.bank, _counted(contents, report))
    return Imported(new=present.empty, vectors=vectors)


def _counted(contents: Contents, report: Report | None) -> Callable[[int], None] | None:
    hushed = set(contents.tombstones)
    turns = sum(embedded(one.role, one.text) for one in contents.turns if one.id not in hushed)
    others = ("facts", "cues", "opinions", "observations", "reminders")
    total = turns + sum(contents.counts[what] for what in others)
    return None if report is None else lambda done: report(done, total)


def _refusal(present: Contents) -> str:
    return (
        f"bank {present.bank!r} is not empty ({present.described}) and does not hold just what "
        "the file holds: nothing was imported. Import into another bank with --bank, or first "
        f"`forethought forget bank {quote(present.bank)}`"
    )
