"""Times as numbers that an index keeps in order: microseconds since 1970, and the same negative.

What is wanted latest first, and then by id, comes from an index on `ago`, the negative of a time,
and the id. It is read forwards, only as far as it is wanted, where dates that go down beside ids
that go up would all have to be sorted first.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from forethought.memory.records.values import MIDNIGHT, day_text, stamp
from forethought.memory.types import Fact

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LONGEST = timedelta(days=366 * 10_000)  # all of the calendar; timedelta.max would be no int64


def micros(text: str) -> int:
    """The microseconds from 1970 to a moment that `values.stamp` wrote."""
    return (datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND


def moment(microseconds: int) -> datetime:
    """The moment that is so far from 1970."""
    return _EPOCH + microseconds * _MICROSECOND


def occurs(fact: Fact) -> int:
    """When a fact is so: the day on which it began to occur, or when it was last said."""
    day = day_text(fact.occurred_from)
    return micros(day + MIDNIGHT if day else stamp(fact.date, of=f"fact {fact.id}"))


def span(within: timedelta) -> int:
    """`within` in microseconds, as far as there are dates."""
    return min(within, _LONGEST) // _MICROSECOND


def standing(now: datetime) -> dict[str, str | int]:
    """The parameters of `LATEST`: `now`, and the least `ago` of what had been said by then."""
    at = stamp(now, of="the look-up")
    return {"now": at, "said": -micros(at)}


def counted(text: str) -> str:
    """`micros` in Cypher, of the expression `text`."""
    return f"(datetime({text}).epochSeconds * 1000000 + datetime({text}).microsecond)"


OCCURS = counted(f"coalesce(fact.occurred_from + '{MIDNIGHT}', fact.date)")
"""`occurs` in Cypher, of a `fact`."""

SETTLE = f"""
    WITH fact, CASE WHEN fact.until IS NULL THEN {OCCURS} END AS at
    SET fact.held = CASE WHEN fact.until IS NULL THEN fact.content END,
        fact.at = at, fact.ago = -at
"""
"""What follows a change of the `date` or the `until` of a `fact`."""

LATEST = """
    MATCH (fact:Fact)-[said:MENTIONS]->() USING INDEX said:MENTIONS(bank, entity, ago, fact)
    WHERE said.bank = $bank AND said.entity = entity AND said.ago >= $said
        AND said.fact IS NOT NULL AND (fact.until IS NULL OR fact.until > $now)
    RETURN fact ORDER BY said.bank, said.entity, said.ago, said.fact LIMIT $most
"""
"""The `$most` latest facts that hold and mention an `entity` (an id), straight from the index."""
