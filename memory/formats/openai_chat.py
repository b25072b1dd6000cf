"""OpenAI-style chats: conversations of `{"role", "content"}` messages, whole or one to a line.

A record is an object with "messages", a bare list of messages, or a single message. Single
messages form one session if they are the items of one JSON list; in a file with one to a line,
those with the same session id form one, else those of the same calendar day.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from forethought.memory.formats.node import Node
from forethought.memory.formats.reading import Format, Found, Reading
from forethought.memory.formats.turns import message

_DATES = (
    *("date", "created_at", "created", "timestamp", "create_time", "createdAt"),
    *("datetime", "started_at", "start_time", "time"),
)
_SESSION_IDS = ("session_id", "conversation_id", "thread_id", "chat_id")


def matches(record: object) -> bool:
    """Whether it is a conversation or a message."""
    if isinstance(record, list):
        return any(_is_message(item) for item in record)
    return _is_message(record) or (isinstance(record, dict) and "messages" in record)


def conversations(record: Node, _person: str, reading: Reading) -> Iterator[Found]:
    """The conversation that the record is, named by its id if it has one."""
    with reading.reporting():
        whole = record if isinstance(record.value, dict) else None
        messages = (record.need("messages") if whole else record).items("a list of messages")
        turns = [message(node) for node in messages]
        name = whole.first("id", *_SESSION_IDS) if whole else _session_id(messages[0])
        dates = (node.first(*_DATES) for node in (whole, *messages) if node)
        date = reading.when(next((node for node in dates if node), None), of=record)
        key = name.word("a conversation id") if name else None
        yield reading.found(record, key, date=date, turns=turns)


def gather(root: Node, reading: Reading) -> list[Node]:
    """The conversations of a file, single messages put together into lists."""
    if not isinstance(root.value, list):
        return [_run([root]) if _is_message(root.value) else root]
    named = any(_session_id(node) for node in root.items())
    talks = any(matches(item) and not _is_message(item) for item in root.value)
    if not (reading.lines or named or talks):
        return [root]
    return _sessions(root.items(), reading)


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value and "messages" not in value


def _session_id(node: Node | None) -> Node | None:
    return node.first(*_SESSION_IDS) if node and _is_message(node.value) else None


def _sessions(records: list[Node], reading: Reading) -> list[Node]:
    """Messages by session id or day, in the order of each one's first; others stay alone."""
    runs: dict[tuple[str, object], list[Node]] = {}
    for node, day in _by_day(records, reading):
        name = _session_id(node)
        if not _is_message(node.value):
            runs["record", node.place] = [node]
        elif name:
            runs.setdefault(("id", name.word("a session id")), []).append(node)
        else:
            runs.setdefault(("day", day), []).append(node)
    return [run[0] if tag[0] == "record" else _run(run) for tag, run in runs.items()]


def _by_day(records: list[Node], reading: Reading) -> list[tuple[Node, date | None]]:
    """Each sound record with its calendar day; one without a date belongs to the day around it.

    A line stands alone, so a damaged one is reported and left out, not its whole day.
    """
    days: list[tuple[Node, date | None]] = []
    day: date | None = None
    for node in records:
        with reading.reporting():
            if _is_message(node.value):
                day = _day(node, reading) or day
            days.append((node, day))
    first = next((day for _, day in days if day), None)
    return [(node, day or first) for node, day in days]


def _day(node: Node, reading: Reading) -> date | None:
    message(node)
    name = _session_id(node)
    if name:
        name.word("a session id")
    dated = node.first(*_DATES)
    return reading.when(dated, of=node).astimezone(reading.zone).date() if dated else None


def _run(messages: list[Node]) -> Node:
    places = tuple(node.place for node in messages)
    return Node([node.value for node in messages], places[0], places)


FORMAT = Format(
    name="openai",
    outline='{"messages": [{"role", "content"}], "date"} or a message {"role", "content", "date"}',
    matches=matches,
    conversations=conversations,
    gather=gather,
)
