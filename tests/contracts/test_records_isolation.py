"""Two banks that hold the same texts share nothing: no method reads or writes the other.

The law: whatever is done to another bank, each call for a bank says what it would say if there were
no other. A method of the port that has no case in `two_banks` fails a test.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from forethought.memory.errors import ForethoughtError, NotFound
from forethought.memory.records.port import Records
from tests.contracts.adapters import OpenRecords, on_neo4j, on_sqlite
from tests.contracts.samples import entity, fact, learn, methods, session, tie
from tests.contracts.two_banks import BANKS, READS, REFUSED, WRITES, Case, Place

NAMES_NO_BANK = {"close"}


def test_every_method_of_the_port_has_a_case() -> None:
    cases = {name.partition(":")[0] for name in (*READS, *WRITES)}
    assert cases == methods(Records) - NAMES_NO_BANK


_stores = count()

steps = st.lists(
    st.tuples(st.sampled_from(BANKS), st.sampled_from(list(WRITES))), min_size=1, max_size=24
)
everything_in_turn = [(bank, name) for name in WRITES for bank in BANKS]


@on_sqlite
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(everything_in_turn)
@given(steps)
async def test_what_is_done_to_one_bank_is_never_seen_from_the_other(
    open_records: OpenRecords, tmp_path: Path, steps: list[tuple[str, str]]
) -> None:
    await done_alone_and_beside_another(open_records, tmp_path, steps)


@on_neo4j
async def test_what_is_done_to_one_bank_is_never_seen_from_the_other_there_either(
    open_records: OpenRecords, tmp_path: Path
) -> None:
    await done_alone_and_beside_another(open_records, tmp_path, everything_in_turn)


async def done_alone_and_beside_another(
    open_records: OpenRecords, tmp_path: Path, steps: list[tuple[str, str]]
) -> None:
    """The steps do and leave in each bank what they would if there were no other."""
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


async def test_what_is_another_banks_cannot_be_forgotten(records: Records) -> None:
    mine, oslo = fact("Lives in Oslo", bank="bob"), entity("Oslo", bank="bob")
    await tie(records, {mine: (oslo,)})
    with pytest.raises(NotFound):
        await records.forget("ann", fact=mine.id)
    with pytest.raises(NotFound):
        await records.forget("ann", session=session("monday", bank="bob"))
    with pytest.raises(NotFound):
        await records.forget("ann", entity=oslo.id)
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
