"""What reads facts in every recall and retain seeks them, whatever the server has counted.

It plans by what it knows of an index, which is nothing at first, and keeps the plan for as long as
it is told to (README advises an hour): so these statements name their indexes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from forethought.memory.records.neo4j import Neo4jRecords
from tests.contracts.neo4j_server import Address
from tests.contracts.two_banks import READS, WRITES, Place

_FEW = (":Schema", ":Bank")  # nodes
_NAMED = ("holding", "facts", "facts: by id", "added", "occurring", "of_kinds", "traits")

Said = dict[str, dict[str, Any]]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    """Every statement that is sent, with the parameters that it first came with."""
    said: Said = {}

    def noted(run: Any) -> Any:
        async def noting(self: Any, query: Any, parameters: Any = None, **given: Any) -> Any:
            said.setdefault(str(getattr(query, "text", query)), dict(parameters or {}) | given)
            return await run(self, query, parameters, **given)

        return noting

    for sender in (neo4j.AsyncSession, neo4j.AsyncManagedTransaction):
        monkeypatch.setattr(sender, "run", noted(sender.run))
    return said


def operators(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a plan does, each with what it is done to."""
    yield plan["operatorType"].partition("@")[0], str(plan["args"].get("Details"))
    for child in plan.get("children", ()):
        yield from operators(child)


async def test_what_reads_facts_reads_none_of_another_bank_on_the_way(
    neo4j_address: Address, said: Said
) -> None:
    at = neo4j_address
    opened = await Neo4jRecords.open(at.uri, user=at.user, password=at.password, store="plans")
    place = Place(opened, "ann", "bob")
    for name in ("log", "commit"):
        await WRITES[name](place)
    said.clear()
    for name in _NAMED:
        await READS[name](place)
    await opened.close()
    assert len(said) == len(_NAMED)
    driver = neo4j.AsyncGraphDatabase.driver(
        at.uri, auth=(at.user, at.password), notifications_min_severity="OFF"
    )
    async with driver, driver.session() as session:
        whole = [
            (operator, details, " ".join(cypher.split()))
            for cypher, parameters in list(said.items())
            for operator, details in await _planned(session, cypher, parameters)
            if operator.endswith("Scan") and not any(few in details for few in _FEW)
        ]
    assert whole == []


async def _planned(
    session: neo4j.AsyncSession, cypher: str, parameters: dict[str, Any]
) -> list[tuple[str, str]]:
    """The plan that the server keeps of it."""
    explained = await (await session.run(f"EXPLAIN {cypher}", parameters)).consume()
    assert explained.plan is not None
    return list(operators(explained.plan))
