"""Opinions with their trajectories, and observations; relations lead to the facts they come from.

The nodes have all that is kept of them, and are read and written whole. The relations are how what
comes from a fact is found where the fact is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from forethought.memory.beliefs.types import Judgement, Observation, Opinion
from forethought.memory.records.held import (
    after_judging,
    check_judgements,
    check_observations,
    check_opinions,
    evidence,
    grounds,
    in_order,
    to_hold,
    to_observe,
)
from forethought.memory.records.held_columns import (
    observation_columns,
    observation_of,
    opinion_columns,
    opinion_of,
)
from forethought.memory.records.neo4j.database import Transaction
from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.marks import (
    mark_unpurged,
    strike_unpurged,
    unname_if_empty,
)
from forethought.memory.records.neo4j.rows import EVERY_FACT, FACT, batches, fact_from, listed
from forethought.memory.records.values import at_most
from forethought.memory.types import Fact, Kind

_SOME = "UNWIND $ids AS id MATCH (one:Opinion {bank: $bank, id: id})"
_EVERY = "MATCH (one:Opinion {bank: $bank}) WHERE one.id IS NOT NULL"
_ON_SOME = """
    UNWIND $subjects AS subject MATCH (one:Observation {bank: $bank, subject: subject})
"""
_OF_THESE = "UNWIND $ids AS id MATCH (one:Observation {bank: $bank, id: id})"
_ON_ALL = "MATCH (one:Observation {bank: $bank}) WHERE one.subject IS NOT NULL"
_OBSERVATION = "one {.*, .occurred_from, .occurred_to}"  # days that are not known, too
_FACTS = "UNWIND $facts AS id MATCH (fact:Fact {bank: $bank, id: id}) RETURN id"
_KNOWN = f"""
    RETURN COLLECT {{ {_SOME} RETURN properties(one) }} AS opinions,
        COLLECT {{ {_FACTS} }} AS facts
"""
_THERE = f"""
    RETURN COLLECT {{ {_FACTS} }} AS facts, COLLECT {{
        MATCH (entity:Entity {{bank: $bank, id: $subject}}) RETURN entity.id
    }} AS entities, COLLECT {{
        MATCH (one:Observation {{bank: $bank, subject: $subject}}) RETURN {_OBSERVATION}
    }} AS observations
"""
_PUT = """
    UNWIND $rows AS row
    MERGE (opinion:Opinion {bank: $bank, id: row.node.id}) SET opinion += row.node
    WITH opinion, row
    CALL (opinion) { MATCH (opinion)-[was:RESTS_ON|MOVED_BY]->() DELETE was }
    CALL (opinion, row) {
        UNWIND row.facts AS id MATCH (fact:Fact {bank: $bank, id: id})
        CREATE (opinion)-[:RESTS_ON]->(fact)
    }
    CALL (opinion, row) {
        UNWIND row.moved_by AS id MATCH (fact:Fact {bank: $bank, id: id})
        CREATE (opinion)-[:MOVED_BY]->(fact)
    }
"""
# One of an id that another subject has is left out.
_SUM_UP = """
    UNWIND $rows AS row WITH row
    WHERE NOT EXISTS { MATCH (other:Observation {bank: $bank, id: row.node.id}) }
    CREATE (one:Observation {bank: $bank}) SET one += row.node
    WITH one, row UNWIND row.facts AS id MATCH (fact:Fact {bank: $bank, id: id})
    CREATE (one)-[:SUMS_UP]->(fact)
