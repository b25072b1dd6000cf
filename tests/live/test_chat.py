"""A chat of ten turns with the agent, over a real llama.cpp server and a very weak model.

Whatever nonsense it writes: each turn is answered and logged, opinions stay within bounds, and what
was left out is named.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from forethought.graphs.agent import build_agent
from forethought.graphs.app import App
from forethought.memory.beliefs.profile import Disposition, Profile, keep_profile
from forethought.memory.beliefs.types import Opinion
from forethought.memory.ids import opinion_id
from forethought.nodes.citations import uncited
from forethought.nodes.context import Context
from forethought.nodes.parsing import without_thinking
from tests.live.laws import check_cost, check_notes, check_views
from tests.live.opening import BANK, earlier, know, opened
from tests.live.relay import Exchange, Relay

pytestmark = pytest.mark.live

REPLY_TOKENS = 64  # what a small reflection takes; a longer one is cut, which is to be coped with
EVERY = 5
ANSWER = ""  # the schema of a call for text
SPENT = "reflect: left out, the call budget is spent"

# One is weighed, two are news to the opinion, three alike are a topic to be summed up.
KNOWN = ("The user is allergic to peanuts.", "User has an allergy to peanuts.",
         "The user has a peanut allergy.", "Lea owns a boat.")  # fmt: skip
HELD = "Peanuts are a danger to the user, because of an allergy to them."


@dataclass(frozen=True)
class Said:
    """One turn of the user, and what its run is set to."""

    text: str
    set: dict[str, Any] = field(default_factory=dict)


_BRIEF = {"max_calls": 1}  # the answer alone
SAID = (
    Said("Hello! I am back from the sea.", _BRIEF),
    Said("Is it wise to take peanut cake to Lea's boat?"),
    Said("We picnic on Saturday.", _BRIEF),
    Said("My brother Max eats nuts every day.", _BRIEF),
    Said("Yes.", _BRIEF),
    Said("Who of us is allergic to peanuts?", {"mode": "auto"}),
    Said("Mañana vuelvo en tren 🚆.", _BRIEF),
    Said("Which is better for me, nuts or fruit?"),
    Said("Thank you!", _BRIEF),
    Said("Yes.", _BRIEF),
)


@dataclass(frozen=True)
class Turn:
    """What came of one turn: final values, custom events of all its graphs, and streamed texts."""

    values: dict[str, Any]
    events: list[dict[str, Any]]
    pieces: list[str]
    exchanges: list[Exchange]

    @property
    def schemas(self) -> list[str]:
        return [each.schema for each in self.exchanges]

    def of(self, node: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["node"] == node]


def _context(number: int, said: Said) -> Context:
    given: dict[str, Any] = {
        "bank": BANK, "now": f"2025-03-01T10:{number:02}:00Z", "mode": "recall", "limit": 2,
        "turns": 0, "budget": 100, "foresight": 0, "observe": 1, "extract_chars": 500,
        "consolidate_after": 0, "retain_every": EVERY, **said.set,
    }  # fmt: skip
    return Context(**given)


async def _turn(graph: Any, llama: Relay, number: int, said: Said) -> Turn:
    del llama.exchanges[:]
    turn = Turn({}, [], [], [])
    stream = graph.astream(
        {"messages": [{"role": "user", "content": said.text}]},
        {"configurable": {"thread_id": "ten"}},
        context=_context(number, said),
        stream_mode=["values", "custom", "messages"],
        subgraphs=True,  # also what the retain machine says and streams inside
    )
    async for inside, mode, data in stream:
        if mode == "messages":
            turn.pieces.append(data[0].content)
        elif mode == "custom":
            turn.events.append(data)
        elif not inside:
            turn.values.update(data)
    turn.exchanges.extend(llama.exchanges)
    return turn


async def _begin(app: App) -> Opinion:
    """A bank with a profile, facts, and an opinion that rests on the first of them."""
    await keep_profile(app.records, BANK, Profile("Ida", Disposition(5, 1, 3, 1.0), "I cook."))
    first, *_ = await know(app, earlier(KNOWN))
    held = Opinion(
        opinion_id(BANK, HELD), BANK, HELD, 0.6, first.date, HELD, 0.6, facts=(first.id,)
    )
    await app.records.hold(BANK, [held])
    await app.indexer.catch_up(BANK)
    return held


async def test_a_chat_of_ten_turns_breaks_nothing(
    llama: Relay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(llama, tmp_path, monkeypatch, reply_tokens=REPLY_TOKENS) as app:
        held = await _begin(app)
        graph = build_agent(app, checkpointer=InMemorySaver())
        turns = []
        for number, said in enumerate(SAID, start=1):
            turn = await _turn(graph, llama, number, said)
            check_cost(turn.values, turn.exchanges)
            check_notes(turn.values, turn.events)
            _check_answer(turn)
            _check_steps(turn, said)
            _check_retained(turn, due=number % EVERY == 0)
            assert held.id in {one.id for one in await check_views(app)}
            turns.append(turn)
        await _check_log(app, turns)


def _check_answer(turn: Turn) -> None:
    """What was streamed is the answer as the model wrote it, and nothing else."""
    (written,) = [each.reply for each in turn.exchanges if each.schema == ANSWER]
    assert "".join(turn.pieces) == written
    assert turn.values["messages"][-1].content == turn.values["answer"]
    assert uncited(turn.values["answer"]) == uncited(without_thinking(written))
    shown = [*turn.values["hits"], *turn.values["turns"]]
    ids = {(one.get("fact") or one["turn"])["id"] for one in shown}
    views = {one["id"] for one in [*turn.values["opinions"], *turn.values["observations"]]}
    assert set(turn.values["cited"]) <= ids | views


def _check_steps(turn: Turn, said: Said) -> None:
    """A turn asks for what its mode says, and what the budget forbade is named."""
    (gate,) = turn.of("gate")
    assert gate["mode"] == "recall"
    assert turn.schemas[0] == ANSWER
    brief = said.set == _BRIEF
    assert (SPENT in turn.values["notes"]) == brief
    assert turn.schemas.count("Reflection") == (0 if brief else 1)
    (reflected,) = turn.of("reflect")
    for dropped in reflected.get("dropped", []):
        assert f"reflect: {dropped}" in turn.values["notes"]


def _check_retained(turn: Turn, *, due: bool) -> None:
    """Every so many turns, and what could not be read is said to wait."""
    assert bool(turn.values["retained"]) == due
    assert due == ("Extraction" in turn.schemas)
    for entry in turn.values["retained"]:
        waits = any("stays pending" in note for note in turn.values["notes"])
        assert waits == (entry["status"] != "extracted")


async def _check_log(app: App, turns: list[Turn]) -> None:
    """What was said and answered is in one session, in order, each once, and has been read."""
    (session,) = [
        one for one in await app.records.sessions(BANK) if one.key == "chat ten 2025-03-01"
    ]
    logged = await app.records.turns(BANK, session.id)
    pairs = [
        (said.text, uncited(turn.values["answer"])) for said, turn in zip(SAID, turns, strict=True)
    ]
    assert [turn.text for turn in logged] == [text for pair in pairs for text in pair if text]
    assert session.status in {"extracted", "failed"}
    # the opinion has been weighed against the facts that it does not rest on, if not all of them
    assert any("Verdicts" in turn.schemas for turn in turns)
    assert any("Observed" in turn.schemas for turn in turns)
