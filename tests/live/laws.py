"""What holds of every run and every bank, whatever the model says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from forethought.graphs.app import App
from forethought.memory.beliefs.confidence import moved
from forethought.memory.beliefs.types import Opinion
from forethought.memory.conversations import embedded
from tests.live.opening import BANK, REPLY_TOKENS
from tests.live.relay import Exchange


def check_cost(values: dict[str, Any], exchanges: Sequence[Exchange]) -> None:
    """Every call is counted with the server's own figures, and was held to a schema or streamed."""
    assert values["usage"] == {
        "calls": len(exchanges),
        "input_tokens": sum(each.usage["prompt_tokens"] for each in exchanges),
        "output_tokens": sum(each.usage["completion_tokens"] for each in exchanges),
    }
    assert values["usage"]["input_tokens"] > 0 < values["usage"]["output_tokens"]
    for each in exchanges:
        assert each.status == 200
        assert each.schema or each.request["stream"]
        assert each.usage["completion_tokens"] <= REPLY_TOKENS
        if each.schema and each.finish == "stop":
            json.loads(each.reply)


def check_notes(values: dict[str, Any], events: Sequence[dict[str, Any]]) -> None:
    """Whatever a step failed at is named in the result."""
    said = "\n".join(values["notes"])
    for event in events:
        assert event.get("failed", "") in said


async def check_views(app: App) -> list[Opinion]:
    """Opinions and observations are whole, rest on facts that exist, and are indexed, as turns are.

    Gives the opinions.
    """
    known = {fact.id for fact in await app.records.facts(BANK)}
    opinions = await app.records.opinions(BANK)
    for opinion in opinions:
        _check_trajectory(opinion)
        assert set(opinion.facts) <= known
        assert {step.fact for step in opinion.steps} <= {None, *known}
    observations = await app.records.observations(BANK)
    for observation in observations:
        assert observation.text.strip() and observation.title.strip()
        assert observation.facts and set(observation.facts) <= known
    turns = [
        turn
        for session in await app.records.sessions(BANK)
        for turn in await app.records.turns(BANK, session.id)
    ]
    assert await app.records.unindexed(BANK, limit=1) == []
    assert await app.index.ids(BANK, "opinion") == {one.id for one in opinions}
    assert await app.index.ids(BANK, "observation") == {one.id for one in observations}
    assert await app.index.ids(BANK, "turn") == {
        one.id for one in turns if embedded(one.role, one.text)
    }
    return opinions


def _check_trajectory(opinion: Opinion) -> None:
    """Each step begins where the last one ended, moves by the rule, and stays within [0, 1]."""
    assert opinion.first.strip() and opinion.text.strip()
    sure, text = opinion.initial, opinion.first
    assert 0 <= sure <= 1
    for step in opinion.steps:
        assert step.before == sure
        assert 0 <= step.after <= 1
        assert step.verdict == "revise" or step.after == moved(sure, step.verdict)
        sure, text = step.after, step.text
    assert (opinion.confidence, opinion.text) == (sure, text)
    evidence = [step.fact for step in opinion.steps if step.verdict != "revise"]
    assert None not in evidence
    assert len(set(evidence)) == len(evidence)
