"""retain: read one stretch of one session into draft facts and commitments, in one model call."""

from __future__ import annotations

from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime

from forethought.memory.errors import ModelError, ModelRefused, ModelUnavailable, TruncatedAnswer
from forethought.memory.records.port import Records
from forethought.memory.stretches import Stretch, next_stretch
from forethought.memory.types import Session
from forethought.nodes.beside import Beside, Surroundings
from forethought.nodes.context import Context, context_of
from forethought.nodes.events import Stopwatch, emit
from forethought.nodes.lines import today, turn_line
from forethought.nodes.model import Model
from forethought.nodes.retain_state import RetainState, forgotten
from forethought.prompts.extract import Extraction
from forethought.prompts.extract import extract as extract_prompt

_SMALLEST = 500  # characters; a stretch this short whose reply is cut is not going to get shorter


async def extract(
    state: RetainState,
    runtime: Runtime[Context],
    *,
    records: Records,
    surroundings: Surroundings,
    model: Model | None,
) -> dict[str, Any]:
    """Draft facts of the next stretch of the first queued session, beside what is known already.

    And the commitments that it makes, and those of the open ones near it that it settles.
    """
    timer = Stopwatch()
    bank = context_of(runtime).bank
    if model is None:  # without one nothing is queued for extraction
        emit(runtime, "extract", timer, drafts=0)
        return {"queue": []}
    session = await _session(records, bank, state["queue"][0])
    if session is None:  # forgotten while it was waiting
        emit(runtime, "extract", timer, drafts=0)
        gone, *others = state["queue"]
        report = forgotten(state["report"], [gone])
        return {
            "queue": others, "report": report, "drafts": [], "duties": {}, "stretch": {},
            "failure": None,
        }  # fmt: skip
    stretch = await _stretch(records, bank, session, state)
    if not stretch.turns:
        emit(runtime, "extract", timer, session=session.key, drafts=0)
        plain = _plain(session, stretch, Beside())
        return {"drafts": [], "duties": {}, "stretch": plain, "failure": None}
    texts = [text for _, text in stretch.turns]
    beside = await surroundings.of(bank, texts, by=session.date)
    prompt = extract_prompt(
        date=today(session.date),
        turns=_turn_lines(stretch),
        known=beside.lines,
        style=context_of(runtime).style,
        subject=f"{session.key}#{stretch.turns[0][0].position}",
    )
    reply = await model.ask(prompt)
    drafts = _drafts(reply.value, dropped=reply.dropped)
    emit(runtime, "extract", timer, session=session.key, drafts=len(drafts), **reply.usage)
    notes = (
        [f"{session.key}: {reply.dropped} facts did not fit and were dropped"]
        if reply.dropped
        else []
    )
    return {
        "drafts": drafts, "duties": _duties(reply.value),
        "stretch": _plain(session, stretch, beside), "failure": None,
        "usage": reply.usage, "notes": notes,
    }  # fmt: skip


def extract_failed(
    state: RetainState, runtime: Runtime[Context], error: NodeError
) -> dict[str, Any]:
    """Quarantine the session, read less of it at once, or stop while the model is away.

    A bad reply costs one session and keeps its turns; a cut one halves the stretch, which begins
    where it began; a model that cannot be reached ends the extraction and leaves every session of
    the queue pending.
    """
    problem = error.error
    if not isinstance(problem, ModelError):
        raise problem
    halved = state["chars"] // 2
    update: dict[str, Any] = {
        "drafts": [],
        "duties": {},
        "stretch": _place(state),
        "failure": None,
        "usage": problem.usage,
        "notes": [str(problem)],
    }
    if isinstance(problem, TruncatedAnswer) and halved >= _SMALLEST:
        update["chars"] = halved
    elif isinstance(problem, ModelUnavailable | ModelRefused):
        update |= {"queue": [], "notes": [f"extraction stopped: {problem}"]}
    else:
        update |= {"failure": str(problem), "stretch": {"session": state["queue"][0]}}
    emit(runtime, "extract", Stopwatch(), failed=str(problem))
    return update


def _drafts(answer: Extraction, *, dropped: int) -> list[dict[str, Any]]:
    """The facts as plain data; one without an id has none where its place in the reply is lost."""
    drafts = [fact.model_dump() for fact in answer.facts]
    return [{**draft, "id": draft["id"] or "?"} for draft in drafts] if dropped else drafts


def _duties(answer: Extraction) -> dict[str, Any]:
    return answer.model_dump(include={"commitments", "settled"})


async def _session(records: Records, bank: str, session_id: str) -> Session | None:
    found = await records.sessions(bank, ids=[session_id])
    return found[0] if found else None


async def _stretch(records: Records, bank: str, session: Session, state: RetainState) -> Stretch:
    turns = await records.turns(bank, session.id)
    last = _place(state)
    here = (last.get("session"), last.get("extracted")) == (session.id, session.extracted)
    cut = last["offset"] if here else 0
    return next_stretch(turns, start=session.extracted, offset=cut, chars=state["chars"])


def _place(state: RetainState) -> dict[str, Any]:
    """Where the last stretch that was read ended, without what it held; {} before the first one."""
    last = state.get("stretch") or {}
    return {name: last[name] for name in ("session", "extracted", "offset") if name in last}


def _turn_lines(stretch: Stretch) -> tuple[str, ...]:
    return tuple(
        turn_line(f"T{number}", turn, text)
        for number, (turn, text) in enumerate(stretch.turns, start=1)
    )


def _plain(session: Session, stretch: Stretch, beside: Beside) -> dict[str, Any]:
    return {
        "session": session.id,
        "start": session.extracted,
        "date": session.date.isoformat(),
        "turns": [[turn.id, turn.role] for turn, _ in stretch.turns],
        "known": [fact.id for fact in beside.facts],
        "open": [one.id for one in beside.commitments],
        "extracted": stretch.extracted,
        "offset": stretch.offset,
    }
