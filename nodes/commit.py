"""retain: write the ChangeSet, in one transaction. From here on the facts are safe."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from forethought.memory.plain import from_plain
from forethought.memory.records.changes import ChangeSet, Committed
from forethought.memory.records.port import Records
from forethought.memory.types import Session
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.retain_state import RetainState, forgotten


async def commit(
    state: RetainState, runtime: Runtime[Context], *, records: Records
) -> dict[str, Any]:
    """Commit; the session leaves the queue once all of its turns are extracted, or it failed.

    What another run has extracted in the meantime is not committed again in other words.
    """
    watch = Stopwatch()
    changes = from_plain(ChangeSet, state["changes"])
    if not changes.progress:
        emit(runtime, "commit", watch, new=0, repeated=0, replaced=0, refused=0)
        return {}
    touched = [progress.session for progress in changes.progress]
    found = await records.sessions(changes.bank, ids=touched)
    if not found:  # forgotten while it was being read
        emit(runtime, "commit", watch, new=0, repeated=0, replaced=0, refused=len(changes.facts))
        return {
            "queue": [item for item in state["queue"] if item not in touched],
            "report": forgotten(state["report"], touched),
        }
    overtaken = found[0].extracted != state["stretch"].get("start", found[0].extracted)
    done = Committed() if overtaken else await records.commit(changes)
    (session,) = await records.sessions(changes.bank, ids=touched)
    emit(
        runtime, "commit", watch, session=session.key, status=session.status, error=session.error,
        new=len(done.new), repeated=len(done.repeated), replaced=len(done.replaced),
        refused=len(done.refused),
    )  # fmt: skip
    whole = context_of(runtime).extract_chars
    return {
        "report": [_updated(entry, session, done) for entry in state["report"]],
        "queue": [
            item for item in state["queue"] if item != session.id or session.status == "pending"
        ],
        "chars": state["chars"] if session.status == "pending" else whole,
        "notes": [f"{session.key}: another run extracted this meanwhile"] if overtaken else [],
    }


def _updated(entry: dict[str, Any], session: Session, done: Committed) -> dict[str, Any]:
    if entry.get("session") != session.id:
        return entry
    facts = entry.get("facts", 0) + len(done.new)
    return {**entry, "status": session.status, "error": session.error, "facts": facts}
