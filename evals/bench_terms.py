"""`eval scale`: what commitments and terms add to recall's own time, in one run, by turns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from random import Random
from statistics import median
from time import perf_counter

from forethought.evals.bench_data import requests
from forethought.evals.bench_life import Life
from forethought.graphs.app import App
from forethought.memory import ids
from forethought.memory.beliefs.types import USER, Observation
from forethought.memory.dimensions import Dimensions
from forethought.memory.ledger.firing import At
from forethought.memory.ledger.types import Commitment, CommitmentCue
from forethought.memory.recall.terms import Bearing, Weights
from forethought.memory.types import fact_ids

GOAL = 1.1
"""`due` and all terms take at most so many times recall's own time at 10,000 facts (issue 6)."""
PAIRS = 100  # at most; a ratio by 60 strays by .03
FEWEST = 10  # however slow the store; a median of fewer strays by more than it tells
SECONDS = 25.0  # after which no further pair is asked: a slow store would take minutes
OPEN = 50  # commitments: a busy user's ledger
CUES = 12  # of each
_DATED = 10  # of them, whose day has come, fire
_STATEMENTS = 10  # of the user's profile
_ALL_ON = Weights(prospective=0.3, salience=0.3, profile=0.2, dimensions=0.05)
_WANTED = Dimensions("past", "objective", "certain")
_SEED = 11
_ASIDE = "I have little money for it"
_REST = "Will it rain, or can we sit outside?"


async def _prepare(app: App, told: Life, size: int) -> None:
    """Give the bank a ledger, a profile and saliences, for all that terms go by."""
    records, bank = app.records, told.bank
    promised = [_promised(told, number, size) for number in range(OPEN)]
    await records.undertake(bank, promised)
    cues = [
        CommitmentCue(one.id, place, _cue(told, number * CUES + place, size))
        for number, one in enumerate(promised)
        for place in range(CUES)
    ]
    await records.remind(bank, cues, commitments=[one.id for one in promised])
    stated = [_stated(told, number, size) for number in range(_STATEMENTS)]
    await records.observe(bank, USER, stated)
    random = Random(_SEED)
    await records.weigh(bank, {fact: random.random() for fact in fact_ids(told.facts[:size])})
    await app.indexer.catch_up(bank)


async def terms_ratios(app: App, told: Life, size: int) -> dict[str, float]:
    """How many times recall's own time `due` and recall with all terms take, by medians.

    For plain requests; for turns that say three things, the clauses of which are embedded one by
    one where the whole comes near a condition, as few of these do; and for turns of which each
    does, since one of the three is what a cue says. The two are asked by turns, each time
    something else: what was asked lately finds its vectors remembered. `pairs` is how many of each
    were asked at least.
    """
    await _prepare(app, told, size)
    now = told.facts[size - 1].date
    plain = list(requests(2 * (PAIRS + 1), Random(_SEED)))
    asked = {
        "terms": plain,
        "several": [f"{one}. {_ASIDE}. {_REST}" for one in plain],
        "near": [
            f"{one}. {_cue(told, (_DATED + number % (OPEN - _DATED)) * CUES, size)}. {_REST}"
            for number, one in enumerate(plain)
        ],
    }
    found = {name: await _ratio(app, told.bank, turns, now) for name, turns in asked.items()}
    fewest = min(pairs for _, pairs in found.values())
    return {**{name: ratio for name, (ratio, _) in found.items()}, "pairs": fewest}


async def _ratio(app: App, bank: str, asked: Sequence[str], now: datetime) -> tuple[float, int]:
    """The ratio of the medians, and of how many pairs: fewer where they take long."""
    alone: list[float] = []
    raised: list[float] = []
    arms = [(_alone, alone), (_raised, raised)]
    latest = perf_counter() + SECONDS
    for number, query in enumerate(asked):
        if number % 2 == 0 and number > 2 * FEWEST and perf_counter() > latest:
            break
        # which of the two comes first changes from pair to pair
        ask, times = arms[(number + number // 2) % 2]
        began = perf_counter()
        await ask(app, bank, query, now)
        times.append(perf_counter() - began)
    # the first pair reads the bank's samples and the ledger
    return round(median(raised[1:]) / median(alone[1:]), 3), len(alone) - 1


async def _alone(app: App, bank: str, query: str, now: datetime) -> None:
    await app.recall.recall(bank, query, now=now, limit=20)


async def _raised(app: App, bank: str, query: str, now: datetime) -> None:
    """A turn of the agent as far as its facts: the ledger first, then recall."""
    fired = await app.watch.firing(bank, query, At(now, now.date()))
    firing = frozenset(fact for one in fired for fact in one.commitment.facts)
    bearing = Bearing(_ALL_ON, firing, dimensions=_WANTED)
    await app.recall.recall(bank, query, now=now, limit=20, bearing=bearing)


def _cue(told: Life, number: int, size: int) -> str:
    return f"By the way, {told.facts[number % size].text}"


def _promised(told: Life, number: int, size: int) -> Commitment:
    """The same at every size of the bank that has 1,000 facts."""
    fact = told.facts[number * 17 % size]
    action = f"Write back about this: {fact.text}"
    condition = None if number < _DATED else f"{fact.text} comes up"
    due = None if condition else fact.date.date()
    name = ids.commitment_id(told.bank, action, condition or str(due))
    return Commitment(name, told.bank, action, fact.date, condition, due, facts=(fact.id,))


def _stated(told: Life, number: int, size: int) -> Observation:
    fact = told.facts[number * 13 % size]
    name = ids.observation_id(told.bank, USER, fact.text)
    return Observation(name, told.bank, USER, "user", "The user", fact.text, (fact.id,), fact.date)
