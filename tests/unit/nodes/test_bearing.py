"""What bears on a request is what the ledger, a rewriting and the caller's weights say."""

from __future__ import annotations

from datetime import UTC, date, datetime

from forethought.memory.dimensions import Dimensions
from forethought.memory.ledger.firing import Firing
from forethought.memory.ledger.types import Commitment
from forethought.memory.plain import to_plain
from forethought.memory.recall.rewriting import Rewritten
from forethought.memory.recall.terms import PLAIN, Bearing, Weights
from forethought.nodes.bearing import bearing_of
from forethought.nodes.context import Context

MADE = datetime(2025, 5, 10, tzinfo=UTC)
DAYS = (date(2025, 5, 1), date(2025, 5, 31))


def _firing(name: str, *facts: str) -> Firing:
    return Firing(Commitment(name, "ann", "Call Bo", MADE, facts=facts), "day")


def test_without_a_ledger_or_a_rewriting_the_weights_alone_bear_on_it() -> None:
    assert bearing_of({}, Context()) == PLAIN
    assert bearing_of({}, Context(terms={"salience": 0.5})).weights == Weights(salience=0.5)


def test_facts_of_all_that_fires_and_what_a_rewriting_says_bear_on_it() -> None:
    wanted = Dimensions(tense="past")
    state = {
        "commitments": to_plain([_firing("c1", "f1", "f2"), _firing("c2", "f2")]),
        "rewriting": to_plain(Rewritten("Where was I?", "Where in May", DAYS, wanted)),
    }
    found = bearing_of(state, Context())
    assert found == Bearing(Weights(), frozenset({"f1", "f2"}), DAYS, wanted)
