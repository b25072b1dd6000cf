"""What lies around facts in time: read from the indexes of times over a stretch of facts at once.

The facts of a retain are neighbours of each other as a rule. To read the same k on either side of
each anew is most of what linking them costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from forethought.memory.records.neo4j.database import Transaction, as_one
from forethought.memory.records.neo4j.times import OCCURS, moment, span
from forethought.memory.records.paths import nearest
from forethought.memory.records.values import at_most

_TOGETHER = (
    20  # moments of one stretch: with the k on either side it has few facts for each to sort
)
_SPARE = 2  # times as many facts are read as there are moments, where a moment may be that of many

_WHEN = f"""
    UNWIND $ids AS id MATCH (fact:Fact {{bank: $bank, id: id}})
    RETURN [id, coalesce(fact.at, {OCCURS})] AS row
"""
# What is later is read from one index, what is earlier from the other: nearest first in both.
_AROUND = """
    UNWIND $stretches AS of
    RETURN [of.first, COLLECT {
        MATCH (fact:Fact) USING INDEX fact:Fact(bank, at, id)
        WHERE fact.bank = $bank AND fact.at >= of.first AND fact.at <= of.last + $within
            AND fact.id IS NOT NULL
        RETURN [fact.id, fact.at] AS one ORDER BY fact.bank, fact.at, fact.id LIMIT $most
    }, COLLECT {
        MATCH (fact:Fact) USING INDEX fact:Fact(bank, ago, id)
        WHERE fact.bank = $bank AND fact.ago > -of.first AND fact.ago <= $within - of.first
            AND fact.id IS NOT NULL
        RETURN [fact.id, fact.at] AS one ORDER BY fact.bank, fact.ago, fact.id LIMIT $k
    }] AS row
"""

Placed = tuple[str, int]
"""A fact, and its time in microseconds."""


async def around(
    tx: Transaction, facts: Sequence[str], *, within: timedelta, k: int
) -> dict[str, list[tuple[str, timedelta]]]:
    """The `k` facts nearest in time to each of these that there are; see `Records.around`."""
    (row,) = await tx.rows(as_one(_WHEN), ids=facts)
    times: dict[str, int] = dict(row["rows"])
    known: dict[int, list[Placed]] = {}
    for width in (_TOGETHER, 1):  # by itself where there were too many facts between the others
        left = sorted(set(times.values()) - known.keys())
        stretches = [left[start : start + width] for start in range(0, len(left), width)]
        if stretches:
            known |= await _known(tx, stretches, within=span(within), k=k)
    return {
        fact: nearest(
            moment(time),
            [(other, moment(at)) for other, at in known[time] if other != fact],
            within=within,
            k=k,
        )
        for fact, time in times.items()
    }


async def _known(
    tx: Transaction, stretches: Sequence[Sequence[int]], *, within: int, k: int
) -> dict[int, list[Placed]]:
    """Facts by moment, among them those nearest to it; without moments for which that is unsure."""
    most = _SPARE * len(stretches[0]) + k + 1  # one of the others may be the fact itself
    asked = [{"first": stretch[0], "last": stretch[-1]} for stretch in stretches]
    (row,) = await tx.rows(
        as_one(_AROUND), stretches=asked, within=within, most=at_most(most), k=at_most(k)
    )
    read = {first: (later, earlier) for first, later, earlier in row["rows"]}
    known: dict[int, list[Placed]] = {}
    for stretch in stretches:
        later, earlier = read[stretch[0]]
        for time in stretch:
            if len(later) < most or sum(at >= time for _, at in later) > k:
                known[time] = [*earlier, *later]
    return known
