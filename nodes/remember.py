"""agent: log the turn, so that nothing of it is lost; and say whether it is time to retain.

What is logged is the user's message and the answer, never what was recalled for it. A session is
one chat on one day: facts resolve "tomorrow" against the day of their session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as Day
from datetime import datetime, tzinfo
from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.ids import content_hash, session_id
from forethought.memory.indexing import Indexer
from forethought.memory.records.changes import Logged
from forethought.memory.records.port import Records
from forethought.memory.types import Turn
from forethought.memory.when import day_in
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.places import note_place, place_of, remembered, unlogged
from forethought.nodes.spoken import Spoken, spoken
from forethought.nodes.state import AgentState, Chat


async def remember(
    state: AgentState, runtime: Runtime[Context], *, indexer: Indexer, zone: tzinfo
) -> dict[str, Any]:
    """Append what is new of the chat to its session of the day. Doing it again changes nothing.

    And note which commitments were brought up, so that they are not again on the same day.
    """
    watch = Stopwatch()
    context, records = context_of(runtime), indexer.records
    if context.remember and state.get("told"):
        await records.tell(context.bank, state["told"], on=Day.fromisoformat(state["day"]))
    said = spoken(state["messages"])
    kept = _kept(state, context.bank)
    if not context.remember or not said:
        emit(runtime, "remember", watch, outcome="off")
        return {"chat": {**(state.get("chat") or {}), "retain": []}}
    chat, new = await _place(records, context.bank, said, kept)
    now = datetime.fromisoformat(state["now"])
    entry = _Entry(records, context.bank, now, str(day_in(zone, now)))
    thread = runtime.execution_info.thread_id if runtime.execution_info else None
    done = await entry.made(chat, new, thread)
    await indexer.catch_up(context.bank)  # so that the next request finds what was just said
    after: Chat = {
        **chat, "bank": context.bank, "key": done.key, "day": entry.day, "turns": done.turns,
        "last": said[-1].id, "off": [], "retain": await _due(records, context, chat, done),
    }  # fmt: skip
    if "last" not in kept:
        await note_place(records, context.bank, said, after)
    emit(
        runtime, "remember", watch, session=done.key, outcome=done.outcome, logged=len(new),
        waiting=done.waiting,
    )  # fmt: skip
    return {"chat": after, "notes": done.notes}


def _kept(state: AgentState, bank: str) -> Chat:
    """Where the thread stands; what it said with another bank is no part of this one."""
    chat: Chat = state.get("chat") or {}
    if chat.get("bank", bank) == bank:
        return chat
    return {"last": chat["last"], "off": chat.get("off", [])}


async def _place(
    records: Records, bank: str, said: Sequence[Spoken], kept: Chat
) -> tuple[Chat, list[Spoken]]:
    """Where the chat stands and what is new of it, by its own state or else by its history."""
    if "last" in kept:
        return kept, unlogged(said, kept)
    found, new = await place_of(records, bank, said)
    return {**found, **kept}, remembered(new, kept.get("off", []))


@dataclass(frozen=True, slots=True)
class _Done:
    """What logging did: the session, how many turns of it are this chat's, and what waits.

    `waiting` counts exchanges that are not extracted, `before` those that were not when the turn
    began.
    """

    key: str
    outcome: str
    turns: int
    waiting: int = 0
    before: int = 0

    @property
    def notes(self) -> list[str]:
        """That the log refused it."""
        if self.outcome != "forgotten":
            return []
        return [
            f"remember: not kept, the session {self.key!r} was forgotten and stays so: begin a new "
            "thread to be remembered again"
        ]


@dataclass(frozen=True, slots=True)
class _Entry:
    """One turn's entry in the log of a bank."""

    records: Records
    bank: str
    now: datetime
    day: str

    async def made(self, chat: Chat, new: Sequence[Spoken], thread: str | None) -> _Done:
        """Log `new` behind the turns of this chat; beside them, where others went on from there."""
        base: list[Turn] = []
        if chat.get("day") == self.day:
            key = chat["key"]
            base = (await self.records.turns(self.bank, session_id(self.bank, key)))[
                : chat["turns"]
            ]
        else:
            key = f"chat {thread or content_hash(*_texts(new))} {self.day}"
        given = [*_utterances(base), *_said(new)]
        logged = await self._log(key, given)
        if logged.outcome == "differs":  # the same thread went on from there otherwise
            key = f"{key} {content_hash(str(len(base)), *_texts(new))}"
            base, given = [], _said(new)
            logged = await self._log(key, given)
        return _done(logged, base, given)

    async def _log(self, key: str, given: Sequence[Utterance]) -> Logged:
        talk = Conversation(date=self.now, key=key, turns=tuple(given))
        (logged,) = await self.records.log(self.bank, [talk])
        return logged


def _done(logged: Logged, base: Sequence[Turn], given: Sequence[Utterance]) -> _Done:
    done = logged.session.extracted if logged.session else len(given)
    return _Done(
        logged.key,
        logged.outcome,
        len(given),
        waiting=_asked(given[done:]),
        before=_asked(given[done : len(base)]),
    )


async def _due(records: Records, context: Context, chat: Chat, done: _Done) -> list[str]:
    """Keys of the sessions to retain now: every so many exchanges, at once to flush, or when over.

    A retain that failed is tried again when as many more have been said, not at every turn.
    """
    waiting = list(chat.get("waiting", []))
    ended = chat["key"] if chat.get("key") and chat["key"] != done.key else None
    if ended is not None and ended not in waiting and await _unread(records, context.bank, ended):
        waiting.append(ended)
    else:
        ended = None
    every = context.retain_every
    reached = done.waiting // every > done.before // every
    if reached or context.flush:
        return [*waiting, *([done.key] if done.waiting else [])]
    return waiting if ended else []


async def _unread(records: Records, bank: str, key: str) -> bool:
    found = await records.sessions(bank, ids=[session_id(bank, key)])
    return bool(found) and found[0].status != "extracted"


def _asked(turns: Sequence[Utterance]) -> int:
    """Exchanges: each begins with what the user said."""
    return sum(one.role == "user" for one in turns)


def _utterances(turns: Sequence[Turn]) -> list[Utterance]:
    return [Utterance(role=turn.role, text=turn.text, name=turn.name) for turn in turns]


def _said(new: Sequence[Spoken]) -> list[Utterance]:
    return [Utterance(role=one.role, text=one.text) for one in new]


def _texts(new: Sequence[Spoken]) -> list[str]:
    return [one.text for one in new]
