"""Commitments on the test bench: one with a day, one with a condition, and a bank to each test."""

from __future__ import annotations

from typing import Any

from forethought.memory.ledger.types import Commitment
from tests.flows.bench import session
from tests.flows.scripted import Call, facts_said, promise, reminders
from tests.flows.talk import Talk

PACKET = "Send the housing packet to Mrs Kent"
SAID = "The housing packet must be with Mrs Kent by the 20th of May"
QUOTE = "Reconcile the roofing quote with the budget"
CONDITION = "the roofing quote from Acme has arrived"
CUES = tuple(f"{opening} the roofing quote from Acme" for opening in
             ("Here is", "I got", "There came", "I read", "I opened"))  # fmt: skip
LONGER = "Good morning to you! I got the roofing quote from Acme, and what shall I cook for lunch?"
LUNCH = "What shall I cook for lunch with my cousin?"


def read(*commitments: Any, settled: Any = (), facts: Any = None) -> Any:
    """A reply to `extract`: a fact of each turn, and these commitments and settlements."""

    def reply(call: Call) -> dict[str, Any]:
        said = facts_said(call) if facts is None else {"facts": facts}
        return {**said, "commitments": list(commitments), "settled": list(settled)}

    return reply


async def retained(talk: Talk, *said: str, on: str = "2025-05-10", **settings: Any) -> Any:
    """Retain these turns as one session."""
    given = session(*said, on=f"{on}T12:00:00Z")
    return await talk.bench.retain(given, bank=talk.bank, **settings)


async def ledger(talk: Talk) -> list[Commitment]:
    """All of the bank's commitments, by when they were made."""
    return await talk.bench.app.records.commitments(talk.bank)


async def promised(talk: Talk, **fields: Any) -> Commitment:
    """The packet is promised, due on the 20th of May 2025."""
    talk.bench.script(extract=read(promise(PACKET, due="2025-05-20", **fields)))
    await retained(talk, SAID)
    (made,) = await ledger(talk)
    talk.bench.chat.calls.clear()
    return made


async def watched(talk: Talk) -> Commitment:
    """The quote is to be reconciled once it has arrived."""
    talk.bench.script(extract=read(promise(QUOTE, condition=CONDITION)), remind=reminders(*CUES))
    await retained(talk, "Once the roofing quote arrives I have to reconcile it")
    (made,) = await ledger(talk)
    talk.bench.chat.calls.clear()
    return made


def actions(result: dict[str, Any]) -> list[str]:
    """What is to be done of the commitments that came to mind."""
    return [one["commitment"]["action"] for one in result["commitments"]]


async def watched_elsewhere(talk: Talk) -> None:
    """The quote is to be reconciled, in a bank beside that of `talk`."""
    talk.bench.script(extract=read(promise(QUOTE, condition=CONDITION)), remind=reminders(*CUES))
    given = session("Once the quote arrives I have to reconcile it", on="2025-05-10T12:00:00Z")
    await talk.bench.retain(given, bank=f"{talk.bank} too")
