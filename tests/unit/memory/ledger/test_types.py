from __future__ import annotations

from datetime import timedelta

import pytest

from forethought.memory import ids
from forethought.memory.errors import InvalidInput
from forethought.memory.ledger.types import CommitmentCue, close, reopen
from tests.unit.memory.ledger.entries import MADE, commitment

LATER = MADE + timedelta(days=3)


def test_closing_says_when_and_by_which_turn() -> None:
    shut = close(commitment(), "kept", at=LATER, turn="t1")
    assert (shut.status, shut.closed, shut.closed_by) == ("kept", LATER, "t1")


def test_closing_again_changes_nothing() -> None:
    shut = close(commitment(), "dropped", at=LATER)
    assert close(shut, "dropped", at=LATER + timedelta(days=1), turn="t2") is shut


def test_what_was_kept_cannot_be_dropped_before_it_is_reopened() -> None:
    shut = close(commitment(), "kept", at=LATER)
    with pytest.raises(InvalidInput, match="kept already"):
        close(shut, "dropped", at=LATER)
    assert reopen(shut) == commitment()


def test_nothing_is_closed_before_it_was_made() -> None:
    with pytest.raises(InvalidInput, match="before that"):
        close(commitment(), "kept", at=MADE - timedelta(days=1))


def test_a_commitment_stands_from_when_it_was_made_until_it_is_closed() -> None:
    shut = close(commitment(), "kept", at=LATER)
    moments = (MADE - timedelta(1), MADE, LATER - timedelta(1), LATER)
    assert [shut.stood(moment) for moment in moments] == [False, True, True, False]
    assert commitment().stood(LATER + timedelta(days=9_999))


def test_ids_are_the_same_for_the_same_commitment_and_name_what_they_are() -> None:
    named = ids.commitment_id("b", "Call Ana.", "2026-03-01")
    assert named == ids.commitment_id("b", "call  ana", "2026-03-01")
    assert named != ids.commitment_id("b", "call Ana", "2026-03-02")
    assert named.startswith("c")
    assert CommitmentCue(named, 3, "?").id == f"{named}:3"
