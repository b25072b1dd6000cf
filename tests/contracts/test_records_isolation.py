"""Two banks that hold the same texts share nothing: no method reads or writes the other.

The law: whatever is done to another bank, each call for a bank says what it would say if there were
no other. A method of the port that has no case here fails a test; a case is one line.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from forethought.memory.errors import ForethoughtError, NotFound
from forethought.memory.records.changes import ChangeSet, Progress, Repeat, Unindexed
from forethought.memory.records.contents import Contents
from forethought.memory.records.port import Records
from forethought.memory.types import Cue, Fact, Source
from tests.contracts.adapters import OpenRecords
from tests.contracts.samples import (
    NOW,
    day,
    fact,
    found,
    learn,
    merge,
    merged,
    methods,
    session,
    talk,
)

IDS = ("f-oslo", "f-bergen", "f-tromso", "f-sings", "f-hums", "f-merged", "f-x")
CUES = tuple(f"{id}:{position}" for id in IDS for position in range(3))
MARKS = [Unindexed(id, id, "Sings alto", day(1)) for id in IDS]


@dataclass(frozen=True, slots=True)
class Place:
    """A bank of a store, and another that it may share the store with."""

    records: Records
    bank: str
    other: str

    def fact(self, id: str, text: str, *, on: int = 1) -> Fact:
        """The same id in every bank: the worst case, which hashes of the bank's name prevent."""
        return replace(fact(text, bank=self.bank, on=on), id=id)

    @property
    def oslo(self) -> Fact:
        return self.fact("f-oslo", "Lives in Oslo")

    @property
    def sings(self) -> Fact:
        return self.fact("f-sings", "Sings alto")

    @property
    def hums(self) -> Fact:
        return self.fact("f-hums", "Hums")

    def sessions(self) -> list[str]:
        """Ids of its own sessions, and of the other bank's."""
        return [
            session(key, bank=bank)
            for key in ("monday", "tuesday")
            for bank in (self.bank, self.other)
        ]

    async def summary(self) -> object:
        banks = await self.records.banks()
        assert {one.bank for one in banks} <= {self.bank, self.other}
        return [one for one in banks if one.bank == self.bank]

    async def update(self, old: str, new: Fact) -> object:
        return await learn(self.records, new, replacing={old: new})

    async def merge(self) -> object:
        whole = replace(merged("Is musical", self.sings, self.hums), id="f-merged")
        return await merge(self.records, whole, self.sings, self.hums)


Case = Callable[[Place], Awaitable[object]]

READS: dict[str, Case] = {
    "sessions": lambda at: at.records.sessions(at.bank),
    "sessions: by id": lambda at: at.records.sessions(at.bank, ids=at.sessions()),
    "sessions: unfinished": lambda at: at.records.sessions(at.bank, unfinished=True),
    "turns": lambda at: _each(at.sessions(), lambda id: at.records.turns(at.bank, id)),
    "facts": lambda at: at.records.facts(at.bank),
    "facts: by id": lambda at: at.records.facts(at.bank, IDS),
    "holding": lambda at: at.records.holding(at.bank, IDS, now=NOW),
    "earlier": lambda at: at.records.earlier(at.bank, IDS),
    "added": lambda at: _first(at.records.added(at.bank, since=0)),  # a mark is of the whole store
    "newest": lambda at: at.records.newest(at.bank),
    # Which ones, and not in which order: BM25 may weigh a word by the whole store.
    "search": lambda at: _set(found(at.records, "lives sings oslo bergen", bank=at.bank)),
    "said": lambda at: _set(at.records.said(at.bank, "said on monday x", k=9, now=NOW)),
    "cues": lambda at: at.records.cues(at.bank, IDS),
    "unforeseen": lambda at: at.records.unforeseen(at.bank, limit=99),
    "unindexed": lambda at: at.records.unindexed(at.bank, limit=99),
    "outdated": lambda at: at.records.outdated(at.bank, MARKS),
    "unpurged": lambda at: at.records.unpurged(at.bank),
    "tombstones": lambda at: at.records.tombstones(at.bank),
    "setting": lambda at: at.records.setting(at.bank, "mark"),
    "banks": lambda at: at.summary(),
}