"""


class Believing(Facet):
    """What the assistant believes, and what it has summed up."""

    async def opinions(self, bank: str, ids: Sequence[str] | None = None) -> list[Opinion]:
        """See `Beliefs.opinions`."""
        some = _EVERY if ids is None else _SOME
        cypher = f"{some} RETURN properties(one) AS one"
        rows = await self._db.read(bank, cypher, ids=listed(ids or ()))
        found = [opinion_of(row["one"], bank=bank) for row in rows]
        if ids is None:
            return sorted(found, key=lambda opinion: (opinion.formed, opinion.id))
        return in_order(ids, found)

    async def hold(self, bank: str, opinions: Sequence[Opinion]) -> None:
        """See `Beliefs.hold`."""
        check_opinions(bank, opinions)
        named = listed(fact for one in opinions for fact in evidence(one))

        async def work(tx: Transaction) -> None:
            known, facts = await _known(tx, [one.id for one in opinions], named)
            held = to_hold(opinions, known=known, facts=facts)
            await insert_opinions(tx, held)
            if not held:  # and so the bank may be one that there was not
                await unname_if_empty(tx)

        await self._db.transaction(bank, work, new=True)

    async def judge(self, bank: str, judgements: Sequence[Judgement]) -> list[Opinion]:
        """See `Beliefs.judge`."""
        check_judgements(bank, judgements)
        named = listed(fact for one in judgements for fact in grounds(one))

        async def work(tx: Transaction) -> list[Opinion]:
            known, facts = await _known(tx, [one.opinion for one in judgements], named)
            changed = after_judging(judgements, known=known, facts=facts)
            reworded = [one.id for one in changed if one.text != known[one.id].text]
            await put_opinions(tx, changed, unindexed=reworded)
            return changed

        return await self._db.transaction(bank, work)

    async def observations(
        self,
        bank: str,
        subjects: Sequence[str] | None = None,
        *,
        ids: Sequence[str] | None = None,
    ) -> list[Observation]:
        """See `Beliefs.observations`."""
        some = _ON_ALL if subjects is None else _ON_SOME
        cypher = f"{_OF_THESE if ids is not None else some} RETURN {_OBSERVATION} AS one"
        rows = await self._db.read(
            bank,
            f"{cypher} ORDER BY one.subject, one.n",
            subjects=listed(subjects or ()),
            ids=listed(ids or ()),
        )
        found = [observation_of(row["one"], bank=bank) for row in rows]
        return found if ids is None else in_order(ids, found)

    async def of_kinds(self, bank: str, kinds: Sequence[Kind], *, k: int) -> list[Fact]:
        """See `Beliefs.of_kinds`."""
        cypher = f"""
            {EVERY_FACT} AND fact.until IS NULL AND fact.kind IN $kinds
            WITH fact ORDER BY fact.date DESC, fact.id LIMIT $most RETURN {FACT}
            ORDER BY fact.date DESC, fact.id
        """
        rows = await self._db.read(bank, cypher, kinds=listed(kinds), most=at_most(k))
        return [fact_from(row, bank) for row in rows]

    async def observe(self, bank: str, subject: str, observations: Sequence[Observation]) -> None:
        """See `Beliefs.observe`."""
        check_observations(bank, subject, observations)
        named = listed(fact for one in observations for fact in one.facts)

        async def work(tx: Transaction) -> None:
            (row,) = await tx.rows(_THERE, subject=subject, facts=named)
            kept = to_observe(observations, facts=row["facts"], entities=row["entities"])
            before = {observation_of(node, bank=bank): node for node in row["observations"]}
            await drop_observations(tx, [subject])
            same = [one.id for one in kept if one in before and not before[one].get("unindexed")]
            await insert_observations(tx, kept, indexed=same)
            if not kept:
                await unname_if_empty(tx)

        await self._db.transaction(bank, work, new=True)


async def insert_opinions(tx: Transaction, opinions: Sequence[Opinion]) -> None:
    """Opinions that are not there, unindexed, whose facts are."""
    ids = [one.id for one in opinions]
    await put_opinions(tx, opinions, unindexed=ids)
    await strike_unpurged(tx, ids)


async def put_opinions(
    tx: Transaction, opinions: Sequence[Opinion], *, unindexed: Iterable[str]
) -> None:
    """Opinions as they are from now on, those of some ids `unindexed`."""
    reworded = set(unindexed)
    rows = [
        {
            "node": opinion_columns(one) | ({"unindexed": True} if one.id in reworded else {}),
            "facts": listed(one.facts),
            "moved_by": listed(step.fact for step in one.steps if step.fact is not None),
        }
        for one in opinions
    ]
    for some in batches(rows):
        await tx.rows(_PUT, rows=some)


async def insert_observations(
    tx: Transaction, observations: Sequence[Observation], *, indexed: Iterable[str] = ()
) -> None:
    """Observations whose facts are there, in this order; those of some ids are `indexed` still."""
    still, ids = set(indexed), [one.id for one in observations]
    rows = []
    for n, one in enumerate(observations):
        marks = {"n": n, "unindexed": None if one.id in still else True}
        rows.append({"node": observation_columns(one) | marks, "facts": listed(one.facts)})
    for some in batches(rows):
        await tx.rows(_SUM_UP, rows=some)
    await strike_unpurged(tx, ids)


async def drop_opinions(tx: Transaction, opinions: Sequence[str]) -> int:
    """Delete these opinions; how many were there. The index drops their vectors."""
    return await _drop(tx, _SOME, ids=opinions)


async def drop_observations(tx: Transaction, subjects: Sequence[str]) -> int:
    """Delete all observations on these subjects; how many there were, as above."""
    return await _drop(tx, _ON_SOME, subjects=subjects)


async def _drop(tx: Transaction, some: str, **which: Sequence[str]) -> int:
    if not any(which.values()):
        return 0
    drop = f"{some} WITH one, one.id AS id DETACH DELETE one RETURN id"
    gone = [row["id"] for row in await tx.rows(drop, **which)]
    await mark_unpurged(tx, gone)
    return len(gone)


async def _known(
    tx: Transaction, opinions: Iterable[str], facts: Sequence[str]
) -> tuple[dict[str, Opinion], list[str]]:
    """Those of these opinions, and of the ids of facts, that are there."""
    (row,) = await tx.rows(_KNOWN, ids=listed(opinions), facts=facts)
    known = [opinion_of(node, bank=tx.bank) for node in row["opinions"]]
    return {one.id: one for one in known}, row["facts"]
