"""LongMemEval: questions, each with the dated history of sessions that answers it.

A question is a group: its history is one person's. The official files repeat a session in the
histories of several questions, under the same id; its key is that id alone, so that the questions
read together hold it once. Also reads files that keep only the evidence of a question, as
`evidence_sessions` with `date` and `turns`. Questions and answers are not read here.
"""

from __future__ import annotations

from collections.abc import Iterator

from forethought.memory.formats.node import Node
from forethought.memory.formats.reading import Format, Found, Reading, content_name
from forethought.memory.formats.turns import message

_HAYSTACK, _EVIDENCE = "haystack_sessions", "evidence_sessions"


def matches(record: object) -> bool:
    """Whether it is a question with a history or with evidence."""
    return isinstance(record, dict) and (_HAYSTACK in record or _EVIDENCE in record)


def person(record: Node, reading: Reading) -> str:
    """The question's id, else its place in the file ("question-3")."""
    return reading.name(record, "question_id", default=record.numbered("question"))


def conversations(record: Node, _question: str, reading: Reading) -> Iterator[Found]:
    """Each session of the history, named by its id, or by its content where it has none."""
    history = record.need(_HAYSTACK, _EVIDENCE)
    dates, ids = (_column(record, name) for name in ("haystack_dates", "haystack_session_ids"))
    for number, session in enumerate(history.items("a list of sessions")):
        with reading.reporting():
            date = dates[number] if number < len(dates) else None
            key = ids[number] if number < len(ids) else None
            yield _session(session, date, key, reading)


def _column(record: Node, name: str) -> list[Node]:
    column = record.first(name)
    return column.items() if column else []


def _session(session: Node, date: Node | None, key: Node | None, reading: Reading) -> Found:
    turns = session
    if isinstance(session.value, dict):
        turns = session.need("turns")
        date, key = session.first("date") or date, session.first("session_id") or key
    said = [message(node) for node in turns.items("a list of turns")]
    when = reading.when(date, of=session)
    name = key.word("a session id") if key else content_name(when, said)
    return reading.found(session, name, date=when, turns=said)


FORMAT = Format(
    name="longmemeval",
    outline='{"question_id", "haystack_dates": [...], "haystack_sessions": '
    '[[{"role", "content"}]], "haystack_session_ids": [...]}',
    matches=matches,
    conversations=conversations,
    person=person,
)
