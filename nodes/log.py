"""retain, first step: write the conversations to the log before anything else can fail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite
from pydantic import ValidationError

from forethought.memory.conversations import Conversation
from forethought.memory.errors import InvalidInput
from forethought.memory.records.changes import Logged
from forethought.memory.records.port import Records
from forethought.memory.types import Session
from forethought.memory.when import aware
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.retain_state import RetainState
from forethought.nodes.usage import NOTHING


async def log(
    state: RetainState, runtime: Runtime[Context], *, records: Records, zone: tzinfo
) -> dict[str, Any]:
    """Log every valid session and queue those whose turns are not all extracted, by date."""
    watch = Stopwatch()
    context = context_of(runtime)
    bank = context.bank
    conversations, report = _validated(state.get("sessions") or [], zone)
    logged = await records.log(bank, conversations)
    report += [_entry(item) for item in logged]
    known = {item.session.id: item.session for item in logged if item.session}
    if state.get("pending"):
        unfinished = await records.sessions(bank, unfinished=True)
        report += [_entry(Logged(s.key, "known", s)) for s in unfinished if s.id not in known]
        known |= {session.id: session for session in unfinished}
    retry = context.retry or bool(state.get("pending"))
    queue = _queue(list(known.values()), retry=retry)
    emit(runtime, "log", watch, sessions=len(report), queued=len(queue))
    # the sessions are in the log now: no later checkpoint need carry them; and whatever an earlier
    # run on this thread left is not part of this one
    return {
        "sessions": [], "pending": False, "queue": queue, "report": report,
        "usage": Overwrite(dict(NOTHING)), "notes": Overwrite([]),
        "chars": context.extract_chars, "stretch": {}, "drafts": [], "duties": {}, "failure": None,
        "batch": 0, "skipped": [], "groups": None, "merged": 0, "pairs": 0, "subjects": None,
    }  # fmt: skip


def _validated(
    sessions: Sequence[dict[str, Any]], zone: tzinfo
) -> tuple[list[Conversation], list[dict[str, Any]]]:
    valid: list[Conversation] = []
    invalid: list[dict[str, Any]] = []
    for number, data in enumerate(sessions):
        try:
            given = Conversation.model_validate(data)
            key = given.name  # before the date changes form, so that it stays the same name
            valid.append(given.model_copy(update={"date": aware(given.date, zone), "key": key}))
        except (ValidationError, InvalidInput) as error:
            problem = _first(error) if isinstance(error, ValidationError) else f"date: {error}"
            invalid.append({"key": f"sessions[{number}]", "outcome": "invalid", "error": problem})
    return list(dict.fromkeys(valid)), invalid  # what is given twice is one, and no news to itself


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place or 'session'}: {problem['msg']}"


def _entry(item: Logged) -> dict[str, Any]:
    entry: dict[str, Any] = {"key": item.key, "outcome": item.outcome, "facts": 0}
    if item.session:
        entry |= {
            "session": item.session.id,
            "status": item.session.status,
            "error": item.session.error,
        }
    return entry


def _queue(sessions: Sequence[Session], *, retry: bool) -> list[str]:
    waiting = {"pending", "failed"} if retry else {"pending"}
    todo = [session for session in sessions if session.status in waiting]
    return [session.id for session in sorted(todo, key=lambda s: (s.date, s.key))]
