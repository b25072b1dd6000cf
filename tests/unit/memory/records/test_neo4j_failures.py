"""What a server answers that it cannot do, as an error that says what to change."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from neo4j.exceptions import Neo4jError

from forethought.memory.errors import StoreUnavailable
from forethought.memory.records.neo4j.failures import failures_named, no_room_named

URI = "bolt://127.0.0.1:7687"
LACKS_ROOM = [
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
    "Neo.TransientError.General.OutOfMemoryError",
    "Neo.DatabaseError.General.OutOfMemoryError",
]
DEADLOCK = "Neo.TransientError.Transaction.DeadlockDetected"


def answer(code: str) -> Neo4jError:
    """As the driver makes it of what a server says."""
    return Neo4jError._hydrate_neo4j(code=code, message="it says why")


@pytest.mark.parametrize("named", [failures_named, no_room_named])
@pytest.mark.parametrize("code", LACKS_ROOM)
def test_too_small_a_heap_is_named_with_the_setting_to_raise(
    named: Callable[[str], AbstractContextManager[None]], code: str
) -> None:
    raises = pytest.raises(StoreUnavailable, match=r"raise its server\.memory\.heap\.max_size")
    with raises, named(URI):
        raise answer(code)


def test_what_passes_is_left_to_the_driver_to_try_again() -> None:
    with pytest.raises(Neo4jError) as raised, no_room_named(URI):
        raise answer(DEADLOCK)
    assert raised.value.is_retryable()


def test_what_did_not_pass_is_to_be_tried_again() -> None:
    raises = pytest.raises(StoreUnavailable, match=r"now \(it says why\): try again")
    with raises, failures_named(URI):
        raise answer(DEADLOCK)