WRITES: dict[str, Case] = {
    "log": lambda at: at.records.log(
        at.bank, [talk("monday", "This was said on monday.", "x"), talk("tuesday", "And this.")]
    ),
    "commit": lambda at: learn(at.records, at.oslo, at.sings, at.hums),
    "commit: an update": lambda at: at.update("f-oslo", at.fact("f-bergen", "Lives in B", on=5)),
    "commit: another": lambda at: at.update("f-bergen", at.fact("f-tromso", "Lives in C", on=9)),
    "commit: a repeat": lambda at: at.records.commit(
        ChangeSet(
            at.bank,
            repeats=(Repeat("f-sings", Source(session("monday", bank=at.bank), ("t1",)), day(20)),),
        )
    ),
    "commit: a merge": lambda at: at.merge(),
    "commit: progress": lambda at: at.records.commit(
        ChangeSet(at.bank, progress=tuple(Progress(id, 1, "no") for id in at.sessions()))
    ),
    "commit: from the other's session": lambda at: at.records.commit(
        ChangeSet(at.bank, (replace(at.oslo, sources=(Source(at.sessions()[1]),)),))
    ),
    "foresee": lambda at: at.records.foresee(
        at.bank, [Cue("f-oslo", 0, "ski?"), Cue("f-sings", 1, "choir?")], facts=["f-oslo"]
    ),
    "indexed": lambda at: at.records.indexed(at.bank, [*IDS[1:], *CUES]),
    "reindex": lambda at: at.records.reindex(at.bank),
    "setting": lambda at: at.records.setting(at.bank, "mark", "2"),
    "forget: a fact": lambda at: at.records.forget(at.bank, fact="f-oslo"),
    "purged": lambda at: at.records.purged(at.bank, [*IDS[1:], *CUES]),
    "forget: a session": lambda at: at.records.forget(at.bank, session=at.sessions()[2]),
    "forget: the other's session": lambda at: at.records.forget(at.bank, session=at.sessions()[1]),
    "forget: the bank": lambda at: at.records.forget(at.bank),
    "restore": lambda at: at.records.restore(Contents(at.bank, tombstones=("m",))),
}

REFUSED = {"commit: from the other's session", "forget: the other's session"}
NAMES_NO_BANK = {"close"}


def test_every_method_of_the_port_has_a_case() -> None:
    cases = {name.partition(":")[0] for name in (*READS, *WRITES)}
    assert cases == methods(Records) - NAMES_NO_BANK


BANKS = ("ann", "bob")
_stores = count()

steps = st.lists(
    st.tuples(st.sampled_from(BANKS), st.sampled_from(list(WRITES))), min_size=1, max_size=24
)
everything_in_turn = [(bank, name) for name in WRITES for bank in BANKS]


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(everything_in_turn)
@given(steps)
async def test_what_is_done_to_one_bank_is_never_seen_from_the_other(
    open_records: OpenRecords, tmp_path: Path, steps: list[tuple[str, str]]
) -> None:
    number = next(_stores)
    shared = await open_records(tmp_path / f"{number} shared")
    told: dict[str, list[object]] = {bank: [] for bank in BANKS}
    for bank, name in steps:
        told[bank].append(await _outcome(WRITES[name], _place(shared, bank)))
    for bank in BANKS:
        alone = await open_records(tmp_path / f"{number} {bank}")
        at = _place(alone, bank)
        own = [name for its, name in steps if its == bank]
        assert told[bank] == [await _outcome(WRITES[name], at) for name in own]
        assert await _told(_place(shared, bank)) == await _told(at)
        await alone.close()
    await shared.close()


async def test_each_case_reads_or_changes_something(records: Records) -> None:
    """Else the law above would hold of it whatever it did."""
    ann = _place(records, "ann")
    said: set[str] = set()
    before = await _told(ann)
    for name, write in WRITES.items():
        await _outcome(write, ann)
        after = await _told(ann)
        assert (after != before) == (name not in REFUSED), name
        said |= {name for name, result in after if result}
        before = after
    assert said == READS.keys()


async def test_another_banks_fact_or_session_cannot_be_forgotten(records: Records) -> None:
    mine = fact("Lives in Oslo", bank="bob")
    await learn(records, mine)
    with pytest.raises(NotFound):
        await records.forget("ann", fact=mine.id)
    with pytest.raises(NotFound):
        await records.forget("ann", session=session("monday", bank="bob"))
    assert await records.facts("bob") == [mine]


async def test_names_that_look_alike_are_different_banks(records: Records) -> None:
    names = ["ann", "Ann", "ann ", " ann", "ánn", "a\u0301nn", "ann%", "a_n", "ann\u200b", "ａnn"]
    for name in names:
        await learn(records, fact("Lives in Oslo", bank=name))
    assert sorted(bank.bank for bank in await records.banks()) == sorted(names)
    await records.forget("ann")
    assert [len(await records.facts(name)) for name in names] == [0, *[1] * 9]


def _place(records: Records, bank: str) -> Place:
    return Place(records, bank, *(name for name in BANKS if name != bank))


async def _told(at: Place) -> list[tuple[str, object]]:
    """All that the port says of a bank."""
    return [(name, await _outcome(case, at)) for name, case in READS.items()]


async def _outcome(case: Case, at: Place) -> object:
    try:
        return await case(at)
    except ForethoughtError as error:
        return type(error)


async def _each(ids: list[str], read: Callable[[str], Awaitable[object]]) -> object:
    return [result for id in ids if (result := await read(id))]


async def _first(read: Awaitable[tuple[object, int]]) -> object:
    return (await read)[0]


async def _set(read: Awaitable[Sequence[object]]) -> object:
    return {one[0] if isinstance(one, tuple) else one for one in await read}
