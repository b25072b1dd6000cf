"""The user's profile: what the user is like, summed up from lasting facts (PPRO §3.2).

It is kept as the observations on the subject USER, so it is replaced as one, and goes with each
fact that it was made from.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from forethought.memory.beliefs.types import USER, Observation
from forethought.memory.records.port import Records
from forethought.memory.types import Fact, Kind

LASTING: tuple[Kind, ...] = ("Identity", "Preference")
RECURRING: tuple[Kind, ...] = ("Goal", "Interest")
"""Kinds of facts that say what somebody is like; these do once they came up in two sessions."""

MOST = 50  # facts that a profile is made from, as for an entity (Hindsight's published code)
_READ = 200  # of either, the latest: those said most often are looked for among them
FRESH = 5  # ours: a bank that grows by ten facts a retain then pays a call every few retains
SHARE = 5  # ours: or one in so many of those that it was made from, while they are few


async def user_profile(records: Records, bank: str, *, now: datetime) -> list[Observation]:
    """Its statements as they are, in their order; none where it was made after `now`."""
    made = await records.observations(bank, [USER])
    return [one for one in made if one.made <= now]


async def telling(records: Records, bank: str) -> list[Fact]:
    """The facts to make it from, by date: of the latest those said most often, and the rest.

    Half of MOST are for those said most often, so that what recurs is not pushed out by what is
    new, and what is new (a move, a marriage) has its place beside it.
    """
    lasting = await records.of_kinds(bank, LASTING, k=_READ)
    again = [fact for fact in await records.of_kinds(bank, RECURRING, k=_READ) if _recurs(fact)]
    found = [fact for fact in (*lasting, *again) if fact.network == "world"]
    latest = sorted(found, key=lambda fact: (fact.date, fact.id), reverse=True)
    often = sorted(latest, key=lambda fact: -fact.frequency)[: MOST // 2]
    chosen = dict.fromkeys((*often, *latest))
    return sorted([*chosen][:MOST], key=lambda fact: (fact.date, fact.id))


def is_due(made_from: Collection[str], facts: Collection[str], *, updated: bool) -> bool:
    """Whether a profile made from some facts, by id, is to be made anew from these.

    At once where one of its own was `updated`, since it may say what is no longer so. What is
    merely new waits until there are FRESH of it, or one in SHARE, so that one fact more in a bank
    of thousands costs no call. None at all is due.
    """
    fresh = set(facts).difference(made_from)
    return updated or len(fresh) >= min(FRESH, -(-len(made_from) // SHARE))


def _recurs(fact: Fact) -> bool:
    return fact.frequency > 1
