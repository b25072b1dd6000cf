"""The whole loop against a real llama.cpp server: a real socket, a real grammar, a very weak model.

SmolLM2-135M writes nonsense, in the right form. So nothing here depends on what it says, only on
what becomes of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from forethought.graphs.agent import build_agent
from forethought.graphs.app import App
from forethought.graphs.retain import build_retain
from forethought.memory.types import KINDS
from forethought.nodes.context import Context
from forethought.nodes.schema import wire_schema
from forethought.prompts import (
    background,
    consolidate,
    extract,
    foresee,
    observe,
    prospection,
    reflect,
    reinforce,
    rewrite,
    summarise,
    user_profile,
)
from forethought.prompts.prompt import Answer
from tests.live.laws import check_cost, check_notes
from tests.live.opening import BANK, earlier, know, opened
from tests.live.relay import Relay

pytestmark = pytest.mark.live

ANSWERS = [
    background.Background, consolidate.Merged, extract.Extraction,
    foresee.Foresight, observe.Observed, prospection.Chain, prospection.Tree, reflect.Reflection,
    reinforce.Verdicts, rewrite.Rewrite, summarise.Summary, user_profile.UserProfile,
]  # fmt: skip
CONTEXT = Context(
    bank=BANK, mode="prospect", augment="model", tau0=0.3, probe_k=3, max_rounds=1, limit=5,
    foresight=2, extract_chars=500, consolidate_after=3, max_calls=8, reflect=False, remember=False,
)  # fmt: skip
SESSIONS: list[dict[str, Any]] = [
    {
        "key": "english",
        "date": "2025-03-01T10:00:00Z",
        "turns": [
            {
                "role": "user",
                "text": "My sister Lea is allergic to peanuts. We picnic on Saturday.",
            },
            {"role": "assistant", "text": "Then I will leave the peanut bars out."},
        ],
    },
    {
        "key": "español",
        "date": "2025-03-02T10:00:00Z",
        "turns": [{"role": "user", "text": "Mañana mi coche va al taller; vuelvo en tren 🚆."}],
    },
]
KNOWN = ("The user is allergic to peanuts.", "User has an allergy to peanuts.", "Lea owns a boat.")
EARLIER = earlier(KNOWN)


@pytest.mark.parametrize("answer", ANSWERS)
def test_the_server_holds_its_reply_to_each_schema_of_ours(
    llama: Relay, answer: type[Answer]
) -> None:
    wanted = {"name": answer.__name__, "schema": wire_schema(answer)}
    request = {
        "messages": [{"role": "user", "content": "Tell me a story."}],
        "response_format": {"type": "json_schema", "json_schema": wanted},
        "max_tokens": 16,
    }
    reply = httpx.post(f"{llama.url}/chat/completions", json=request, timeout=120)
    assert reply.status_code == 200, reply.text
    said = reply.json()["choices"][0]["message"]["content"]
    begun = "".join(said.split())
    # any of its fields: where the first may be left out, the reply may begin with the next
    assert any(f'{{"{name}":'.startswith(begun[: len(name) + 4]) for name in answer.model_fields)


async def _run(graph: Any, given: dict[str, Any]) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """The final values of a run, its custom events, and the pieces of text that it streamed."""
    values: dict[str, Any] = {}
    events, pieces = [], []
    modes = ["values", "custom", "messages"]
    async for mode, data in graph.compile().astream(given, context=CONTEXT, stream_mode=modes):
        if mode == "values":
            values = data
        elif mode == "custom":
            events.append(data)
        else:
            pieces.append(data[0].content)
    return values, events, pieces


async def test_the_whole_loop_runs_and_leaves_nothing_broken(
    llama: Relay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(llama, tmp_path, monkeypatch) as app:
        await know(app, EARLIER)
        del llama.exchanges[:]
        retain = build_retain(app)
        first, events, _ = await _run(retain, {"sessions": SESSIONS})
        check_cost(first, llama.exchanges)
        check_notes(first, events)
        assert [entry["outcome"] for entry in first["report"]] == ["new", "new"]
        await _check_stores(app)

        del llama.exchanges[:]
        left = await app.records.unforeseen(BANK, limit=100)
        second, _, _ = await _run(retain, {"sessions": SESSIONS})
        schemas = {exchange.schema for exchange in llama.exchanges}
        assert schemas <= ({"Foresight"} if left else set())
        assert [entry["outcome"] for entry in second["report"]] == ["known", "known"]
        await _check_stores(app)

        del llama.exchanges[:]
        said = {"messages": [{"role": "user", "content": "Who of us is allergic to peanuts?"}]}
        answered, events, pieces = await _run(build_agent(app), said)
        check_cost(answered, llama.exchanges)
        check_notes(answered, events)
        _check_answer(answered, pieces)
        order = [exchange.schema for exchange in llama.exchanges]
        assert order[-1] == ""
        assert "Tree" in order


def _check_answer(values: dict[str, Any], pieces: list[str]) -> None:
    assert values["answer"].strip()
    assert len([piece for piece in pieces if piece]) > 1
    hits = {hit["fact"]["id"] for hit in values["hits"]}
    assert 0 < len(hits) <= CONTEXT.limit
    assert set(values["cited"]) <= hits
    steps = {step["id"] for step in values["steps"]}
    assert all(step["parent"] in {None, *steps} and step["action"] for step in values["steps"])


async def _check_stores(app: App) -> None:
    """Facts are whole, sources exist, cues are their facts', and the index holds just those."""
    turns: dict[str, set[str]] = {}
    for session in await app.records.sessions(BANK):
        given = next(each for each in [EARLIER, *SESSIONS] if each["key"] == session.key)
        said = await app.records.turns(BANK, session.id)
        assert [turn.text for turn in said] == [turn["text"] for turn in given["turns"]]
        turns[session.id] = {turn.id for turn in said}
        assert session.status in {"extracted", "failed"}
        assert bool(session.error) == (session.status == "failed")
    assert len(turns) == 1 + len(SESSIONS)
    facts = await app.records.facts(BANK)
    assert len(facts) >= len(KNOWN)
    for fact in facts:
        assert fact.text == fact.text.strip() != ""
        assert fact.kind in KINDS
        assert fact.sources
        assert all(set(source.turns) <= turns[source.session] for source in fact.sources)
        assert all(source.turns for source in fact.sources)
    cues = await app.records.cues(BANK, [fact.id for fact in facts])
    assert all(cue.text.strip() and 0 <= cue.position < CONTEXT.foresight for cue in cues)
    assert await app.records.unindexed(BANK, limit=1) == []
    assert await app.index.ids(BANK, "text") == {fact.id for fact in facts}
    assert await app.index.ids(BANK, "cue") == {cue.id for cue in cues}
